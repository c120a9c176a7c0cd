/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested functions with a goto out of them, labels as values, arrays of variable length. */
#include <stdio.h>

__attribute__((noinline)) static long apply(int n, long (*f)(int))
{
	long s = 0;

	for (int i = 0; i < n; i++)
		s += f(i);
	return s;
}

__attribute__((noinline)) static long outer(int n, const int *a)
{
	__label__ out;
	int k = 3;
	long s = 0;

	long inner(int i)
	{
		if (i == n - 1)
			goto out;
		s += a[i] * k;
		return a[i] + k;
	}
	s += apply(n, inner);
	return -1;
out:
	return s;
}

__attribute__((noinline)) static int interpreted(const unsigned char *p, const int *a)
{
	static void *const labels[] = { &&add, &&multiply, &&end };
	int s = 0;

	goto *labels[*p++];
add:
	s += a[2];
	goto *labels[*p++];
multiply:
	s *= a[3];
	goto *labels[*p++];
end:
	return s;
}

int main(void)
{
	static const unsigned char code[] = { 0, 1, 0, 0, 1, 0, 2 };
	int a[500];
	long sum = 0;

	for (int i = 0; i < 500; i++)
		a[i] = i;
	for (int i = 0; i < 20; i++) {
		int v[i + 5];

		sum += outer(500, a) + interpreted(code, a);            /* PHASE */
		for (int j = 0; j < i + 5; j++)
			v[j] = j;
		sum += v[i];
	}
	printf("%ld\n", sum);
	return 0;
}
