#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Two threads: lines that they take from one another, by false and by true sharing, and pages that lie on the
# node of the one or of the other.  All by counts, so that it does not matter when the system lets them run;
# shares of the time only have to be more than next to nothing.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 34
OMP_NUM_THREADS=2
export OMP_NUM_THREADS

cp "$srcdir/tests/e2e/sharing.c" "$srcdir/tests/e2e/placed.c" .
cp "$srcdir/tests/e2e/branches.c" .
for program in sharing placed branches; do
	psc_instrument gcc -g -O2 -fopenmp -o $program $program.c || echo "Bail out! $program.c"
done
# analyse PROGRAM OPTIONS...
analyse() {
	program=$1
	shift
	run 0 --app "./$program" --phase "$program.c:$(grep -n 'for (int step' $program.c | cut -d: -f1)" \
		--lockstep --no-psc --top 0 --machine "$srcdir/tests/e2e/two.xml" "$@"
}
# holds CSV PROPERTY STRUCTURE: a structure's finding (its property is shown as the region's)
holds() { grep "^[0-9]*,$2\(OfData\)\?,.*,DATA_STRUCTURE,$3," "$1" >/dev/null; }
lacks() { ! holds "$@"; }

# --- between caches
analyse_sharing() {
	analyse sharing --properties sharing --strategy paper --set SHARING_THRESHOLD=1e-6 \
		--set SHARING_DATA=1e-6 "$@"
}
check "psc_frontend --properties sharing" analyse_sharing --csv sharing.csv
check "neighbours in one line: false sharing" holds sharing.csv FalseSharing near
check "and no true sharing" lacks sharing.csv TrueSharing near
check "the same on lines of their own: none" lacks sharing.csv '[A-Za-z]*' apart
check "one counter: true sharing" holds sharing.csv TrueSharing counter
check "and no false sharing" lacks sharing.csv FalseSharing counter
check "a table that both read: none" lacks sharing.csv '[A-Za-z]*' table
tr '\n' ' ' <out | tr -s ' ' >flat
check "the report names the bytes and who writes them" \
	grep -q "threads use different bytes of a line (bytes: thread 0 writes [08]-[0-9]*, thread 1 writes [08]-" flat
# placed STRUCTURE TEXT: its problem is at the line with that text
placed() {
	line=$(grep -nF "$2" sharing.c | cut -d: -f1)
	analyse_sharing --json sharing.json && tr -d '\n' <sharing.json | sed 's/"property":/\n/g' |
		grep -F "\"place_line\": $line," | grep -F "\"name\": \"$1\""
}
check "neighbours: the line that adds" placed near '(volatile long *)near.own)[t] += i'
check "one counter: the line that counts" placed counter '((volatile long *)counter)[0]++'
check "with one counter it is the same" analyse_sharing --counters 1 --csv one.csv -- 80
check "near" holds one.csv FalseSharing near
check "counter" holds one.csv TrueSharing counter
check "and none else" lacks one.csv '[A-Za-z]*' apart
OMP_NUM_THREADS=1
check "one thread has nothing of it" analyse_sharing --csv alone.csv
check "no finding" lacks alone.csv '[A-Za-z]*' '[a-z]*'
OMP_NUM_THREADS=2

# What one thread misses, by the batch: the turn decides, not the batch.
if [ -x "$builddir/tests/monitor/simrun" ]; then
	for batch in 256 2048 32000; do
		"$builddir/tests/monitor/simrun" --levels 32K/8/64,256K/8/64,4M/16/64/all --cpus 2 --batch $batch \
			--warm 2 --count 2 --phase "line:$(grep -n 'for (int step' sharing.c | cut -d: -f1)" \
			-- ./sharing | sed -n 's/^count .*object=near thread=. .* false=\([0-9]*\)\/.*/\1/p'
	done >batches
	awk '$1 < 254 || $1 > 264 { bad = 1 } END { exit bad || NR != 6 }' batches
	check "batches of 256, 2048, 32000 words: 129 misses of a thread an execution" test $? = 0
	for k in 1 2 3; do
		"$builddir/tests/monitor/simrun" --levels 32K/8/64,256K/8/64,4M/16/64/all --cpus 2 --warm 0 --count 1 \
			--phase "line:$(grep -n 'for (int step' sharing.c | cut -d: -f1)" \
			-- ./sharing | sed -n 's/^count .*object=near thread=. .* false=\([0-9]*\)\/.*/\1/p'
	done >first
	awk '$1 < 126 || $1 > 130 { bad = 1 } END { exit bad || NR != 6 }' first
	check "the first execution, without any before: as many" test $? = 0

	# A branch decides who is in the line when: the same accesses have the same count, however the system
	# lets the threads run.  Only the block of arguments that the forking thread writes may be one miss of each
	# other thread, or none.
	# one_count RUNS THREADS SHAPE LEAST MOST: the coherence misses of all runs are in this range, and their
	# numbers at most THREADS - 1 apart; so are the misses of level 1
	one_count() {
		for k in $(seq "$1"); do
			OMP_NUM_THREADS=$2 "$builddir/tests/monitor/simrun" --cpus 4 \
				--levels 32K/8/64,256K/8/64,4M/16/64/all \
				--phase "line:$(grep -n 'for (int step' branches.c | cut -d: -f1)" -- ./branches "$3" "$2" |
				sed -n 's/^total .* m1=\([0-9/]*\) .* false=\([0-9]*\)\/\([0-9]*\) true=\([0-9]*\)\/\([0-9]*\) .*/\1 \2 \3 \4 \5/p'
		done >counts
		awk -v runs="$1" -v others=$(($2 - 1)) -v least="$4" -v most="$5" '
			{
				n = $2 + $3 + $4 + $5; split($1, m, "/"); missed = m[1] + m[2]
				if (NR == 1) { first = last = n; low = high = missed }
				if (n < first) first = n
				if (n > last) last = n
				if (missed < low) low = missed
				if (missed > high) high = missed
			}
			END {
				exit NR != runs || first < least || last > most || last - first > others ||
					high - low > others
			}' counts || {
			cat counts
			return 1
		}
	}
	# 200000 loads and 2 x 100000 accesses behind the branch: 400000 / 64 turns
	check "a branch, two threads: one count in ten runs" one_count 10 2 all 6200 6300
	check "three threads: a count" one_count 5 3 all 6200 6300
	check "a branch that is seldom taken" one_count 5 2 seldom 100 500
	check "a branch that one thread takes" one_count 5 2 one 0 2
	check "unequal work: misses while both work" one_count 5 2 unequal 3100 3200
	check "a counter in a critical section" one_count 5 2 critical 3000 3200
	check "an atomic counter" one_count 5 2 atomic 2500 6400
	check "all lines, in turn" one_count 5 2 alternate 400 20000
else
	for k in 1 2 3 4 5 6 7 8 9 10; do
		echo "ok $((n += 1)) # SKIP simrun is not built"
	done
fi

# --- between nodes
check "psc_frontend --properties numa" analyse placed --properties numa --csv placed.csv
check "one thread touched it first, both use it: remote" sh -c \
	"grep '^[0-9]*,RemoteAccess.*,DATA_STRUCTURE,.*mine' placed.csv"
check "each touched its own: local" sh -c "! grep 'RemoteAccess.*ours' placed.csv"
check "half of the fetches are remote" sh -c \
	"grep '^[0-9]*,RemoteAccess.*,DATA_STRUCTURE,.*mine' placed.csv | cut -d, -f7 | grep '^0\.\(49\|5\)'"
check "loads slower than a node's own memory are found" grep -q RemoteLatency placed.csv

# The kernel may refuse: then nothing is guessed.
cat >refuse.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof code / sizeof code[0], code };

	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
		perror("refuse");
		return 1;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 1;
}
END
gcc -o refuse refuse.c || echo "Bail out! refuse.c"
mkdir refusing
printf '#!/bin/sh\nexec %s/refuse %s "$@"\n' "$work" "$(command -v psc_frontend)" >refusing/psc_frontend
chmod +x refusing/psc_frontend
PATH=$work/refusing:$PATH
check "without page-fault events of the kernel" analyse placed --properties numa --why-not --csv none.csv
PATH=${PATH#*:}
check "nothing is said of places" sh -c "! grep Remote none.csv"
tr '\n' ' ' <out | tr -s ' ' >flat
check "and the report says why" grep -q "reports no page faults here" flat
nothing_left >/dev/null
