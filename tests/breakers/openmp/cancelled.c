/* SPDX-License-Identifier: BSD-3-Clause */
/* Cancelled teams, loops and task groups: their barriers and the ends of their regions are left on other ways.
 * flags: -O2 -fopenmp
 * flags: -O0 -fopenmp */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int behind, found, late, n[64];

/* Thread 1 cancels the team; nobody passes the barrier. */
static void team(int step)
{
#pragma omp parallel num_threads(4)
	{
#pragma omp atomic
		n[0] += step;
		if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
		}
#pragma omp barrier
#pragma omp atomic
		behind++;
	}
}

static void loop(int step)
{
#pragma omp parallel num_threads(4)
	{
#pragma omp for
		for (int i = 0; i < 64; i++) {
			if (i == step) {
#pragma omp atomic
				found++;
#pragma omp cancel for
			}
			n[i]++;
		}
#pragma omp barrier
#pragma omp atomic
		late++;
	}
}

static void group(int step)
{
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskgroup
	for (int i = 0; i < 32; i++)
#pragma omp task
		if (i == step) {
#pragma omp atomic
			found++;
#pragma omp cancel taskgroup
		}
}

int main(int argc, char **argv)
{
	(void)argc;
	if (!omp_get_cancellation()) {  /* read before main() begins */
		setenv("OMP_CANCELLATION", "true", 1);
		execv("/proc/self/exe", argv);
		return 1;
	}
	for (int i = 0; i < 30; i++) { /* PHASE */
		team(i);
		team(i);        /* behind a team whose barrier nobody passed */
		loop(i);
		group(0);
	}
	printf("%d %d %d %d\n", behind, late, found, n[0] > 0);
	return 0;
}
