#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --max-runs: a program that has too few executions of its phase is run again, for times and for counts.
. "${srcdir:-$(dirname "$0")/../..}/tests/e2e/lib.sh"
plan 28

cat >few.c <<'SOURCE'
#include <stdio.h>
#include <stdlib.h>
#define N 400000
static double a[N], b[N];
__attribute__((noinline)) static void prepare(void)
{
	for (int i = 0; i < N; i++)
		a[i] = i % 13;
}
__attribute__((noinline)) static void smooth(void)
{
	for (int i = 1; i < N - 1; i++)
		b[i] = a[i - 1] + a[i + 1];
}
__attribute__((noinline)) static void back(void)
{
	for (int i = 0; i < N; i++)
		a[i] = b[(i * 4097L) % N] * 0.5;
}
static int runs_before(void)
{
	FILE *f = fopen("count", "r+");
	int n = 0;

	if (f && fscanf(f, "%d", &n) == 1) {
		rewind(f);
		fprintf(f, "%d\n", n + 1);
	}
	if (f)
		fclose(f);
	return n;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4, read = 0, before = runs_before();

	if (argc > 2)
		while (getchar() != EOF)
			read++;
	prepare();
	for (int k = 0; k < n; k++) {           /* STEPS */
		smooth();
		back();
	}
	printf("%d %g\n", read, a[77]);
	return argc > 3 && before ? atoi(argv[3]) : 0;
}
SOURCE
field() { sed -n "s/.*\"$1\": \([0-9.e-]*\),.*/\1/p" "$2" | head -n 1; }
psc_instrument gcc -g -O2 -o few few.c || exit 1
run_few() {
	code=0
	psc_frontend -v --app ./few --no-psc --json few.json -o report "$@" >out 2>err || code=$?
}
./few 1 >plain

run_few -- 1 </dev/null
check "one run of one execution is a partial analysis" [ $code = 4 ]
check "and proposes more runs" grep -q "run again with --max-runs 3" report
check "and says what recording may take" sh -c "tr '\n' ' ' <report | tr -s ' ' |
	grep -q -- '--max-runs 3; recording may then take up to 10 s (--max-slowdown)'"
cat >never.c <<'SOURCE'
#include <stdio.h>
static double a[100000];
static double other(int n)
{
	double s = 0;
	for (int m = 0; m < n; m++)
		for (int i = 0; i < 100000; i++)
			s += a[i] * m;
	return s;
}
int main(int argc, char **argv)
{
	(void)argv;
	printf("%g\n", argc > 1 ? other(50) : 0.0);
	return 0;
}
SOURCE
psc_instrument gcc -g -O2 -o never never.c || exit 1
flat() { tr '\n' ' ' <"$1" | tr -s ' '; }
psc_frontend --app ./never --no-psc -o never.out >out 2>err || :
check "where no loop is the phase, none is said to be" eval "flat never.out | grep -q 'the application ended before a phase was found'"

# What main() calls most of is not called.
cat >tried.c <<'SOURCE'
#include <stdio.h>
static double a[1000], s;
__attribute__((noinline)) static void add(int m)
{
	for (int i = 0; i < 1000; i++)
		s += a[i] * m;
}
__attribute__((noinline)) static void large(int n)
{
	for (int m = 0; m < n; m++) {           /* TRIED */
		for (int k = 0; k < 3; k++)
			add(k);
		add(m);
	}
}
int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		large(50);
	add(1);
	printf("%g\n", s);
	return 0;
}
SOURCE
psc_instrument gcc -g -O2 -fopenmp -o tried tried.c || exit 1
psc_frontend --app ./tried --no-psc --json tried.json -o tried.out >out 2>err || :
check "a loop that is not executed is named, and said not to be" eval "flat tried.out |
	grep -q 'the application never executed the phase that was tried, loop tried.c:$(grep -n TRIED tried.c | cut -d: -f1)'"
check "its share and the number of threads are not known" eval "flat tried.out | grep -Ev ' threads?[,;]|, 0% of the run' | grep -q '1 process; phase'"

# Times of a single execution on a busy machine may rank another place first: one of three analyses must find it.
# The width of the other columns decides how its place is printed.
finds_strided() { grep -Eq "MemoryStall *b(\\( DATA_STRUCTURE,)? few.c[:,] ?$(grep -n 'back(void)' few.c | cut -d: -f1)" report; }
run_few --max-runs 3 -- 1 </dev/null
for try in 1 2; do finds_strided || run_few --max-runs 3 -- 1 </dev/null; done
check "three runs are enough for one execution" [ $code = 0 ]
check "the report says what they were for" sh -c "tr '\n' ' ' <report |
	grep -q 'the program was run 3 times: 1 execution timed in run 3, 1 counted in *run 2'"
check "and the JSON form how many there were" [ "$(field runs few.json)" = 3 ]
check "times and counts meet: memory has an estimate" grep -q "of its processor time is lost to memory" report
check "the finding names the structure and the function of the strided loop" finds_strided
check "the terminal shows the output of the first run alone" cmp plain out
check "that of the others is in files" sh -c "cmp plain few.run2.log && cmp plain few.run3.log"
check "the report names them" sh -c "grep -q few.run2.log report && grep -q few.run3.log report"

# 400,000 x 4 accesses of smooth and back, whatever run counted them
psc_frontend --lockstep --app ./few --phase "few.c:$(grep -n STEPS few.c | cut -d: -f1)" --no-psc --csv-ledger one.csv -o one \
	-- 40 </dev/null >out 2>err || :
psc_frontend --max-runs 3 --app ./few --no-psc --csv-ledger three.csv -o three -- 1 </dev/null >out 2>err || :
accesses() { sed -n 's/^"*named data structures"*,\([0-9.e+]*\),.*/\1/p' "$1"; }
check "accesses are those that one run with enough executions counts" sh -c \
	"[ -n '$(accesses one.csv)' ] && [ '$(accesses one.csv)' = '$(accesses three.csv)' ]"

run_few --max-runs 3 -- 8 </dev/null
check "few iterations take two runs: times of the first one are kept" [ "$code$(field runs few.json)" = 02 ]

rm -f few.run*.log
run_few --max-runs 3 -- 200 </dev/null
check "a program with enough executions is run once" sh -c "[ $code = 0 ] && ! ls few.run2.log 2>/dev/null"

printf 'a line that is read before\nsome input\n' >lines
{ read -r line; run_few --max-runs 3 -- 1 x; } <lines
check "later runs read standard input from where the first one did" sh -c \
	"[ $code = 0 ] && cmp out few.run2.log && cmp out few.run3.log && grep -q '^11 ' out"

code=0
echo some input | psc_frontend --app ./few --max-runs 3 --no-psc -- 1 x >out 2>err || code=$?
check "a pipe is refused before anything runs" sh -c "[ $code = 2 ] && [ ! -s out ] && grep -q 'standard input is a pipe' err"

echo 0 >count
run_few --max-runs 3 -- 1 x 3 </dev/null
check "the exit code is the first run's" [ $code = 0 ]
check "a later run that ends otherwise is said so" sh -c "tr '\n' ' ' <report | grep -q 'run 2 of the program ended with exit *code 3'"
check "the program was run three times" [ "$(cat count)" = 3 ]
# A function of ten accesses, called all the time in the only execution of the phase: with its markers the execution
# would take several times as long, and memory a small part of it.
cat >look.c <<'SOURCE'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static unsigned look(const unsigned *table, uint64_t mask, uint64_t at)
{
	unsigned sum = 0;

	for (int k = 0; k < 10; k++) {
		at = at * 6364136223846793005u + 1442695040888963407u;
		sum += table[at >> 24 & mask];
	}
	return sum;
}
__attribute__((noinline)) static unsigned many(const unsigned *table, uint64_t mask, long calls)
{
	unsigned sum = 0;

	for (long i = 0; i < calls; i++)
		sum += look(table, mask, (uint64_t)i);
	return sum;
}
int main(int argc, char **argv)
{
	uint64_t n = UINT64_C(1) << atoi(argv[1]);
	unsigned *table = malloc(n * sizeof *table);

	for (uint64_t i = 0; i < n; i++)
		table[i] = (unsigned)(i * 2654435761u);
	printf("%u\n", many(table, n - 1, argc > 2 ? atol(argv[2]) : 1));
	free(table);
	return 0;
}
SOURCE
psc_instrument gcc -g -O2 -o look look.c || exit 1
code=0
psc_frontend -v --phase many --max-runs 3 --no-psc --json look.json -o report --app ./look -- 22 1500000 </dev/null >out 2>err || code=$?
check "three runs are enough for a function that calls a brief one" [ $code = 0 ]
clock() { sed -n 's/^user //p' clock | head -n 1; }
own() { { time -p ./look "$@" >own.out; } 2>clock; clock; }
alone=$(own 22 1500000) without=$(own 22 1)
check "its markers are off in the timed execution ($(field cpu_time look.json) of $alone s)" \
	awk "BEGIN { exit !($(field cpu_time look.json) < 5 * ($alone - $without) + 0.1) }"
check "with the size that the run has seen that counted it" sh -c "tr '\n' ' ' <report | tr -s ' ' |
	grep -q 'table (16 MiB)' && ! grep -q '(0 B)' report"
check "the structure is found, and the kind of its misses" sh -c "grep -q 'table.*gather\|gather.*table' report"
check "the report says whose times are computed" sh -c "tr '\n' ' ' <report | tr -s ' ' |
	grep -q 'called too often to be timed by'"
check "nothing is left behind" nothing_left
