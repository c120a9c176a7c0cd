/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments handed on as they came, whatever they are: __builtin_apply. */
#include <stdio.h>

typedef double function(int, double, int, double, int *);

__attribute__((noinline)) double target(int a, double b, int c, double d, int *e)
{
	return a + b * 10 + c * 100 + d * 1000 + e[0];
}

__attribute__((noinline)) void *forward(int a, double b, int c, double d, int *e)
{
	void *arguments = __builtin_apply_args();

	__builtin_return(__builtin_apply((void (*)())target, arguments, 64));
}

int main(void)
{
	int e[1] = { 7 };
	double sum = 0;

	/* GCC does not see that the pointer handed on is read through: without this the 7 is not stored. */
	__asm__ volatile("" : : "r"(e) : "memory");
	for (int i = 0; i < 20; i++) {
		sum += ((function *)(void *)forward)(i, 1.5, 2, 2.5, e);        /* PHASE */
	}
	printf("%g\n", sum);
	return 0;
}
