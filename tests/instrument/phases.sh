#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The boundaries of every loop form count its executions exactly, whatever the optimiser does.
. "$srcdir/tests/instrument/lib.sh"

# "LINE COUNT" of each loop that is phase-capable, from the SIR and the run's counts.
measured() {
	fragments "$1" | awk '
	FNR == NR { if ($1 == "region") n[$2] = $NF; next }
	/<codeRegion type="loop"/ {
		match($0, /index="[0-9]*"/); i = substr($0, RSTART + 7, RLENGTH - 8)
		match($0, /id="[0-9]*-[0-9]*"/); l = substr($0, RSTART + 4, RLENGTH - 5)
		sub(/.*-/, "", l)
		if (/hook="[^"]*phase/) print l, n[i] + 0
	}' "$2" - | sort -n
}

expected() {
	awk 'match($0, /@phases [0-9]+/) && !/"@phases/ { print FNR, substr($0, RSTART + 8, RLENGTH - 8) }' "$1"
}

check() {
	file=$1
	shift
	"$psc" "$(compiler_of "$file")" "$@" -fopenmp -w "$here/src/$file" -o "$tmp/x" > "$tmp/log" 2>&1 &&
		STUB_OUT=$tmp/out "$tmp/x" > "$tmp/stdout" 2>> "$tmp/log" || {
		ok 1 "$file $*: compiles and runs"
		return
	}
	measured "$tmp/x" "$tmp/out" > "$tmp/got"
	expected "$here/src/$file" > "$tmp/want"
	diff "$tmp/want" "$tmp/got" > "$tmp/log"
	ok $? "$file $*: executions are counted"
}

for file in phases.c phases.f90; do
	check "$file" -O0
	check "$file" -O2
	check "$file" -O3 -mavx2 -ffast-math
	check "$file" -O3 -flto
	check "$file" -Os
done

# --phase makes an inner loop of a pure nest capable.
line=$(grep -n 'not capable: inside' "$here/src/phases.f90" | cut -d: -f1)
"$psc" --phase="src/phases.f90:$line" "$gfortran" -O2 -c "$here/src/phases.f90" -o "$tmp/x.o" > "$tmp/log" 2>&1
table "$tmp/x.o" | grep "loop $line-.*phase" > /dev/null
ok $? "--phase makes an inner loop a phase"
finish
