#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --experiment-time: spans of programs that repeat nothing.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 33
# Checks of each record take several times as long as recording it.
unset PSC_CHECK
cp "$srcdir/tests/e2e/timed.c" .
psc_instrument gcc -O2 -g -o timed timed.c >build.log 2>&1 || { echo "Bail out! timed.c does not build"; exit 1; }
gcc -O2 -g -o plain timed.c || { echo "Bail out! timed.c does not build"; exit 1; }

# refused TEXT OPTIONS...: wrong use, with that reason; nothing is run
refused() {
	text=$1
	shift
	code=0
	psc_frontend --app ./timed --no-psc "$@" -- sort 100 >out 2>err || code=$?
	[ $code = 2 ] && [ ! -s out ] && tr -s ' \n' ' ' <err | grep -q -e "$text"
}
for wrong in 0 -1 0.001 x 1x ""; do
	check "'$wrong' is no time" refused "takes a number from 0.01 to 86400, not '$wrong'" "--experiment-time=$wrong"
done
check "not with --phase" refused "cannot be used with --phase: either" --experiment-time 1 --phase main
check "nor with several processes" refused "cannot be used with --mpinumprocs: spans" --experiment-time 1 --mpinumprocs 2
check "nor with --what-if" refused "cannot be used with --what-if" --what-if --experiment-time 1
check "nor without a warm-up" refused "cannot be used with --warm 0" --warm 0 --experiment-time 1

flat() { tr -s ' \n' ' ' <out; }
said() { flat | grep -q -e "$1"; }
# spans SECONDS ARGUMENTS...: analysed, with the output of the program as it is
spans() {
	time=$1
	shift
	[ -s plain.out ] && [ "$(cat plain.args)" = "$*" ] || ./plain "$@" >plain.out
	echo "$*" >plain.args
	run 0 --app ./timed --experiment-time "$time" --machine itanium2 --no-psc --json out.json \
		--export-counts counts.csv -- "$@" || return 1
	head -n 1 out | grep -qx "$(cat plain.out)" || tail -n 1 out | grep -qx "$(cat plain.out)"
}
# share NAME LEAST MOST: time of the calls of NAME as share of the phase's
share() {
	awk -F, -v name="$1" -v least="$2" -v most="$3" 'NR > 1 && $8 == "*" { if ($3 == -1) phase = $9
			if ($4 == "SUB_REGION" && $5 == name) time += $9 }
		END { print time / phase; exit !(time >= least * phase && time <= most * phase) }' counts.csv
}
# at PATTERN: a search path with these nodes, in this order
at() { sed -n '/^Search paths/,/^Advice/p' out | tr -s ' \n' ' ' | grep -q -e "$1"; }

check "a recursion" spans 0.2 sort 6000000
check "is measured as the whole program" said "Phase main( SUB_REGION, timed.c, [0-9]* )"
check "in spans of time" said "every 0.2 s of the program"
check "which are no equal steps" said "each is a span of 0.2 s of the program, not a step that it repeats, so shares are estimates"
check "counted in slices" said "counted in [0-9]* slices, [0-9.]* % of the execution"
check "the table that it sorts by is found" at " sort( CALL_REGION, timed.c, [0-9]* ) [0-9. ]*sort( SUB_REGION, timed.c, [0-9]* ) [0-9. ]*( LOOP_REGION.*weight( DATA_STRUCTURE"
check "nearly all time is in it" share sort 0.9 1.05
check "JSON says it, too" grep -q '"unlike": "each is a span of 0.2 s of the program' out.json

check "unlike events" spans 0.2 events 6000000 1500
check "the event that misses is found" at "events( SUB_REGION.*\*( CALL_REGION.*follow( SUB_REGION, timed.c, [0-9]* ) .*weight( DATA_STRUCTURE"
check "another one is not" sh -c '! sed -n "/^Bottlenecks/,/^severity/p" out | grep -q "timed.c:$(grep -n "^static uint64_t count" timed.c | cut -d: -f1)"'
check "the handler that computes has its share of time" share count 0.01 0.6

check "a loop without hooks cannot be counted" run 4 --app ./timed --experiment-time 0.05 --no-psc -- long 1000000 30000000
check "the reason is given" said "spans could not end in time: for long, the main thread called no function with markers"
check "a program of few spans" run 4 --app ./timed --experiment-time 2 --no-psc -- sort 500000
check "is told of shorter ones" said "a shorter --experiment-time than 2 s"
# Spans end in the midst of odd things: output and exit code are the program's, and the records are right.
psc_instrument gcc -O2 -g -pthread -o leaves "$srcdir/tests/e2e/leaves.c" >build.log 2>&1 || { echo "Bail out! leaves.c does not build"; exit 1; }
odd() {
	PSC_CHECK=1 run "$2" --app ./leaves --experiment-time 0.05 --machine itanium2 --no-psc -- "$1" 800 &&
		grep -qx "$1" out && [ "$(grep -c "psc: experiment" err)" = 2 ]
}
for kind in jump thread signals fork deep; do
	check "a program with odd things in its spans: $kind" odd $kind 7
done
check "and end" odd end 0
check "nothing is left" nothing_left
