#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reuse distances of structures: as the program's comment says, within a factor of two; the same in two runs.
. "${srcdir:-.}/tests/e2e/lib.sh"
: "${AWK:=awk}"
plan 9
cp "$srcdir/tests/e2e/reuse.c" .
psc_instrument gcc -O2 -g -o reuse reuse.c || { echo "Bail out! reuse.c"; exit 1; }
cat >reuse.asl <<'END'
PROPERTY Again(SeqPerf s) {
	CONDITION: s.reuse_distance > 65536;
	CONFIDENCE: 1;
	SEVERITY: s.est_stall_high;
}
PROPERTY Capacity(DataPerf d) REFINES Again {
	CONDITION: d.reuse_distance > 1048576;
	CONFIDENCE: 1;
	SEVERITY: d.est_stall_high;
}
END
analyse() {
	run 0 --app ./reuse --phase "reuse.c:$(grep -n 'the phase' reuse.c | cut -d: -f1)" --machine x86-server --no-psc \
		--properties ./reuse.asl --top 0 "$@"
}
# distance FILE NAME: of the structure in the phase, MiB
distance() {
	"$AWK" -F, -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["parent"] == -1 && $column["object"] == name && $column["reuse_distance"] != "" {
			print $column["reuse_distance"] / 1048576
			found = 1
		}
		END { exit !found }' "$1"
}
# is NAME MIB
is() {
	got=$(distance counts.csv "$1") || return 1
	echo "$1: $got MiB, not $2"
	"$AWK" "BEGIN { exit !($got > $2 / 2 && $got < $2 * 2) }"
}
check "it is analysed" analyse --export-counts counts.csv --csv findings.csv
check "swept: its size" is swept 2
check "blocked: a block" is blocked 0.25
check "once: all of a step" is once 14
check "stays: all of a step" is stays 14
held() { cut -d, -f2 findings.csv | grep -q Capacity && ! grep Capacity findings.csv | grep blocked; }
check "a property reads it" held
check "once more" analyse --export-counts again.csv
same() {
	for name in swept blocked once stays; do
		[ "$(distance counts.csv $name)" = "$(distance again.csv $name)" ] || return 1
	done
}
check "and it is the same" same
sampled() { analyse --sample 8 --export-counts sampled.csv && ! distance sampled.csv swept; }
check "a sample of the sets does not know it" sampled
