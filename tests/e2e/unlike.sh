#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Iterations that differ: times are those of an execution like the counted one, which is the tenth.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 17

for program in growing turns; do
	cp "$srcdir/tests/e2e/$program.c" .
	psc_instrument gcc -g -O2 -o $program $program.c || echo "Bail out! $program.c"
done
# analyse PROGRAM OPTIONS...
analyse() {
	program=$1
	phase=$(grep -n 'for (int step' "$program.c" | cut -d: -f1)
	shift
	run 0 --app "./$program" --phase "$program.c:$phase" --agents local --no-psc \
		--export-counts counts.csv --json out.json "$@"
}
# share NAME WANTED: exec_time of the call / that of the phase, within 0.1
share() {
	awk -F, -v name="$1" -v want="$2" 'NR > 1 && $8 == "*" { if ($3 == -1) phase = $9
			if ($4 == "CALL_REGION" && $5 == name) time = $9 }
		END { got = time / phase; print got; exit !(got - want < 0.1 && want - got < 0.1) }' counts.csv
}
# phase FIELD: the number of that name in the JSON's phase
phase() { sed -n "s/.*\"phase\": {.*\"$1\": \\([0-9.e+-]*\\)[,}].*/\\1/p" out.json; }
said() { tr -s ' \n' '  ' <out | grep -q "$1"; }

neighbours() {
	said 'Unlike executions differ: .* CPU; shares are of execution 10; its times lie between those of executions 5, 6, 12 and 13'
}
# ratio FIELD LEAST MOST: of the phase's field to time_least
ratio() {
	awk -v a="$(phase "$1")" -v b="$(phase time_least)" -v least="$2" -v most="$3" 'BEGIN {
		print a / b; exit !(a / b > least && a / b < most) }'
}
# Another program can hide how the times grow: one of ten analyses must show all of it.
grows() { share front 0.8 && neighbours && ratio time_most 6 10 && ratio cpu_time 4 6.5; }
check "a step that grows" analyse growing
for try in 1 2 3 4 5 6 7 8 9; do grows >/dev/null || analyse growing; done
check "the front has the share that it has in the counted step" share front 0.8
check "its neighbours are said" neighbours
check "and in JSON" grep -q '"unlike": "shares are of execution 10;' out.json
check "least and most are of all clean executions" ratio time_most 6 10         # 189 / 24
check "the time is the counted one's" ratio cpu_time 4 6.5                      # 120 / 24

check "a program that ends after the counted step" analyse growing -- 11
check "has the times of the nearest step" said 'shares are of execution 10; its times are those of execution 6, the nearest that was timed'
check "which are its" share front 0.64         # 36 / 56

check "trials have the steps behind the counted one" analyse growing --what-if value:hit -- 14
check "times are not taken there" test "$(grep -c '(times)' err)" = 1
check "every other step is long, by an argument" analyse turns -- 2 argument
check "the long ones are taken" share work 0.9
check "and said" said 'its times are those of executions 2, 4, 6 and 12, of its kind'
check "one step in five is long, by a call" analyse turns -- 5 call
check "the only one that was timed is taken" share output 0.8
check "and said" said 'its times are those of execution 5, which calls the same'
