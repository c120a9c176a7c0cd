#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Comparing two versions of a program, and a gate over them: counts of one thread repeat exactly, moved lines change nothing,
# a fix is seen where it is.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 20
mkdir same moved fixed
cp "$srcdir/tests/e2e/heat.c" same
for i in 1 2 3 4 5 6 7 8 9 10; do echo "/* a line */"; done | cat - "$srcdir/tests/e2e/heat.c" >moved/heat.c
cp moved/heat.c fixed
for d in same moved fixed; do
	flag=
	[ $d = fixed ] && flag=-DFIXED
	psc_instrument gcc -O2 -g $flag -o $d/heat $d/heat.c || { echo "Bail out! heat.c"; exit 1; }
done
# analyse DIR FILE ARGUMENTS...
analyse() {
	dir=$1
	file=$2
	shift 2
	run 0 --app "./$dir/heat" --phase "heat.c:$(grep -n 'the phase' "$dir/heat.c" | cut -d: -f1)" --machine x86-server \
		--psc "$file" "$@"
}
# figures FILE: the counts of each structure in each region, without lines and times
figures() {
	sed -n 's/.*<pc:cost \(region="[^"]*"\)\( structure="[^"]*"\)*.* \(accesses=.*\) est_stall=.*/\1\2 \3/p' "$1"
}
same_counts() { figures "$1" >1 && figures "$2" >2 && [ "$(wc -l <1)" -gt 8 ] && diff 1 2; }
unchanged() {
	psc_report -v --compare "$1" "$2" >findings && cat findings && grep -q " 0 gone, 0 new, 0 changed, 0 changed by less" findings &&
		psc_report --compare "$1" "$2" >problems && cat problems && grep -q "^No problem is gone, new or changed\." problems
}
check "a program is analysed" analyse same a.psc
check "and again" analyse same b.psc
check "its counts repeat exactly" same_counts a.psc b.psc
check "nothing changed" unchanged a.psc b.psc
check "with ten lines more at the top" analyse moved moved.psc
check "its counts are the same" same_counts a.psc moved.psc
check "nothing changed by moved lines" unchanged a.psc moved.psc
check "no line is in a key" sh -c '! grep -q "region=\"[^\"]*:[0-9]" a.psc'
check "the fix, compared by psc_frontend" analyse fixed fixed.psc --compare a.psc
changed() { grep -q "of tnew, heat.c:[0-9]* in diffuse" out && grep -q '^level-1 misses .*-[0-9.]*%$' out; }
check "misses of level 1 went" changed
check "nothing is new" grep -q "^Findings: [0-9]* gone, 0 new, " out
# Without -v, as a user calls it.
psc_frontend --lockstep --app ./fixed/heat --phase "heat.c:$(grep -n 'the phase' fixed/heat.c | cut -d: -f1)" --machine x86-server \
	--psc fixed.psc --compare a.psc >out 2>err
sed -n '/^Before /,$p' out >short
check "without -v it is told in 20 lines" sh -c 'n=$(wc -l <short); [ "$n" -gt 5 ] && [ "$n" -le 20 ]'
check "and without names of properties" sh -c '! grep -E "FetchExcess|MemoryStall|LastLevelMissRate" short'
check "the array is in it, where the source has it" grep -Eq "^(gone|much less) .* heat.c:[0-9]*  .*tnew" short
check "what to call for more is said, with the file of this run" grep -q "^NEXT  psc_report -v --compare a.psc fixed.psc" short
check "a gate without the fix" sh -c 'psc_report --check --baseline fixed.psc --worse-by 10% a.psc >gate; [ $? -eq 1 ]'
check "names the array" grep -q "tnew: level-1 misses" gate
check "passes with itself" psc_report --check --baseline a.psc --worse-by 0% b.psc
check "and with moved lines" psc_report --check --baseline a.psc --worse-by 0% moved.psc
check "a bad file to compare with stops before anything runs" run 2 --app ./same/heat --compare same/heat.c
