#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Without --phase: the loop that has the program's time is the phase, whatever the structure suggests.
. "${srcdir:-$(dirname "$0")/../..}/tests/e2e/lib.sh"
plan 26

cat >late.c <<'SOURCE'
#include <stdio.h>
#include <stdlib.h>
static double a[200000], b[200000];
__attribute__((noinline)) static void init(int k)
{
	for (int i = 0; i < 200000; i++)
		a[i] = (i * 7 + k) % 13;
}
__attribute__((noinline)) static void step(void)
{
	for (int i = 1; i < 199999; i++)
		b[i] = a[i - 1] + a[i + 1];
	for (int i = 0; i < 200000; i++)
		a[i] = b[i] * 0.5;
}
__attribute__((noinline)) static void small(double *p)
{
	for (int i = 0; i < 100; i++)
		p[i] += 1;
}
static void prepare(int n)
{
	for (int k = 0; k < n; k++) {           /* PREPARES */
		init(k);
		small(a);
		step();
		step();
		step();
		for (int j = 0; j < 3; j++)
			small(b);
	}
}
static void work(int n)
{
	for (int k = 0; k < n; k++)             /* WORKS */
		step();
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2000;

	prepare(n / 20);
	work(n);
	printf("%g\n", a[77]);
	return 0;
}
SOURCE
line() { grep -n "$1" late.c | cut -d: -f1; }
share() { sed -n 's/.*"run_share": \([0-9.e-]*\),.*/\1/p' "$1"; }
between() { awk -v v="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(v != "" && v >= low && v <= high) }'; }
psc_instrument gcc -g -O2 -o late late.c
./late 6000 >plain
code=0
psc_frontend -vv --app ./late --no-psc --json late.json --phase-log late.log -o report -- 6000 >out 2>err || code=$?
check "the loop with most regions below it is measured first, and changed" grep -q "the phase is now loop late.c:$(line WORKS)" err
check "the log of the phase has the change and its reason" sh -c "sed -n 's/ region / /p' late.log | grep -qE 'decided change (more|first|around) [0-9]'"
check "the log names the loop" grep -q "^region [0-9]* loop late.c:$(line WORKS)" late.log
check "the analysis of the other loop is complete" [ $code = 0 ]
check "the report is of that loop" grep -q "late.c, $(line WORKS) )" report
# It may be wrapped anywhere.
check "its share of the program's time is said" sh -c "tr -s '\n ' ' ' <report | grep -qE \"% of the (program's time|run)\""
check "and it is most of the time" between "$(share late.json)" 0.6 0.98
check "the program prints what it prints without us" cmp plain out

psc_frontend -v --app ./late --phase "late.c:$(line PREPARES)" --max-executions 20 --no-psc --json named.json -o report -- 6000 >out 2>err || :
check "a phase that is named is not changed" grep -q "late.c, $(line PREPARES) )" report

cat >tiny.c <<'SOURCE'
static volatile double x[64];
static double tail[4096];
__attribute__((noinline)) static void few(void)
{
	for (int i = 0; i < 64; i++)
		x[i] = x[i] + 1;
}
__attribute__((noinline)) static void many(void)
{
	for (int i = 1; i < 4096; i++)
		tail[i] = 0.5 * (tail[i] + tail[i - 1] + 1);
}
int main(void)
{
	for (int n = 0; n < 60; n++)            /* TINY */
		few();
	for (int n = 0; n < 60000; n++)
		many();
	return tail[5] < 0;
}
SOURCE
psc_instrument gcc -g -O2 -o tiny tiny.c
psc_frontend --lockstep --app ./tiny --phase "tiny.c:$(grep -n TINY tiny.c | cut -d: -f1)" --no-psc -o report >out 2>err || :
check "a warning leads the report of a phase with few accesses" sh -c \
	'head -n 6 report | tr -s "\n " " " | grep -qi "warning: .*execution has only [0-9]* accesses"'

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

	for (int k = 0; k < 2000; k++)          /* FIRST */
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

# A subroutine so brief that one entry of 64 is timed; these are held up.  Half of the time is spent outside of it.
cat >held.c <<'SOURCE'
#include <unistd.h>
static volatile double x[8];
__attribute__((noinline)) static void brief(int n)
{
	for (int i = 0; i < 8; i++)
		x[i] = x[i] + 1;
	if (n % 64 == 0)
		usleep(100);
}
int main(void)
{
	sleep(1);
	for (int n = 1; n <= 64 * 5000; n++)
		brief(n);
	return 0;
}
SOURCE
psc_instrument gcc -g -O2 -o held held.c
psc_frontend --app ./held --phase brief --delay 300000 --no-psc --json held.json -o report >out 2>err || :
check "an entry that was held up does not stand for others" between "$(share held.json)" 0.2 0.8

# A nest of loops, all with enough executions, in a loop that has too few.
cat >nest.c <<'SOURCE'
#include <stdio.h>
static double a[20000], s;
__attribute__((noinline)) static void add(int n)
{
	for (int i = 0; i < 20000; i++)
		s += a[i] * n;
}
int main(void)
{
	for (int t = 0; t < 2; t++) {           /* FEW */
		for (int i = 0; i < 20; i++)    /* OUTER */
			for (int j = 0; j < 5; j++)     /* INNER */
				for (int k = 0; k < 5; k++)
					add(i + j + k);
		add(t);
	}
	printf("%g\n", s);
	return 0;
}
SOURCE
psc_instrument gcc -g -O2 -o nest nest.c
psc_frontend --max-runs 1 --app ./nest --no-psc -o report >out 2>err || :
tr -s '\n ' ' ' <report >flat
named() { grep -q "for --phase: .*nest.c:$(grep -n "$1" nest.c | cut -d: -f1)-" flat; }
check "the outer loop of a nest is named" named OUTER
check "the loops inside it are not" eval "! named INNER"

# The time loop is in a parallel region; the loop in swap() can be the phase, and takes nearly no time.
cat >team.c <<'SOURCE'
#include <stdio.h>
enum { N = 300000 };
static double a[N], b[N];
__attribute__((noinline)) static void pack(int s)
{
	for (int i = 0; i < 64; i++)
		b[i] = a[i + s];
}
__attribute__((noinline)) static void swap(int n)
{
	for (int s = 0; s < n; s++) {
		#pragma omp barrier
		#pragma omp master
		pack(s);
	}
}
__attribute__((noinline)) static void force(int k)
{
	#pragma omp for
	for (int i = 0; i < N; i++) {
		double x = b[i] + k;

		for (int r = 0; r < 30; r++)
			x = x * 0.5 + 1;
		a[i] = x;
	}
}
static void (*volatile work)(int) = force;
int main(void)
{
	#pragma omp parallel num_threads(2)
	for (int k = 0; k < 1500; k++) {
		if (k % 10 == 0)
			swap(2);
		work(k);
	}
	printf("%g\n", a[7]);
	return 0;
}
SOURCE
psc_instrument gcc -g -O2 -fopenmp -o team team.c
code=0
OMP_WAIT_POLICY=passive psc_frontend -vv --app ./team --no-psc -o report >out 2>err || code=$?
check "of a time loop in a parallel region, a subroutine called there is the phase" grep -q "the phase is now function force team.c" err
check "and the report is complete, and of it" sh -c "[ $code = 0 ] && grep -q 'force(.* team.c' report"

# Iteration k of the loop has SIZE steps.
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
psc_instrument gcc -g -O2 -DSIZE='k * 20000' -o grows walk.c
grows() { psc_frontend --app ./grows --no-psc -o report "$@" >out 2>err && tr -s '\n ' ' ' <report >flat && grep 'walk.c' flat; }
check "executions that are measured and unlike the others lead the report" eval "grows && grep 'they may not be typical' flat"
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
