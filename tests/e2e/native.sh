#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# While the phase is searched for, and while nothing is measured, small functions run natively unless the phase or a
# loop that is timed may lie in them.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 12
cp "$srcdir/tests/e2e/native.c" .
gcc -O1 -DUNINSTRUMENTED -c -o letter.o native.c || { echo "Bail out! native.c"; exit 1; }
phase=native.c:$(grep -n 'the phase \*' native.c | cut -d: -f1)

for level in -O2 -O3; do
	psc_instrument gcc $level -g -o native native.c letter.o || { echo "Bail out! native.c"; exit 1; }
	./native >alone
	check "$level: alone, one version runs" grep -q "^aaa " alone
	check "$level: the phase has its version with markers" eval \
		'nm native | grep -q "drive.psc_mark" || nm native | grep -q "sweep.psc_mark"'
	check "$level: executions are seen where GCC has inlined the phase, also in a later call" run 0 --app ./native \
		--phase "$phase" --delay 300 --no-psc --properties memory -o report
	# The first calls have markers.  No execution comes to be measured.  Beside other programs functions may seem to take longer.
	for try in 1 2 3; do
		psc_frontend --app ./native --phase "$phase" --delay 100000 --no-psc --properties memory -o report >out 2>err || :
		! grep -q "^bbb " out || break
	done
	check "$level: brief functions run natively, with a loop that is never entered, too" grep -q "^bb. " out
	check "$level: and one whose loop has brief iterations, once its time is known" grep -q "^..b " out
	check "$level: the result is the same" eval '[ "$(cut -d" " -f2 alone)" = "$(cut -d" " -f2 out)" ]'
done
