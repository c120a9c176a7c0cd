// SPDX-License-Identifier: BSD-3-Clause
// Squares a matrix of blocks 15 times, and scales it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <int N> struct Block {
	double v[N][N];
	Block() : v() {}
	void add_product(const Block &a, const Block &b)
	{
		for (int i = 0; i < N; i++)
			for (int k = 0; k < N; k++)
				for (int j = 0; j < N; j++)
					v[i][j] += a.v[i][k] * b.v[k][j];
	}
};

class Matrix {
public:
	explicit Matrix(int n) : n_(n), block_(static_cast<size_t>(n) * n) {}
	Block<16> &at(int i, int k) { return block_[static_cast<size_t>(i) * n_ + k]; }
	const Block<16> &at(int i, int k) const { return block_[static_cast<size_t>(i) * n_ + k]; }
	Matrix squared() const
	{
		Matrix out(n_);

		for (int i = 0; i < n_; i++)
			for (int j = 0; j < n_; j++)
				for (int k = 0; k < n_; k++)
					out.at(i, j).add_product(at(i, k), at(k, j));
		return out;
	}
	double scale()
	{
		double sum = 0;

		for (const auto &b : block_)
			for (const auto &row : b.v)
				for (double x : row)
					sum += x * x;
		sum = std::sqrt(sum);
		for (auto &b : block_)
			for (auto &row : b.v)
				for (double &x : row)
					x /= sum;
		return sum;
	}

private:
	int n_;
	std::vector<Block<16>> block_;
};

int main(int argc, char **argv)
{
	int times = argc > 1 ? std::atoi(argv[1]) : 15;
	Matrix m(14);
	double last = 0;

	for (int i = 0; i < 14; i++)
		for (int k = 0; k < 14; k++)
			for (int j = 0; j < 16; j++)
				m.at(i, k).v[j][j] = 1.0 / (1 + i + k + j);
	for (int t = 0; t < times; t++) {               // PHASE
		m = m.squared();
		last = m.scale();
	}
	std::printf("%.9g\n", last);
	return 0;
}
