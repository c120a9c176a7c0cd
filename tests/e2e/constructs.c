/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads, and one construct of OpenMP after the other that keeps one of them waiting. */
#include <sched.h>
#include <stdio.h>
#include <omp.h>
enum { N = 4000 };
static double a[2][N], total;
static int begun;
static int is_begun(void)
{
	int now;

#pragma omp atomic read
	now = begun;
	return now;
}
static double work(int t, int times)
{
	for (int k = 0; k < times; k++)
		for (int i = 1; i < N; i++)
			a[t][i] = 0.5 * (a[t][i] + a[t][i - 1]) + 1;
	return a[t][N - 1];
}
static void step(void)
{
	begun = 0;
#pragma omp parallel num_threads(2)
	{
		int t = omp_get_thread_num();
		work(t, t ? 100 : 400);
#pragma omp barrier
		work(t, 50);
#pragma omp critical
		total += work(t, 200);
#pragma omp barrier
#pragma omp single
		work(t, 300);
#pragma omp master
		work(0, 300);
#pragma omp barrier
#pragma omp for ordered schedule(static, 1)
		for (int i = 0; i < 4; i++) {
			work(t, 20);
#pragma omp ordered
			total += work(t, 100);
		}
		if (t)    /* so that in each execution the first thread takes the section */
			work(t, 60);
#pragma omp sections
		{
#pragma omp section
			work(t, 400);
		}
		/* The first thread waits until the second one, in its barrier, has begun the task. */
		if (t == 0) {
#pragma omp task
			{
#pragma omp atomic write
				begun = 1;
				work(1, 400);
			}
			while (!is_begun())
				sched_yield();
#pragma omp taskwait
		}
	}
}
int main(void)
{
	for (int i = 0; i < 30; i++)
		step();
	printf("%g\n", total);
	return 0;
}
