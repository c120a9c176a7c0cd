/* SPDX-License-Identifier: BSD-3-Clause */
/* A timer's handler that touches memory, every half millisecond, at any instruction.
 *
 * It may come in the midst of a record, which then makes no sense: what is not counted is counted as
 * lost, and the program computes the same.
 * corpus: machine=small lossy lto */
#include <signal.h>
#include <sys/time.h>
#include "corpus.h"

enum { N = 16384, ROUNDS = 64 };
static int data[N] ON_PAGE;
static volatile int ticks[64] ON_PAGE;
static long sum;

static void on_tick(int sig)
{
	(void)sig;
	for (int i = 0; i < 64; i++)
		ticks[i]++;
}

static KERNEL long walk(void)
{
	long s = 0;

	for (int i = 0; i < N; i++)
		s += data[i] ^ i;
	return s;
}

static KERNEL void step(void)
{
	for (int r = 0; r < ROUNDS; r++)
		sum += walk();
}

int main(void)
{
	struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };

	for (int i = 0; i < N; i++)
		data[i] = i % 9;
	signal(SIGALRM, on_tick);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%ld\n", sum);
	printf("expect data bytes in 0 %d\n", ROUNDS * N * 4);
	return 0;
}
