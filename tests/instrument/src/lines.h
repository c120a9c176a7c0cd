/* SPDX-License-Identifier: BSD-3-Clause */
/* A statement of another file than the function's that it is inlined into. */
static inline double from_elsewhere(const double *p)
{
	return *p;
}
