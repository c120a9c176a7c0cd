// SPDX-License-Identifier: BSD-3-Clause
// Templates: a matrix class with padded rows, instantiated twice, and std::array with algorithms.
//
// small: 32 x 32 doubles times a vector, all in level 1 but for what sequence pushes out: each line once.
// large: 512 x 128, 512 KiB: every line once.  sequence: 65536 floats, read by accumulate.
// corpus: machine=small
#include "corpus.h"
#include <array>
#include <numeric>

template <int ROWS, int COLUMNS> struct matrix {
	double element[ROWS][COLUMNS];

	double operator()(int i, int j) const { return element[i][j]; }
	double &operator()(int i, int j) { return element[i][j]; }
};
static matrix<32, 32> small ON_PAGE;
static matrix<512, 128> large ON_LEVEL2;
static std::array<float, 65536> sequence ON_LEVEL2;
static double vector[128] ON_PAGE, result[512] ON_PAGE;
static double sum;

template <int ROWS, int COLUMNS> KERNEL void apply(const matrix<ROWS, COLUMNS> &m)
{
	for (int i = 0; i < ROWS; i++) {
		double s = 0;

		for (int j = 0; j < COLUMNS; j++)
			s += m(i, j) * vector[j];
		result[i] = s;
	}
}

static KERNEL void step()
{
	apply(small);
	apply(small);
	apply(large);
	sum += std::accumulate(sequence.begin(), sequence.end(), 0.0);
}

int main()
{
	for (int i = 0; i < 512; i++)
		for (int j = 0; j < 128; j++)
			large(i, j) = small(i % 32, j % 32) = (i + j) % 5;
	for (int i = 0; i < 65536; i++)
		sequence[i] = i % 3;
	for (int i = 0; i < 128; i++)
		vector[i] = i;
	for (int i = 0; i < EXECUTIONS; i++)    // the phase
		step();
	printf("%g %g\n", sum, result[100]);
	printf("expect small bytes = %d\n", 2 * 32 * 32 * 8);
	printf("expect small load_miss 1 = %d\n", 32 * 32 / 8);
	printf("expect large bytes = %d\n", 512 * 128 * 8);
	for (int level = 1; level <= 2; level++) {
		printf("expect large load_miss %d = %d\n", level, 512 * 128 / 8);
		printf("expect sequence load_miss %d = %d\n", level, 65536 / 16);
	}
	printf("expect sequence bytes = %d\n", 65536 * 4);
	printf("expect worst large apply<512, 128>( SUB_REGION\n");
	return 0;
}
