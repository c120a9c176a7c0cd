#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Five node agents as a tree, of which one has the process: one report, by sockets and by MPI, also of several runs.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 7
cat > app.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
static double a[300000];
static double work(int n)
{
	double s = 0;
	for (int i = 1; i < n; i++) {
		a[i] = a[i - 1] + i;
		s += a[(i * 7L) % n];
	}
	return s;
}
int main(int argc, char **argv)
{
	double s = 0;
	int steps = argc > 1 ? atoi(argv[1]) : 30;
	for (int i = 0; i < steps; i++) {
		s += work(300000);
	}
	printf("%g\n", s);
	return 0;
}
EOF
psc_instrument gcc -O2 -g app.c -o app >build.log 2>&1 || skip_all "gcc does not build a program"
PSC_NODE_AGENTS=5
export PSC_NODE_AGENTS
tree() { run 0 --fanout 2 --no-psc --phase app.c:17 --machine x86-server --app ./app "$@"; }
# Places and misses of findings: figures that do not depend on time.
figures() { grep -o '"property": "[A-Za-z]*"\|"first_misses": [0-9.]*' "$1" | sort; }
check "agents connected by sockets analyse the program" tree --agents local --json local.json
check "processes that are nowhere are not counted" grep -q '"nprocs": 1,' local.json
check "it is complete" grep -q '"partial": null' local.json
if mpirun --version >/dev/null 2>&1 && [ -x "$builddir/psc_agent" ]; then
	check "so do agents of an MPI job" tree --agents mpirun --json mpi.json
	check "with the same figures" eval 'figures local.json >a && figures mpi.json >b && test -s a && cmp a b'
else
	skip "so do agents of an MPI job" "no mpirun"
	skip "with the same figures" "no mpirun"
fi
check "a program that is over too soon is run again" tree --agents local --max-runs 4 --json runs.json -- 4
check "and the runs meet in one report" grep -q '"runs": [2-4],' runs.json
