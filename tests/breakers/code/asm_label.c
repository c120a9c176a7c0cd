/* SPDX-License-Identifier: BSD-3-Clause */
/* Inline assembler that defines a symbol: a function of which there is one. */
#include <stdio.h>

extern char my_probe_point[];

__attribute__((noinline)) static int sum(const int *a, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += a[i];
	__asm__ volatile(".globl my_probe_point\nmy_probe_point: nop" ::: "memory");
	return s;
}

int main(void)
{
	int a[100], all = 0;

	for (int i = 0; i < 100; i++)
		a[i] = i;
	for (int i = 0; i < 20; i++) {
		all += sum(a, 100);     /* PHASE */
	}
	printf("%d %d\n", all, my_probe_point[0] != 0);
	return 0;
}
