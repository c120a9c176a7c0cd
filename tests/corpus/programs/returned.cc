// SPDX-License-Identifier: BSD-3-Clause
// Names of memory that functions return by value, and of what a container's methods allocate: the blocks have the names of
// the variables that hold them, whichever function made them.
//
// weights: returned by value through two functions, read once an element: 8 * N bytes.
// cells: a class of the program whose method makes an element by reference and returns it; the blocks are those of its
// container, of which each element's value is read once: N / 8 doubles, and pointers and keys besides.
// corpus: machine=small levels=O2,O3
#include "corpus.h"
#include <unordered_map>
#include <vector>

enum { N = 1 << 13 };

class field {
public:
	double &touch(long key) { return cells[key]; }
	double value(long key) const
	{
		auto at = cells.find(key);

		return at == cells.end() ? 0 : at->second;
	}

private:
	std::unordered_map<long, double> cells;
};

template <typename T> static KERNEL std::vector<T> filled(size_t n, T with)
{
	std::vector<T> filled(n);

	for (size_t i = 0; i < n; i++)
		filled[i] = with + (T)(i % 3);
	return filled;
}

static KERNEL std::vector<double> make_weights()
{
	std::vector<double> weights = filled<double>(N, 0.5);

	weights[0] = 1;
	return weights;
}

static KERNEL double sum(const std::vector<double> &w, const field &f)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += w[i];
	for (long key = 0; key < N / 8; key++)
		s += f.value(key * 5);
	return s;
}

int main()
{
	std::vector<double> weights = make_weights();
	field f;
	double s = 0;

	for (long key = 0; key < N / 8; key++) {
		double &v = f.touch(key * 5);

		v = (double)key;
	}
	for (int i = 0; i < EXECUTIONS; i++)    // the phase
		s += sum(weights, f);
	printf("%g\n", s);
	printf("expect weights bytes = %d\n", N * 8);
	printf("expect cells bytes in %d %d\n", N / 8 * 8, N / 8 * 8 * 16);
	return 0;
}
