/* SPDX-License-Identifier: BSD-3-Clause */
/* Every process works, then all wait, argv[3] times: argv[1] rounds in process 0, argv[2] in the
 * others. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000 };
static double field[N];

static void work(int rounds)
{
	for (int r = 0; r < rounds; r++)
		for (int i = 1; i < N; i++)
			field[i] = 0.5 * field[i] + 0.25 * field[i - 1] + 1;
}

static void step(int rounds)
{
	work(rounds);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int rank, rounds, steps = argc > 3 ? atoi(argv[3]) : 60;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	rounds = argc > 2 ? atoi(argv[rank ? 2 : 1]) : 1;
	MPI_Barrier(MPI_COMM_WORLD);
	for (int s = 0; s < steps; s++)         /* the phase */
		step(rounds);
	if (!rank)
		printf("%g\n", field[N - 1]);
	MPI_Finalize();
	return 0;
}
