#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Page walks by the sets of translation caches, of static and of heap memory, wherever the kernel puts it.
. "${srcdir:-.}/tests/e2e/lib.sh"
: "${AWK:=awk}"
plan 8
cp "$srcdir/tests/e2e/walks.c" .
psc_instrument gcc -O2 -g -o walks walks.c || { echo "Bail out! walks.c"; exit 1; }
analyse() {
	run 0 --app ./walks --phase "walks.c:$(grep -n 'the phase' walks.c | cut -d: -f1)" --machine x86-server --no-psc \
		--top 0 "$@"
}
# counts FILE: structure, misses of the first level, page walks of each cube in the phase
counts() {
	"$AWK" -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["parent"] == -1 && $column["object"] ~ /even|odd/ {
			print $column["object"], $column["l1_load_miss"] + $column["l1_store_miss"], $column["l1_walks"]
		}' "$1"
}
# share NAME FROM TO: of the misses, those that walk
share() { counts counts.csv | "$AWK" -v n="$1" '$1 == n { print; s = $3 / $2; found = 1 }
	END { exit !(found && s >= '"$2"' && s <= '"$3"') }'; }
check "it is analysed" analyse --export-counts counts.csv
check "static, a power of two apart: each miss walks" share even 0.95 1
check "heap, a power of two apart: each miss walks" share heap_even 0.95 1
check "static, padded: a page's first" share odd 0 0.1
check "heap, padded: a page's first" share heap_odd 0 0.1
for run in 1 2 3; do
	again() { analyse --export-counts again.csv && counts counts.csv >one && counts again.csv >other && cmp one other; }
	check "the same elsewhere in memory, $run" again
done
