// SPDX-License-Identifier: BSD-3-Clause
// All threads count the points inside a circle with one atomic counter.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>

static std::atomic<long> inside(0);

static void count(const std::vector<float> &x, const std::vector<float> &y)
{
	const long n = long(x.size());

#pragma omp parallel num_threads(2)
	{
#ifdef FIXED
		long mine = 0;
#endif

#pragma omp for
		for (long i = 0; i < n; i++)
			if (x[i] * x[i] + y[i] * y[i] < 1)
#ifdef FIXED
				mine++;
		inside += mine;
#else
				inside++;
#endif
	}
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? std::atoi(argv[1]) : 40;
	std::vector<float> x(400000), y(400000);
	unsigned state = 1;

	for (size_t i = 0; i < x.size(); i++) {
		x[i] = float((state = state * 1664525u + 1013904223u) >> 8) / float(1 << 24);
		y[i] = float((state = state * 1664525u + 1013904223u) >> 8) / float(1 << 24);
	}
	for (int step = 0; step < steps; step++) // the phase
		count(x, y);
	std::printf("%ld\n", inside.load());
}
