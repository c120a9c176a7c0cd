#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Threads that have different work: found where it is, and nowhere else.  Decided by counts where they can
# decide; times are those of regions in which one thread has a hundred times the other's work, or the same.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 16
OMP_NUM_THREADS=2
export OMP_NUM_THREADS

cp "$srcdir/tests/e2e/imbalance.c" .
line() { grep -n "$1" imbalance.c | head -n 1 | cut -d: -f1; }
phase=$(line 'for (int step')
uneven=$(($(line 'void uneven') + 2))
even=$(($(line 'void even') + 2))
barrier=$(line 'omp barrier')
psc_instrument gcc -g -O2 -fopenmp -o imbalance imbalance.c || echo "Bail out! imbalance.c"
analyse() {
	run 0 --app ./imbalance --phase "imbalance.c:$phase" --lockstep --no-psc --top 0 "$@"
}
# found CSV PROPERTY TYPE LINE: the finding is in the list
found() { grep "^[0-9]*,$2,.*,$3,[^,]*,[^,]*,[^,]*,imbalance.c,$4," "$1" >/dev/null; }

# By counts: 100 units to 1, 50 to 50; the whole of it is known.
cat >counts.asl <<'END'
PROPERTY Uneven(MRIParPerf m) {
	LET
		float most = MAX(m.memory_access[t] WHERE t IN m.nThreads);
		float all = SUM(m.memory_access[t] WHERE t IN m.nThreads);
	IN
	CONDITION: most / all > 0.6 AND m.region.type == WORKSHARE_DO;
	CONFIDENCE: 1;
	SEVERITY: most / all;
}
END
check "counts of threads are measured" analyse --properties ./counts.asl --csv counts.csv
check "the shared-out loop whose threads differ is found" found counts.csv Uneven WORKSHARE_DO "$uneven"
check "and none else" test "$(grep -c Uneven counts.csv)" = 1
awk -F, '$2 == "Uneven" { print ($7 > 0.99 && $7 < 100 / 101 + 0.0001) }' counts.csv >rate
check "with the share that its slowest thread has" grep -qx 1 rate
check "with one counter it is the same" analyse --properties ./counts.asl --counters 1 --csv one.csv -- 60
cut -d, -f2,7,15- counts.csv >a
cut -d, -f2,7,15- one.csv >b
check "to the last digit" cmp a b

# By time.  Beside other programs they may have caused what was measured: the report says so, and the analysis is repeated twice.
noise() { tr -s ' \n' ' ' <out | grep -Eq "$1,? imbalance.c(:|, )$2 [) ]*[0-9.]*; noise could explain it"; }
balance() { analyse --properties balance --clean 9 --set IMBALANCE_FACTOR=1.7 --why-not --csv time.csv; }
imbalance_found() {
	grep "^[0-9]*,LoadImbalance,.*,imbalance.c,$uneven," time.csv ||
		grep '^[0-9]*,AccessImbalance,LoadImbalance,.*,part,' time.csv
}
noisy_loop() { ! imbalance_found && noise 'WORKSHARE_DO' "$uneven"; }
cause_named() { grep '^[0-9]*,AccessImbalance,LoadImbalance,.*,DATA_STRUCTURE,part,' time.csv && ! grep 'other' time.csv; }
check "psc_frontend --properties balance" balance
for try in 2 3; do imbalance_found >/dev/null || balance; done
check "LoadImbalance is found where one thread has the work, or noise could explain it" eval 'imbalance_found || noisy_loop'
check "not where they have the same" sh -c "! grep '^[0-9]*,LoadImbalance,.*,imbalance.c,$even,' time.csv"
check "the structure of which one thread has more is named" eval 'cause_named || noisy_loop'
barrier_found() { found time.csv BarrierWait BARRIER_REGION "$barrier" || noise BARRIER_REGION "$barrier"; }
advised() { grep -q "share out evenly what lies between" out || noise BARRIER_REGION "$barrier"; }
check "the barrier at which they wait is found, where noise does not explain it" barrier_found
check "the advice is printed" advised

# One thread has nobody to differ from: said so, not passed over.
OMP_NUM_THREADS=1 psc_frontend -q --app ./imbalance --phase "imbalance.c:$phase" --no-psc --lockstep \
	--properties balance --why-not >out 2>err
check "one thread: the properties of threads are not tested" grep -q "one thread runs it" out

# The program that docs/patterns explains, before and after its fix.
OMP_NUM_THREADS=2
mkdir pattern
make -s -C pattern -f "$(realpath "$srcdir")/examples/patterns/Makefile" CC=psc_gcc imbalance imbalance-fixed >build.log 2>&1 ||
	echo "Bail out! examples/patterns/imbalance"
triangle() { run 0 --app "./pattern/$1" --properties balance --no-psc --csv triangle.csv; }
triangle_found() { grep '^[0-9]*,AccessImbalance,.*,triangle,' triangle.csv; }
found_at_last() {
	for try in 1 2 3; do triangle imbalance && triangle_found && return; done
	return 1
}
check "examples/patterns/imbalance: found" found_at_last
not_found() { triangle imbalance-fixed && ! triangle_found; }
check "not after the fix" not_found
check "which computes the same" test "$(./pattern/imbalance)" = "$(./pattern/imbalance-fixed)"
