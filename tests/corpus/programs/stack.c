/* SPDX-License-Identifier: BSD-3-Clause */
/* Large arrays on the stack, variable-length arrays, alloca, and arrays of every level of a recursion.
 *
 * big: 64 KiB written and read, twice level 1: a miss a line each way.  The recursion is 16 deep with 4 KiB
 * each: 64 KiB again, written on the way down and read on the way up, where the upper half of level 1
 * is still there.  vla and alloca: 8 KiB each.
 * big has a name; what a recursion, alloca and arrays of variable length have on the stack has none.
 * corpus: machine=small,touched */
#include <alloca.h>
#include "corpus.h"

enum { BIG = 8192, DEPTH = 16, OWN = 512, SMALL = 1024 };
static double sum;

static KERNEL double use(const double *p, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += p[i];
	return s;
}

static KERNEL void fill(double *p, int n, double v)
{
	for (int i = 0; i < n; i++)
		p[i] = v + i;
}

static KERNEL double large(void)
{
	double big[BIG] ON_PAGE;

	fill(big, BIG, 1);
	return use(big, BIG);
}

static KERNEL double deeper(int n)
{
	double own[OWN] ON_PAGE, s = 0;

	if (!n)
		return 0;
	fill(own, OWN, n);
	s = deeper(n - 1);
	return s + use(own, OWN);
}

static KERNEL double variable(int n)
{
	double vla[n], *p = alloca((size_t)n * sizeof *p);

	fill(vla, n, 1);
	fill(p, n, 2);
	return use(vla, n) + use(p, n);
}

static KERNEL void step(void)
{
	sum += large() + deeper(DEPTH) + variable(SMALL);
}

int main(void)
{
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g\n", sum);
	printf("expect big bytes = %d at O2 O3\n", 2 * 8 * BIG);
	printf("expect big miss 1 in %d %d\n", 2 * BIG / 8, 2 * BIG / 8 + 8);
	printf("expect big miss 2 in 0 64\n");
	printf("expect (stack) bytes = %d at O2 O3\n", 2 * 8 * (DEPTH * OWN + 2 * SMALL));
	printf("expect (stack) stores in %d %d\n", (DEPTH * OWN + 2 * SMALL) / 4, 2 * (DEPTH * OWN + 2 * SMALL) + 100);
	printf("expect (stack) miss 1 in %d %d\n", DEPTH * OWN / 8, (2 * DEPTH * OWN + 4 * SMALL) / 8);
	printf("expect (stack) miss 2 in 0 64\n");
	return 0;
}
