#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --try in ranks of MPI: all run one schedule in the same executions, the output and what the ranks
# have of CPUs and large pages stay, and there is one row of each action for all.  Which verdict a
# trial has hangs on times: none is asserted.  In make check-long by MPICH, too.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
. "$srcdir/tests/mpi/lib.sh"
. "$srcdir/tests/e2e/lib.sh"
mpis=openmpi
[ -z "$PSC_LONG" ] || mpis="openmpi mpich"
plan $((5 * $(echo "$mpis" | wc -w)))

cp "$srcdir/tests/e2e/tried_ranks.c" .
phase=tried_ranks.c:$(grep -n 'the steps' tried_ranks.c | tail -n 1 | cut -d: -f1)

# analysed STEPS: 4: the program has ended before a trial has its verdict.
analysed() {
	rm -f trial.json report
	psc_frontend --apprun "$(launcher "$mpi" 2)" --app ./tried_ranks --phase "$phase" \
		--json trial.json -o report --no-psc --try malloc --try table:pages=2M \
		--try threads:spread -- "$1" >out 2>err
	code=$?
	[ $code = 0 ] || [ $code = 4 ]
}
as_alone() {
	launch "$mpi" 2 ./tried_ranks "$1" >alone
	diff alone out
}
# A row for each trial: action, verdict, wall time?, kept?, executions.
field() { sed -n "/\"trials\"/,/\"ledger\"/s/.*\"$1\": \"*\([^\",}]*\).*/\1/p" trial.json; }
rows() {
	for name in action verdict wall kept executions; do field $name >"$name.rows"; done
	paste -d ' ' action.rows verdict.rows wall.rows kept.rows executions.rows
}
one_each() { rows | cut -d ' ' -f 1 | sort | tr '\n' ' ' | grep -x 'malloc pages=2M threads:spread '; }
# Of a trial with a verdict.
both_states() {
	rows | awk '{ print }
		$4 != "false" || $2 ~ /gain|loss|null/ && ($3 != "true" || $5 < 100) { wrong = 1 }
		END { exit wrong }'
}
for mpi in $mpis; do
	if ! have_mpi "$mpi"; then
		for name in analysis output rows states end; do skip "$mpi: $name" "$why"; done
		continue
	fi
	psc_instrument "mpicc.$mpi" -g -O2 -o tried_ranks tried_ranks.c >build.log 2>&1 || {
		sed 's/^/# /' build.log
		echo "Bail out! tried_ranks.c"
		exit 1
	}
	check "$mpi: two ranks are analysed" analysed 3000
	check "$mpi: the output is as without a trial" as_alone 3000
	check "$mpi: each action has one row for both ranks" one_each
	check "$mpi: both states were run, by wall time, and none is kept" both_states
	check "$mpi: a program that ends meanwhile has its output" eval 'analysed 150 && as_alone 150'
done
