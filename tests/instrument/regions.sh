#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The structure that the plugin sees is the source's: src/X.want holds a line for each region.
. "$srcdir/tests/instrument/lib.sh"

check() {
	file=$1
	shift
	"$psc" "$(compiler_of "$file")" -fopenmp -w "$@" -c "$here/src/$file" -o "$tmp/x.o" > "$tmp/log" 2>&1
	table "$tmp/x.o" > "$tmp/got"
	diff "$here/src/$file.want" "$tmp/got" > "$tmp/log"
	ok $? "$file $*"
}

cd "$tmp" || exit 99
for flags in -O0 -O2 -O3; do
	for file in nest.f free.f90 loops.c classes.cc; do
		check $file $flags
	done
done
finish
