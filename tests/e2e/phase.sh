#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Without --phase: the loop that has the program's time is the phase, whatever the structure suggests.
. "${srcdir:-$(dirname "$0")/../..}/tests/e2e/lib.sh"
plan 16

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
# Times decide, and other programs change them.
for try in 1 2 3; do
	code=0
	psc_frontend -vv --app ./late --no-psc --json late.json --phase-log late.log -o report -- 6000 >out 2>err || code=$?
	if grep -q "the phase is now loop late.c:$(line WORKS)" err && between "$(share late.json)" 0.6 0.98; then break; fi
done
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

# A subroutine so brief that one entry of 64 is timed; these are held up.  Half of the time is spent outside of it,
# in waits as long, which a busy machine makes longer alike.
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
	for (int n = 0; n < 5000; n++)
		usleep(100);
	for (int n = 1; n <= 64 * 5000; n++)
		brief(n);
	return 0;
}
SOURCE
psc_instrument gcc -g -O2 -o held held.c
for try in 1 2 3; do
	psc_frontend --app ./held --phase brief --delay 300000 --no-psc --json held.json -o report >out 2>err || :
	if between "$(share held.json)" 0.2 0.8; then break; fi
done
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

# Two instances of a template: their loops are in one line, and one of them runs.
cat >instances.cc <<'SOURCE'
#include <cstdio>
enum { N = 100000 };
static double d[N];
static float f[N];
template <class T> __attribute__((noinline)) void add(T *x)
{
	for (int i = 1; i < N; i++)
		x[i] += x[i - 1] / 2 + 1;
}
template <class T> __attribute__((noinline)) void sweeps(T *x)
{
	for (int k = 0; k < 500; k++)           // SWEEPS
		add(x);
}
int main(int argc, char **)
{
	if (argc > 1)
		sweeps(d);
	else
		sweeps(f);
	std::printf("%g\n", d[N - 1] + f[N - 1]);
}
SOURCE
psc_instrument g++ -g -O2 -o instances instances.cc
place=instances.cc:$(grep -n SWEEPS instances.cc | cut -d: -f1)
instance() { psc_frontend -v --app ./instances --phase "$place" --no-psc -o "report$1" -- $1 >out 2>err; }
one_runs() { instance && instance d && cat report reportd | tr -s '\n ' ' ' | grep -q "the one that runs"; }
check "of several regions in one line, the one that runs is the phase" one_runs

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
for try in 1 2 3; do
	code=0
	OMP_WAIT_POLICY=passive psc_frontend -vv --app ./team --no-psc -o report >out 2>err || code=$?
	if grep -q "the phase is now function force team.c" err; then break; fi
done
check "of a time loop in a parallel region, a subroutine called there is the phase" grep -q "the phase is now function force team.c" err
check "and the report is complete, and of it" sh -c "[ $code = 0 ] && grep -q 'force(.* team.c' report"
