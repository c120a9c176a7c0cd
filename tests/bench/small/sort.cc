/* SPDX-License-Identifier: BSD-3-Clause */
/* std::sort with a comparison of ours, and std::map: templates of the library, instantiated here.
 * idle: bench=2000000 count=10000 time=1.15 instructions=1.08
 *       inlined=operator,before,__move_median_to_first */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

namespace {

struct particle {
	int cell;
	double energy;
};

bool before(const particle &a, const particle &b)
{
	return a.cell != b.cell ? a.cell < b.cell : a.energy < b.energy;
}

struct farther {
	bool operator()(const particle &a, const particle &b) const { return before(b, a); }
};

}

int main(int argc, char **argv)
{
	std::size_t n = argc > 1 ? std::size_t(std::atol(argv[1])) : 800000;
	std::vector<particle> list(n);
	std::map<int, int> cells;
	unsigned state = 3;

	for (auto &p : list) {
		state = state * 1664525u + 1013904223u;
		p.cell = int(state >> 20);
		p.energy = double(state >> 8 & 1023);
	}
	std::sort(list.begin(), list.end(), before);
	std::sort(list.begin() + long(n / 4), list.end(), farther());
	for (auto &p : list)
		cells[p.cell >> 4]++;
	std::printf("%d %.1f %zu\n", list[n / 2].cell, list[n / 2].energy, cells.size());
	return 0;
}
