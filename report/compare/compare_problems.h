/* SPDX-License-Identifier: BSD-3-Clause */
/* The problems (report.h) of two reports, each once.
 *
 * A problem of the report before and one of the report after stand in one row if both are about
 * memory, and a structure of one is a structure of the other in the same region, else in one around
 * it; or if they have a property in one region in common, where they are not about memory.  One of
 * the report after that is left, and has a place in one before, is part of that; all others have
 * rows of their own.
 *
 * The costs of both reports, a structure in a region without the regions inside, are divided among
 * the rows by the same keys: a cost is the row's whose problem before is about the innermost region
 * around it, else that of the problem after.  The time of a problem in the other report is what its
 * costs are there, whether or not that report lists a problem there.  Whether a problem changed is
 * decided by the sums of these costs, as compare.h does for findings. */
#ifndef PSC_REPORT_COMPARE_PROBLEMS_H
#define PSC_REPORT_COMPARE_PROBLEMS_H

#include "report/compare/compare.h"

/* GONE: its structures are not accessed there; or MUCH_LESS, not listed after, and at most a tenth
 * of the estimate is left, which is less than COMPARE_LITTLE of the phase's time.
 * MUCH_LESS: the figure that differs most at least halved, and the estimate did not grow.
 * NEW: not listed before, and the figure that differs most at least doubled.
 * OTHER: counts differ one way, the middle of the estimate the other.
 * LITTLE: less than COMPARE_LITTLE of the phase's time in both; where the estimate's upper end is a
 * tenth of it or more, and the phase's time changed, what became of that end decides. */
enum compare_outcome { COMPARE_PROBLEM_GONE, COMPARE_PROBLEM_MUCH_LESS, COMPARE_PROBLEM_LESS,
	COMPARE_PROBLEM_MORE, COMPARE_PROBLEM_NEW, COMPARE_PROBLEM_OTHER, COMPARE_PROBLEM_SAME,
	COMPARE_PROBLEM_LITTLE, COMPARE_PROBLEM_OUTCOMES };

const char *compare_outcome_name(enum compare_outcome outcome); /* "much less" */

struct compare_problem {
	const struct report_problem *before, *after;    /* borrowed; NULL: not listed there */
	/* Sums; a side is NULL: not accessed there; both: not known. */
	struct compare_costs costs;
	struct report_cost *before_sum, *after_sum;     /* private: of the row's costs */
	double was, is;                 /* s in an execution of the phase; NAN: not known */
	enum compare_outcome outcome;
};

struct compare_problems {
	struct arena *arena;            /* owns the array and the sums */
	struct compare_problem *problem;        /* by the larger of both times, largest first */
	int n;
	int count[COMPARE_PROBLEM_OUTCOMES];
};

/* 0 / -1 (memory: there is nothing to free).  c must outlive the problems. */
int compare_problems_find(struct compare_problems *out, const struct compare *c);
void compare_problems_free(struct compare_problems *p);

#endif
