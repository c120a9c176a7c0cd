#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Misses of the nodes of hash tables, lists and trees have advice of their own; code that was compiled without optimisation is named.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 8

cp "$srcdir/tests/e2e/nodes.cc" .
line() { grep -n "$1" nodes.cc | head -n 1 | cut -d: -f1; }
analyse() {
	run 0 --app "./$1" --phase "nodes.cc:$(line 'for (int step')" --machine x86-server --lockstep --no-psc --properties memory --json nodes.json
}
# advised STRUCTURE WORDS: the advice of a finding of MemoryStall about that structure
advised() {
	awk -v name="$1" -v words="$2" '
		/"property": "MemoryStall"/ { advice = $0 }
		/"type": "data"|DATA_STRUCTURE|data structure/ && index($0, "\"" name "\"") && index(advice, words) { found = 1 }
		END { exit !found }' nodes.json
}

psc_instrument g++ -g -O2 -o nodes nodes.cc && psc_instrument g++ -g -O0 -o plain nodes.cc || echo "Bail out! nodes.cc"
check "nodes are analysed" analyse nodes
check "a hash table is to be flat" advised table 'open addressing'
check "a list is to be an array" advised parts 'an array (vector) in place of it'
check "a tree of structs that point to their own type is to be flat, too" advised Leaf 'a sorted array or a B-tree'
check "no node has advice for loops" sh -c "! grep '\"property\": \"MemoryStall\"' nodes.json | grep -q 'innermost loop'"
check "optimised code is not said to be otherwise" sh -c "! grep -q 'without optimisation' out"
check "code without optimisation is analysed" analyse plain
check "and named" sh -c "tr -s ' \n' ' ' <out | grep -q 'compiled without optimisation (-O0): nodes.cc;'"
