/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the callocs of a test, from which arenas get their memory, and lets number `fail_at` fail.
 * For one source of a program linked with $(asl_wrap_calloc). */
#ifndef PSC_TESTS_FAILING_CALLOC_H
#define PSC_TESTS_FAILING_CALLOC_H

#include <stddef.h>

static long allocations, fail_at, live; /* fail_at 0: none fails; live: not freed yet */

void *__real_calloc(size_t n, size_t size);
void __real_free(void *p);
void *__wrap_calloc(size_t n, size_t size);
void __wrap_free(void *p);

void *__wrap_calloc(size_t n, size_t size)
{
	void *p;

	if (++allocations == fail_at)
		return NULL;
	p = __real_calloc(n, size);
	live += p != NULL;
	return p;
}

void __wrap_free(void *p)
{
	live -= p != NULL;
	__real_free(p);
}

#endif
