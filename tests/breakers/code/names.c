/* SPDX-License-Identifier: BSD-3-Clause */
/* A program whose own names begin like ours could. */
#include <stdio.h>

int psc_live = 7, psc_heap = 1;

long psc_enter(long x)
{
	return x + 1;
}

void psc_flush(int *p)
{
	(*p)++;
}

int psc_recording(void)
{
	return 3;
}

int main(void)
{
	int k = 0, a[100] = { 0 };
	long sum = 0;

	for (int i = 0; i < 20; i++) {          /* PHASE */
		for (int j = 0; j < 100; j++)
			a[j] += j;
		sum += psc_enter(i) + a[i];
		psc_flush(&k);
	}
	printf("%ld %d %d\n", sum, k, psc_live + psc_heap + psc_recording());
	return 0;
}
