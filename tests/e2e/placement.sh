#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --placement: the kernel has the policies of the file, the output stays, what matches nothing is
# said, and wrong files are refused with their place; psc_report --placement: what it writes of an
# example takes its finding away.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 21

cp "$srcdir/tests/e2e/rules.c" .
psc_instrument gcc -g -O2 -o rules rules.c || {
	echo "Bail out! rules.c"
	exit 1
}
at() { grep -n "$1" rules.c | tail -n 1 | cut -d: -f1; }
phase=rules.c:$(at 'the steps')
cat >file <<END
periscope placement 1
# rows of every sort
bind=0 "data" rules.c:$(at 'data = malloc')
local "grid" rules.c
pages=2M "table"
bind=0 "little"
interleave "nothing" rules.c:3
local "data" other.c
END
apply() { run 0 --app ./rules --phase "$phase" --json placed.json --psc rules.psc -o report "$@"; }
# row STRUCTURE FIELD
row() {
	sed -n '/"placed"/,/"ledger"/p' placed.json | tr -d '\n' | sed 's/{/\n{/g' |
		grep "\"structure\": \"$1\"" | head -n 1 | sed "s/.*\"$2\": \([^,}]*\).*/\1/"
}
is() {
	[ "$(row "$1" "$2")" = "$3" ] || { echo "$2 of $1 is $(row "$1" "$2"), not $3"; return 1; }
}
says() { tr '\n' ' ' <"$1" | tr -s ' ' | grep -q "$2"; }

check "a placement is applied while the program is analysed" apply --placement file -- policies
./rules alone >alone.out
check "the output is the same" diff alone.out out
check "by itself the program has no policies" grep -q '^data 0 table 0 grid 0 large 0 0$' alone
case $(row data reason) in
*sandbox* | *refused*)
	ok "the kernel has them # SKIP $(row data reason)"
	ok "blocks are counted # SKIP $(row data reason)" ;;
*)
	check "the kernel has them" grep -q '^data 1 table 0 grid [14] large 0 1$' policies
	check "blocks are counted" eval 'is data blocks 1 && is grid blocks 1 && is table blocks 1' ;;
esac
check "a block without a whole page is left alone" eval 'is little blocks 0 && is little left 1'
check "a rule that matches nothing is counted" is nothing objects 0
check "and says so" says report 'nothing (rules.c:3): the rule interleave matches nothing'
check "a rule for another file, too" says report 'data (other.c): the rule local matches nothing'

sed 's/bind=0 "data"/bind=x "data"/' file >wrong
check "a wrong file is refused" run 2 --app ./rules --placement wrong
check "with its place" grep -q 'psc_frontend: --placement: wrong:3:6: bind=N names a memory node' err
check "so is one that is not there" run 2 --app ./rules --placement gone
check "a program that runs already is refused" run 2 --attach 1 --placement file
check "with the reason" grep -q 'its memory is allocated already' err

# An example on a model of two nodes.
OMP_NUM_THREADS=4
export NODES_OF_THREADS="0 1 0 1"
cp "$srcdir/examples/numa/points.c" "$srcdir/examples/numa/nodes.h" .
psc_instrument gcc -O2 -g -fopenmp points.c -o points >build.log 2>&1
phase=points.c:$(grep -n 'step < steps' points.c | tail -n 1 | cut -d: -f1)
model() {
	run 0 --app ./points --phase "$phase" --machine "$srcdir/tests/e2e/four.xml" \
		--threads-on spread --properties objects "$@"
}
check "an example is analysed on a model of two nodes" model --psc points.psc --csv points.csv
line=$(grep -n 'aligned_alloc' points.c | cut -d: -f1)
if psc_report -v points.psc | tr '\n' ' ' | tr -s ' ' | grep -q 'page faults here'; then
	for name in rules code environment sites finding said; do
		ok "$name # SKIP the kernel gives no page-fault events"
	done
	exit 0
fi
psc_report --placement points.psc points.placement
check "its rule is written" grep -qx "interleave \"points\" points.c:$line" points.placement
psc_report --placement=code points.psc >code
check "as code" grep -q '^+	place(points, npoints \* sizeof \*points, MPOL_INTERLEAVE, ~0ul);' code
psc_report --placement=environment points.psc >environment
check "as a line for numactl" grep -qx 'numactl --interleave=all PROGRAM' environment
psc_report --placement=sites points.psc >sites
check "as an allocation" grep -qx "points.c:$line @ interleave" sites
check "it is applied" model --placement points.placement --psc placed.psc --csv placed.csv
check "then there is no finding" eval '[ "$(wc -l <placed.csv)" = 1 ]'
