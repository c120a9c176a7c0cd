#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes that execute the phase unequally often: that is told, and nothing is compared; numbered by common steps, they are.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
. "$srcdir/tests/mpi/lib.sh"
. "$srcdir/tests/e2e/lib.sh"
plan 15
cp "$srcdir/tests/mpi/unequal.c" "$srcdir/monitor/psc_phase.h" .
have_mpi openmpi || skip_all "$why"
psc_instrument mpicc.openmpi -w -g -O1 unequal.c -o unequal >build.log 2>&1 || { echo "Bail out! unequal.c does not build"; exit 1; }
loop=unequal.c:$(grep -n 'the loop' unequal.c | cut -d: -f1)

# two CODE PHASE ARGUMENTS...: two ranks, with properties over both
two() {
	want=$1 phase=$2
	shift 2
	rm -f counts.csv
	run "$want" --properties memory,balance,mpi --phase "$phase" --no-psc --export-counts counts.csv -- \
		$(launcher openmpi 2) ./unequal "$@"
}
said() { tr -s ' \n' ' ' <out | grep -q -e "$1"; }
unsaid() { ! said "$1"; }
# Loads of one execution of rank 0: of two sweeps for each of 4000 elements, in parts or in all.
loads() { awk -F, -v want="$1" '$2 == 0 && $8 == "*" && $10 == want { found = 1 } END { exit !found }' counts.csv; }

check "without numbers" two 0 part 60 plain
check "it is told" said "ranks execute the phase unequally often (rank 0 [0-9]* times, rank 1 [0-9]* times meanwhile)"
check "half a step is not compared with a whole one" unsaid 'ProcessImbalance [(a-z]'
check "an execution is half a step" loads 1599600
check "with numbers" two 0 part 60 number
check "they are equal" unsaid "unequally often"
check "and in balance" unsaid 'ProcessImbalance [(a-z]'
check "an execution is a step" loads 3199200
check "iterations of a loop" two 0 "$loop" 60 number
check "of one number are one execution" loads 3199200
# Another program may have slowed one down: a second try.
late() { two 0 part 60 number late && said 'ProcessImbalance [(a-z]'; }
again() { late || late; }
check "a rank that has more to do is found by its step" again
check "a rank without an execution of some steps ends with the others" two 0 part 80 number odd

cat >steps.f90 <<'END'
program steps
  integer :: step, i
  real :: a(20000)
  a = 0
  do step = 1, 80
    call psc_phase_number((step + 1) / 2)
    call psc_phase_begin('part')
    do i = 2, 20000
      a(i) = a(i) + a(i - 1) + 1
    end do
    call psc_phase_end('part')
  end do
  print *, a(20000)
end program
END
fortran() {
	psc_instrument gfortran -w -g -O1 steps.f90 -o steps && run 0 --phase part --no-psc --export-counts counts.csv -- ./steps
}
check "in Fortran" fortran
unlinked() {
	printf '#include "psc_phase.h"\nint main(void) { psc_phase_number(3); return 0; }\n' >plain.c
	gcc -Wall -Werror plain.c -o plain && ./plain && g++ -x c++ -Wall -Werror plain.c -o plain && ./plain
}
check "without the tool it does nothing" unlinked
check "nothing is left" nothing_left
