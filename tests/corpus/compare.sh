#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What compare.awk says of simrun's output by hand: what should have been counted and was not is a failure,
# never a skip.
: "${srcdir:=.}"
tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-compare.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0

done='request state=done reason=0 executions=2 first=2 lost=0 unhandled=0'
row='loads=20 stores=4 bytes=192 m1=6/2 f1=8 false=0/0 true=0/2 served=3,5'

# says VERDICTS NAME SIMRUN-OUTPUT EXPECTATION...: the first words of what is said, and status 1 where one is bad
says() {
	want=$1 name=$2
	printf '%b' "$3" > "$tmp/sim"
	shift 3
	{ echo 42; printf '%s\n' "$@" "status 0"; } > "$tmp/out"
	awk -v level=O2 -v machine=small -v cpus=2 -v nodes=2 -f "$srcdir/tests/corpus/compare.awk" \
		"$tmp/sim" "$tmp/out" > "$tmp/verdicts" 2>&1
	status=$?
	case $want in *bad*) bad=1 ;; *) bad=0 ;; esac
	n=$((n + 1))
	if [ "$(awk '{ print $1 }' "$tmp/verdicts" | xargs)" = "$want" ] && [ $status = $bad ]; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		sed 's/^/# /' "$tmp/verdicts"
	fi
}

counted="$done\ncount context=0.0/0.1 object=f:a thread=0 $row unplaced=0\nalias name=b region=1 object=f:a\n"
says "good good good good good good good good" "what holds holds, of a structure and of an alias" "$counted" \
	'expect a loads = 10' 'expect b refs in 11 12' 'expect total bytes = 96' 'expect a load_miss 1 = 3' \
	'expect a fetched 1 = 4' 'expect a true_sharing = 1' 'expect a local in 1 2' 'expect a depth = 2'
says "bad bad bad" "what does not hold fails" "$counted" \
	'expect a loads = 9' 'expect a store_miss 1 = 0' 'expect a depth = 3'
says "todo" "what is known not to hold is told, not failed" "$counted" 'expect a loads = 9 todo'
says "bad bad bad" "nothing counted at all fails" "$done\n" \
	'expect a loads = 10' 'expect a load_miss 1 = 3' 'expect total refs = 12'
says "bad bad" "nothing counted fails where no misses and no sharing are expected, too" "$done\n" \
	'expect a miss 1 = 0' 'expect a false_sharing = 0'
says "good bad" "only references are none where nothing is counted" "$counted" \
	'expect c loads = 0' 'expect c remote = 0'
says "bad bad" "what is not reported fails" "$counted" 'expect a load_miss 2 = 0' 'expect a lodas = 0'
says "skip bad" "the place of pages is skipped where it is not known, other counts are not" \
	"$done\ncount context=0.0 object=a thread=0 $row unplaced=3\n" 'expect a remote = 9' 'expect a loads = 9'
says "good" "what another machine or level is to do is not looked at" "$counted" \
	'expect a loads = 1 on nodes' 'expect a loads = 1 at O0' 'expect a loads = 10 on small at O2 O3'
says "bad" "a simulation that said nothing fails" "" 'expect a loads = 10'
says "bad" "a request that was dropped fails" 'request state=dropped reason=3 executions=0\n' 'expect a loads = 0'
says "bad" "a program that expects nothing fails" "$counted" 'expect worst a step'
says "bad" "an expectation that is not understood fails" "$counted" 'expect a loads ~ 10'
echo "1..$n"
