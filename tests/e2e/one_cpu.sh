#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --verify where threads take lines from each other: executions with all threads on one CPU.  They measure what the lines cost, and
# leave nothing behind: every thread and child may run where it could before.
. "${srcdir:-.}/tests/e2e/lib.sh"
: "${AWK:=awk}"
[ "$(cpus)" -gt 1 ] || skip_all "one CPU"
plan 11

cp "$srcdir/tests/e2e/one_cpu.c" .
psc_instrument gcc -g -O2 -fopenmp -o one_cpu one_cpu.c || {
	echo "Bail out! one_cpu.c"
	exit 1
}
phase=$(grep -n 'for (int step' one_cpu.c | cut -d: -f1)
OMP_NUM_THREADS=2
OMP_WAIT_POLICY=passive
export OMP_NUM_THREADS OMP_WAIT_POLICY
# analyse ARGUMENTS...: the program's output goes to `out`, the report to `report`
analyse() {
	rm -f report seen
	run 0 --app ./one_cpu --phase "one_cpu.c:$phase" --json one.json --no-psc -o report "$@" -- 40 seen
}
field() { sed -n "/\"verified\"/,/\"ledger\"/s/.*\"$1\": \([^,}]*\).*/\1/p" one.json; }
true_of() { "$AWK" -v a="$1" -v b="$2" -v c="${3:-0}" "BEGIN { print a, b, c; exit !($4) }"; }

./one_cpu 40 >alone
check "without --verify the program is analysed" analyse
check "and no execution is on one CPU" grep -qx 0 seen
check "with it, too" analyse --verify counters
check "five executions and one before them are" grep -qx 6 seen
check "all threads, one made meanwhile, and a child may run where they could before" diff alone out
check "the figures are said to be of one CPU" test "$(field one_cpu)" = true
check "in their order" true_of "$(field measured_low)" "$(field measured)" "$(field measured_high)" 'a <= b && b <= c'
check "and give the share" true_of "$(field measured)" "$(field time_with)" "$(field time)" 'a - (1 - b / c) < 1e-6 && (1 - b / c) - a < 1e-6'
check "the report has a section of it" grep -q 'with all threads on one CPU' report
# The lines are fought over only while both threads run: on a busy machine they may not in all of the clean executions.
gains() { true_of "$(field time_with)" "$(field time)" 0 'a < b'; }
for try in 1 2 3 4 5; do gains >/dev/null || analyse --verify counters; done
check "an execution takes less there" gains
check "and what it takes more elsewhere is in the estimate" true_of \
	"$(sed -n 's/.*"est_stall_low": \([0-9.e+-]*\).*/\1/p' one.json | head -n 1)" "$(field time)" "$(field time_with)" 'a >= 0.9 * (b - 1.1 * c)'
