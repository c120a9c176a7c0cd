#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Recording begins and ends inside a running function: what a phase loop accesses itself is
# recorded in the executions that are, just as if its body were a function.
. "$srcdir/tests/instrument/lib.sh"
OMP_NUM_THREADS=1

# built FILE OUT FLAGS
built() {
	file=$1 out=$2
	shift 2
	"$psc" "$(compiler_of "$file")" "$@" -cpp -J"$tmp" -w "$here/src/$file" -o "$out" > "$tmp/log" 2>&1 ||
		"$psc" "$(compiler_of "$file")" "$@" -w "$here/src/$file" -o "$out" > "$tmp/log" 2>&1
}

# loops FILE PROGRAM: "NAME INDEX" of each loop marked @switch
loops() {
	fragments "$2" | awk '
	FNR == NR { if (match($0, /@switch [a-z]+/)) name[FNR] = substr($0, RSTART + 8, RLENGTH - 8); next }
	/<codeRegion type="loop".* hook="[^"]*phase/ {
		match($0, / index="[0-9]*"/); i = substr($0, RSTART + 8, RLENGTH - 9)
		match($0, / id="[0-9]*-[0-9]*"/); l = substr($0, RSTART + 5, RLENGTH - 6)
		sub(/.*-/, "", l)
		if (l in name) print name[l], i
	}' "$here/src/$1" -
}

# recorded PROGRAM INDEX FIRST COUNT: bytes that the window's executions read and write (how wide the
# accesses are, GCC may see otherwise in a function)
recorded() {
	STUB_OUT=$tmp/out STUB_PHASE=$2:$3:$4 "$1" > "$tmp/stdout" 2>> "$tmp/log"
	awk '/^loads/ { print $6, $8 }' "$tmp/out"
}

# check FILE NLOOPS FLAGS
check() {
	file=$1 want=$2 n=0 failed=0
	shift 2
	built "$file" "$tmp/inline" "$@" && built "$file" "$tmp/called" -DCALLED "$@" || {
		ok 1 "$file $*: compiles"
		return
	}
	loops "$file" "$tmp/inline" > "$tmp/loops"
	loops "$file" "$tmp/called" > "$tmp/loops2"
	while read -r name index; do
		other=$(awk -v n="$name" '$1 == n { print $2 }' "$tmp/loops2")
		n=$((n + 1))
		one=$(recorded "$tmp/inline" "$index" 2 1) first=$(recorded "$tmp/inline" "$index" 0 1)
		ref=$(recorded "$tmp/called" "$other" 2 1) none=$(recorded "$tmp/inline" "$index" 100 1)
		echo "$name: one '$one' in a function '$ref' first '$first' none '$none'" >> "$tmp/log"
		[ "$one" = "$ref" ] && [ "$one" != "0 0" ] && [ "$first" != "0 0" ] &&
			[ "$none" = "0 0" ] || failed=1
	done < "$tmp/loops"
	[ "$n" -eq "$want" ] || failed=1
	ok $failed "$file $*: as in a function"
}

for flags in -O0 -O1 -O2 -O3 "-O2 -flto" "-Os -fPIC"; do
	check loop_versions.c 4 $flags
	check loop_versions.f90 1 $flags
done
finish
