/* SPDX-License-Identifier: BSD-3-Clause */
/* A signal handler that touches memory, raised by the program 64 times a step: 16 stores each.
 * corpus: machine=small lto */
#include <signal.h>
#include "corpus.h"

enum { N = 16384, RAISED = 64, TOUCHED = 16 };
static int data[N] ON_PAGE;
static volatile int touched[TOUCHED * 16] ON_PAGE;
static long sum;

static void on_raise(int sig)
{
	(void)sig;
	for (int i = 0; i < TOUCHED; i++)
		touched[i * 16] = i;
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
	for (int r = 0; r < RAISED; r++) {
		sum += walk();
		raise(SIGUSR1);
	}
}

int main(void)
{
	for (int i = 0; i < N; i++)
		data[i] = i % 9;
	signal(SIGUSR1, on_raise);
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%ld %d\n", sum, touched[16]);
	printf("expect data bytes = %d\n", RAISED * N * 4);
	printf("expect data loads = %d at O0\n", RAISED * N);
	printf("expect touched stores = %d\n", RAISED * TOUCHED);
	return 0;
}
