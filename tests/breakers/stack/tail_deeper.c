/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that call themselves last ten million times in the main thread, a quarter of that in others, also through one
 * another and through a pointer: loops and jumps, which natively need no stack.  A frame for each call would not fit on any,
 * of 256 MiB and 32 MiB at most.
 * without: record switched (the stub never asks for jumps)
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long calls = 10000000;
static double table[1000];
static long (*volatile next)(long, long);

__attribute__((noinline)) static long total(long n, long sum)
{
	if (n == 0)
		return sum;
	for (int i = 0; i < 2; i++)
		sum += (long)table[(n + i) % 1000];
	return total(n - 1, sum + n);
}

static long odd(long n, long sum);

__attribute__((noinline)) static long even(long n, long sum)
{
	return n == 0 ? sum : odd(n - 1, sum + (long)table[n % 1000]);
}

__attribute__((noinline)) static long odd(long n, long sum)
{
	return n == 0 ? -sum : even(n - 1, sum + 1);
}

/* Too large to have its markers in a version of its own. */
__attribute__((noinline)) static long large(long n, long sum)
{
#define TERM(k) if (table[(n + k) % 1000] > k) sum += k * n % 7 + (long)table[(n + 3 * k) % 1000];
#define TERMS(k) TERM(k) TERM(k + 1) TERM(k + 2) TERM(k + 3) TERM(k + 4) TERM(k + 5) TERM(k + 6)
	if (n % 1024 == 0) {
		TERMS(1) TERMS(11) TERMS(21) TERMS(31) TERMS(41) TERMS(51)
	}
	return n == 0 ? sum : next(n - 1, sum + 1);
}

static void *all(void *arg)
{
	long *sum = arg;

	for (int i = 0; i < 6; i++) {
		*sum += total(calls, i) + even(calls, i) + large(calls, i);     /* PHASE */
	}
	return NULL;
}

static long in_thread(size_t stack)
{
	pthread_attr_t attr;
	pthread_t t;
	long sum = 0;

	pthread_attr_init(&attr);
	if (stack)
		pthread_attr_setstacksize(&attr, stack);
	if (pthread_create(&t, &attr, all, &sum))
		abort();
	pthread_join(t, NULL);
	return sum;
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 1000; i++)
		table[i] = i % 13;
	next = large;
	all(&sum);
	calls /= 4;
	printf("%ld %ld %ld\n", sum, in_thread(0), in_thread(256 << 10));
	return 0;
}
