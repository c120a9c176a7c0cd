#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that our compiler wrappers have not compiled: clang's, and GCC's without the plugin.  By names, places and
# kinds of what has been measured: nothing that depends on how fast the machine is.
. "${srcdir:-$(dirname "$0")/../..}/tests/e2e/any_lib.sh"
plan 60

cp "$srcdir/tests/e2e/any.c" .
"$cc" -O2 -g -pthread -o plain any.c || echo "Bail out! any.c does not compile"

analyse() { # PROGRAM
	run 7 --json "$1.json" --export-counts "$1.csv" --no-psc -- "./$1" 2
}
# counted CSV NAME: a region or a structure that has accesses
counted() { grep -q ",$2," "$1"; }
complete() { # PROGRAM
	for name in columns gather mat near; do
		counted "$1.csv" $name || return 1
	done
}
named() { # PROGRAM
	check "$1: it computes, prints and returns what it does alone" analyse "$1"
	check "$1: its output" grep -qx done out
	check "$1: it is said how it is measured" grep -q "psc: ./$1 has not been compiled with psc_gcc: its accesses are recorded in bursts" err
	# On a busy host the bursts of one run may miss a part of the program.
	complete "$1" || { analyse "$1" && complete "$1"; } || analyse "$1"
	for name in columns gather mat near; do
		check "$1: $name has its name" counted "$1.csv" $name
	done
}
named plain
if command -v clang >/dev/null && clang -O2 -g -pthread -o by_clang any.c 2>/dev/null; then
	named by_clang
else
	for i in 1 2 3 4 5 6 7; do skip "clang" "clang is not installed, or compiles no threads"; done
fi

# --- a library that is loaded while the program runs; a launcher; processes that are not recorded
cat >late.c <<'END'
double late_walk(const double *a, int n) { double s = 0; for (int r = 0; r < 1500; r++) for (int i = 0; i < n; i += 8) s += a[i]; return s; }
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	void *library = dlopen("./late.so", RTLD_NOW);
	double (*walk)(const double *, int) = library ? (double (*)(const double *, int))dlsym(library, "late_walk") : NULL;
	double *a = calloc(1 << 20, sizeof *a);

	if (!walk || !a)
		return 1;
	printf("%g done\n", walk(a, 1 << 20));
	return 0;
}
END
"$cc" -O2 -shared -fPIC -o late.so late.c && "$cc" -O2 -o loads loads.c -ldl || echo "Bail out! loads.c does not compile"
check "a program with a library that it loads, behind a launcher" run 0 --export-counts late.csv --no-psc -- env A=1 ./loads
check "the program behind the launcher is recorded" grep -q "psc: ./loads has not been compiled with psc_gcc" err
check "the library's function has its name" counted late.csv late_walk
# What a shell does itself may be too little to be recorded.
little() { run 0 "$@" || [ $code = 4 ]; }
check "a program that a shell starts" little --no-psc -- sh -c './loads; :'
check "is not recorded, which is said" grep -q "processes that it started" out
check "one that the program becomes by exec" little --no-psc -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; exec ./loads'
check "prints what it prints" grep -q done out
check "and that it is not recorded is said" grep -q "become another program" out

# --- what cannot be
cat >hello.c <<'END'
#include <stdio.h>
int main(void) { puts("hello"); return 0; }
END
printf '#!/bin/sh\necho no\n' >script
chmod +x script
check "a script: nothing is run" run 2 -- ./script
check "and how it is named" grep -q 'psc_frontend -- /bin/sh' err
in_bursts() {
	psc_instrument "$cc" -O2 -g -pthread -o instrumented any.c && run 7 --collector burst --json both.json --no-psc -- ./instrumented 1 &&
		grep -q '"bursts": true' both.json
}
check "a program of ours is recorded in bursts where that is asked" in_bursts
check "and nothing else is said of its compiler" sh -c '! grep -q "has not been compiled" err'
# --- two collectors that count, in a run of the program each
cat >twice.c <<'END'
#include <stdio.h>
#include <stdlib.h>
enum { N = 1 << 20, STRIDE = 8 };
static double near[512];
int main(void)
{
	double *far = calloc((size_t)N * STRIDE, sizeof *far), sum = 0;

	for (int step = 0; step < 60; step++) {
		for (int i = 0; i < N; i++)
			sum += far[(size_t)i * STRIDE];
		for (int i = 0; i < N; i++)
			near[i % 512] += i;
	}
	puts("twice");
	return sum + near[7] > 0 ? 5 : 6;
}
END
psc_instrument "$cc" -O1 -g -o twice twice.c || echo "Bail out! twice.c does not compile"
"$cc" -O1 -g -o twice_plain twice.c
"$cc" -O1 -g -static -o static twice.c 2>/dev/null || rm -f static
in_json() { # NAME: a row that both have figures of
	awk -v name="\"structure\": \"$1\"" '/"counted": \[/ { rows = 1 }
		rows && index($0, name) && /"access_share"/ { found = !/"(other_)?first_rate": null/ }
		END { exit !found }' twice.json
}
count_twice() {
	run 5 --collector sim,burst --json twice.json --html twice.html --psc twice.psc \
		--phase twice.c:9 -- ./twice
}
check "two collectors count" count_twice
check "the program's output is that of one run" sh -c '[ $(grep -cx twice out) = 1 ]'
check "that of the other is in a file" grep -qx twice twice.burst.log
check "both are printed" grep -q "^ *differ " out
check "structure by structure" in_json far
check "with the names of both" grep -q '"collector": "sim", "other_collector": "burst"' twice.json
check "in the page" grep -q "data-view=counted" twice.html
check "and from the property file" sh -c 'psc_report -v twice.psc | grep -q "^Counted twice"'
check "sim cannot count what it has not compiled" run 2 --collector burst,sim -- ./twice_plain
check "which is said" grep -q "sim: ./twice_plain has not been compiled" err
check "a pipe cannot be read twice" sh -c \
	'echo x | psc_frontend --collector sim,burst -- ./twice 2>&1 | grep -q "standard input is a pipe"'
count_perf() (
	PSC_FOREIGN=$builddir/tests/foreign/psc_foreign_virtual
	PSC_BURST_LIBRARY=$builddir/burst/.libs/libpscburst.so
	export PSC_FOREIGN PSC_BURST_LIBRARY
	run 5 --collector sim,perf --json twice.json --no-psc --machine x86-server --phase twice.c:9 -- ./twice
)
check "the simulator and the processor's samples (of a virtual unit) count" count_perf
check "both have figures of a structure" in_json far
check "with their names" grep -q '"collector": "sim", "other_collector": "perf"' twice.json
# far is walked by lines: each access misses.
check "and both find that each access misses" awk '/"structure": "far"/ { if (match($0, /"first_rate": [0-9.]+/)) a = substr($0, RSTART + 14, RLENGTH - 14)
	if (match($0, /"other_first_rate": [0-9.]+/)) b = substr($0, RSTART + 20, RLENGTH - 20) }
	END { print a, b; exit !(a > 0.9 && b > 0.9) }' twice.json
check "nor do three count" run 2 --collector sim,burst,perf -- ./twice

# --- nothing can be loaded into it: the kernel samples its time, if it may
printf '#!/bin/sh\necho no samples\nexit 2\n' >refuses
chmod +x refuses
refused() { PSC_FOREIGN=$work/refuses run 2 -- ./static; }
if [ -x static ]; then
	check "a static program whose time cannot be sampled: nothing is run" refused
	check "and what can be had instead" grep -q "linked statically.*psc_gcc.*no samples" err
else
	skip "static" "this compiler links no static programs"
	skip "static" "this compiler links no static programs"
fi
attached() {
	./plain 30 >plain.out &
	busy=$!
	# On a busy host there may be no sample in a short time.
	for seconds in 3 20; do
		code=0
		psc_frontend --agents local --no-psc --max-time $seconds --attach $busy \
			>out 2>err || code=$?
		cat err
		[ $code = 4 ] || break
	done
	[ $code = 0 ] && kill -0 $busy
}
# A process that waits for another one.
attached_parent() {
	sh -c 'sleep 60 & echo $! >child.new; mv child.new child; wait' &
	parent=$!
	until [ -s child ]; do sleep 0.1; done
	child=$(cat child)
	psc_frontend --agents local --no-psc --max-time 1 --attach $parent >out 2>err || :
	kill $parent $child
	cat err
	grep -q "has started others.*: $child\$" err
}
several() {
	sleep 60 &
	one=$!
	sleep 60 &
	run 2 --attach $one,$! && grep -q "attach to each alone" err
	code=$?
	kill $one $!
	return $code
}
check "several processes that run already: attach to each alone" several
if [ -x static ] && psc_foreign --times-here >times; then
	check "a static program: its time is sampled" run 5 --json static.json --no-psc -- ./static
	check "it prints what it prints" grep -qx twice out
	check "regions are named" grep -q "main/loop" out
	check "accesses are not known, which is said" grep -q "^Counts *none" out
	check "a process that runs already: its time is sampled, and it runs on" attached
	check "accesses are not known there, either" grep -q "times are all" out
	kill $busy 2>/dev/null
	check "processes that it has started are listed" attached_parent
else
	for i in 1 2 3 4 5 6 7; do skip "time alone" "$(cat times 2>/dev/null || echo no static programs)"; done
fi

check "options for instrumented programs are refused" run 2 --try malloc -- ./plain
check "by name" grep -q -e '--try: only for programs' err
"$cc" -O2 -o short hello.c
check "a program that ends at once" run 4 --no-psc -- ./short
check "prints what it prints" grep -qx hello out
check "one that is not there" run 2 -- ./nowhere
# The dynamic loader divides its list of libraries at spaces.
mkdir "a place"
cp "$builddir/burst/.libs/libpscburst.so" "a place/"
apart() { PSC_BURST_LIBRARY="$work/a place/libpscburst.so" run 7 --export-counts apart.csv --no-psc -- ./plain 3; }
check "a recorder in a directory with a space in its name" apart
check "is loaded" counted apart.csv columns
# Neither a file of ours in TMPDIR, nor a process that has it in its environment.
left() {
	i=0
	while [ $i -lt 600 ]; do
		procs=$(grep -lsz "^TMPDIR=$TMPDIR" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 | while read -r p; do
			case $(cat "/proc/$p/comm" 2>/dev/null) in psc_*) echo "$p" ;; esac
		done)
		[ -n "$procs$(ls -A "$TMPDIR")" ] || return 0
		sleep 0.1
		i=$((i + 1))
	done
	return 1
}
check "nothing is left" left
