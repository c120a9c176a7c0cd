/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that use most of the stack they have, by recursion: of the size that the C library gives them, and
 * while nothing is measured yet as well.
 * without: record switched (the stub does not make threads' stacks larger)
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int a[1000];

__attribute__((noinline)) static long down(long n, long x)
{
	long s = 0, below;

	if (n == 0)
		return x;
	for (int i = 0; i < 3; i++)
		s += a[(i + n) % 1000];
	below = down(n - 1, x + s);
	return below + a[n % 1000];
}

static void *work(void *arg)
{
	long *sum = arg;

	for (int i = 0; i < 12; i++) {
		*sum += down(200000, i);        /* PHASE */
	}
	return NULL;
}

int main(void)
{
	long sum[3] = { 0 };
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		if (pthread_create(&t[i], NULL, work, &sum[i]))
			abort();
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%ld %ld %ld\n", sum[0], sum[1], sum[2]);
	return 0;
}
