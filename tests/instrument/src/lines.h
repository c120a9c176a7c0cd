/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements of another file than the function's that they are inlined into, or that calls them. */
static inline double from_elsewhere(const double *p)
{
	return *p;
}

__attribute__((noinline)) static double from_afar(const double *p)
{
	return p[2];
}
