#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --try in ranks of MPI: all run one schedule in the same executions, the output stays, and there is
# one row for all.  Which verdict a trial has hangs on times: none is asserted.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
. "$srcdir/tests/mpi/lib.sh"
. "$srcdir/tests/e2e/lib.sh"
plan 6

have_mpi openmpi || skip_all "$why"
cp "$srcdir/tests/e2e/tried_ranks.c" .
psc_instrument mpicc.openmpi -g -O2 -o tried_ranks tried_ranks.c >build.log 2>&1 || {
	sed 's/^/# /' build.log
	echo "Bail out! tried_ranks.c"
	exit 1
}
phase=tried_ranks.c:$(grep -n 'the steps' tried_ranks.c | tail -n 1 | cut -d: -f1)
try() {
	rm -f trial.json report
	psc_frontend --apprun "$(launcher openmpi 2)" --app ./tried_ranks --phase "$phase" \
		--json trial.json -o report --no-psc "$@" >out 2>err
}
one_row() { [ "$(field wall)" = true ] && [ "$(field action | wc -l)" = 1 ]; }
field() { sed -n "/\"trials\"/,/\"ledger\"/s/.*\"$1\": \([^,}]*\).*/\1/p" trial.json; }

# 4: the program has ended before the trial has its verdict.
analysed() {
	try --try malloc -- "$1"
	code=$?
	[ $code = 0 ] || [ $code = 4 ]
}
check "two ranks are analysed" analysed 6000
tried=$code
launch openmpi 2 ./tried_ranks 6000 >alone
check "the output is as without a trial" diff alone out
if [ "$tried" = 0 ]; then
	check "both states were run" eval '[ "$(field executions)" -ge 100 ] && [ "$(field kept)" = false ]'
	check "by wall time, as one row for both" one_row
else
	for name in "both states were run" "by wall time, as one row for both"; do
		skip "$name" "the program ended before the trial did"
	done
fi
check "a program that ends meanwhile is analysed in part" analysed 150
launch openmpi 2 ./tried_ranks 150 >alone
check "has its output, too" diff alone out
