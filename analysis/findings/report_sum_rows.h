/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a sum of reports.  Private to report_sum*.c. */
#ifndef PSC_FINDINGS_REPORT_SUM_ROWS_H
#define PSC_FINDINGS_REPORT_SUM_ROWS_H

#include "analysis/findings/report_sum.h"
#include "base/exact_sum.h"
#include "base/ranks.h"
#include "report/model/fields.h"

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

struct sum_row {
	/* In the arena: fields that are joined are those of all, the others those of the process
	 * that describes the row.  Sums are NAN, but where `before` orders by them. */
	void *of;
	struct exact_sum *sum;  /* in the arena: of fields with sums, then of those of each step */
	uint32_t nsums;
	struct sum_sites sites;
	/* Findings only: */
	struct rank_set ranks;
	uint32_t nprocesses;
	bool compares_share;    /* the property compares its severity's share, in all processes */
	int described;          /* the rank that `of` describes; -1: several, or not known */
	bool texts_differ;      /* between processes: why, the advice or the shared lines */
};

/* The rows of one of report_lists, with ROWS_BY_KEY. */
struct sum_table {
	struct sum_row *row;
	uint32_t n;
	struct row_index index;
};

enum { SUM_ROW_MOST = 1024 };    /* bytes */
struct report_sum {
	struct arena *arena;            /* owns strings and rows */
	struct row_index strings;       /* of texts */
	const char **text;
	struct report *only;            /* the first report while it is the only one; then NULL */
	struct report *none;            /* NULL: none was added */
	struct report *head;            /* the least of all, without sums and what is joined; NULL:
					 * none */
	struct report host;             /* figures of hosts only */
	uint32_t parts;                 /* reports that were added, if more than `only` */
	int64_t nprocs;
	struct exact_sum phase_time, base;      /* x processes; base: what estimates are shares
						 * of */
	/* In the arena: */
	struct exact_sum *sum;          /* of the head's fields with sums */
	double *most;                   /* of its texts by MERGE_OF_MOST: their figures */
	struct sum_table *table;        /* as report_lists */
	int nsums, nmost, ntables;
	const char **notes;
	uint32_t nnotes;
	struct row_index by_note;
	struct report *lists;           /* rows that are all kept, allocated; of the head what is
					 * joined */
	bool failed;                    /* no memory */
};

/* A report's weights: its processes, and these times its times. */
struct sum_weights { uint32_t procs; double phase_time, base; };

/* The copy of a text that the sum keeps; equal texts have equal copies.  NULL stays NULL; after a
 * failure, too. */
const char *sum_text(struct report_sum *s, const char *text);
void sum_note_add(struct report_sum *s, const char *note);
/* Joins the field of two rows, or heads. */
void sum_join(struct report_sum *s, const struct field *f, void *into, const void *from);
/* Adds a row to the table: its key, what is joined, and its description; not its sums.  rank: that
 * it describes, -1: not known.  NULL: memory. */
struct sum_row *sum_row_add(struct report_sum *s, const struct list *l, const void *row, int rank);
/* The order of rows of a type by their keys. */
int sum_key_compare(const struct row_type *type, const void *a, const void *b);
/* Appends all rows of the part to those of the sum, where all are kept. */
void sum_lists_add(struct report_sum *s, const struct report *part);
/* NULL: memory. */
struct sum_site *sum_site_row(struct sum_sites *sites, const char *source, int line);
void sum_rows_free(struct report_sum *s);

/* --- report_sum.c --- */
/* The tables of a report's head. */
enum { HEAD_TABLES = 2 };
extern const struct field *const sum_head_fields[HEAD_TABLES];
/* A report borrows the strings of others; encoding and decoding it copies them.  NULL: memory. */
struct report *sum_own_copy(const struct report *borrowed);
/* Adds a head; most: the figures of its texts by MERGE_OF_MOST, NULL: its own. */
void sum_head_add(struct report_sum *s, const struct report *head, const double *most);
/* Adds the only report, which was kept as it is, to the rows. */
void sum_spread_only(struct report_sum *s);

/* --- report_sum_finish.c --- */
/* Sets the head of a new report, and its lists of which all rows are kept, to those of all that was
 * added; borrows. */
void sum_finish_head(const struct report_sum *s, struct report *r);

#endif
