#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The paper's analysis of LU: one thread, size 64, the paper's machine, strategy and properties.  The
# ranking must equal an independent recomputation from the exported counts (recompute.awk).
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 11

build_lu .
# Twelve steps do not converge, so the program itself says FAILED and ends with 1: that is passed on.
check "the analysis runs" run 1 --app ./lu --phase ssor.f:109 --machine itanium2 --strategy paper \
	--properties paper --top 0 --csv found.csv --export-counts counts.csv -- 64 12
check "it is complete" sh -c '! grep -qi "partial" out'

for sweep in blts buts; do
	check "$sweep holds LC3DMissRate, by the paper's path" sh -c "grep 'LC3DMissRate' found.csv |
		grep -q 'ssor.f, 109.*PARALLEL_REGION, ssor.f, 120.*LOOP_REGION, ssor.f.*$sweep( CALL_REGION, ssor.f.*$sweep( SUB_REGION, $sweep.f, 4 ).*DATA_STRUCTURE, $sweep.f, 4'"
done
check "v is known to be rsd" grep -q ',v,rsd,' found.csv

# Ours: estimated seconds are not in the CSV, the rank is.  property,name as declared,line of the region,severity,rate
<found.csv awk -F, 'NR > 1 {
	name = $16; if ($17 != "") name = $17
	# the line of the innermost region of the path
	path = $0; sub(/^[^"]*"/, "", path); n = split(path, node, " > ")
	last = $15 == "DATA_STRUCTURE" ? node[n - 1] : node[n]
	m = split(last, part, ", "); line = part[m] + 0
	printf "%s,%s,%d,%.6e,%.6e\n", $2, name, line, $4, $7
}' >ours
awk -f "$srcdir/tests/e2e/recompute.awk" counts.csv |
	LC_ALL=C sort -t, -k1,1gr -k5,5gr -k4,4n -k3,3 -k2,2 | cut -d, -f2- >theirs
check "something was found" test -s ours
check "the ranking equals the recomputation" cmp ours theirs
[ -z "${KEEP:-}" ] || cp -r . "$KEEP"

# With one thread the counts do not depend on the environment's size or on where the stack is.
untimed() { awk -F, -v OFS=, '{ $9 = ""; print }' "$1"; }
run 0 --app ./lu --phase ssor.f:109 --machine itanium2 --no-psc --export-counts one.csv -- 12
check "12: one run" test -s one.csv
PADDING=$(head -c 5000 /dev/zero | tr '\0' x) run 0 --app ./lu --phase ssor.f:109 \
	--machine itanium2 --no-psc --export-counts two.csv -- 12
untimed one.csv >one
untimed two.csv >two
check "counts are the same in another environment" cmp one two

# A machine with one counter comes to the same findings.
check "--counters 1 runs" run 0 --app ./lu --phase ssor.f:109 --machine itanium2 --strategy paper \
	--properties paper --no-psc --top 0 --counters 1 --set LC3_THRESHOLD=0.0001 --csv few.csv -- 12 600
run 0 --app ./lu --phase ssor.f:109 --machine itanium2 --strategy paper --properties paper --no-psc \
	--top 0 --set LC3_THRESHOLD=0.0001 --csv all.csv -- 12 600
pick() { <"$1" awk -F, '{ print $2, $7, $16, $17, $20 }' | sort; }
pick few.csv >few
pick all.csv >all
check "--counters 1 finds what all counters find" cmp few all
