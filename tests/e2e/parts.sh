#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where the time goes that neither memory nor computing takes: page faults, system calls, libraries.  The parts sum to the processor
# time, and the largest is the first sentence.
. "${srcdir:-.}/tests/e2e/lib.sh"
: "${AWK:=awk}"
[ "$(getconf PAGESIZE)" = 4096 ] || skip_all "pages are not of 4 KiB"
plan 21

cp "$srcdir/tests/e2e/parts.c" .
psc_instrument gcc -g -O2 -o parts parts.c || {
	echo "Bail out! parts.c"
	exit 1
}
phase=$(grep -n '/\* phase' parts.c | cut -d: -f1)
fresh=$(grep -n '/\* fresh' parts.c | cut -d: -f1)

# analyse WHAT: the report to `report`, as JSON to parts.json
analyse() {
	./parts "$1" >alone
	rm -f report parts.psc
	run 0 --app ./parts --phase "parts.c:$phase" --json parts.json --psc parts.psc -o long -- "$1" &&
		psc_report parts.psc >report
}
# Of the phase's object.
field() { "$AWK" '/"phase": \{/ { on = 1 } on' parts.json | sed -n "s/.*\"$1\": \"\{0,1\}\([^,}\"]*\).*/\1/p" | head -n 1; }
share() { "$AWK" -v part="$(field "$1")" -v all="$(field cpu_time)" -v least="$2" 'BEGIN { print part / all; exit !(part >= least * all) }'; }
# The parts sum to the processor time, as far as six digits do.
sums() {
	for part in est_stall computing_time kernel_time branch_time library_time unexplained_time; do
		echo "$part $(field $part)"
	done | "$AWK" -v all="$(field cpu_time)" '{ sum += $2; print } END { print sum, all; exit !(sum > 0.999 * all && sum < 1.001 * all) }'
}
# The report in one line: its verdict may be wrapped anywhere.
verdict() { tr '\n' ' ' <report | tr -s ' ' | grep -q "$1"; }

check "page faults: analysed" analyse pages
check "it prints what it does alone" diff alone out
check "the parts sum to the processor time" sums
few_more() { echo "$1"; [ "$1" -ge "$2" ] && [ "$1" -le $(($2 + 8)) ]; }     # the kernel may have some of its own
check "each page that is touched is a fault" few_more "$(field faults)" 512
check "they take most of the time" share fault_time 0.5
check "which is said first" verdict "Most of the processor time ([0-9.]*%) goes to page faults: 5[12][0-9] an execution"
check "with the place that allocates" verdict "for memory allocated at parts.c:$fresh (fresh)"
check "and the place that touches" test "$(field fault_place)" = "pages parts.c:$((fresh + 3))"
check "nothing is called computing" sh -c '! grep -q "computing takes most" report'

check "system calls: analysed" analyse calls
check "it prints what it does alone" diff alone out
check "the parts sum to the processor time" sums
check "no page fault is counted" few_more "$(field faults)" 0
outside() { "$AWK" -v k="$(field kernel_time)" -v l="$(field library_time)" -v a="$(field cpu_time)" 'BEGIN { print k, l, a; exit !(k + l > 0.6 * a) }'; }
check "the kernel and the function that calls it take most" outside

check "a library that calls back: analysed" analyse sort
check "the parts sum to the processor time" sums
check "its function is named" test "$(field library_calls)" = qsort
# Times are measured: on a busy machine the part may be too small once.
said() {
	for try in 1 2 3; do
		verdict "of the processor time.* goes to code that is not recorded, in calls of qsort" && return
		cat report
		analyse sort
	done
	return 1
}
check "and said first" said

check "registers alone: analysed" analyse registers
check "the parts sum to the processor time" sums
check "of which nothing is known" verdict "few accesses to memory are recorded there, so it computes in registers, or calls"
