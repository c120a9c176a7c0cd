/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of the model: the fields of each type of rows, and the rows in a report and in other
 * rows.  They drive .psc, JSON and its schema, the wire format, in their order, and what becomes
 * of the reports of several processes. */
#ifndef PSC_REPORT_FIELDS_H
#define PSC_REPORT_FIELDS_H

#include "report/model/report.h"

enum field_kind {
	FIELD_TEXT,     /* const char *, "" where it is missing */
	FIELD_OPTIONAL, /* const char *, NULL where it is missing */
	FIELD_REAL,     /* double, NAN where it is missing */
	FIELD_INT,
	FIELD_INT64,
	FIELD_BOOL,
	FIELD_REGION,   /* enum region_type, by name */
	FIELD_OUTCOME,  /* enum report_outcome, by name */
	FIELD_NAME,     /* an enum by its name in `names`; missing: 0, whose name is "" */
	FIELD_SERIES    /* struct report_series; missing: no points */
};

/* How the values of the processes become that of all (analysis/findings/report_sum.h). */
enum field_merge {
	MERGE_DESCRIBE, /* as in the process that describes the row: row_type.before */
	MERGE_KEY,      /* rows with equal keys are one; no figures */
	MERGE_KEY_IF,   /* a text: whether there is one is part of the key; the least */
	MERGE_ANEW,     /* made anew of the merged report */
	/* sums of figures that are exact in any order */
	MERGE_SUM,      /* of those that are known */
	MERGE_SUM_ALL,  /* NAN where one is not known */
	MERGE_MEAN,     /* over all processes */
	MERGE_MEAN_KNOWN,       /* over the processes in which it is known */
	MERGE_MEAN_ROW, /* over the finding's processes; NAN where one is not known */
	MERGE_SHARE,    /* of the time that estimates are shares of; NAN where one is not known */
	MERGE_SHARE_KNOWN,
	MERGE_SEVERITY, /* a finding's severity as share of that time, or of the phase's */
	/* joined */
	MERGE_MAX, MERGE_MIN, MERGE_ADD, MERGE_ANY,
	MERGE_LEAST,    /* a text: the least */
	MERGE_WITH,     /* of the process that the text before it is of */
	MERGE_OF_MOST   /* a text of a report: of the process with the largest figure `by` */
};

struct field {
	const char *name;       /* NULL ends a table */
	enum field_kind kind;
	size_t offset;
	enum field_merge merge;
	size_t by;              /* MERGE_OF_MOST: offset of a double */
	const char *const *names;       /* FIELD_NAME: of 0, 1, ..; NULL at the end */
};

/* Rows in a report, or in a row. */
struct list {
	const char *name;       /* in JSON; NULL ends a table */
	const struct row_type *type;
	size_t offset;          /* of the pointer to the rows */
	size_t number;          /* offset of their number, an int; LIST_ONE: the pointer is to one
				 * row, or NULL */
};
#define LIST_ONE SIZE_MAX

/* Which rows of several processes there are in the end. */
enum row_merge {
	ROWS_BY_KEY,    /* one for each key */
	ROWS_ALL,       /* all */
	ROWS_ANEW,      /* made anew of the others */
	ROWS_STEPS,     /* in a row: part of its key, one by one */
	ROWS_WITH,      /* in a row: of the process that describes the row */
	ROWS_LINES      /* in a row: struct report_site, by line and source file */
};

struct row_type {
	const char *element;    /* in .psc; of findings, which have elements of Periscope's: NULL */
	size_t size;
	const struct field *fields;
	const struct list *lists;       /* rows in the row; may be empty */
	enum row_merge merge;
	/* What is wrong with a row that was read; NULL: nothing.  May be NULL. */
	const char *(*wrong)(const void *row);
	/* Of equal rows of two processes: does a describe it?  A total order of all that is not
	 * joined.
	 * NULL: the order of the fields that describe. */
	bool (*before)(const void *a, const void *b);
	bool brief;             /* JSON: rows stand on one line */
	bool tall;              /* JSON: the row's lists begin lines */
};
extern const struct row_type node_rows, finding_rows, site_rows, use_rows, problem_rows,
	problem_structure_rows, pass_rows, gain_rows, verified_rows, ledger_rows, cost_rows,
	thread_rows, tested_rows;
extern const struct row_type trial_rows, counted_rows, samples_rows, placed_rows, timeline_rows;
extern const struct list report_lists[];        /* of struct report */

extern const struct field report_fields[];      /* of struct report */
extern const struct field phase_fields[];       /* of struct report; written with its phase */
extern const struct field node_fields[];
extern const struct field finding_fields[];
extern const struct field problem_fields[];
extern const struct field problem_structure_fields[], pass_fields[];
extern const struct field site_fields[];
extern const struct field line_use_fields[];
extern const struct field gain_fields[];
extern const struct field verified_fields[];
extern const struct field trial_fields[];
extern const struct field counted_fields[];
extern const struct field placed_fields[];
extern const struct field ledger_fields[];
extern const struct field cost_fields[];
extern const struct field thread_fields[];
extern const struct field tested_fields[];
extern const struct field timeline_fields[];

/* The rows of a list, and their number. */
const void *list_rows(const struct list *l, const void *obj);
int list_number(const struct list *l, const void *obj);
void list_set(const struct list *l, void *obj, void *rows, int n);
/* Row i. */
const void *list_row(const struct list *l, const void *obj, int i);

/* Is the field's value joined from those of the processes, MERGE_MAX and below, or made anew? */
bool field_joined(const struct field *f);
bool field_summed(const struct field *f);       /* MERGE_SUM to MERGE_SEVERITY */
/* The order of all fields, or of those that describe; missing texts and figures are last. */
int fields_compare(const struct field *table, const void *a, const void *b);
int fields_compare_described(const struct field *table, const void *a, const void *b);

/* Sets every field of obj to its missing value ("", NULL, NAN, 0). */
void fields_clear(const struct field *table, void *obj);
void field_clear(const struct field *f, void *obj);
void field_copy(const struct field *f, void *to, const void *from);

/* True of the kinds TEXT, OPTIONAL and NAME. */
bool field_is_text(const struct field *f);
/* Never NULL: such a field, "" where it is missing. */
const char *field_text(const struct field *f, const void *obj);
double field_real(const struct field *f, const void *obj);
/* The value of a field of the kinds INT to NAME. */
int64_t field_int(const struct field *f, const void *obj);
bool field_missing(const struct field *f, const void *obj);     /* NULL, NAN, or no points */
/* Of the kind SERIES. */
const struct report_series *field_series(const struct field *f, const void *obj);
void field_set_series(const struct field *f, void *obj, const struct report_series *s);
/* "GAP VALUE GAP VALUE .." (report/model/timeline_series.h). */
void series_text(struct buf *out, const struct report_series *s);
/* Reads such a text; the points are the arena's.  0; -1: not such a text, or no memory. */
int series_parse(struct arena *arena, const char *text, struct report_series *s);

/* NULL: missing.  -1: not a name that the field can have. */
int field_set_text(const struct field *f, void *obj, const char *s);
void field_set_real(const struct field *f, void *obj, double v);
/* -1: out of the field's range. */
int field_set_int(const struct field *f, void *obj, int64_t v);

const char *report_outcome_name(enum report_outcome o);
int report_outcome_from_name(const char *name); /* -1: unknown */

#endif
