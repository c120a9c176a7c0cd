#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# symbols.sh MPICC MPIFORT: prints a line for each function of the MPI library that can be passed through:
#   BINDING NAME PNAME FUNCTION
# BINDING is c, f (mpif.h, module mpi) or f08; FUNCTION the name in C without MPI_.
set -eu
nm=${NM:-nm}

# The words of the command that COMPILER links with.
link_words() {
	"$1" --showme:link 2>/dev/null || "$1" -show 2>/dev/null
}

# library COMPILER NAME: the file of -lNAME
library() {
	for word in $(link_words "$1"); do
		case $word in
		-L*) [ ! -f "${word#-L}/lib$2.so" ] || { echo "${word#-L}/lib$2.so"; return; } ;;
		esac
	done
	"$1" -print-file-name="lib$2.so"
}

# A name such as MPI_SEND or MPI_Send_f is one of Fortran's in other conventions.  What is left out is
# no function, is no int(...) of words, or is known by its address: callbacks that mean something to MPI.
names() {
	for compiler in "$@"; do
		for word in $(link_words "$compiler"); do
			case $word in -l*mpi*) library "$compiler" "${word#-l}" ;; esac
		done
	done | sort -u | while read -r file; do
		[ ! -f "$file" ] || $nm -D --defined-only "$file"
	done | awk '{ sub(/@.*/, "", $3) } $2 ~ /^[TW]$/ { print $3 }' | sort -u
}

[ $# -ge 1 ] && [ -n "$1" ]
names $1 ${2:-} | awk '
	{ have[$1] = 1 }
	END {
		for (name in have) {
			if (!(("P" name) in have) && !(("p" name) in have))
				continue
			binding = ""
			if (name ~ /^MPI_[A-Z][a-z]/)
				binding = "c"
			else if (name ~ /^mpi_[a-z0-9_]*_f08(ts)?(_large)?_$/)
				binding = "f08"
			else if (name ~ /^mpi_[a-z0-9_]*[a-z0-9]_$/)
				binding = "f"
			plain = tolower(name)
			if (binding == "c" && name ~ /(_f|_f08)$/)
				continue
			if (!binding || plain ~ /^mpi_(t_|wtime|wtick|pcontrol|sizeof|null_|dup_fn|conversion_fn)/ ||
			    plain ~ /(2f|2c|2f08|_fn|_fn_null|_f90)_?$/ || plain ~ /_(f082|f2)/)
				continue
			sub(/^mpi_/, "", plain)
			large = binding == "c" ? plain ~ /_c$/ : plain ~ /_large_$/
			if (binding == "c")
				sub(/_c$/, "", plain)
			else
				sub(/(_f08(ts)?)?(_large)?_$/, "", plain)
			print binding, name, (binding == "c" ? "P" : "p") name, plain, large
		}
	}' | sort
