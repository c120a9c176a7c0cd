// SPDX-License-Identifier: BSD-3-Clause
// Names of C++: qualified functions, templates, containers.  Comments as in loops.c and blocks.c.
#include <cstdio>
#include <memory>
#include <vector>

namespace mesh {
template <class T> struct grid {
	std::vector<T> cells;
	T *raw;
	__attribute__((always_inline)) explicit grid(size_t n) : cells(n), raw(new T[n * 2]) {} // block 16000: local g.cells -
	T sum() const                                                   // region: mesh::grid<double>::sum function
	{
		T s = 0;

		for (size_t i = 0; i < cells.size(); i++)               // region: mesh::grid<double>::sum loop 1
			s += cells[i] * raw[i];
		return s;
	}
};
}

static std::vector<double> values;
namespace {
int counts[1000];
}

int main(int argc, char **)                                             // region: main function
{
	mesh::grid<double> g(2000 * argc);                              // block 32000: local g.raw -
	double t = 0;

	values.resize(3000 * argc);                                     // block 24000: static values -
	for (int i = 0; i < 2000 * argc; i++)                           // region: main loop 1
		counts[i % 1000] += i % 7;
	for (int k = 0; k < 100; k++) {                                 // region: main loop 1
		t += g.sum() * k;
		for (int c : counts)                                    // region: main loop 2
			t += values[c % 3000] + c;
	}
	std::printf("%g\n", t);
	return 0;
}
