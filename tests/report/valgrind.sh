#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The report's unit tests, and psc_report in each of its forms, under valgrind: nothing is printed that was not
# written before.
. "${srcdir:-.}/tests/tap.sh"
builddir=${builddir:-.} srcdir=${srcdir:-.}
psc_report=$builddir/psc_report
command -v valgrind >/dev/null 2>&1 || skip_all "no valgrind"
if grep -q __asan_init "$psc_report"; then
	skip_all "built with sanitizers, which valgrind cannot run"
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
tap_out=$tmp/log
PSC_VALGRIND=1          # fewer random cases (tests/random_cases.h)
export CMOCKA_MESSAGE_OUTPUT=STDOUT PSC_VALGRIND

# checked COMMAND...: valgrind ends with 9 where it finds an error
checked() { valgrind -q --error-exitcode=9 --leak-check=no "$@"; }

# Not test_wire, which takes longest and prints nothing.
tests="test_text test_files test_compare test_compare_short test_problems test_short test_verdict test_sites test_threads
 test_classes test_profiles"
set -- $tests
samples="lu heat"
forms="-v --html --json"
plan $(($# + 2 * 4))
for test in $tests; do
	check "$test" checked "$builddir/tests/report/$test"
done
for sample in $samples; do
	psc=$srcdir/tests/report/$sample.psc
	check "$sample.psc, one screen" checked "$psc_report" "$psc"
	for form in $forms; do
		check "$sample.psc, $form" checked "$psc_report" "$form" "$psc"
	done
done
