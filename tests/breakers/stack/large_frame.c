/* SPDX-License-Identifier: BSD-3-Clause */
/* An automatic array of 5 of the 8 MiB of stack.
 * flags: -O0
 * flags: -O2
 */
#include <stdio.h>

enum { N = 650000 };

__attribute__((noinline)) static double work(int k)
{
	double a[N], sum = 0;

	for (int i = 0; i < N; i++)
		a[i] = i + k;
	for (int i = 0; i < N; i += 5)
		sum += a[i * 7L % N];
	return sum;
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < 8; i++) {
		sum += work(i);         /* PHASE */
	}
	printf("%.17g\n", sum);
	return 0;
}
