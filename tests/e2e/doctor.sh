#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --doctor with a program: its records are checked, and a verdict is printed instead of the report.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 8
cat > app.c <<'EOF'
#include <stdio.h>
static double a[3000];
static double work(int n)
{
	double s = 0;
	for (int i = 1; i < n; i++) {
		a[i] = a[i - 1] + i;
		s += a[(i * 7) % n];
	}
	return s;
}
int main(int argc, char **argv)
{
	double s = 0;
	(void)argv;
	for (int i = 0; i < 12; i++) {
		s += work(3000);
	}
	printf("%g\n", s);
	return argc > 1 ? 7 : 0;
}
EOF
psc_instrument gcc -O2 -g app.c -o app >build.log 2>&1 || skip_all "gcc does not build a program"
psc_frontend --collector >ways 2>&1
check "--collector lists the ways to measure, and what this host can do" sh -c 'grep -q "^  sim " ways && grep -q "^ *available here" ways'
check "a way that does not exist is named, before anything runs" run 2 --collector perff,sim --app ./app --phase app.c:16
check "with those that there are" grep -q "there is no collector .perff.; there are time, sim" err
check "the doctor checks a program" run 0 --doctor --lockstep --phase app.c:16 --app ./app
check "its verdict is that all is sound" grep -qx "Verdict: sound" out
check "it says what was checked" grep -qE "^  checked: [1-9][0-9]* records of [1-9][0-9]* accesses" out
check "a program keeps its exit code" run 7 --doctor --lockstep --phase app.c:16 --app ./app -- more
check "a program that ends at once gives no verdict" eval \
	'run 4 --doctor --phase app.c:4 --max-executions 1 --app ./app && grep -q "^Verdict: unknown" out'
