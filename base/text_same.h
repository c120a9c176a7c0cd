/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares texts that may be missing: NULL and "" are the same. */
#ifndef PSC_BASE_TEXT_SAME_H
#define PSC_BASE_TEXT_SAME_H

#include <stdbool.h>
#include <string.h>

static inline bool text_some(const char *s)
{
	return s && *s;
}

/* The order of strcmp(). */
static inline int text_compare(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static inline bool text_same(const char *a, const char *b)
{
	return text_compare(a, b) == 0;
}

static inline bool text_ends(const char *s, const char *end)
{
	size_t n = s ? strlen(s) : 0, m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

#endif
