/* SPDX-License-Identifier: BSD-3-Clause */
/* unequal STEPS plain|number [late|odd]: each common step has the same work for all processes, which rank 0 does in two
 * executions of the phase and the others in one.  number: all say of which step an execution is.  late: rank 1 has twice the
 * work.  odd: rank 1 takes part in every other step only. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psc_phase.h"

enum { N = 4000, SWEEPS = 400 };
static double a[N];

static void sweep(int sweeps)
{
	for (int k = 0; k < sweeps; k++)
		for (int i = 1; i < N; i++)
			a[i] = 0.5 * (a[i] + a[i - 1]) + 1;
}

static void part(int sweeps)
{
	psc_phase_begin("part");
	sweep(sweeps);
	psc_phase_end("part");
}

static void all_parts(int parts, int sweeps)
{
	for (int i = 0; i < parts; i++)         /* the loop */
		part(sweeps / parts);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 3 ? argv[3] : "";
	int rank, sweeps, steps = argc > 1 ? atoi(argv[1]) : 10;
	double sum = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	sweeps = rank == 1 && strcmp(kind, "late") == 0 ? 2 * SWEEPS : SWEEPS;
	for (int step = 1; step <= steps; step++) {
		if (argc > 2 && strcmp(argv[2], "number") == 0)
			psc_phase_number(step);
		if (rank != 1 || step % 2 || strcmp(kind, "odd") != 0)
			all_parts(rank == 0 ? 2 : 1, sweeps);
		MPI_Allreduce(a, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	if (rank == 0)
		printf("%g\n", sum);
	MPI_Finalize();
	return 0;
}
