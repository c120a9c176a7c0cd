/* SPDX-License-Identifier: BSD-3-Clause */
/* tried_ranks STEPS: each rank allocates an array in each step, and all sum up; rank 0 prints the
 * sum of all steps.  Rank 1 has more to do. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60000 };

static double __attribute__((noinline)) work(double *a, int n, int rank)
{
	double sum = 0;

	for (int r = 0; r <= rank; r++)
		for (int i = 0; i < n; i++)
			a[i] = i % 7 + r;
	for (int i = 0; i < n; i++)
		sum += a[i];
	return sum;
}

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 100;
	double total = 0;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int s = 0; s < steps; s++) { /* the steps */
		double *a = malloc(N * sizeof *a), sum = work(a, N, rank), all;

		MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		total += all;
		free(a);
	}
	if (!rank)
		printf("%.0f\n", total);
	MPI_Finalize();
	return 0;
}
