#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions too brief for markers run natively in clean executions and when the analysis is over; they have
# their markers before and are recorded in between.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 6
cp "$srcdir/tests/e2e/brief.c" .
gcc -O1 -DUNINSTRUMENTED -c -o letter.o brief.c || { echo "Bail out! brief.c"; exit 1; }

for level in -O1 -O2 -O3; do
	psc_instrument gcc $level -g -o brief brief.c letter.o || { echo "Bail out! brief.c"; exit 1; }
	./brief >alone
	check "$level: psc_frontend" run 0 --app ./brief --phase "brief.c:$(grep -n 'the phase' brief.c | cut -d: -f1)" \
		--no-psc --properties memory -o report --csv-ledger ledger
	# a: with markers, b: natively, c: recorded
	check "$level: which versions run" eval 'cat out; [ "$(cut -d" " -f2 alone)" = "$(cut -d" " -f2 out)" ] &&
		grep -Eq "^aa+b{5,6}a?ccb+ " out && grep -Eq "^a+ " alone'
done
