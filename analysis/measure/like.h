/* SPDX-License-Identifier: BSD-3-Clause */
/* Clean executions that are like the counted one: counts and times must be of like executions, or a
 * share of one is compared with another (analysis/README.md, "Unlike iterations"). */
#ifndef PSC_MEASURE_LIKE_H
#define PSC_MEASURE_LIKE_H

#include <stdbool.h>
#include <stdint.h>

struct measurements;

enum like_how {
	LIKE_ALL,       /* the clean executions are alike, or no execution was counted alone */
	LIKE_SOME,      /* those with a weight are like the counted one */
	LIKE_LINE       /* its times are the sum of theirs by weight: between its neighbours */
};

struct like {
	enum like_how how;
	double *weight; /* one per clean execution, owned; LIKE_SOME: 0 or 1; LIKE_LINE: their sum
			 * is 1 */
	bool differ;    /* the clean executions differ */
	bool trend;     /* the times grow, or fall */
	bool by_calls;  /* LIKE_SOME: the others call other regions, or more often */
};

/* Chooses anew.  Called after each result.  0 / -1 (memory). */
int like_refresh(struct measurements *p);
void like_free(struct measurements *p);
/* Do the times of the clean executions differ?  Needs no counts. */
bool like_differ(const struct measurements *p);
/* Writes the values that count, of one for each clean execution, to out, which may be `values`.
 * Returns their number: with LIKE_LINE 1, else at most nclean. */
uint32_t like_values(const struct measurements *p, const double *values, double *out);
/* Median, and spread_of(), of the values that count; NAN: none. */
double like_median(const struct measurements *p, const double *values);
double like_spread(const struct measurements *p, const double *values);

#endif
