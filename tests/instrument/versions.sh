#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Inside an execution of the phase, also one that begins in a running function, subroutines run natively or
# with their markers, as the monitor says: no frame keeps an older answer.
. "$srcdir/tests/instrument/lib.sh"
OMP_NUM_THREADS=1

# index NAME: of the loop with that @phase
index() {
	line=$(grep -n "@phase $1 " "$here/src/versions.c" | cut -d: -f1)
	fragments "$tmp/program" | awk -v line="$line" '
		/<codeRegion type="loop"/ && $0 ~ "id=\"[0-9]*-" line "\"" {
			match($0, / index="[0-9]*"/)
			print substr($0, RSTART + 8, RLENGTH - 9)
		}'
}

# entered WINDOW: "REGION ENTRIES" of each region
entered() {
	STUB_OUT=$tmp/out STUB_NATIVE=1 STUB_PHASE=$1 "$tmp/program" > "$tmp/stdout" 2>> "$tmp/log" || echo failed
	awk '/^region/ { if ($4 != $6) print "unbalanced", $2; print $2, $4 }' "$tmp/out"
}

# Of the regions that are entered in the loop's ten executions, COUNT tenths are missing; half of the
# entries of those that both loops reach are the other loop's.
check() {
	"$psc" "$gcc" "$@" -fopenmp "$here/src/versions.c" -o "$tmp/program" > "$tmp/log" 2>&1
	for loop in small large; do
		at=$(index $loop)
		entered "$at:0:0" > "$tmp/all"
		cp "$tmp/stdout" "$tmp/stdout0"
		entered "$at:2:4" > "$tmp/some"
		cmp "$tmp/stdout" "$tmp/stdout0" >> "$tmp/log" 2>&1 && [ -n "$at" ] &&
			paste "$tmp/all" "$tmp/some" | tee -a "$tmp/log" | awk '
			NF != 4 || $1 != $3 { bad = 1; next }
			$2 == $4 { same++; next }
			$4 * 10 == $2 * 8 { fewer++; next }
			{ bad = 1 }
			END { exit bad || same < 3 || fewer < 6 }'
		ok $? "$*: calls in the loop of a $loop function"
	done
}

check -O1
check -O2
check -O3
check -O2 -flto
check -O2 -fPIC
finish
