/* SPDX-License-Identifier: BSD-3-Clause */
/* How many cases of a random generator a test runs. */
#ifndef PSC_TESTS_RANDOM_CASES_H
#define PSC_TESTS_RANDOM_CASES_H

#include <stdlib.h>

/* A quarter of n in a build with sanitizers, where each takes several times as long; four times n
 * by make check-long. */
static inline int random_cases(int n)
{
	if (getenv("PSC_LONG"))
		return 4 * n;
#ifdef __SANITIZE_ADDRESS__
	return n / 4;
#else
	return n;
#endif
}

#endif
