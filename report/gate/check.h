/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits that a report must keep: conditions under which it fails, and how much worse than an
 * earlier one (a baseline) it may be. */
#ifndef PSC_REPORT_CHECK_H
#define PSC_REPORT_CHECK_H

#include "report/gate/condition.h"
#include "report/compare/compare.h"

/* Of a baseline, these figures of each structure and of all memory are limited, for the whole
 * phase: accesses, misses of each level, coherence misses.  Times and estimates are not: they
 * depend on what else the machine does.  A figure is worse if it differs (compare.h), by more than
 * the limit's share of the baseline's, and by more than CHECK_FLOOR of the whole phase's count of
 * the same figure and CHECK_FLOOR_MISSES of its level-1 misses.  A new structure counts in all
 * memory. */
#define CHECK_FLOOR 0.01
#define CHECK_FLOOR_MISSES 0.001

enum check_state { CHECK_PASSED, CHECK_WARNED, CHECK_FAILED };

struct check_limit {
	const char *text;                       /* as the user wrote it; of a baseline its
						 * description */
	bool hard;                              /* else it only warns */
	const struct condition *condition;      /* NULL: of the baseline */
	double worse_by;
	int tested, unknown, exceeded;          /* problems, findings, structures; the phase is
						 * one */
};

struct check_hit {                      /* what exceeds a limit; strings in the arena */
	int limit;
	const char *what;               /* "MemoryStall of a, ssor.f:120", "a", "the phase" */
	const char *message;            /* "l2_misses 311218"; "level-2 misses 1.2 M -> 1.5 M
					 * (+25%)" */
	const char *file;               /* "" unknown */
	int line;                       /* 0 unknown */
	const char *key;                /* the same in other versions of the program */
};

struct check {
	const struct report *report;    /* borrowed, as the names */
	const char *name;
	const struct compare *baseline; /* NULL none */
	struct check_limit *limits;     /* filled in by the caller, up to hits; borrowed */
	int nlimits;
	struct arena *arena;            /* owned */
	struct check_hit *hits;         /* by limit, in the report's order */
	int nhits;
};

/* Tests all limits; the report must be ranked.  -1: memory, or a limit could not be tested (its
 * figures were not measured, the structure is not accessed): err says which. */
int check_run(struct check *c, struct err *err);
void check_free(struct check *c);

enum check_state check_limit_state(const struct check_limit *limit);
enum check_state check_state(const struct check *c);
const char *check_state_name(enum check_state state);   /* "passed", "warned", "failed" */

/* Append the result as text, Markdown, SARIF 2.1.0, JUnit XML. */
void check_text(const struct check *c, const struct report_style *style, struct buf *out);
void check_markdown(const struct check *c, struct buf *out);
void check_sarif(const struct check *c, struct buf *out);
void check_junit(const struct check *c, struct buf *out);

#endif
