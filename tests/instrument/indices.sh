#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which arrays the structure says to be accessed at an index that was loaded: those whose names begin with "at".
. "$srcdir/tests/instrument/lib.sh"

named() { fragments "$1" | sed -n "s/^<array name=\"\([^\"]*\)\".*$2.*/\1/p" | sed 's/.*\.//' | sort -u; }

cd "$tmp" || exit 99
for flags in -O0 -O2 '-O3 -fopenmp'; do
	for file in indices.c indices.f90; do
		# shellcheck disable=SC2086
		"$psc" "$(compiler_of "$file")" -w $flags -c "$here/src/$file" -o x.o >log 2>&1
		named x.o '' | grep '^at' >want
		named x.o 'index="loaded"' >got
		[ -s want ] && diff want got >log
		ok $? "$file $flags"
	done
done
finish
