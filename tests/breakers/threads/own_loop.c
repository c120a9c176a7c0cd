/* SPDX-License-Identifier: BSD-3-Clause */
/* flags: -O2 -pthread
 * A thread is in a loop of its own when recording begins, and makes no call in it: no hook asks
 * whether its records still fit into their buffer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ROWS = 40000, COLUMNS = 16, N = 20000, STEPS = 40 };

static int cells[ROWS][COLUMNS];
static double table[N];
static atomic_int stop;
static long sum;

static void *work(void *unused)
{
	long s = 0;

	for (int i = 0; !atomic_load(&stop); i = (i + 1) % ROWS) {
		int j = 0;

		while (j < COLUMNS && cells[i][j] <= i)
			s += cells[i][j++];
	}
	sum = s;
	return unused;
}

static __attribute__((noinline)) double step(double by)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += table[i] *= by;
	return s;
}

int main(void)
{
	pthread_t thread;
	double s = 0;

	for (int i = 0; i < N; i++)
		table[i] = i;
	if (pthread_create(&thread, NULL, work, NULL))
		return 2;
	for (int k = 0; k < STEPS; k++)         /* PHASE */
		s += step(k % 2 ? 2 : 0.5);
	atomic_store(&stop, 1);
	pthread_join(thread, NULL);
	printf("%.0f %d\n", s, sum == 0);
	return 0;
}
