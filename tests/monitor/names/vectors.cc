// SPDX-License-Identifier: BSD-3-Clause
// Heap blocks in C++.  "expect" as in blocks.c.
#include <cstdio>
#include <memory>
#include <vector>

enum { N = 1000 };

struct Field {
	std::vector<double> u;
	double *d;
	explicit Field(int n) : u(n), d(new double[n]()) {}
	Field(const Field &) = delete;
	~Field() { delete[] d; }
};

template <class T> struct Buffer {
	T *p;
	explicit Buffer(int n) : p(new T[n]()) {}
	~Buffer() { delete[] p; }
};

static void touch(double *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] += 1;
}

static double step(std::vector<double> &v, Field &f, double *q, double *z, Buffer<double> &b,
	std::vector<double> &grown, std::vector<std::vector<double>> &w)
{
	std::vector<double> scratch(N, 1.0);    // expect: step:scratch 2000 4000

	touch(scratch.data(), N);
	touch(v.data(), N);             // expect: main:v 2002 2000
	touch(f.u.data(), N);           // expect: Field:u 2000 2000
	touch(f.d, N);                  // expect: Field:d 2000 2000
	touch(q, N);                    // expect: main:q 2000 2000
	touch(z, N);                    // expect: main:z 2000 2000
	touch(b.p, N);                  // expect: main:b 2000 2000
	touch(grown.data(), N);         // expect: main:grown 2000 2000
	for (auto &row : w)             // expect: main:w 2020 2000
		touch(row.data(), 100);
	return v[3];
}

int main()
{
	std::vector<double> v(N), grown;
	std::vector<std::vector<double>> w(10, std::vector<double>(100));
	Field f(N);
	Buffer<double> b(N);
	auto q = std::make_unique<double[]>(N);
	double *z = new double[N](), s = 0;

	for (int i = 0; i < N; i++)
		grown.push_back(i);
	for (int i = 0; i < 6; i++)     // the phase
		s += step(v, f, q.get(), z, b, grown, w);
	printf("%g %g\n", s, z[4]);
	delete[] z;
}
