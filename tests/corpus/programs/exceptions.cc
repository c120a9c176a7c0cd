// SPDX-License-Identifier: BSD-3-Clause
// Exceptions through regions: 64 rounds a step, every second one throws out of two calls and a loop, half way.
//
// data: 128 integers a round that ends, 64 one that throws.  after is read behind the handler, 32 a round,
// in the loop of step: under main's loop, the call, step and its loop, 4 regions (the inner loop has no marker).
// corpus: machine=small repairs lto
#include "corpus.h"
#include <stdexcept>

enum { ROUNDS = 64, N = 128 };
static int data[ROUNDS * N] ON_PAGE, after[32] ON_PAGE;
static long sum;

struct guard {
	~guard() { sum++; }
};

static KERNEL int walk(const int *p, int stop)
{
	guard g;
	int s = 0;

	for (int i = 0; i < N; i++) {
		if (i == stop)
			throw std::runtime_error("half way");
		s += p[i];
	}
	return s;
}

static KERNEL int between(int r)
{
	guard g;

	return walk(data + r * N, r & 1 ? N / 2 : N) + 1;
}

static KERNEL void step()
{
	for (int r = 0; r < ROUNDS; r++) {
		try {
			sum += between(r);
		} catch (const std::exception &) {
			sum -= 7;
		}
		for (int i = 0; i < 32; i++)
			sum += after[i];
	}
}

int main()
{
	for (int i = 0; i < ROUNDS * N; i++)
		data[i] = i % 3;
	for (int i = 0; i < EXECUTIONS; i++)    // the phase
		step();
	printf("%ld\n", sum);
	printf("expect data bytes = %d\n", 4 * (ROUNDS / 2 * N + ROUNDS / 2 * N / 2));
	printf("expect data loads = %d at O0 O2 lto\n", ROUNDS / 2 * N + ROUNDS / 2 * N / 2);
	printf("expect after depth = 4\n");
	printf("expect after bytes = %d\n", 4 * ROUNDS * 32);
	printf("expect total miss 2 = 0\n");
	return 0;
}
