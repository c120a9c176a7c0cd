#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# examples/patterns, which docs/patterns explains: of each program, the report names the structure and the kind, and
# after the fix of its page no longer.  Of imbalance, balance.sh says it: that compares times.
. "${srcdir:-.}/tests/e2e/lib.sh"
echo "1..25"

make -s -f "$srcdir/examples/patterns/Makefile" CC=psc_gcc CXX=psc_g++ FC=psc_gfortran >build.log 2>&1 || {
	sed 's/^/# /' build.log
	echo "Bail out! examples/patterns does not build"
	exit 1
}
ok "they build"

# analysed PROGRAM THREADS OPTIONS...: its findings in PROGRAM.csv, a line each: property, structure, kind, advice
analysed() {
	to_run=$1
	export OMP_NUM_THREADS="$2"
	shift 2
	run 0 --app "./$to_run" --csv "$to_run.csv" "$@"
}
# found PROGRAM PROPERTY STRUCTURE KIND: such a finding is there (KIND: an extended regular expression)
found() {
	awk -F, -v property="$2" -v name="$3" -v kind="$4" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["property"] == property && $at["name"] == name && $at["kind"] ~ "^(" kind ")$" { n++ }
		END { exit !n }' "$1.csv"
}
# pattern PROGRAM THREADS PROPERTY STRUCTURE KIND OPTIONS...
pattern() {
	program=$1 threads=$2 property=$3 structure=$4 kind=$5
	shift 5
	once() { analysed "$program" "$threads" "$@" && found "$program" "$property" "$structure" "$kind"; }
	# Beside other programs the phase may be another one, or a time too uncertain.
	as_said() { once "$@" || once "$@" || once "$@"; }
	gone() { analysed "$program-fixed" "$threads" "$@" && ! found "$program-fixed" "$property" "$structure" "$kind"; }
	same() { [ "$(./"$program")" = "$(./"$program"-fixed)" ]; }
	check "$program: $property of $structure, $kind" as_said "$@"
	check "$program: gone after the fix" gone "$@"
	check "$program: the fix computes the same" same
}

pattern stride 1 MemoryStall tnew strided
pattern record 1 MemoryStall cloud record
pattern list 1 MemoryStall nodes chained
# Whether page walks or the lines themselves cost more is the machine's.
pattern gather 1 MemoryStall value 'gather|tlb'
# Modelled: this host may deliver streams, and lines that conflict, faster than they are computed.
pattern conflict 1 MemoryStall table conflict --machine x86-server
steps=reuse.c:$(grep -n 'int step = 0' "$srcdir/examples/patterns/reuse.c" | cut -d: -f1)
pattern reuse 1 MemoryStall pixel capacity --machine x86-server --phase "$steps"
pattern false_sharing 2 FalseSharing counters 'false sharing'
pattern first_touch 2 RemoteAccess a '.*' --machine "$srcdir/examples/patterns/two-nodes.xml" --properties numa
