#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The main job on examples/lu: the program is untouched, the bottleneck is found.
agents=auto
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 38

mkdir native
(cd native && make -s -f "$srcdir/examples/lu/Makefile") >build.log 2>&1
build_lu .
timeless() { grep -vi 'time' "$1"; }

./native/lu 12 >native.out
./lu 12 >alone.out
timeless native.out >a
timeless alone.out >b
check "alone, the instrumented program prints what the plain one does" cmp a b

check "psc_frontend analyses it" run 0 --app ./lu --phase ssor.f:109 -- 12
check "under psc_frontend its output is the same" sh -c 'while IFS= read -r l; do grep -qxF -- "$l" out || exit 1; done <a'
check "its own verification passes" grep -q "Verification: SUCCESSFUL" out
check "progress is on standard error, a line per experiment" sh -c \
	'[ "$(grep -c "^psc: experiment" err)" -ge 2 ]'
check "how root's agents are started is no message" sh -c '! grep -q "running as root" err'
check "no progress on standard output" sh -c '! grep -q "^psc: experiment" out'
cp out out.here
run 0 --app ./lu --phase ssor.f:109 --machine itanium2 --no-psc -- 33
check "a property of the library is named without the library's directory" grep -q "^- MemoryStall: memory.asl:" out
mv out.here out
check "the report names the phase" grep -q "ssor.f:109\|ssor.f, 109" out
check "it leaves lu.psc, well-formed" xmllint --noout lu.psc
check "nothing else is left" nothing_left

check "size 33 fits the caches: done all the same" run 0 --app ./lu --phase ssor.f:109 -- 33
check "there is room for all that two threads share" sh -c \
	'OMP_NUM_THREADS=2 psc_frontend -qv --lockstep --app ./lu --phase ssor.f:109 --no-psc -- 33 >out 2>err && grep -q "ssor.f, 109\|ssor.f:109" out && ! grep -q "no room" out'
check "--why-not says what decided" sh -c \
	'psc_frontend --lockstep --app ./lu --phase ssor.f:109 --why-not --top 0 -- 33 12 2>err >out; grep -q "does not hold\|under 5 %" out'
check "--csv-ledger is what the report says of all accesses" run 0 --app ./lu --phase ssor.f:109 --csv-ledger ledger.csv -- 12
check "with all of them named or not" sh -c "<ledger.csv awk -F, 'NR > 1 { n++; sum += \$3 }
	END { exit !(n == 7 && sum > 0.9999 && sum < 1.0001) }'"
check "psc_report has the same of the property file" sh -c \
	"psc_report --ledger --csv lu.psc | cmp - ledger.csv && psc_report --ledger lu.psc | grep -q '^Where the accesses belong'"
check "--html is a page" run 0 --app ./lu --phase ssor.f:109 --html lu.html -- 12
check "which psc_report makes of the property file, too" sh -c "psc_report --html lu.psc | cmp - lu.html && grep -q 'Where the accesses belong' lu.html"
check "memory over time tells stacks from other memory without a name" \
	grep -q '<pc:time_structure name="" cause="thread stacks"' lu.psc
check "-o keeps standard output for the program" sh -c \
	'psc_frontend -qv --lockstep --app ./lu --phase ssor.f:109 -o report.txt -- 12 >out 2>err && ! grep -q "ssor.f, 109" out && grep -q "109" report.txt'
check "no phase given: the time-step loop is found" sh -c \
	'psc_frontend -qv --lockstep --app ./lu -- 12 >out 2>err && grep -q "ssor.f, 109\|ssor.f:109" out'

# A property of the user's own over existing metrics, without touching C.
cat >my.asl <<'EOF'
// Regions that store more than they load.
const float share = 0.3;
PROPERTY MostlyStores(SeqPerf s) {
  CONDITION: s.write_access / (s.read_access + s.write_access) > share;
  CONFIDENCE: 1;
  SEVERITY: s.write_access / (s.read_access + s.write_access) * s.exec_time;
}
EOF
check "a user's own property is measured" run 0 --app ./lu --phase ssor.f:109 --properties ./my.asl -- 12
check "and reported" grep -q "MostlyStores" out
check "with --set it is another threshold" sh -c \
	'psc_frontend -qv --lockstep --app ./lu --phase ssor.f:109 --properties ./my.asl --set share=0.99 -- 12 >out 2>err && ! grep -q "MostlyStores(" out && ! grep -q "^ *1 .*MostlyStores" out'
echo 'share = 0.99   # as before' >my.conf
check "so it is with a my.conf beside it" sh -c \
	'psc_frontend -qv --lockstep --app ./lu --phase ssor.f:109 --properties ./my.asl -- 12 >out 2>err && ! grep -q "MostlyStores(" out && ! grep -q "^ *1 .*MostlyStores" out'
echo 'shar = 0.99' >my.conf
check "what is wrong in it is located, and nothing is run" sh -c \
	'psc_frontend -qv --lockstep --app ./lu --phase ssor.f:109 --properties ./my.asl -- 12 >out 2>err; [ $? = 2 ] && grep -q "^\./my.conf:1" err && [ ! -s out ]'
rm my.conf

# Search limits.
check "--max-executions ends the search: partial, exit code 4" run 4 --app ./lu --phase ssor.f:109 \
	--max-executions 2 -- 12
check "and the report says why" grep -q "max-executions" out
check "nothing is left" nothing_left

# A dummy argument stands for another array in every call: named as in this call.
cat >swap.c <<'EOF'
#define N 400000
static double a[N], b[N];
static void relax(double *to, const double *from)
{
	for (int i = 1; i < N - 1; i++)
		to[i] = 0.5 * (from[i - 1] + from[i + 1]);
}
int main(void)
{
	for (int step = 0; step < 12; step++) {
		relax(a, b);
		relax(b, a);
	}
	return a[7] != 0;
}
EOF
psc_instrument gcc -g -O2 -o swap swap.c
check "arrays that change places are measured" run 0 --app ./swap --phase swap.c:10 --machine itanium2 \
	--properties paper --csv swap.csv
check "and named as in each call" sh -c \
	'<swap.csv awk -F, "{ print \$16, \$17 }" | sort -u | grep -qx "to a" &&
	<swap.csv grep "^[0-9]*,LC3DMissRate,.*,from,a,.*swap.c, 12 )" >/dev/null &&
	<swap.csv grep "^[0-9]*,LC3DMissRate,.*,to,b,.*swap.c, 12 )" >/dev/null &&
	! <swap.csv grep ",to,a,.*swap.c, 12 )"'

# All of the program in one loop of main: recording begins while main runs.
cat >inline.c <<'EOF'
static double a[400000], b[400000];
int main(void)
{
	for (int k = 0; k < 30; k++)
		for (int i = 0; i < 400000; i++)
			a[i] += b[i];
	return a[7] != 0;
}
EOF
psc_instrument gcc -g -O1 -o inline inline.c
check "a loop body in a running function is measured" run 0 --app ./inline --phase inline.c:4 \
	--machine itanium2 --properties paper --csv inline.csv
check "with its arrays" sh -c '<inline.csv grep -q "^[0-9]*,LC3DMissRate,.*,a,.*inline.c, 4 )" &&
	<inline.csv grep -q "^[0-9]*,LC3DMissRate,.*,b,.*inline.c, 4 )"'
check "and nothing is said to be missing" sh -c '! grep -q "directly in the" out err'

# What cannot be recorded is said, not left out in silence.
cat >caught.cc <<'EOF'
static double a[200000], b[200000];
void odd(int k) { if (k % 7 == 6) throw k; }
int main()
{
	for (int k = 0; k < 30; k++) {
		for (int i = 0; i < 200000; i++)
			a[i] += b[i];
		try {
			odd(k);
		} catch (int) {
			a[k] = 1;
		}
	}
	return a[7] != 0;
}
EOF
psc_instrument g++ -g -O1 -o caught caught.cc
psc_frontend -v --lockstep --app ./caught --phase caught.cc:5 >out 2>err
check "a loop that cannot have two versions: the report says what is missing" \
	grep -q "directly in the" out
check "and so does standard error, before the run" grep -q "directly in the phase loop" err
psc_frontend -qv --lockstep --app ./lu --phase ssor.f:109 -- 12 >out 2>err
check "LU's phase has no such loop" sh -c '! grep -q "directly in the" out err'
