/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares two reports of one program, before and after a change.
 *
 * Findings are the same where property, region and structure are: the region by its name path from
 * the phase on (struct report_node), the structure by its own name and scope.  Lines do not count,
 * so a finding survives moved lines; a renamed function or file makes it gone and new.  Structures
 * of one name and scope are matched in the order of their declarations.
 *
 * What counts as a difference:
 * - counts: any, where both programs had one thread and every set was simulated, since they repeat
 *   exactly; else one beyond the sum of both 95 % intervals and, with several threads, a share of
 * the
 *   larger count: COMPARE_THREADS of accesses and misses of level 1, COMPARE_THREADS_FAR of misses
 *   of farther levels and of coherence misses, which depend on how the threads ran, and
 * COMPARE_FLOOR
 *   of the level-1 misses of the phase;
 * - estimates: each lies outside the other's range;
 * - times: the ranges of the executions (time_least to time_most) do not meet; or the medians
 * differ by COMPARE_TIMES and
 *   by COMPARE_QUARTILES times the sum of their distances to the farther quartiles (time_spread):
 * then the ranges meet
 *   only because an execution was held up.
 *
 * Which findings a report lists depends on times, too.  A finding that only one report lists is
 * therefore judged by the costs of its structure in its region, which both reports have: SAME if
 * these do not differ; GONE or NEW only if the structure is not accessed there in the other run, or
 * the figure that differs most at least halved or doubled; else CHANGED.  A
 * finding whose cost is not memory's (waits, balance) is CHANGED if its severity at least halved or
 * doubled, and GONE or NEW if only one report lists it. */
#ifndef PSC_REPORT_COMPARE_H
#define PSC_REPORT_COMPARE_H

#include "report/model/report.h"

#define COMPARE_THREADS 0.05            /* measured spreads: docs/compare.md */
#define COMPARE_THREADS_FAR 0.5
#define COMPARE_FLOOR 0.01
#define COMPARE_QUARTILES 2
#define COMPARE_TIMES 0.2
#define COMPARE_LITTLE 0.01             /* differences of less than this share are counted, not
					 * listed */

enum compare_state { COMPARE_GONE, COMPARE_NEW, COMPARE_CHANGED, COMPARE_LITTLE_CHANGED,
	COMPARE_SAME, COMPARE_STATES };

/* The costs of one structure in one region, or of all memory there; NULL: it is not accessed. */
struct compare_costs {
	const struct report_cost *before, *after;       /* borrowed; not both NULL */
	enum compare_state state;
};

struct compare_finding {
	const struct report_finding *before, *after;    /* borrowed; NULL: not listed there */
	struct compare_costs costs;                     /* both NULL: not known */
	enum compare_state state;
};

struct compare {
	const struct report *before, *after;            /* borrowed */
	const char *before_name, *after_name;           /* borrowed: how the user calls them */
	struct arena *arena;                            /* owns the arrays and notes */
	/* The whole phase: all memory first, if known; then by how much they differ. */
	struct compare_costs *structures;
	int nstructures;
	struct compare_finding *findings;               /* by state, then by how much they differ */
	int nfindings;
	int count[COMPARE_STATES];                      /* of the findings */
	const char *notes[8];                           /* what makes the comparison doubtful */
	int nnotes;
	bool exact;                                     /* counts repeat exactly */
	bool failed;                                    /* private: memory */
};

/* 0 / -1 (memory).  The reports and names must outlive the comparison. */
int compare_reports(struct compare *c, const struct report *before, const char *before_name,
	const struct report *after, const char *after_name, struct err *err);
void compare_free(struct compare *c);

/* Do the times of the phase differ as defined above?  A missing one does not. */
bool compare_time_differs(const struct compare *c);
/* True: they do not, but only because the executions of a run are so unlike: the medians
 * are COMPARE_TIMES apart. */
bool compare_time_unclear(const struct compare *c);

/* One of the figures of a cost: 0 the estimate in s, 1.. misses of that level, REPORT_LEVELS + 1
 * coherence misses, then accesses. */
enum { COMPARE_ESTIMATE, COMPARE_COHERENCE = REPORT_LEVELS + 1, COMPARE_ACCESSES, COMPARE_FIGURES };
double compare_figure(const struct report_cost *cost, int figure);      /* NULL: 0 */
/* Do the figures differ as defined above?  A missing one does not. */
bool compare_figure_differs(const struct compare *c, const struct compare_costs *costs, int figure);
/* The figure that differs most, accesses only if no other does; -1: none differs.  Estimates come
 * first, then the level with the largest difference. */
int compare_main_figure(const struct compare *c, const struct compare_costs *costs);
/* GONE, NEW: a side is missing; else whether they differ, as defined above. */
enum compare_state compare_judge_costs(const struct compare *c, const struct compare_costs *costs);
const char *compare_figure_name(int figure);    /* "level-1 misses" */

/* What findings and costs of two reports are matched by: regions as seen from the phase, no lines.
 * "" where there is none. */
struct compare_key { const char *region, *structure, *scope, *property; };
/* Fill in the keys, with strings in the arena and of the report.  0 / -1 (memory). */
int compare_finding_key(struct arena *arena, const struct report *r, const struct report_finding *f,
	struct compare_key *out);
int compare_cost_key(struct arena *arena, const struct report *r, const struct report_cost *cost,
	struct compare_key *out);

const char *compare_state_name(enum compare_state state);

/* "MemoryStall", "a", "ssor.f:184", "ssor": any may be "". */
struct compare_label {
	const char *property, *structure, *file, *function;
	int line, function_length;
};
void compare_label(const struct compare_finding *f, struct compare_label *out);
/* The number of findings from c->findings[i] on, at least 1, that have one state, place and
 * structure, so that their figures are the same. */
int compare_alike(const struct compare *c, int i);

/* Append the comparison as text, as JSON, as Markdown for a pull request.  Of the style: part
 * (SHORT: the problems, some 20 lines; else every finding and structure), top, for each list
 * (SHORT: with lines, six at most), psc (the file that `after` is in; "": none; NULL: its name),
 * width, color and unicode. */
void compare_text(const struct compare *c, const struct report_style *style, struct buf *out);
void compare_json(const struct compare *c, struct buf *out);
void compare_markdown(const struct compare *c, const struct report_style *style, struct buf *out);

#endif
