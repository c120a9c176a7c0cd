#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions too brief for markers run natively in clean executions and while nothing is measured, before, in between
# and behind; they have their markers in the survey and are recorded in counted executions.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 6
cp "$srcdir/tests/e2e/brief.c" .
gcc -O1 -DUNINSTRUMENTED -c -o letter.o brief.c || { echo "Bail out! brief.c"; exit 1; }

for level in -O1 -O2 -O3; do
	psc_instrument gcc $level -g -o brief brief.c letter.o || { echo "Bail out! brief.c"; exit 1; }
	./brief >alone
	check "$level: psc_frontend" run 0 --app ./brief --phase "brief.c:$(grep -n 'the phase' brief.c | cut -d: -f1)" \
		--no-psc --properties memory -o report --csv-ledger ledger
	# a: natively, b: with markers, c: recorded
	check "$level: which versions run" eval 'cat out; [ "$(cut -d" " -f2 alone)" = "$(cut -d" " -f2 out)" ] &&
		grep -Eq "^a+b{1,2}a{5,}cca+ " out && grep -Eq "^a+ " alone'
done
