#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Two threads and locks: what libraries write into a lock takes its line from other threads, though the library is not recorded.
# All by counts, so that it does not matter when the system lets the threads run.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 17
OMP_NUM_THREADS=2
export OMP_NUM_THREADS
cp "$srcdir/tests/e2e/locks.c" .
psc_instrument "${CC:-gcc}" -g -O2 -fopenmp -o locks locks.c >build.log 2>&1 || { cat build.log; echo "Bail out! locks.c"; exit 1; }
# analyse WAY [OPTION...]
analyse() {
	way=$1
	shift
	run 0 --app ./locks --phase "locks.c:$(grep -n 'for (int step' locks.c | cut -d: -f1)" --no-psc --top 0 \
		--machine "$srcdir/tests/e2e/two.xml" --properties sharing --strategy paper --set SHARING_THRESHOLD=1e-6 \
		--set SHARING_DATA=1e-6 --json json --csv csv "$@" -- "$way"
	tr '\n' ' ' <out | tr -s ' ' >flat
}
# kind PROPERTY STRUCTURE: that of the structure's finding
kind() { awk -F, -v property="$1" -v name="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$2 ~ "^" property && $column["name"] == name { print $column["kind"]; exit }' csv; }
is() { have=$(kind "$1" "$2"); echo "$have"; [ "$have" = "$3" ] || { cat csv; return 1; }; }
lacks() { ! grep "^[0-9]*,[A-Za-z]*Sharing.*DATA_STRUCTURE,$1," csv; }

check "two locks in a line" analyse pair
check "... are false sharing of locks" is FalseSharing pair lock
check "... which WHY says, with the bytes" grep -q \
	"locks lie in one cache line, and threads take different ones (bytes: thread 0 writes 0-15 (lock), thread 1 writes 40-55 (lock))" flat
check "... and DO gives each a line" grep -q "give each lock a line of its own" flat
check "a lock for each thread in its own line" analyse apart
check "... shares nothing" lacks apart
check "a lock beside another's data" analyse beside
check "... is false sharing of a lock" is FalseSharing beside lock
check "... which WHY says" grep -q "a lock lies in one cache line with data that other threads use" flat
check "a lock that all take" analyse one
check "... is contention" is TrueSharing one contention
check "a lock of OpenMP, which is a scalar" analyse simple
check "... likewise" is TrueSharing simple contention
check "an atomic counter" analyse atomic
check "... is contention, whose cure is a copy for each thread" is TrueSharing atomic contention
lacks_distance() { grep -q "let each thread update a copy of its own" flat && ! grep -q "line of its own" flat; }
check "... and never a line for each" lacks_distance
check "the source has critical sections and locks" grep -q '"locks": true' json
