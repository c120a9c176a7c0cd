#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Memory that is new in each execution is a problem: its cause and place.  Each fault is told to cost much, so that no verdict
# hangs on the host; memory that is kept is none.
. "${srcdir:-.}/tests/e2e/lib.sh"
: "${AWK:=awk}"
[ "$(getconf PAGESIZE)" = 4096 ] || skip_all "pages are not of 4 KiB"
plan 17

cp "$srcdir/tests/e2e/page_faults.c" .
psc_instrument gcc -g -O2 -o faults page_faults.c || {
	echo "Bail out! page_faults.c"
	exit 1
}
line() { grep -n "/\* $1" page_faults.c | cut -d: -f1; }
phase=$(line phase)

# analyse WHAT: the report to `report`, as JSON to faults.json
analyse() {
	./faults "$1" >alone
	rm -f faults.psc
	run 0 --app ./faults --phase "page_faults.c:$phase" --set FAULT_PART=0.0001 --set FAULT_DATA=0.0001 --json faults.json \
		--psc faults.psc -o long -- "$1" && psc_report faults.psc >report
}
# A member of the problem about page faults.
problem() { psc_report --json faults.psc | "$AWK" '/"problems": \[/ { on = 1 } /"findings": \[/ { on = 0 } on' | tr -d '\n' | sed 's/{"number"/\
&/g' | sed -n "/\"kind\": \"page faults\"/s/.*\"$1\": \"\{0,1\}\([^,}\"]*\).*/\1/p"; }
causes() { sed -n 's/.*"fault_cause": "\([a-z][a-z]*\)".*/\1/p' faults.json | sort -u | tr '\n' ' '; }
text() { tr '\n' ' ' <report | tr -s ' ' | grep -q -- "$1"; }

check "blocks that are allocated again: analysed" analyse again
check "it prints what it does alone" diff alone out
check "they are the cause" test "$(causes)" = "allocated "
check "the function that touches them is the place" test "$(problem file)" = page_faults.c
check "with both structures" grep -q '"key": ".*page_faults.c:fill.*; other, work; page faults"' faults.json
about() { echo "$1"; [ "${1%.*}" -ge $(($2 * 9 / 10)) ] && [ "${1%.*}" -le $(($2 * 11 / 10)) ]; }     # a little stays
check "their pages are its faults" about "$(problem page_faults)" 1024
check "the line that allocates is named" text "allocated at page_faults.c:$(line again)"
check "both settings are advised" text "set MALLOC_TRIM_THRESHOLD_=[0-9]* MALLOC_MMAP_MAX_=0"
check "and it is said what that saves" text "SAVES about .* (range .*): memory that is kept"
check "the page has it" sh -c 'psc_report --html faults.psc faults.html && grep -q "page faults" faults.html'
check "the file is read as it was written" sh -c 'psc_report --json faults.psc >again.json && cmp again.json faults.json'

check "a list that grows: analysed" analyse grown
check "it prints what it does alone" diff alone out
check "that it grows is the cause" test "$(causes)" = "grown "
check "a factor is advised" text "DO grow by a factor"

check "memory that is kept: analysed" analyse kept
check "no problem" test -z "$(causes)"
