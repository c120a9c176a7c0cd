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

/* An eighth of n where a script runs the test by valgrind (it sets PSC_VALGRIND): a case takes
 * fifty times as long there, and all of them are run without it. */
static inline int valgrind_cases(int n)
{
	return getenv("PSC_VALGRIND") ? n / 8 : n;
}

#endif
