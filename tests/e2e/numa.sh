#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Data structures on the wrong memory node: of four programs the right one, its pattern and no other; after the change, none.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 23
OMP_NUM_THREADS=4
export NODES_OF_THREADS="0 1 0 1"

# analyse PROGRAM [FLAG]: on two nodes, on which the threads run in turn
analyse() {
	source=$srcdir/examples/numa/$1.c
	psc_instrument gcc -O2 -g -fopenmp $2 "$source" -o "$1$2" >build.log 2>&1 &&
		run 0 --app "./$1$2" --phase "$1.c:$(grep -n 'step < steps' "$source" | tail -n 1 | cut -d: -f1)" --machine "$srcdir/tests/e2e/four.xml" \
			--threads-on "${3:-spread}" --lockstep --properties objects --psc "$1$2.psc" --csv "$1$2.csv"
}
# found FILE [FINDING]: exactly this, as "property structure"
found() {
	awk -F, 'NR > 1 { print $2, $16 }' "$1.csv" | sort -u >got
	printf '%s' "${2:+$2
}" >wanted
	diff wanted got
}
# says FILE WORDS
says() { psc_report -v "$1.psc" | tr '\n' ' ' | tr -s ' ' | grep -q "$2"; }

# notes FILE WORDS
notes() { psc_report --json "$1.psc" | tr '\n' ' ' | tr -s ' ' | grep -q "$2"; }

# example PROGRAM FINDING ORIGIN
example() {
	check "$1 is analysed" analyse "$1"
	if says "$1" 'page faults here'; then
		for what in pattern origin change; do
			ok "$1: $what # SKIP the kernel gives no page-fault events"
		done
		return
	fi
	check "it has $2 and nothing else" found "$1" "$2"
	check "who touched it first and where is said" says "$1" "first touched by $3"
	analyse "$1" -DFIXED
	check "after the change there is nothing" found "$1-DFIXED"
}
line() { grep -n "$2" "$srcdir/examples/numa/$1.c" | head -n 1 | cut -d: -f1; }

example faces 'ConcurrentRemoteReads basis' "thread 0 at faces.c:$(line faces 'basis.i. = ')"
example points 'OverloadedNode points' "thread 0 at points.c:"
example index 'PrivatePartsElsewhere tables[][]' 'thread 0'
example pools 'SharedInGroup cache[]' 'several threads'

# Two processes, each a pool of all its threads, which run on two nodes, then on one.
processes() {
	run 0 --exe ./two --phase "pools.c:$(line pools 'step < steps')" \
		--machine "$srcdir/tests/e2e/four.xml" --threads-on "$1" --lockstep \
		--properties objects --psc two.psc --csv two.csv \
		-- sh -c './two & ./two & wait' && found two "$2"
}
psc_instrument gcc -O2 -g -fopenmp -DPOOLS=1 "$srcdir/examples/numa/pools.c" -o two >build.log 2>&1
if says pools 'page faults here'; then
	for what in spread together; do
		skip "two processes, $what" "the kernel gives no page-fault events"
	done
else
	check "what the threads of each of two processes share" \
		processes spread 'SharedInGroup cache[]'
	check "with the threads of each on one node there is nothing" processes 0-1 ''
fi

# Many arrays, each too cheap for a finding of its own.
fields() {
	psc_instrument gcc -O2 -g -fopenmp $1 "$srcdir/tests/e2e/fields.c" -o fields >build.log 2>&1 &&
		run 0 --app ./fields --phase "fields.c:$(grep -n 'step < 20' "$srcdir/tests/e2e/fields.c" | cut -d: -f1)" \
			--machine "$srcdir/tests/e2e/four.xml" --threads-on spread --lockstep --properties objects --psc "fields$1.psc" --csv "fields$1.csv"
}
fields
if says fields 'page faults here'; then
	skip "forty arrays that cost little each" "the kernel gives no page-fault events"
	skip "none where each thread fills its part" "the kernel gives no page-fault events"
else
	check "forty arrays that cost little each" says fields "40 data structures, each of which costs little, lie on another node"
	fields -DFIXED
	check "none where each thread fills its part" found fields-DFIXED
fi

check "on one node it is analysed, too" analyse points "" 0-1
check "nothing is remote there, which is said" notes points "nothing can be remote here: all 4 threads run on memory node 0"
if notes points 'page faults here'; then
	ok "first touch # SKIP the kernel gives no page-fault events"
else
	check "and who touched it first" notes points "all pages of points were first touched by thread 0 at points.c:"
fi
