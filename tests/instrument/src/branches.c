/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops with branches on loaded values: those that GCC keeps, and those that it makes conditional moves of.  The accesses
 * are on a line with the kernel's name. */
#include <stdio.h>

#define KERNEL __attribute__((noinline))
enum { N = 64 };

KERNEL void votes(long *count, const unsigned char *p, long n)
{
	for (long i = 0; i < n; i++) {
		int choice = p[i] & 7; /* votes */

		if (choice < 3)
			count[choice]++;        /* votes */
		else
			count[3] += 2;  /* votes */
	}
}

KERNEL long moved(const long *p, long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		if (p[i] > 20)  /* moved */
			sum ^= p[i];    /* moved */
	return sum;
}

/* One of two values, but both of them are used: two moves are no cheaper than a branch. */
KERNEL long two(const long *p, long n)
{
	long less = 0, more = 1;

	for (long i = 0; i < n; i++)
		if (p[i] > 20)  /* two */
			more = more * 3 + i;
		else
			less = less * 5 + i;
	return less ^ more;
}

KERNEL long straight(const long *p, long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum += p[i] ^ i;        /* straight */
	return sum;
}

/* A value that is computed in many steps is as hard to guess as the one that was loaded. */
KERNEL void mixed(long *count, const unsigned char *p, long n, unsigned long key)
{
	for (long i = 0; i < n; i++) {
		unsigned long choice = (p[i] ^ key) * 0x9e3779b97f4a7c15u >> 61;        /* mixed */

		if (choice < 3)
			count[choice]++;        /* mixed */
		else
			count[3] += 2;  /* mixed */
	}
}

KERNEL void unlikely(long *count, const unsigned char *p, long n)
{
	for (long i = 0; i < n; i++)
		if (__builtin_expect(p[i] == 3, 0))     /* unlikely */
			count[p[i]]++;  /* unlikely */
}

int main(void)
{
	static unsigned char bytes[N];
	static long words[N], count[8];

	for (int i = 0; i < N; i++)
		words[i] = bytes[i] = (unsigned char)(i * 37);
	votes(count, bytes, N);
	unlikely(count, bytes, N);
	mixed(count, bytes, N, 77);
	printf("%ld %ld\n", count[0] + count[3], moved(words, N) + two(words, N) + straight(words, N));
	return 0;
}
