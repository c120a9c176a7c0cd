/* SPDX-License-Identifier: BSD-3-Clause */
/* gate STEPS K: adds one array to another STEPS times.  Before step K (after the last one, if K is larger) it makes the
 * file "here" and waits until the file "go" is there.  Says whether its sums are right.  With -DPROCESSES its processes
 * wait for each other in each step. */
#include <fcntl.h>
#ifdef PROCESSES
#include <mpi.h>
#else
#define MPI_Init(argc, argv)
#define MPI_Barrier(comm)
#define MPI_Finalize()
#endif
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 131072 };

static double a[N], b[N];

static void wait_at_gate(void)
{
	close(creat("here", 0600));
	while (access("go", F_OK))
		usleep(20000);
}

static void add(void)
{
	for (int from = 0; from < 8; from++)
		for (int i = from; i < N; i += 8)
			a[i] += b[i];
}

int main(int argc, char **argv)
{
	int steps = argc > 2 ? atoi(argv[1]) : 0, gate = argc > 2 ? atoi(argv[2]) : 0, wrong = 0;

	MPI_Init(&argc, &argv);
	for (int i = 0; i < N; i++)
		b[i] = i;
	for (int step = 1; step <= steps; step++) {
		if (step == gate)
			wait_at_gate();
		add();
		MPI_Barrier(MPI_COMM_WORLD);
	}
	if (gate > steps)
		wait_at_gate();
	for (int i = 0; i < N; i++)
		wrong |= a[i] != (double)steps * i;
	MPI_Finalize();
	puts(wrong ? "the sums are wrong" : "the sums are right");
	return wrong;
}
