/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of several forms as the phase.  "N accesses": loads and stores of one call.  See first.sh. */
#include <stdio.h>

#define noinline __attribute__((noinline))

static double a[1000], b[1000];

noinline void leaf(int n)               /* phase: 1000 accesses */
{
	for (int i = 0; i < n; i++)
		a[i] += 1;
}

noinline void around(int n)             /* phase: 2001 accesses */
{
	for (int i = 0; i < n; i++)
		a[i] *= 2;
	leaf(n);
	a[3] = 1;
}

noinline void hands_on(int n)           /* phase: 2000 accesses */
{
	for (int i = 0; i < n; i++)
		b[i] *= 2;
	leaf(n);
}

noinline void drives(int n)             /* phase: 4000 accesses */
{
	leaf(n);
	hands_on(n);
	for (int i = 0; i < n; i++)
		b[i] = a[i];
}

noinline void recurs(double *p, int n)  /* phase: 1000 accesses */
{
	if (n > 100) {
		recurs(p, n / 2);
		recurs(p + n / 2, n - n / 2);
		return;
	}
	for (int i = 0; i < n; i++)
		p[i] += 3;
}

noinline int answers(int n)             /* phase: 1001 accesses */
{
	for (int i = 0; i < n; i++)
		b[i] += 1;
	return a[n / 2] > 2;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 6; i++) {
		around(500);
		drives(500);
		recurs(a, 500);
		sum += answers(500);
	}
	printf("%d %g %g\n", sum, a[1], b[2]);
	return 0;
}
