/* SPDX-License-Identifier: BSD-3-Clause */
/* volatile and atomic objects are touched exactly as often as the source says, at every level.
 *
 * port: 4096 loads and 2048 stores.  counters: 4096 fetch-and-adds of relaxed and other order, each a
 * load and a store; 1024 loads of them besides; flags: 1024 exchanges, a load and a store each.
 * corpus: machine=small lto */
#include <stdatomic.h>
#include "corpus.h"

enum { N = 4096 };
static volatile int port[16] ON_PAGE;
static _Atomic long counters[64] ON_PAGE;
static _Atomic int flags[16] ON_PAGE;
static long sum;

static KERNEL void step(void)
{
	for (int i = 0; i < N; i++) {
		sum += port[i % 16];
		if (i & 1)
			port[i % 16] = i;
	}
	for (int i = 0; i < N; i++)
		if (i & 1)
			atomic_fetch_add(&counters[i % 64], 2);
		else
			atomic_fetch_add_explicit(&counters[i % 64], 1, memory_order_relaxed);
	for (int i = 0; i < N / 4; i++) {
		atomic_exchange(&flags[i % 16], i);
		sum += atomic_load(&counters[i % 64]);
	}
}

int main(void)
{
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%ld %ld %d\n", sum, atomic_load(&counters[5]), atomic_load(&flags[3]));
	printf("expect port loads = %d\n", N);
	printf("expect port stores = %d\n", N / 2);
	printf("expect counters loads = %d\n", N + N / 4);
	printf("expect counters stores = %d\n", N);
	printf("expect flags loads = %d\n", N / 4);
	printf("expect flags stores = %d\n", N / 4);
	printf("expect total miss 1 = 0\n");
	return 0;
}
