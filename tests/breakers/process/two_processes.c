/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes that share a sum in each step.
 * command: mpirun --oversubscribe -np 2
 */
#include <mpi.h>
#include <stdio.h>

enum { N = 50000 };
static double a[N];

static void step(int k)
{
	for (int i = 1; i < N - 1; i++)
		a[i] = 0.5 * a[i - 1] + 0.25 * a[i + 1] + k;
}

int main(int argc, char **argv)
{
	int rank, size;
	double sum = 0, t;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 20; i++) {
		step(i + rank);         /* PHASE */
		MPI_Allreduce(&a[500], &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		sum += t;
	}
	if (rank == 0)
		printf("%g of %d\n", sum, size);
	MPI_Finalize();
	return 0;
}
