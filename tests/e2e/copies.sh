#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is copied for calls is the problem, not its misses: by value, and sections of arrays.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 9

cp "$srcdir/tests/e2e/copies.cc" "$srcdir/tests/e2e/copies.f90" .
line() { grep -n "$1" "$2" | head -n 1 | cut -d: -f1; }
analyse() {
	program=$1 phase=$2
	shift 2
	run 0 --app "./$program" --phase "$phase" --machine x86-server --lockstep --no-psc --properties memory --json copies.json "$@"
}
# problem STRUCTURE WORDS: a problem of kind copy with these words as its reason or its advice
problem() {
	awk -v name="$1" -v words="$2" '
		/"number": [0-9]*, "key"/ { copy = /"kind": "copy"/ && index($0, name) }
		copy && index($0, words) { found = 1 }
		END { exit !found }' copies.json
}

psc_instrument g++ -g -O2 -o values copies.cc && psc_instrument gfortran -g -O2 -o sections copies.f90 || echo "Bail out! copies"
check "calls by value are analysed" analyse values "copies.cc:$(line 'for (int step' copies.cc)"
check "a struct by value is a copy for the calls that get it" problem models 'it is copied, passed by value for calls of eval: '
check "a reference is the cure" problem models 'pass a reference (const &) or a pointer'
check "so is a container" problem values 'objects are copied, with all that they hold'
check "whose saving is told" grep -q '"fix": "nocopy", "change": "not copied"' copies.json
check "sections are analysed" analyse sections "copies.f90:$(line 'do step' copies.f90)" --what-if state:nocopy
check "a section is a copy for the call" problem state 'the section of an array is copied to a temporary and back for calls of smooth: '
check "the index to move is named" problem state 'make the index that is fixed there the last one'
check "what it saves is computed when it is asked for" grep -q 'not copied' out
