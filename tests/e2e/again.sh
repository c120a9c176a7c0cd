#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that run less than a second: where one run was too short, there is another one, but only where it is safe.
. "${srcdir:-$(dirname "$0")/../..}/tests/e2e/lib.sh"
plan 30

cat >few.c <<'SOURCE'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define N 200000
static double a[N], b[N];
__attribute__((noinline)) static void smooth(void)
{
	for (int i = 1; i < N - 1; i++)
		b[i] = a[i - 1] + a[i + 1];
}
__attribute__((noinline)) static void back(void)
{
	for (int i = 0; i < N; i++)
		a[i] = b[i] * 0.5 + i % 7;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), code = argc > 2 ? atoi(argv[2]) : 0, line = argc > 3 ? atoi(argv[3]) : 0;
	char c = '-';
	FILE *f = fopen("runs", "a");

	if (f)
		fputs("run\n", f);
	if (f)
		fclose(f);
	while (line && read(0, &c, 1) == 1 && c != '\n')
		;
	for (int k = 0; k < n; k++) {           /* STEPS */
		smooth();
		back();
	}
	printf("%g\n", a[77]);
	return code;
}
SOURCE
psc_instrument gcc -g -O2 -o few few.c || exit 1
flat() { tr -s ' \n' ' ' <"$1"; }
# few OPTIONS -- ARGUMENTS; standard input is the caller's.  The program prints what it prints alone.
few() {
	code=0
	rm -f runs few.run2.log
	psc_frontend -v --app ./few --no-psc --json few.json -o report "$@" >out 2>err || code=$?
	runs=$(wc -l <runs)
	cat report
	while [ "$1" != -- ]; do shift; done
	shift
	./few "$@" >plain </dev/null
	[ "$(cat out)" = "$(cat plain)" ] || { echo "the program printed:"; cat out; return 1; }
}

# On a busy machine the first run may take more than the 5 s after which there is no second one.
few_twice() { for try in 1 2 3; do few "$@" && [ "$runs" = 2 ] && break; done; [ "$runs" = 2 ]; }
# Four steps: the first run cannot have times and counts.
check "four steps are analysed" eval 'few_twice -- 4 </dev/null && [ $code = 0 ]'
check "in two runs" [ "$runs" = 2 ]
check "of which JSON knows" grep -q '"runs": 2,' few.json
check "the loop is the phase" eval "grep -q '\"line\": $(grep -n STEPS few.c | cut -d: -f1),' few.json"
check "the second run is announced, and what forbids it" eval "flat err |
	grep -q 'it is run once more (--max-runs 1 forbids that), for .*; its output goes to few.run2.log'"
check "its output is in a file" cmp plain few.run2.log
check "which the report names" grep -q few.run2.log report
check "--max-runs 1: one run" eval 'few --max-runs 1 -- 4 </dev/null && [ $code = 4 ] && [ $runs = 1 ]'
check "and the option that allows more" grep -q 'max-runs 3' report
check "many steps need one run" eval 'few --lockstep -- 40 </dev/null && [ $code = 0 ] && [ $runs = 1 ]'
check "a program that fails is not run again" eval 'few -- 4 3 </dev/null; [ $code = 3 ] && [ $runs = 1 ]'
check "the report says why" eval "flat report | grep -q 'it is not run again by itself: it did not end with exit code 0'"
check "nor one that is started by another one" eval '
	printf "#!/bin/sh\nexec ./few \"\$@\"\n" >start; chmod +x start; rm -f runs
	code=0; psc_frontend --app ./start --exe ./few --no-psc -o report -- 4 >out 2>err </dev/null || code=$?
	[ $code = 4 ] && [ "$(wc -l <runs)" = 1 ]'

check "the very first execution, which touches memory first, gives no time where there are others" eval "
	few --lockstep --delay 0 --clean 1 --phase few.c:$(grep -n STEPS few.c | cut -d: -f1) -- 40 </dev/null
	grep -q 'experiment 1 (times), phase execution 2:' err"

# Standard input: a file, a pipe; a terminal is a unit test (tests/agents/test_input_watch.c)
printf 'first\nsecond\n' >lines
check "a file that is not read" eval 'few -- 4 <lines && [ $code = 0 ] && [ $runs = 2 ]'
check "one that is" eval 'few -- 4 0 1 <lines; [ $code = 4 ] && [ $runs = 1 ]'
check "is said to be" eval "flat report | grep -q 'it is not run again by itself: it may have read standard input'"
mkfifo pipe
cat lines >pipe &
check "a pipe that is read" eval '{ few -- 4 0 1; [ $code = 4 ] && [ $runs = 1 ]; } <pipe'
check "is said to be, or not to be known" eval "flat report | grep -q 'not run again by itself: .* read standard input'"
printf 'first\nsecond\n' | { few -- 4; cat >rest; echo "$code $runs" >codes; }
if grep -q 'is not known' report; then
	skip "a pipe that is not read" "this kernel does not report what is read from pipes"
else
	check "a pipe that is not read" [ "$(cat codes)" = "0 2" ]
fi
check "of which the second run has none" cmp lines rest

# Nothing repeats: a recursion.  Spans of time are measured, by themselves or as proposed.
psc_instrument gcc -O2 -g -o timed "$srcdir/tests/e2e/timed.c" || exit 1
timed() {
	code=0
	# shellcheck disable=SC2086
	psc_frontend --app ./timed --no-psc --json timed.json $1 -o report -- sort 6000000 >out 2>err </dev/null || code=$?
	cat report >>err
}
unset PSC_CHECK         # of each record, which takes several times as long
timed "--max-runs 1"
check "of a recursion no phase is measured" [ $code = 4 ]
proposed=$(flat report | sed -n 's/.*run again with \(--experiment-time [0-9.]*\).*/\1/p')
check "spans of time are proposed" [ -n "$proposed" ]
check "and no loop that is too brief" eval "! flat report | grep -q 'regions with enough'"
timed "$proposed"
check "the proposal works" [ $code = 0 ]
# Beside others the first run may take more than 5 s.
for try in 1 2 3; do
	timed ""
	[ $code != 0 ] || break
done
check "they are measured by themselves" [ $code = 0 ]
check "in a second run" eval "grep -q '\"runs\": 2,' timed.json && flat err | grep -q 'its output goes to timed.run2.log'"

# Of 4000 executions ten take nearly all of the time: the mean is 100 us and more, the others take less than 1 us.
cat >skewed.c <<'SOURCE'
#include <stdio.h>
static double a[4096];
__attribute__((noinline)) static void pass(void)
{
	for (int i = 1; i < 4096; i++)
		a[i] = 0.5 * (a[i] + a[i - 1] + 1);
}
__attribute__((noinline)) static void work(int k)
{
	int n = k % 400 == 399 ? 6000 : 0;

	for (int i = 0; i < n; i++)
		pass();
}
int main(void)
{
	for (int k = 0; k < 4000; k++)
		work(k);
	printf("%g\n", a[77]);
	return 0;
}
SOURCE
psc_instrument gcc -O2 -g -o skewed skewed.c || exit 1
skewed() {
	code=0
	psc_frontend --app ./skewed --no-psc "$@" -o report >out 2>err </dev/null || code=$?
	cat report
}
skewed --max-runs 1
check "executions of less than 10 us tell nothing: spans of time are better" eval "flat report |
	grep -Eq '(better:|run again with) --experiment-time [0-9.]*[0-9]'"
skewed --max-runs 3
check "and are measured by another run" eval "[ $code = 0 ] && flat report | grep -q 'phase: subroutine main skewed.c'"
check "nothing is left behind" nothing_left
