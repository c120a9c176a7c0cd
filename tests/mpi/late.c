/* SPDX-License-Identifier: BSD-3-Clause */
/* late KIND STEPS: one process has more to compute by construction, and the others wait for it, in a receive, in a send, in a
 * collective or in a barrier. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4000, SLOW = 1, BIG = 1 << 20 };
static double a[N];
static char big[BIG];
static int rank, size;

static void compute(void)
{
	for (int k = 0; k < 200; k++)
		for (int i = 1; i < N; i++)
			a[i] = 0.5 * (a[i] + a[i - 1]) + 1;
}

/* Only the slow process comes here. */
static void more_work(void)
{
	for (int k = 0; k < 1000; k++)
		for (int i = 1; i < N; i++)
			a[i] = 0.5 * (a[i] - a[i - 1]) + 1;
}

static void meet(const char *kind)
{
	int next = (SLOW + 1) % size;
	double sum;
	MPI_Request r;

	if (strcmp(kind, "sender") == 0) {
		if (rank == SLOW)
			MPI_Send(a, 8, MPI_DOUBLE, next, 5, MPI_COMM_WORLD);
		else if (rank == next)
			MPI_Recv(a, 8, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else if (strcmp(kind, "request") == 0) {
		if (rank == SLOW) {
			MPI_Send(a, 8, MPI_DOUBLE, next, 5, MPI_COMM_WORLD);
		} else if (rank == next) {
			MPI_Irecv(a, 8, MPI_DOUBLE, SLOW, 5, MPI_COMM_WORLD, &r);
			MPI_Wait(&r, MPI_STATUS_IGNORE);
		}
	} else if (strcmp(kind, "receiver") == 0) {
		if (rank == SLOW)
			MPI_Recv(big, BIG, MPI_CHAR, next, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		else if (rank == next)
			MPI_Ssend(big, BIG, MPI_CHAR, SLOW, 5, MPI_COMM_WORLD);
	} else if (strcmp(kind, "collective") == 0) {
		MPI_Allreduce(a, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	} else {
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

static void step(const char *kind)
{
	compute();
	if (rank == SLOW)
		more_work();
	meet(kind);
}

int main(int argc, char **argv)
{
	int steps;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	steps = argc > 2 ? atoi(argv[2]) : 12;
	for (int i = 0; i < steps; i++)
		step(argc > 1 ? argv[1] : "barrier");
	if (rank == 0)
		printf("%d steps\n", steps);
	MPI_Finalize();
	return 0;
}
