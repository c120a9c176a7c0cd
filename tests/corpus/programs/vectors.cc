// SPDX-License-Identifier: BSD-3-Clause
// A class with a std::vector, which is filled, walked by iterators and by index, and resized; a lambda; a table
// of strings.
//
// The elements lie on the heap, 256 KiB twice: together twice level 2, so each of two walks and one
// refill misses once a line: 3 x 8192.  table: static, 512 integers, always there after the first touch.
// corpus: machine=small
#include "corpus.h"
#include <algorithm>
#include <string>
#include <vector>

enum { N = 32768 };
class series {
	std::vector<double> first, second;
public:
	series() : first(N), second(N) {}
	KERNEL void fill(double v)
	{
		std::fill(first.begin(), first.end(), v);
		for (int i = 0; i < N; i++)
			second[i] = v + i;
	}
	KERNEL double sum() const
	{
		double s = 0;

		std::for_each(first.begin(), first.end(), [&s](double v) { s += v; });
		for (double v : second)
			s += v;
		return s;
	}
};
static int table[512] ON_PAGE;
static double total;

static KERNEL void step(series &s, const std::string &name)
{
	s.fill((double)name.size());
	total += s.sum() + s.sum();
	for (int &t : table)
		t += (int)name[0];
}

int main()
{
	series s;
	std::string name = "a name";

	for (int i = 0; i < EXECUTIONS; i++)    // the phase
		step(s, name);
	printf("%.10g %d\n", total, table[77]);
	printf("expect table bytes = %d\n", 2 * 512 * 4);
	printf("expect table load_miss 1 = %d\n", 512 / 16);
	printf("expect total miss 1 in %d %d\n", 3 * 2 * N / 8 + 32, 3 * 2 * N / 8 + 32 + 20);
	printf("expect total miss 2 in %d %d at O2 O3\n", 3 * 2 * N / 8, 3 * 2 * N / 8 + 32 + 20);
	return 0;
}
