/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that call the subroutine that made them, in a thread that is elsewhere: its time is more than that of its
 * call in that thread.
 * flags: -O2 -fopenmp
 * flags: -O0 -fopenmp */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int done;
static long sum;

/* The other thread runs the task: this one waits, but not for tasks. */
static void walk(int level)
{
	for (int i = 0; i < 100; i++) {
#pragma omp atomic
		sum += i;
	}
	if (level == 1) {
#pragma omp task
		walk(2);
		while (!done)
			sched_yield();
	} else if (level == 2) {
		usleep(20000);
		done = 1;
	}
}

static void step(void)
{
	done = 0;
#pragma omp parallel num_threads(2)
	walk(omp_get_thread_num());
}

int main(void)
{
	for (int i = 0; i < 8; i++) /* PHASE */
		step();
	printf("%ld\n", sum);
	return 0;
}
