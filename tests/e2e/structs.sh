#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Arrays of structs of which loops use few members: the advice names them, and --what-if split estimates what is left
# when they are really split in the source.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 15

cp "$srcdir/tests/e2e/structs.c" "$srcdir/tests/e2e/structs.cc" "$srcdir/tests/e2e/structs.f90" .
line() { grep -n "$1" "$2" | head -n 1 | cut -d: -f1; }
analyse() {
	program=$1 phase=$2
	shift 2
	run 0 --app "./$program" --phase "$phase" --machine x86-server --lockstep --no-psc --properties memory "$@"
}
# field JSON NAME: of the phase
field() { sed -n "s/^  \"phase\": {.*\"$2\": \([0-9.e+-]*\).*/\1/p" "$1"; }
# saved JSON STRUCTURE: what its split saves, as a share of the phase's time
saved() { sed -n "s/^ *{\"structure\": \"$2\",.*\"fix\": \"split\".*\"time_share\": \([-0-9.e+]*\).*/\1/p" "$1"; }
within() { awk -v s="$1" -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d <= s * b && -d <= s * b) }'; }
# advice WORDS: among the advice of the report, whose lines are put together
advice() { sed -n '/^Advice/,/^$/p' out | tr -s ' \n' ' ' | grep -qF -- "$1"; }

psc_instrument gcc -g -O2 -o structs structs.c && psc_instrument gcc -g -O2 -DSPLIT -o parted structs.c &&
	psc_instrument g++ -g -O2 -o cxx structs.cc && psc_instrument gfortran -g -O2 -o derived structs.f90 ||
	echo "Bail out! structs"
phase=structs.c:$(line 'for (int step' structs.c)
check "structs are analysed" analyse structs "$phase" --json structs.json --csv structs.csv \
	--what-if bodies:split --what-if grid:split --what-if pairs:split
check "members of records that are walked are named" advice \
	'3 of 9 members are used in the phase (24 of 72 bytes): put x, y, z into arrays of their own, or into a struct of their own'
check "and those of records that are visited in no order" advice \
	'3 of 5 members are used in the phase (16 of 192 bytes): put pressure, next, level into a struct of their own'
check "the kind is record" sh -c "grep '^[0-9]*,MemoryStall,' structs.csv | grep ',grid,' | grep -q ',record,'"
check "records that are used as a whole are a stream" sh -c \
	"grep '^[0-9]*,MemoryStall,' structs.csv | grep ',pairs,' | grep -q ',stream,'"
check "and their split is refused" grep -q 'split: not tried: no lines would be saved' out
check "what is really split is analysed" analyse parted "$phase" --json parted.json --what-if bodies:split
check "and has no records any more" sh -c "! grep -q ' members .* used \(there\|in the phase\)' out"

# One array after the other: what is left of the phase's memory time.
before=$(field structs.json memory_time)
left=$(awk -v m="$before" -v t="$(field structs.json modelled_time)" -v a="$(saved structs.json bodies)" \
	-v b="$(saved structs.json grid)" 'BEGIN { print m - t * (a + b) }')
check "the memory time left is what split said, within a tenth" within 0.1 "$left" "$(field parted.json memory_time)"
check "which is less than half" awk -v left="$left" -v before="$before" 'BEGIN { exit !(2 * left < before) }'

check "C++ is analysed" analyse cxx "structs.cc:$(line 'for (int step' structs.cc)" --what-if
check "members behind accessors are named" advice '2 of 6 members are used in the phase (16 of 64 bytes): put x, mass into'
check "and split is tried by itself" grep -q 'only the members used (16 of 64 bytes), packed' out
check "Fortran is analysed" analyse derived "structs.f90:$(line 'do step' structs.f90)"
check "components are named" advice '1 of 12 members is used in the phase (8 of 96 bytes): put mass into'
