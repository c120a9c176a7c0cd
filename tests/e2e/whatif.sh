#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --what-if: what is modelled is what comes of it when it is really done in the source.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 27

cp "$srcdir/tests/e2e/alias.c" "$srcdir/tests/e2e/counters.c" "$srcdir/tests/e2e/placed.c" .
line() { grep -n "$1" "$2" | head -n 1 | cut -d: -f1; }
phase=alias.c:$(line 'for (int step' alias.c)
psc_instrument gcc -g -O2 -o alias alias.c && psc_instrument gcc -g -O2 -DPAD=8 -o padded alias.c &&
	psc_instrument gcc -g -O2 -DWIDER=8 -o wider alias.c || echo "Bail out! alias.c"
analyse() {
	code=$1 app=$2
	shift 2
	run "$code" --app "./$app" --phase "$phase" --machine ./unscattered.xml --lockstep --no-psc "$@"
}
# Page frames lie anywhere: with them, a structure that begins a line later has other conflicts.
psc_machine --xml x86-server | sed 's/ index="physical"//' >unscattered.xml
stall() { sed -n 's/.*"stall_cycles": \([0-9.e+]*\),.*/\1/p' "$1"; }
# gain JSON STRUCTURE WORDS FIELD: of the change that is said so
gain() {
	sed -n "s/^ *{\"structure\": \"$2\",.*\"change\": \"[^\"]*$3[^\"]*\".*\"$4\": \([-0-9.e+]*\),.*/\1/p" "$1"
}
# within SHARE A B
within() { awk -v s="$1" -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !(b != "" && d <= s * b && -d <= s * b) }'; }
above() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a > b) }'; }

check "fixes are tried after the search" analyse 0 alias --json alias.json --csv alias.csv --psc alias.psc \
	--what-if b --what-if matrix:pad=4096,pad --what-if stream:pad --what-if strem --what-if b:touch
cp out alias.out
check "in one experiment" test "$(grep -c 'what if' err)" = 1
base=$(stall alias.json)
check "the best one is named first" grep -q '^Worth trying first: matrix: rows of 4096 bytes' alias.out
check "moving b helps" above "$(gain alias.json b '1 line later' most)" "$(awk "BEGIN { print $base / 20 }")"
check "moving the matrix does not" test "$(gain alias.json matrix '1 line later' most)" = 0
check "moving what has no neighbour in its sets does not" test "$(gain alias.json stream '1 line later' most)" = 0
check "b that always hits saves at least its own misses, and more at most than b moved" above \
	"$(gain alias.json b 'always hits' most)" "$(gain alias.json b '1 line later' most)"
check "an unknown name is told its neighbours" grep -q 'no structure of that name .*there is' alias.out
check "and what needs memory nodes says so" grep -q 'touch: not tried: the machine has one memory node' alias.out
check "the finding has its best fix in the CSV" sh -c \
	"grep '^[0-9]*,MemoryStall,.*,matrix,' alias.csv | grep -q ',rows of 4096 bytes get 64 bytes more,0\.[0-9]*,'"
sed -n '/^What a fix/,/^Where/p' alias.out >section
check "the property file holds it too" sh -c \
	"psc_report -v alias.psc | sed -n '/^What a fix/,/^Where/p' | diff - section"

# The honest proof.
check "b really moved" analyse 0 padded --json padded.json --what-if c:hit
check "has the stall that was modelled" within 0.01 "$(stall padded.json)" \
	"$(awk "BEGIN { print $base - $(gain alias.json b '1 line later' most) }")"
check "rows really longer" analyse 0 wider --json wider.json --what-if c:hit
check "have the stall that was modelled" within 0.01 "$(stall wider.json)" \
	"$(awk "BEGIN { print $base - $(gain alias.json matrix 'rows' most) }")"

check "plain --what-if takes the first findings' structures" analyse 0 alias --what-if
check "of which the matrix is one" grep -q '^matrix (alias.c:[0-9]*): above [12]' out
check "too few executions make the analysis partial" analyse 4 alias --what-if=b -- 7
check "and say so" grep -q 'pad: not tried: the application ended' out
check "a fix that there is none of is a mistake" analyse 2 alias --what-if b:pda

# Two threads' counters in one line.
OMP_NUM_THREADS=2
phase=counters.c:$(line 'for (int step' counters.c)
psc_instrument gcc -g -O2 -fopenmp -o counters counters.c
analyse 0 counters --json counters.json --what-if counter:pad >/dev/null
base=$(stall counters.json)
check "false sharing goes with a line for each element" above \
	"$(gain counters.json counter 'line of its own' most)" "$(awk "BEGIN { print $base / 2 }")"

# Two nodes: what one thread touched first is remote for the other one's half.
placed() {
	program=$1
	shift
	run 0 --app "./$program" --phase "placed.c:$(line 'for (int step' placed.c)" --machine "$srcdir/tests/e2e/two.xml" \
		--lockstep --no-psc "$@"
}
if psc_frontend --doctor 2>&1 | grep -q '^ *placement *available'; then
	psc_instrument gcc -g -O2 -fopenmp -o placed placed.c
	psc_instrument gcc -g -O2 -fopenmp -DSPREAD -o spread placed.c
	check "fixes of placement are tried" placed placed --json placed.json --what-if mine:touch,interleave \
		--what-if ours:touch,interleave
	gained=$(gain placed.json mine 'first' most)
	check "mine touched by its users saves stall" above "$gained" 0
	check "and really touched so" placed spread --json spread.json --what-if mine:touch
	check "has the stall that was modelled" within 0.01 "$(stall spread.json)" \
		"$(awk "BEGIN { print $(stall placed.json) - $gained }")"
	# Either way each thread has half of its pages far away.
	check "mine interleaved is as far away as on one node" within 0.02 "$(stall placed.json)" \
		"$(awk "BEGIN { print $(stall placed.json) - ($(gain placed.json mine 'turn' most)) }")"
	# ours is as long as mine: it loses what mine gains.
	check "ours interleaved costs what mine saves" within 0.02 "$gained" \
		"$(awk "BEGIN { print -($(gain placed.json ours 'turn' least)) }")"
else
	for what in touch 'touch saves' 'touch really done' 'is what was modelled' interleave 'interleave costs'; do
		ok "$what # SKIP the kernel gives no page-fault events"
	done
fi
