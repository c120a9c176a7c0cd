/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a sum of reports.  Private to report_sum*.c. */
#ifndef PSC_FINDINGS_REPORT_SUM_ROWS_H
#define PSC_FINDINGS_REPORT_SUM_ROWS_H

#include "analysis/findings/report_sum.h"
#include "base/exact_sum.h"
#include "base/ranks.h"

/* Finds rows of an array by the hash of their keys. */
struct row_index {
	struct row_slot { uint32_t hash, row; } *slot;  /* row: from 1; 0: empty */
	uint32_t n, cap;        /* cap: a power of two */
};

struct sum_site {               /* misses of a line */
	const char *source;     /* interned; NULL: the row's file */
	int line;
	struct exact_sum first, last;
};
struct sum_sites {
	struct sum_site *site;  /* owned; by source, line */
	int n, cap;
};

struct sum_node { struct exact_sum measure, measure_error, time; };

enum finding_figure {           /* sums of figures times ... */
	F_MEASURE, F_MEASURE_ERROR, F_TIME_SHARE,       /* processes of the finding */
	F_SEVERITY,                                     /* processes of the report */
	/* phase time, or the time that estimates are shares of */
	F_SHARE_PHASE, F_SHARE_BASE, F_ERROR_PHASE, F_ERROR_BASE,
	F_STALL, F_STALL_LOW, F_STALL_HIGH, F_STALL_ERROR, F_OWN, F_OWN_LOW, F_OWN_HIGH,
	FINDING_FIGURES
};
struct sum_finding {
	struct report_finding of;       /* as in the process with the highest severity; processes not used */
	struct rank_set ranks;
	uint32_t nprocesses;
	bool compares_share;            /* the property compares its severity's share, in all processes */
	bool empty;                     /* nothing was described yet */
	int described;                  /* the rank that `of` describes; -1: several, or not known */
	bool texts_differ;              /* between processes: why or the advice */
	struct exact_sum figure[FINDING_FIGURES];
	struct sum_node *node;          /* in the arena: one for each step of the path */
	struct sum_sites sites;
};

struct sum_gain { struct report_gain of; struct exact_sum least, most, time_share; };
struct sum_ledger { struct report_ledger of; struct exact_sum accesses, misses, misses_error; };

enum { COST_FIGURES = 6 + 2 * REPORT_LEVELS };
struct sum_cost { struct report_cost of; struct exact_sum figure[COST_FIGURES]; struct sum_sites sites; };

enum { HEAD_TIMES = 23 };
struct report_sum {
	struct arena *arena;            /* owns strings and paths */
	struct row_index strings;       /* of texts */
	const char **text;
	struct report *only;            /* the first report while it is the only one; then NULL */
	struct report *none;            /* NULL: none was added */
	struct report *head;            /* the least head of all, without what is summed or joined; NULL: no report was added */
	struct report host;             /* figures of hosts only */
	uint32_t parts;                 /* reports that were added, if more than `only` */
	int64_t nprocs;
	struct exact_sum phase_time, base;      /* times processes; base: what estimates are shares of */
	struct exact_sum times[HEAD_TIMES], stall_cycles;
	struct sum_finding *findings;
	struct sum_gain *gains;
	struct report_verified *verified;
	struct sum_ledger *ledger;
	struct sum_cost *costs;
	const char **notes;
	uint32_t nfindings, ngains, nverified, nledger, ncosts, nnotes;
	struct row_index by_finding, by_gain, by_verified, by_cause, by_cost, by_note;
	struct report *lists;           /* rows of threads, and tests, allocated; of the head, what is joined */
	bool failed;                    /* no memory */
};

/* The copy of a text that the sum keeps; equal texts have equal copies.  NULL stays NULL; after a failure, too. */
const char *sum_text(struct report_sum *s, const char *text);
uint32_t sum_hash(uint32_t h, const char *text);
#define SUM_HASH 2166136261u

/* A report's weights: its processes, and these times its times. */
struct sum_weights { uint32_t procs; double phase_time, base; };

/* Rows are found, or appended with the key fields of `like`; NULL: memory. */
struct sum_finding *sum_finding_row(struct report_sum *s, const struct report_finding *like);
struct sum_gain *sum_gain_row(struct report_sum *s, const struct report_gain *like);
struct sum_ledger *sum_ledger_row(struct report_sum *s, const struct report_ledger *like);
struct sum_cost *sum_cost_row(struct report_sum *s, const struct report_cost *like);
/* Keeps the description that goes before, and its rank (-1: not known); `from` is borrowed. */
void sum_finding_describe(struct report_sum *s, struct sum_finding *into, const struct report_finding *from, int rank);
void sum_cost_describe(struct report_sum *s, struct sum_cost *into, const struct report_cost *from);
void sum_gain_describe(struct report_sum *s, struct sum_gain *into, const struct report_gain *from);
void sum_verified_add(struct report_sum *s, const struct report_verified *v);
void sum_note_add(struct report_sum *s, const char *note);
/* Appends rows of threads and tests. */
void sum_lists_add(struct report_sum *s, const struct report *part);
void sum_head_add(struct report_sum *s, const struct report *head);
struct sum_site *sum_site_row(struct sum_sites *sites, const char *source, int line);   /* NULL: memory */
void sum_rows_free(struct report_sum *s);
/* Sets the head of a new report, and its lists, to those of all that was added; borrows. */
void sum_finish_head(const struct report_sum *s, struct report *r);
/* Adds the only report, which was kept as it is, to the rows. */
void sum_spread_only(struct report_sum *s);

#endif
