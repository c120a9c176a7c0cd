#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each construct of OpenMP that keeps a thread waiting by construction is found at its line.
. "${srcdir:-..}/tests/e2e/lib.sh"
plan 10
OMP_NUM_THREADS=2
export OMP_NUM_THREADS
cp "$srcdir/tests/e2e/constructs.c" .
psc_instrument "${PSC_GCC:-gcc}" -g -O1 -fopenmp -o constructs constructs.c >build.log 2>&1 || skip_all "constructs.c does not build"
analyse() {
	run 0 --properties openmp --top 0 --confidence 0.4 --set OMP_SHARE=0.03 --phase step --no-psc --json f.json -- ./constructs || return 1
	tr -s ' \n' ' ' <out >flat
}
# at PROPERTY PRAGMA: it holds at the line of the pragma
at() {
	line=$(grep -n "pragma omp $2" constructs.c | head -1 | cut -d: -f1)
	grep -Eq "$1 (\( )?[A-Za-z_.]+(,| )(\( )?(constructs.c(:|, ))$line" flat
}
check "the analysis ends" analyse
# Beside other programs the shares of constructs are smaller than by construction.
all() { at UnevenAtBarrier barrier && at TaskWait taskwait && at CriticalSection critical && at SequentialSingle single && at SequentialMaster master && at TooFewSections sections; }
for try in 2 3 4; do all || analyse; done
check "a barrier" at UnevenAtBarrier barrier
check "a critical section" at CriticalSection critical
check "single" at SequentialSingle single
check "master" at SequentialMaster master
check "ordered" at SequentialOrdered 'ordered$'
check "sections, of which there are too few" at TooFewSections sections
check "a task that another thread executes" at TaskWait taskwait

# A loop enters the first region; the second one has all the work.
cp "$srcdir/tests/e2e/startup.c" .
psc_instrument "${PSC_GCC:-gcc}" -g -O1 -fopenmp -o startup startup.c >build.log 2>&1
starts() {
	run 0 --properties openmp --top 0 --confidence 0.4 --set OMP_STARTUP_LEAST=0.001 --phase step --no-psc -- ./startup || return 1
	tr -s ' \n' ' ' <out >flat
}
line_of() { grep -n "pragma omp $1" startup.c | cut -d: -f1; }
started() { grep -Eq "ParallelStartup (\( )?[A-Za-z_.]+(, | )(\( )?(startup.c(:|, ))$(line_of "$1")( |,)" flat; }
check "an analysis of a region in a loop" starts
check "the region whose threads take long to start, alone" eval "started 'parallel num' && ! started 'parallel for'"
