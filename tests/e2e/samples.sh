#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --collector perf: refused where no unit samples accesses; with a virtual one (samples/README.md), the misses of structures are those
# that its samples tell.  By rates, names and notes: nothing that depends on how fast the machine is.
. "${srcdir:-$(dirname "$0")/../..}/tests/e2e/any_lib.sh"
PSC_FOREIGN=$builddir/tests/foreign/psc_foreign_virtual
PSC_BURST_LIBRARY=$builddir/burst/.libs/libpscburst.so
export PSC_FOREIGN PSC_BURST_LIBRARY
plan 27

"$cc" -O2 -g -pthread -o plain "$srcdir/tests/e2e/any.c" || echo "Bail out! any.c does not compile"
run() { # CODE ARGUMENTS...
	want=$1
	shift
	code=0
	psc_frontend --agents local --collector perf --machine x86-server --no-psc "$@" >out 2>err || code=$?
	cat err
	[ $code = "$want" ] || { echo "exit code $code, not $want"; return 1; }
}

# --- no unit
export PSC_VIRTUAL_UNIT=none
check "without a unit nothing is run" run 2 -- ./plain 1
check "what was looked for is named" grep -q 'collector perf: this host lists no unit.*cpu/mem-loads/.*ibs_op.*arm_spe_0' err
check "and what would change that" grep -q 'virtual machines hide it' err
check "the program printed nothing" [ ! -s out ]
check "options that need our compiler are refused by name" run 2 --try malloc -- ./plain 1
check "with the reason" grep -q -e '--try: not with --collector burst, page or perf' err

# --- a virtual unit
# share CSV OBJECT MISSES ACCESSES LEAST MOST: misses an access of a structure, in the whole program
share() {
	awk -F, -v object="$2" -v misses="$3" -v accesses="$4" -v least="$5" -v most="$6" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["context"] == 0 && $column["object"] == object && $column[accesses] > 0 { rate = $column[misses] / $column[accesses] }
		END { print object, misses, rate; exit !(rate != "" && rate >= least && rate <= most) }' "$1"
}
flat() { tr '\n' ' ' <out | tr -s ' '; }
unset PSC_VIRTUAL_UNIT
check "samples of a virtual unit" run 7 -v --export-counts pebs.csv --json samples.json -- ./plain 3
check "the unit and its ledger are told" grep -q 'virtual/accesses/: [1-9][0-9]* samples' out
check "a gather misses the first level each time" share pebs.csv table l1_load_miss loads 0.9 1
check "a walk along lines misses once a line" share pebs.csv index l1_load_miss loads 0.03 0.1

# Latencies are those of the model's levels (4, 12, 46, 300 cycles), so a class of the gather's loads
# has the misses of a level: `classes` are of 8, 16 and 64 cycles.
sed -n '/^  "samples"/,/^  \]/{/"structure": "table"/{s/[",:]/ /g;p;q}}' samples.json >row
classes=$(awk '
	{ for (i = 1; i < NF; i++) v[$i] = $(i + 1) }
	v["lat4"] == v["loads"] && v["lat512"] == 0 && v["lat4096"] == 0 {
		print v["lat8"] / v["loads"], v["lat16"] / v["loads"], v["lat64"] / v["loads"] }' row)
set -- $classes
# class SHARE LEVEL
class() {
	share pebs.csv table "l$2_load_miss" loads \
		"$(echo "$1" | awk '{ print $1 - 0.005 }')" "$(echo "$1" | awk '{ print $1 + 0.005 }')"
}
check "loads of 8 cycles or more are the misses of the first level" class "$1" 1
check "of 16 the second's" class "$2" 2
check "of 64 the third's" class "$3" 3
check "the report has them by structure" sh -c \
	"sed -n '/^What the processor sampled/,/^\$/p' out | grep -q '^  table  *100%  *[0-9]'"
PSC_VIRTUAL_SAYS=no-latency
export PSC_VIRTUAL_SAYS
check "a unit that tells none" run 7 -v --properties levels --why-not --csv none.csv -- ./plain 3
check "leaves them undefined" eval 'flat | grep -q "lat[0-9]* was not measured or is undefined" &&
	! grep -q ",LAT[0-9]" none.csv && ! grep -q "What the processor sampled" out'
unset PSC_VIRTUAL_SAYS
PSC_VIRTUAL_UNIT=spe
export PSC_VIRTUAL_UNIT
check "samples in Arm's packets" run 7 --export-counts spe.csv -- ./plain 3
check "tell the same" share spe.csv table l1_load_miss loads 0.9 1

# --- a machine of two nodes: all pages on node 0, so what thread 1 reads is remote
unset PSC_VIRTUAL_UNIT
"$cc" -O2 -g -pthread -o far "$srcdir/tests/e2e/far.c" || echo "Bail out! far.c does not compile"
far() {
	PSC_VIRTUAL_COLD=1 PSC_VIRTUAL_NODE=0 PSC_VIRTUAL_SAYS=$1 psc_frontend -v --agents local \
		--collector perf --machine "$srcdir/tests/e2e/two.xml" --properties numa --no-psc --export-counts far.csv -- ./far >out 2>err || { cat out err; return 1; }
}
is_far() {
	grep -q RemoteAccess out && awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["context"] == 0 && $column["object"] == "table" {
			near = $column["local"]
			far = $column["remote"]
		}
		END { exit !(far > near && near >= 0) }' far.csv
}
check "memory of another node" far
check "is found where the unit sees it" is_far
check "as the pages tell" grep -q "Both agree" out
check "with a unit that takes all memory for near" far near
check "the pages tell it, too" is_far
check "the report has both, and that they differ" eval \
	'grep -q "^  table .* [1-9][0-9.]*% *0% \*" out && flat | grep -q "differ by more than 3 points"'

# --- verdicts are those of the simulator
# found FILE PROPERTIES: which structures have which problems
found() {
	awk -F, -v wanted="^($2)\$" 'NR > 1 && $15 == "DATA_STRUCTURE" && $2 ~ wanted &&
		$16 != "heap without a name" { print $2, $16 }' "$1" | sort -u
}
simulate() { # SOURCE OPTIONS...
	source=$1
	shift
	psc_instrument "$cc" -O2 -g -pthread -o ours "$source" &&
		psc_frontend --agents local --no-psc -q --csv sim.csv "$@" -- ./ours >out 2>err
}
sample() { # PROGRAM OPTIONS...
	program=$1
	shift
	psc_frontend --agents local --collector perf --no-psc -q --csv perf.csv "$@" \
		-- $program >out 2>err
}
# same PROPERTIES STRUCTURE: what samples find the simulator finds, too, and of this structure both
# find the same.  How many samples come, and so which of the smaller problems are sure, is a matter
# of the machine's load.
same() {
	found sim.csv "$1" >wanted
	found perf.csv "$1" >got
	cat wanted got
	! grep -v -x -F -f wanted got && [ -n "$(grep " $2\$" wanted)" ] &&
		[ "$(grep " $2\$" wanted)" = "$(grep " $2\$" got)" ]
}
unset PSC_VIRTUAL_SAYS PSC_VIRTUAL_UNIT
cat >gather.c <<'END'
#include <stdio.h>
#include <stdlib.h>
enum { N = 1 << 20 };
double table[8 * N], columns[1024][1024], small[256], sums[4];
static int from[N];
int main(void)
{
	for (int i = 0; i < N; i++)
		from[i] = (int)(i * 2654435761u % (8 * N));
	for (int step = 0; step < 400; step++) {
		for (int i = 0; i < N; i++)
			sums[0] += table[from[i]];
		for (int j = 0; j < 1024; j++)
			for (int i = 0; i < 1024; i++)
				sums[1] += columns[i][j];
		for (int i = 0; i < N; i++)
			sums[2] += small[i % 256];
	}
	printf("%g\n", sums[0] + sums[1] + sums[2]);
	return 0;
}
END
"$cc" -O2 -g -o gather gather.c
gather() {
	simulate gather.c --machine x86-server --properties memory \
		--phase "gather.c:$(grep -n 'step < 400' gather.c | cut -d: -f1)"
	PSC_VIRTUAL_COLD=1 sample ./gather --machine x86-server --properties memory
	same 'MemoryStall|FetchExcess|LastLevelMissRate' table
}
check "a gather and a walk by columns: samples and simulator find the same" gather
both_far() {
	simulate "$srcdir/tests/e2e/far.c" --machine "$srcdir/tests/e2e/two.xml" --properties numa \
		--phase "far.c:$(grep -n 'round < ROUNDS' "$srcdir/tests/e2e/far.c" | cut -d: -f1)"
	PSC_VIRTUAL_COLD=1 PSC_VIRTUAL_NODE=0 sample ./far --properties numa \
		--machine "$srcdir/tests/e2e/two.xml"
	same 'RemoteAccess|RemoteLatency' table
}
check "and of a table on another node" both_far

# LU's arrays: two of those that the simulator finds dear are dear by samples, too.
lu() {
	gfortran -O2 -g "$srcdir"/examples/lu/*.f -o lu &&
		psc_instrument gfortran -O2 -g "$srcdir"/examples/lu/*.f -o ours || return 1
	psc_frontend --agents local --machine x86-server --no-psc -q --properties memory \
		--csv sim.csv --phase "ssor.f:$(grep -n 'do istep' "$srcdir/examples/lu/ssor.f" | cut -d: -f1)" \
		-- ./ours 33 >out 2>err
	sample "./lu 33" --machine x86-server --properties memory
	found sim.csv MemoryStall >wanted
	found perf.csv MemoryStall >got
	cat wanted got
	[ "$(grep -c -x -F -f wanted got)" -ge 2 ]
}
if command -v gfortran >/dev/null; then
	check "and of LU's arrays" lu
else
	skip "and of LU's arrays" "no gfortran"
fi
