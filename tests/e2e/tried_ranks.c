/* SPDX-License-Identifier: BSD-3-Clause */
/* tried_ranks STEPS: each rank allocates an array in each step, reads a table, and all sum up;
 * rank 0 prints the sum of all steps, how many CPUs the ranks may use, and how much of their memory
 * is in large pages: none depends on a trial.  Rank 1 has more to do. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

enum { N = 60000, TABLE = (4 << 20) / sizeof(double), LOOKS = 2000 };

static double *table;

static void allocate(void)
{
	table = aligned_alloc(2 << 20, TABLE * sizeof *table);
	if (!table)
		MPI_Abort(MPI_COMM_WORLD, 1);
	/* The same on machines that give large pages to all. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	for (int i = 0; i < (int)TABLE; i++)
		table[i] = i % 5;
	prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
}

static double __attribute__((noinline)) work(double *a, int n, int rank)
{
	double sum = 0;

	for (int r = 0; r <= rank; r++)
		for (int i = 0; i < n; i++)
			a[i] = i % 7 + r;
	for (int i = 0; i < n; i++)
		sum += a[i];
	for (int i = 0; i < LOOKS; i++)
		sum += table[i * 1237 % (int)TABLE];
	return sum;
}

static int large_kb(void)
{
	char line[512];
	FILE *f = fopen("/proc/self/smaps_rollup", "r");
	int n = 0;

	while (f && fgets(line, sizeof line, f))
		sscanf(line, "AnonHugePages: %d", &n);
	if (f)
		fclose(f);
	return n;
}

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 100;
	double total = 0;
	int rank, own[2], of_all[2];
	cpu_set_t set;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	allocate();
	for (int s = 0; s < steps; s++) { /* the steps */
		double *a = malloc(N * sizeof *a), sum = work(a, N, rank), all;

		MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		total += all;
		free(a);
	}
	own[0] = sched_getaffinity(0, sizeof set, &set) ? -1 : CPU_COUNT(&set);
	own[1] = large_kb();
	MPI_Reduce(own, of_all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("%.0f, %d CPUs, %d kB in large pages\n", total, of_all[0], of_all[1]);
	MPI_Finalize();
	return 0;
}
