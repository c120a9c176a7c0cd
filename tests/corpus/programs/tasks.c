/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks: Fibonacci numbers by recursion, taskloop, and a task that depends on another.
 *
 * fib(n) makes C(n) = 1 + C(n-1) + C(n-2) calls, C(0) = C(1) = 1; each adds one to calls[n], atomically: a
 * load and a store.  looped: 4096 elements by taskloop; chain: written by one task, read by the next.
 * corpus: openmp threads=2 machine=small */
#include "corpus.h"

enum { FIB = 11, N = 4096, CHAIN = 1024 };
static int calls[16] ON_PAGE, looped[N] ON_PAGE, chain[CHAIN] ON_PAGE;
static int result, read_back;

static KERNEL int fib(int n)
{
	int x, y;

#pragma omp atomic
	calls[n]++;
	if (n < 2)
		return n;
#pragma omp task shared(x)
	x = fib(n - 1);
#pragma omp task shared(y)
	y = fib(n - 2);
#pragma omp taskwait
	return x + y;
}

static KERNEL void step(void)
{
	int s = 0;

#pragma omp parallel
#pragma omp single
	{
		result = fib(FIB);
#pragma omp taskloop grainsize(256)
		for (int i = 0; i < N; i++)
			looped[i] += i;
#pragma omp task depend(out : chain)
		for (int i = 0; i < CHAIN; i++)
			chain[i] = i ^ 5;
#pragma omp task depend(in : chain) shared(s)
		for (int i = 0; i < CHAIN; i++)
			s += chain[i];
	}
	read_back = s;
}

static int count(int n)
{
	return n < 2 ? 1 : 1 + count(n - 1) + count(n - 2);
}

int main(void)
{
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%d %d %d\n", result, read_back, looped[77]);
	printf("expect calls loads = %d\n", count(FIB));
	printf("expect calls stores = %d\n", count(FIB));
	printf("expect looped bytes = %d\n", 2 * N * 4);
	printf("expect chain bytes = %d\n", 2 * CHAIN * 4);
	return 0;
}
