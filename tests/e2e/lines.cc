// SPDX-License-Identifier: BSD-3-Clause
// For lines.sh: all misses are made in headers; each line here has its own structure.
#include <cstdio>
#include "lines.hpp"

enum { N = 40000 };

__attribute__((noinline)) static double walk(const far_apart &a, const far_apart &b, const sparse &c)
{
	double s = 0;

	for (long i = 0; i < N; i++) {
		s += a.inlined(i);              /* inlined */
		s += b.called(i);               /* called */
		s += c.get(i * 7919 % N);       /* looked up */
	}
	return s;
}

int main()
{
	far_apart a(N), b(N);
	sparse c;
	double s = 0;

	for (long i = 0; i < N; i++)
		c.put(i, 1);
	for (int step = 0; step < 60; step++)   /* the phase */
		s += walk(a, b, c);
	printf("%g\n", s);
	return 0;
}
