#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which members of arrays of structs each region uses: src/X.want holds a line for each region and struct.
. "$srcdir/tests/instrument/lib.sh"

# One line a struct: LINE OF THE REGION, TYPE[ARRAY] BYTES/MEMBERS: OFFSET:BYTES:MEMBER ...
structs() {
	fragments "$1" | sed -n 's/.* id="1-\([0-9]*\)".*/\1/; t line
		s/^<record type="\([^"]*\)" array="\([^"]*\)" size="\([0-9]*\)" members="\([0-9]*\)" used="\(.*\)"\/>/\1[\2] \3\/\4: \5/; t struct
		s/^<record type="\([^"]*\)" size="\([0-9]*\)" members="\([0-9]*\)" used="\(.*\)"\/>/\1[] \2\/\3: \4/; t struct
		d
		:line
		h
		d
		:struct
		G
		s/\(.*\)\n\(.*\)/\2 \1/p' | sort -n
}

cd "$tmp" || exit 99
for flags in -O0 -O2 '-O3 -fopenmp'; do
	for file in structs.c structs.cc structs.f90; do
		# shellcheck disable=SC2086
		"$psc" "$(compiler_of "$file")" -w $flags -c "$here/src/$file" -o x.o >log 2>&1
		structs x.o >got
		diff "$here/src/$file.want" got >log
		ok $? "$file $flags"
	done
done
finish
