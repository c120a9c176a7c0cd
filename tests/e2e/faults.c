/* SPDX-License-Identifier: BSD-3-Clause */
/* Touches a known number of new pages in each of two functions of the phase, and in two threads. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, FEW = 37, MANY = 211 };

static char *map_pages(long n)
{
	char *p = mmap(NULL, (size_t)n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise(p, (size_t)n * PAGE, MADV_NOHUGEPAGE))
		exit(3);
	return p;
}

__attribute__((noinline)) static void few(volatile char *p)
{
	for (long i = 0; i < FEW; i++)
		p[i * PAGE] = 1;
}

__attribute__((noinline)) static void many(volatile char *p)
{
	for (long i = 0; i < MANY; i++)
		p[i * PAGE] = 1;
}

static double work[4096];

__attribute__((noinline)) static double compute(void)
{
	double s = 0;

	for (int k = 0; k < 40; k++)
		for (int i = 0; i < 4096; i++)
			s += work[i] += 1;
	return s;
}

__attribute__((noinline)) static void both(volatile char *p)
{
#pragma omp parallel for schedule(static)
	for (long i = 0; i < 2 * FEW; i++)
		p[i * PAGE] = 1;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;
	double s = 0;

	for (int step = 0; step < steps; step++) {
		char *a = map_pages(FEW), *b = map_pages(MANY), *c = map_pages(2 * FEW);

		few(a);
		many(b);
		both(c);
		s += compute();
		munmap(a, (size_t)FEW * PAGE);
		munmap(b, (size_t)MANY * PAGE);
		munmap(c, (size_t)2 * FEW * PAGE);
	}
	printf("%g\n", s);
	return 0;
}
