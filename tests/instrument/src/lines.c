/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses on several lines: in straight code, in a loop, and from another file, inlined and called. */
#include "lines.h"

double table[4096], out[4096], other[4096];

static inline double from_here(const double *p)
{
	return *p;
}

__attribute__((noinline)) void straight(int i)
{
	out[i] = table[2 * i];
	other[3 * i] =
		from_elsewhere(&table[i]);
	other[i] = from_here(&out[5 * i]);
}

__attribute__((noinline)) static double near(const double *p)
{
	return p[1];
}

static double (*volatile through)(const double *) = near;

__attribute__((noinline)) double calls(long n)
{
	double s = 0;

	for (long i = 0; i < n; i++) {
		s += from_afar(&table[i]);
		s += near(&table[i]);
		s += from_afar(&other[i]);
		s += through(&other[i]);
	}
	return s;
}

__attribute__((noinline)) double loop(long n)
{
	double s = 0;

	for (long i = 0; i < n; i++) {
		s += table[i];
		out[2 * i] = s;
		s += from_elsewhere(&other[i]);
	}
	return s;
}

int main(int argc, char **argv)
{
	(void)argv;
	straight(argc);
	return loop(1000) + calls(3) != 0;
}
