// SPDX-License-Identifier: BSD-3-Clause
// Two threads, each with a queue and a lock of its own.  The locks are in one cache line.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <omp.h>

#ifdef FIXED
struct alignas(128) Lock { std::mutex mutex; };
#else
struct Lock { std::mutex mutex; };
#endif
struct alignas(128) Queue { long length, most; };

alignas(128) static Lock locks[2];
static Queue queues[2];

static void work(int me, int items)
{
	for (int i = 0; i < items; i++) {
		std::lock_guard<std::mutex> hold(locks[me].mutex);

		queues[me].length += i % 4 - 1;
		if (queues[me].length > queues[me].most)
			queues[me].most = queues[me].length;
	}
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? std::atoi(argv[1]) : 40;

	for (int step = 0; step < steps; step++) { // the phase
#pragma omp parallel num_threads(2)
		work(omp_get_thread_num(), 200000);
	}
	std::printf("%ld %ld\n", queues[0].length, queues[1].most);
}
