#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Without --phase: what the choice of the phase, and of its executions, makes of the times that it meets while the program
# runs.  Other programs change these times, so each case has three attempts, and none is a part of `make check`; the rules
# of the choice have tests without time (tests/phase).
. "${srcdir:-$(dirname "$0")/../..}/tests/e2e/lib.sh"
[ -n "$PSC_LONG" ] || skip_all "hangs on the load of the machine: make check-long"
plan 11

cat >ends.c <<'SOURCE'
#include <stdio.h>
#include <stdlib.h>
enum { N = 1 << 18 };
static double a[N], b[N];
__attribute__((noinline)) static void walk(long n)
{
	for (long i = 0; i < n; i++)
		b[i & (N - 1)] += a[7 * i & (N - 1)] + 1;
}
__attribute__((noinline)) static void turn(void)
{
	walk(N);
	walk(N);
}
int main(int argc, char **argv)
{
	int few = argc > 1 ? atoi(argv[1]) : 5;

	for (int k = 0; k < 800; k++)           /* FIRST */
		turn();
	for (int k = 0; k < few; k++)           /* LAST */
		walk(2000L * N);
	printf("%g\n", b[77]);
	return 0;
}
SOURCE
psc_instrument gcc -g -O2 -o ends ends.c
first=ends.c:$(grep -n FIRST ends.c | cut -d: -f1)
last=ends.c:$(grep -n LAST ends.c | cut -d: -f1)
# Whether the other loop is reached in time hangs on how much of the processors the program gets.
leaves() {
	code=0
	psc_frontend -vv --max-runs 1 --app ./ends --no-psc -o report -- 5 >out 2>err || code=$?
	grep -q "the phase is now loop $last" err && grep -q "the phase is loop $first.* again" err
}
check "a phase that is measured is left for a longer one; where that ends too early, it is the phase again" \
	eval "leaves || leaves || leaves"
check "its analysis is reported as complete" sh -c "[ $code = 0 ] && ! grep -q '^Partial' report"
check "the report is of it" grep -q "ends.c, ${first#*:} )" report
check "and names the longer one" sh -c "tr -s '\n ' ' ' <report | grep -q 'better: --phase $last'"

# The kernel is measured, then output that takes long runs, and is measured; but it has less of the time.
cat >prints.c <<'SOURCE'
#include <stdio.h>
#include <time.h>
enum { N = 1 << 16 };
static double a[N], b[N];
static char text[64];
__attribute__((noinline)) static void turn(long n)
{
	for (long i = 0; i < n; i++)
		b[i & (N - 1)] += a[7 * i & (N - 1)] + 1;
}
static double seconds(void)
{
	static struct timespec first;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!first.tv_sec)
		first = now;
	return (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec);
}
int main(void)
{
	while (seconds() < 2)                   /* KERNEL */
		turn(2L * N);
	while (seconds() < 3.8)
		for (int k = 0; k < 20000; k++)
			snprintf(text, sizeof text, "%0.2f", b[k]);
	while (seconds() < 5.4)                 /* PRINTS */
		for (int k = 0; k < 20000; k++)
			snprintf(text, sizeof text, "%0.2f", b[k]);
	return text[0] == 'x';
}
SOURCE
psc_instrument gcc -g -O2 -o prints prints.c
# How much of either is done in its time hangs on how much of the processors the program gets.
returns() {
	code=0
	psc_frontend -vv --app ./prints --no-psc --json prints.json -o report >out 2>err || code=$?
	grep -q "the phase is now loop prints.c:$(grep -n PRINTS prints.c | cut -d: -f1)" err && grep -q 'again: the other one is worse' err
}
check "output that runs after the kernel is measured, too; what has more of the time is the phase again" \
	eval "returns || returns || returns"
check "its analysis is reported as complete" sh -c \
	"[ $code = 0 ] && ! grep -q '^Partial' report && grep -q 'prints.c, $(grep -n KERNEL prints.c | cut -d: -f1) )' report"

# Iteration k of the loop has SIZE steps; the program ends before later executions would be measured instead (a second).
cat >walk.c <<'SOURCE'
#include <stdio.h>
#include <stdlib.h>
enum { N = 1 << 18 };
static double a[N];
__attribute__((noinline)) static void walk(int n)
{
	for (int i = 0; i < n; i++)
		a[7 * i & (N - 1)] += 1;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 200;

	for (int k = 1; k <= n; k++)
		walk(SIZE);
	printf("%g\n", a[77]);
	return 0;
}
SOURCE
psc_instrument gcc -g -O2 -DSIZE='k * 5000' -o grows walk.c
grows() { psc_frontend --app ./grows --no-psc -o report "$@" >out 2>err && tr -s '\n ' ' ' <report >flat && grep 'walk.c' flat; }
unlike() { grows && grep 'they may not be typical' flat; }
check "executions that are measured and unlike the others lead the report" eval "unlike || unlike || unlike"
# Other programs may hold up all but those that are timed.
later() { grows --delay 95 && ! grep 'they may not be typical' flat; }
check "later ones are like the mean" eval "later || later || later"

# Surveys of regions that are too brief for markers are slower; they are none of the others.
cat >slowed.c <<'SOURCE'
#include <stdio.h>
static volatile double x[8];
__attribute__((noinline)) static void few(int i)
{
	for (int k = 0; k < 20; k++)
		x[i & 7] = x[i & 7] + 1;
}
__attribute__((noinline)) static void some(int i)
{
	for (int k = 0; k < 2; k++)
		few(i + k);
}
int main(void)
{
	for (int t = 0; t < 14; t++)
		for (int i = 0; i < 400000; i++)
			some(i);
	printf("%g\n", x[1]);
	return 0;
}
SOURCE
psc_instrument gcc -g -O2 -o slowed slowed.c
# Other programs may hold up the executions that are not timed: then they differ, and the warning is right.
for try in 1 2 3; do
	psc_frontend --app ./slowed --no-psc -o report >out 2>err || :
	grep -q 'may not be' report || break
done
check "executions that a survey made slower are not others" sh -c "grep 'slowed.c:1[0-9], .*ms' report && ! grep 'may not be' report"

# After a second of it, executions that are not typical are measured again: the later ones.
psc_instrument gcc -g -O2 -DSIZE='k <= 30 ? 100000 : 4000000' -o starts walk.c
later_ones() {
	psc_frontend -v --app ./starts --no-psc -o report -- 1500 >out 2>err || return 1
	tr -s '\n ' ' ' <report >flat
	grep -q 'first executions were not typical: later ones were measured' flat && ! grep 'they may not be typical' flat
}
check "of a program whose first executions are short, later ones are measured, and are typical" \
	eval "later_ones || later_ones || later_ones"
check "in experiments that are numbered on" grep 'experiment [3-6] (counts)' err
