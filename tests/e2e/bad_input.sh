#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What can go wrong is told clearly, with the documented exit code, and leaves nothing behind.
agents=auto
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 72

build_lu .

# refuse NAME TEXT ARGUMENTS...: set-up error, exit code 2, the text, no report, nothing left
refuse() {
	what=$1 text=$2
	shift 2
	check "$what: exit code 2" run 2 "$@"
	check "$what: says so" grep -qi -- "$text" err
}

refuse "application missing" "no such file" --app ./nothing --phase ssor.f:109
cp lu lux
chmod -x lux
refuse "application not executable" "not executable" --app ./lux --phase ssor.f:109
printf 'int main(void){return 0;}\n' >plain.c
gcc -o plain plain.c
refuse "application not instrumented" "psc_gcc" --app ./plain --phase plain.c:1
refuse "phase not found" "ssor.f:109" --app ./lu --phase ssor.f:9999
refuse "phase in an unknown file" "nowhere.f" --app ./lu --phase nowhere.f:1
refuse "phase malformed" "line" --app ./lu --phase ssor.f:0
refuse "phase inside a parallel region" "parallel" --app ./lu --phase ssor.f:149
printf 'PROPERTY A(SeqPerf s) {\n CONDITION: s.nope > 1;\n CONFIDENCE: 1; SEVERITY: 1; }\n' >bad.asl
printf 'PROPERTY B(SeqPerf s) {\n CONDITION: s.exec_time > ;\n CONFIDENCE: 1; SEVERITY: 1; }\n' >>bad.asl
refuse "property file with errors" "bad.asl:2:" --app ./lu --phase ssor.f:109 --properties ./bad.asl
check "property file with errors: all of them" grep -q "bad.asl:5:" err
refuse "property file missing" "nosuch" --app ./lu --phase ssor.f:109 --properties nosuch
refuse "misspelt property file" "did you mean memory? There are balance, events, faults, levels, memory, mpi, numa, objects, openmp, paper, scaling, sharing, time (a file" --app ./lu --phase ssor.f:109 \
	--properties memroy
printf '<machine name="x"><cache level="1" size="oops"/></machine>\n' >bad.xml
refuse "broken machine file" "bad.xml:1" --app ./lu --phase ssor.f:109 --machine ./bad.xml
refuse "machine unknown" "nosuchmachine" --app ./lu --phase ssor.f:109 --machine nosuchmachine
refuse "report named like a property file" "use --psc lu.psc" --app ./lu --phase ssor.f:109 -o lu.psc
refuse "report named like a page" "use --html lu.html" --app ./lu --phase ssor.f:109 -o lu.html
refuse "report named like data" "use --json lu.json" --app ./lu --phase ssor.f:109 -o lu.json
refuse "sample of nothing" "--sample takes a whole number from 1" --app ./lu --phase ssor.f:109 --sample 0
refuse "sample smaller than the sets allow" "--sample 64: machine x86-server: .* 64 classes" --app ./lu \
	--phase ssor.f:109 --machine x86-server --sample 64
refuse "sample of a machine that cannot be sampled" "--sample 8: machine epyc-2s: only independent LRU" --app ./lu \
	--phase ssor.f:109 --machine epyc-2s --sample 8
refuse "unwritable output" "no/such" --app ./lu --phase ssor.f:109 -o /no/such/dir/report
refuse "unwritable property file" "no/such" --app ./lu --phase ssor.f:109 --psc /no/such/dir/x.psc
ln -s absent link
refuse "unwritable page" "no/such" --app ./lu --phase ssor.f:109 -o link --html /no/such/dir/page
check "a link to no file yet is left as it was" sh -c '[ -h link ] && [ ! -e absent ]'
refuse "usage" "unknown option" --phase ssor.f:109 --frobnicate

PSC_MPIRUN=/nonexistent/mpirun
export PSC_MPIRUN
refuse "mpirun missing" "openmpi-bin" --agents mpirun --app ./lu --phase ssor.f:109
refuse "a way that there is not" "--agents takes one of auto, mpirun, local" --agents ssh --app ./lu
unset PSC_MPIRUN
check "nothing is left after the errors" nothing_left

# The application's own failures.
check "application fails: its exit code is ours" run 2 --app ./lu --phase ssor.f:109 -- nonsense
check "application fails: whose code it is is said" grep -q "exit code 2 is the program's own" err
check "application fails: nothing is left" nothing_left
cat >crash.c <<'EOF'
#include <stdlib.h>
static int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += rand(); return s; }
int main(int argc, char **argv)
{
	int s = 0;
	if (argc < 9)
		abort();
	for (int i = 0; i < argc; i++)
		s += f(i) + argv[0][0];
	return s == 0;
}
EOF
psc_instrument gcc -g -O1 -o crash crash.c
check "crash before the first phase: exit code 128 + 6" run 134 --app ./crash --phase crash.c:8
check "crash before the first phase: the signal is named" grep -q "signal 6" err
check "crash before the first phase: the report says so" grep -q "before its first phase" out
check "crash: nothing is left" nothing_left
cat >never.c <<'EOF'
#include <stdlib.h>
static int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += rand(); return s; }
int main(int argc, char **argv)
{
	int s = 0;
	for (int i = 1; i < argc; i++)
		s += f(i) + argv[i][0];
	return s == 1;
}
EOF
psc_instrument gcc -g -O1 -o never never.c
check "phase never executed: exit code 4" run 4 --app ./never --phase never.c:6
check "phase never executed: the report says so" grep -q "before its first phase" out
check "phase executed twice: exit code 4" run 4 --max-runs 1 --app ./never --phase never.c:6 -- a b
check "phase executed twice: the report says so" sh -c \
	'tr "\n" " " <out | tr -s " " | grep -q "ended before the search did, after 2 phase executions"'
check "ends before the search does with 1 of its own: exit code 1" run 1 --app ./lu --phase ssor.f:109 -- 12 2
check "ends before the search does: the report says so" grep -qi "partial" out

# The outermost loop runs twice: loops that run more often are named, with how often.
cat >few.c <<'EOF'
#include <stdlib.h>
static double x[N];
static double norm(void) { double s = 0; for (int i = 0; i < N; i++) s += x[i] * x[i]; return s; }
static void relax(double f) { for (int i = 0; i < N; i++) x[i] = f * x[i] + 1; }
static int solve(int most)
{
	int n = 0;
	for (; n < most; n++) {
		relax(0.5);
		if (norm() < 0)
			break;
	}
	for (int k = 0; k < 700; k++)
		relax(0.25);
	do {
		relax(0.75);
	} while (++n < most + 3);
	return n;
}
int main(int argc, char **argv)
{
	int n = 0, sets = argc > 1 ? atoi(argv[1]) : 2;
	for (int set = 0; set < sets; set++)
		n += solve(40);
	return n != sets * 43;
}
EOF
line() { echo "few.c:$(grep -n "$1" few.c | head -n 1 | cut -d: -f1)"; }
# Executions are longer than 10 us, on faster machines, too; the program is over before another loop is chosen by time.
for level in 0 2; do
	psc_instrument gcc -g -O$level -DN=$((20000 + level * 40000)) -o few few.c
	check "-O$level, no phase given: the loop in main has too few executions" run 4 --max-runs 1 --app ./few
	tr '\n' ' ' <out | tr -s ' ' >flat
	check "-O$level: loops with enough are named with their executions" sh -c \
		"grep -q 'after 2 phase executions ([01] experiments\{0,1\}); regions with enough executions for --phase: ' flat &&
		grep -q 'loop $(line 'n < most')-[0-9]* in solve (80 executions; ' flat"
	check "-O$level: a thousand are enough to count" grep -q "loop $(line 'k < 700')-[0-9]* in solve (1[04][0-9]* executions or more; \|in solve (1400 executions; " flat
done
check "the loop that was named can be the phase" run 0 --app ./few --phase "$(line 'n < most')"
check "enough executions: nothing is named" sh -c \
	'psc_frontend --app ./few -- 20 >out 2>err && ! grep -q "enough executions" out'
