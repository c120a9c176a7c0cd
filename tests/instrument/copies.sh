#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What regions copy, and for which calls: src/copies.X.want holds a line for each; and the bytes of arguments by value are recorded as
# one half of a copy.
. "$srcdir/tests/instrument/lib.sh"

# LINE OF THE REGION, WHAT, FOR WHOM, ITS LINE
copies() {
	fragments "$1" | sed -n 's/.* id="1-\([0-9]*\)".*/\1/; t line
		s/^<copy of="\([a-z]*\)" for="\(.*\)" line="\([0-9]*\)"\/>/\1 \2 \3/; t copy
		s/^<copy of="\([a-z]*\)" line="\([0-9]*\)"\/>/\1 - \2/; t copy
		d
		:line
		h
		d
		:copy
		G
		s/\(.*\)\n\(.*\)/\2 \1/p' | sort -n -u
}

cd "$tmp" || exit 99
for flags in -O0 -O2 -O3; do
	for file in copies.cc copies.f90; do
		want=$here/src/$file.want
		if [ "$file $flags" = "copies.f90 -O0" ]; then  # a function of the library makes the temporary
			want=want
			echo "22 section explicit 22" >want
		fi
		# shellcheck disable=SC2086
		"$psc" "$(compiler_of "$file")" -w $flags "$here/src/$file" -o x >log 2>&1
		copies x >got
		[ -s "$want" ] && diff "$want" got >log
		ok $? "$file $flags"
		# The monitor of the tests complains of records that do not add up.
		STUB_RECORD=1 STUB_OUT=$tmp/out ./x >printed 2>log && [ ! -s log ] && grep -q '^loads' out
		ok $? "$file $flags is recorded"
	done
done
finish
