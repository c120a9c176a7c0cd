#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs of MPI linked with the pass-throughs, without an agent: results, statuses and errors are MPI's.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpi/lib.sh"
[ -f "$builddir/instrument/.libs/pscplugin.so" ] || skip_all "configured without the plugin"
plan 10
work=$(mktemp -d "${TMPDIR:-/tmp}/psc-mpi-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
PATH=$builddir:$PATH

right() {
	launch "$1" 3 "$2" >check.out 2>&1
	[ "$(cat check.out)" = right ]
}
for mpi in openmpi mpich; do
	if ! have_mpi $mpi; then
		for what in "C" "Fortran" "Fortran 2008" "one pass-through a function" "a program without calls of MPI"; do
			skip "$mpi: $what" "$why"
		done
		continue
	fi
	psc_instrument mpicc.$mpi -w -g -O1 "$srcdir/tests/mpi/calls.c" -o c >check.out 2>&1 && right $mpi ./c
	if [ $? -eq 0 ]; then ok "$mpi: C"; else not_ok "$mpi: C" check.out; fi
	if command -v mpifort.$mpi >/dev/null; then
		fortran_2008 <"$srcdir/tests/mpi/calls.f90" >calls08.f90
		for f in "$srcdir/tests/mpi/calls.f90" calls08.f90; do
			psc_instrument mpifort.$mpi -w -g -O1 "$f" -o f >check.out 2>&1 && right $mpi ./f
			if [ $? -eq 0 ]; then ok "$mpi: Fortran, ${f##*/}"; else not_ok "$mpi: Fortran, ${f##*/}" check.out; fi
		done
	else
		skip "$mpi: Fortran" "no mpifort.$mpi"
		skip "$mpi: Fortran 2008" "no mpifort.$mpi"
	fi
	# Each has its counterpart, and no callback that MPI knows by its address is among them.
	nm "$builddir/monitor/mpi/libpscmpi-$mpi.a" 2>/dev/null | awk '
		$2 == "T" && tolower($3) ~ /^mpi_/ { here[$3] = 1; n++ }
		$1 == "U" { wanted[$2] = 1 }
		END {
			for (name in here) {
				if (!(("P" name) in wanted) && !(("p" name) in wanted) || tolower(name) ~ /wtime|wtick|_fn_?$|2c$|2f$/)
					bad = bad " " name
			}
			print n, bad
			exit n < 300 || bad != ""
		}' >check.out
	if [ $? -eq 0 ]; then ok "$mpi: a pass-through for each function"; else not_ok "$mpi: a pass-through for each function" check.out; fi
	echo 'int main(void) { return 3; }' >none.c
	check "$mpi: a program that calls nothing of MPI" exits 3 sh -c "psc_instrument mpicc.$mpi none.c -o none && ./none"
done
