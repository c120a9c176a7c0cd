/* SPDX-License-Identifier: BSD-3-Clause */
/* A resolver of an indirect function, which runs before anything of ours, with loops and calls. */
#include <stdio.h>

typedef int function(const int *, int);
static int table[16];

static int forward(const int *a, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += a[i];
	return s;
}

static int shifted(const int *a, int n)
{
	return forward(a, n) + 1;
}

__attribute__((noinline)) static int probe(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++) {
		table[i & 15] += i;
		s += table[i * 3 & 15];
	}
	return s;
}

static function *resolve(void)
{
	int k = 0;

	for (int i = 0; i < 4; i++)
		k += probe(10);
	return k >= 0 ? forward : shifted;
}

int sum(const int *a, int n) __attribute__((ifunc("resolve")));

int main(void)
{
	int a[1000];
	long all = 0;

	for (int i = 0; i < 1000; i++)
		a[i] = i;
	for (int i = 0; i < 20; i++) {
		all += sum(a, 1000);    /* PHASE */
	}
	printf("%ld\n", all);
	return 0;
}
