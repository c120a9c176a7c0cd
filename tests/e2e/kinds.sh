#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The kinds conflict and capacity, on misses whose cause is known by construction; the same in two runs.
. "${srcdir:-.}/tests/e2e/lib.sh"
: "${AWK:=awk}"
plan 17
cp "$srcdir/tests/e2e/kinds.c" .
psc_instrument gcc -O2 -g -o kinds kinds.c || { echo "Bail out! kinds.c"; exit 1; }
cat >kinds.asl <<'END'
PROPERTY Misses(SeqPerf s) {
	CONDITION: s.memory_time > 0;
	CONFIDENCE: 1;
	SEVERITY: s.memory_time;
}
PROPERTY MissesOfData(DataPerf d) REFINES Misses {
	CONDITION: d.memory_time > 0;
	CONFIDENCE: 1;
	SEVERITY: d.memory_time;
	ADVICE: "{d.memory_class} {d.reused_after}: {d.blocking}";
}
END
# analyse WHAT ARGUMENTS...
analyse() {
	what=$1
	shift
	run 0 --app ./kinds --phase "kinds.c:$(grep -n 'the phase' kinds.c | cut -d: -f1)" --machine x86-server --no-psc \
		--properties ./kinds.asl --top 0 --csv "$what.csv" --export-counts "$what.counts" "$@" -- "$what"
}
# kind FILE NAME: of the structure
kind() {
	"$AWK" -F, -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["name"] == name || $column["alias_of"] == name { print $column["kind"]; exit }' "$1"
}
# is WHAT NAME KIND
is() { got=$(kind "$1.csv" "$2"); echo "$2: $got, not $3"; [ "$got" = "$3" ]; }
# share WHAT NAME COUNT LEVEL: of the level's misses
share() {
	"$AWK" -F, -v name="$2" -v count="l$4_$3" -v misses="l$4_load_miss" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["parent"] == -1 && $column["object"] == name { print $column[count] / $column[misses]; exit }' "$1.counts"
}
# within WHAT NAME COUNT LEVEL LOW HIGH
within() {
	got=$(share "$1" "$2" "$3" "$4")
	echo "$2: $3 is $got of the misses of level $4, not $5 to $6"
	[ -n "$got" ] && "$AWK" "BEGIN { exit !($got >= $5 && $got <= $6) }"
}
check "nine arrays side by side are analysed" analyse beside
check "they are conflicts" is beside beside_8 conflict
check "three quarters of their misses, counted" within beside beside_4 conflict 1 0.7 0.8
check "columns of matrices are analysed" analyse matrices --what-if
check "longer rows are tried, where they would help" grep -q "rows of 4096 bytes get 64 bytes more  *[5-9][0-9]" out
check "rows of 4 KiB: conflicts" is matrices table conflict
check "of the second level nearly all" within matrices table conflict 2 0.75 1.1
check "longer rows: none" within matrices wider conflict 1 0 0.05
check "sweeps are analysed" analyse blocks --what-if
check "four times the second level: capacity" is blocks swept capacity
# one pass of eight is the first of its execution
check "seven passes of eight" within blocks swept capacity 2 0.75 1
check "in blocks nothing comes from beyond that level" within blocks blocked capacity 2 0 0
check "the advice has a distance and a block" grep -q "STREAM its lines come again after [12].* MiB of others" out
check "blocks are tried, of that level" grep -q "worked on in blocks that fit L2" out
neither() { analyse once && is once once stream && within once once capacity 3 0 0 && within once once conflict 3 0 0; }
check "once in an execution: neither" neither
again() {
	for what in beside matrices blocks; do
		mv "$what.counts" "$what.first"
		analyse "$what" || return 1
		cut -d, -f10-60 "$what.first" >first.csv
		cut -d, -f10-60 "$what.counts" >second.csv
		cmp first.csv second.csv || return 1
	done
}
check "once more: the same counts" again
sampled() { analyse matrices --sample 8 && ! is matrices table conflict; }
check "a sample of the sets does not know them" sampled
