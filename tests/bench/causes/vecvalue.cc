// SPDX-License-Identifier: BSD-3-Clause
// A table of limits is searched by bisection; the vector is given by value, so each call allocates and
// copies a table.
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifdef FIXED
typedef const std::vector<double> &Limits;
#else
typedef std::vector<double> Limits;
#endif

__attribute__((noinline)) static size_t class_of(Limits limits, double value)
{
	size_t low = 0, high = limits.size();

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (limits[middle] <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? std::atoi(argv[1]) : 40;
	std::vector<double> limits(1500);
	size_t sum = 0;

	for (size_t i = 0; i < limits.size(); i++)
		limits[i] = double(i) * double(i);
	for (int step = 0; step < steps; step++) // the phase
		for (int i = 0; i < 50000; i++)
			sum += class_of(limits, double(i) * 40);
	std::printf("%zu\n", sum);
}
