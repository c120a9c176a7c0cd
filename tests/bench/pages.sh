#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make bench-pages: what sampling pages costs (docs/pages.md).  Each program runs PAGES_ROUNDS times (5) alone, recorded in
# bursts, and with pages at budgets of 0.1 (hardly more than tracking), 5 and 20 % besides, in turns.  Prints medians of the
# program's own processor time, pages seen in each interval, and what a fault costs here.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
rounds=${PAGES_ROUNDS:-5}
PATH=$builddir:$PATH
PSC_PROPERTIES_PATH=$srcdir/properties
PSC_MACHINE_PATH=$srcdir/machine
PSC_CALIBRATE=no
export PATH PSC_PROPERTIES_PATH PSC_MACHINE_PATH PSC_CALIBRATE
work=$(mktemp -d "${TMPDIR:-/tmp}/psc-pages-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
for name in product random; do
	${PSC_GCC:-gcc} -O2 -g -pthread -o $name "$srcdir/tests/bench/pages/$name.c" || exit 1
done

# measure HOW NAME ARGUMENT: appends the processor time to NAME.HOW, and keeps the rows and the report
measure() {
	how=$1 name=$2
	case $how in
	alone) "./$name" "$3" >out ;;
	bursts) psc_frontend --agents local --no-psc -q -o report -- "./$name" "$3" >out ;;
	*) psc_frontend --agents local --no-psc -q -v -o "$name.$how.report" --page-budget "$how" --pages "$name.$how.csv" -- "./$name" "$3" >out ;;
	esac || exit 1
	sed -n 's/^cpu //p' out >>"$name.time.$how"
}
median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# seen FILE: pages seen in an interval, without those of first touches alone
seen() { awk -F, 'NR > 1 && $6 > 0 { n++; if (!($3 in is)) { is[$3]; k++ } } END { printf "%d", k ? n / k : 0 }' "$1"; }

row() { # NAME ARGUMENT
	k=0
	while [ $k -lt "$rounds" ]; do
		for how in alone bursts 0.1 5 20; do measure $how "$1" "$2"; done
		k=$((k + 1))
	done
	for how in alone bursts 0.1 5 20; do
		echo "$1 $how $(median "$1.time.$how") $(median "$1.time.alone") $([ -f "$1.$how.csv" ] && seen "$1.$how.csv")" |
			awk '{ printf "%-8s %-7s cpu %7.3f s  %.3f of alone%s\n", $1, $2, $3, $3 / $4, $5 ? "  pages seen an interval " $5 : "" }'
	done
	grep -h 'pages were sampled' "$1.5.report" "$1.20.report"
}
row product 4
row random 100
