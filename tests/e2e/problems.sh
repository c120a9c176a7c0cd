#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The report of one screen: what a user reads without any option.
. "${srcdir:-$(dirname "$0")/../..}/tests/e2e/lib.sh"
cp "$srcdir/tests/e2e/columns.c" .
psc_instrument "${CC:-gcc}" -O2 -g columns.c -o columns >build.log 2>&1 || { cat build.log; echo "Bail out! does not build"; exit 1; }
line() { grep -n "$1" columns.c | cut -d: -f1; }
spread=$(line 'to\[i\]\[j\] =') copy=$(line 'from\[i\]\[j\] = to')

# analyse ARGUMENTS...: the report to the file report
analyse() { psc_frontend -q --lockstep --app ./columns --machine x86-server -o report "$@" >out 2>err; }
has() { grep -q -- "$1" report || { cat report; return 1; }; }
hasnt() { ! grep -- "$1" report; }
fits() { [ "$(wc -l <"$1")" -le 24 ] && [ "$(wc -L <"$1")" -le 80 ] || { cat "$1"; return 1; }; }

plan 15
check "analysed" analyse --phase "columns.c:$(line '/\* spreads')"
check "on one screen" fits report
check "the verdict is a sentence" has "^About .* of processor time in each execution (.*"
check "two loops are two problems of one cause" sh -c "tr '\n' ' ' <report | grep -q '2 problems, one cause:'"
check "each with its function and arrays" sh -c "grep -q '^ [12] .* spread columns.c:.* from' report && grep -q '^ [12] .* copy_back columns.c:.* to' report"
check "the source is quoted" has " $spread | .*to\[i\]\[j\] = 0.25"
check "what to do" has "innermost loop"
check "once only" has "^    DO  *as for 1"
check "what it saves" has "^    SAVES  [0-9.]*% to [0-9.]*% of the time: what is used lies together: unit stride"
check "what to do next" has "^NEXT  *psc_report -v columns.psc"
cp report first
check "psc_report prints the same" sh -c 'psc_report --ascii columns.psc | diff - first'
check "-v prints every finding" sh -c 'psc_report -v columns.psc >all && grep -q "^Search paths" all && grep -q "^What a fix would save" all'
check "--no-what-if does not say what changes save" sh -c "psc_frontend -q --lockstep --app ./columns --machine x86-server -o report \
	--no-what-if --no-psc --phase columns.c:$spread >out 2>err; ! grep SAVES report && grep -q '^    DO' report"
check "where memory costs little" analyse --no-psc --phase "columns.c:$(line '/\* computes')" -- compute
check "that is said" has "^Memory is not what this phase waits for"
