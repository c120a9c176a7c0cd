#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Beside two busy loops on the one CPU that it may use, a program has the same shares of its time as
# alone: they are of processor time.
. "${srcdir:-.}/tests/e2e/lib.sh"
command -v taskset >/dev/null || skip_all "taskset is not installed"
cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
taskset -cp "${cpu:-0}" $$ >/dev/null 2>&1 || skip_all "taskset cannot choose a CPU"
plan 9

cp "$srcdir/tests/e2e/shares.c" .
psc_instrument gcc -g -O2 -o shares shares.c || echo "Bail out! shares.c"
phase=$(grep -n 'for (int step' shares.c | cut -d: -f1)
# Half a second at least, which the measurement of the others' share needs, also where a step takes 5 ms.
analyse() {
	run 0 --app ./shares --phase "shares.c:$phase" --agents local --no-psc --clean 40 \
		--export-counts "$1.csv" --json "$1.json"
}
# share CSV NAME: exec_time of the call / that of the phase
share() {
	awk -F, -v name="$2" 'NR > 1 && $8 == "*" { if ($3 == -1) phase = $9; if ($4 == "CALL_REGION" && $5 == name) time = $9 }
		END { print time / phase }' "$1"
}
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a - b < 0.05 && b - a < 0.05) }'; }
shares() {
	for part in most:0.6 some:0.3 least:0.1; do
		got=$(share "$1" "${part%:*}")
		near "$got" "${part#*:}" || { echo "${part%:*}: $got, not ${part#*:}"; return 1; }
	done
}
# phase JSON FIELD: the first of that name that is a number
phase() { sed -n "s/.*\"phase\": {.*\"$2\": \\([0-9.e+-]*\\)[,}].*/\\1/p" "$1"; }

check "alone" analyse alone
check "the parts have 6, 3 and 1 tenths of the time" shares alone.csv

loops=
trap 'kill $loops 2>/dev/null; rm -rf "$work"' EXIT
for i in 1 2; do
	sh -c 'while :; do :; done' &
	loops="$loops $!"
done
check "beside two busy loops" analyse busy
kill $loops
check "they have the same" shares busy.csv
check "processor time and wall time are told apart" awk "BEGIN {
	exit !($(phase busy.json wall_time) > 1.5 * $(phase busy.json cpu_time)) }"
# Processor time is the lower quartile of the executions, the phase's time their median.
check "one thread that does not wait: processor time is the phase's time" awk "BEGIN {
	cpu = $(phase busy.json cpu_time) / $(phase busy.json time); exit !(cpu > 0.95 - 2 * $(phase busy.json time_spread) && cpu < 1.05) }"
check "their spread is known" awk "BEGIN { exit !($(phase busy.json time_spread) >= 0) }"
check "what others had of the CPU is known" awk "BEGIN {
	exit !($(phase busy.json others_share) > 0.3 && $(phase busy.json others_share) < 1) }"
check "and printed" grep -q 'cores' out
