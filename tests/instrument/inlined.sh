#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What GCC puts where it is called, once or because it is small, it puts there with the plugin as well: no
# function stands by itself that natively does not.
. "$srcdir/tests/instrument/lib.sh"

# functions OBJECT: those that only it knows and comdat ones but the library's, without parts of others and versions of ours.  GCC 13 and 14 natively pass
# an argument of inlined.f90's `both` otherwise, and name it both.isra.0: it stands by itself either way.
functions() {
	nm "$1" | awk '($2 == "t" || $2 == "W") && $3 !~ /^_ZNK?St|\.cold$|\.psc_(inst|mark)|^_sub_I/ {
			sub(/\.isra\.[0-9]+$/, "", $3); sub(/\.psc_own$/, "", $3); print $3 }' | sort
}

check() {
	file=$1
	shift
	cc=$(compiler_of "$file")
	{ ( cd "$tmp" && "$cc" "$@" -c "$here/src/$file" -o n.o && "$psc" "$cc" "$@" -c "$here/src/$file" -o x.o ) &&
		functions "$tmp/n.o" > "$tmp/want" && functions "$tmp/x.o" > "$tmp/got" &&
		diff "$tmp/want" "$tmp/got" && nm "$tmp/x.o" | grep 'psc_mark'; } > "$tmp/log" 2>&1
	ok $? "$file $*: what is inlined stays so"
}

for flags in -O1 -O2 -O3; do
	for file in inlined.c inlined.cc inlined_members.cc inlined.f90; do
		check $file $flags
	done
done
{ ( cd "$tmp" && "$psc" "$gxx" -O2 -c "$here/src/straight.cc" -o x.o ) && nm "$tmp/x.o" | grep 'introsort_loop.*psc_inst'; } > "$tmp/log" 2>&1
ok $? "what main() calls outside of loops has a recording version that it reaches"
finish
