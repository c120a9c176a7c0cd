/* SPDX-License-Identifier: BSD-3-Clause */
/* longjmp out of two calls and a loop, 64 times a step; the regions that were left unfinished must not
 * take what comes after.
 *
 * Every round reads 32 elements of deep before it jumps; after(), called behind the setjmp, reads 64 of
 * after_array.  The function that calls setjmp has no recording version; what it calls has, also
 * what never returns.  deep is read under main's loop, step, its loop, one_round, the call of outer (a light
 * function: it has no region), inner and its loop, with the call before step and one_round: 9 regions; after_array, in the rest of one_round, under 9.  climb()
 * jumps back through three activations of itself; behind is read in step's loop again, under 4.
 * corpus: machine=small lto */
#include <setjmp.h>
#include "corpus.h"

enum { ROUNDS = 64, DEEP = 32, AFTER = 64 };
static jmp_buf back;
static int deep[ROUNDS * DEEP] ON_PAGE, after_array[AFTER] ON_PAGE, behind[ROUNDS] ON_PAGE;
static volatile int sum;

static KERNEL void inner(const int *p)
{
	for (int i = 0;; i++) {
		if (i == DEEP)
			longjmp(back, 1);
		sum += p[i];
	}
}

static KERNEL void outer(const int *p)
{
	inner(p);
	sum = -1;
}

static KERNEL void after(void)
{
	for (int i = 0; i < AFTER; i++)
		sum += after_array[i];
}

static KERNEL void one_round(int r)
{
	if (!setjmp(back))
		outer(deep + r * DEEP);
	else
		after();
}

static KERNEL void climb(int level)
{
	static jmp_buf ground;

	if (level == 0 && setjmp(ground))
		return;
	if (level == 3)
		longjmp(ground, 1);
	climb(level + 1);
	sum = -2;
}

static KERNEL void step(void)
{
	for (int r = 0; r < ROUNDS; r++) {
		one_round(r);
		climb(0);
		sum += behind[r];
	}
}

int main(void)
{
	for (int i = 0; i < ROUNDS * DEEP; i++)
		deep[i] = i % 3;
	for (int i = 0; i < AFTER; i++)
		after_array[i] = i;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%d\n", sum);
	printf("expect deep loads = %d at O0\n", ROUNDS * DEEP);
	printf("expect deep bytes = %d\n", 4 * ROUNDS * DEEP);
	printf("expect deep depth = 9\n");
	printf("expect after_array depth = 9\n");
	printf("expect behind bytes = %d\n", 4 * ROUNDS);
	printf("expect behind depth = 4\n");
	printf("expect after_array loads = %d at O0 O2 lto\n", ROUNDS * AFTER);
	printf("expect deep miss 1 = 0 at O0\n");
	return 0;
}
