/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of the model: the fields of each type of rows, and the rows in a report and in other rows.  They drive .psc,
 * JSON and its schema, CSV and the wire format, in their order. */
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
	FIELD_OUTCOME   /* enum report_outcome, by name */
};

struct field {
	const char *name;       /* NULL ends a table */
	enum field_kind kind;
	size_t offset;
};

/* Rows in a report, or in a row. */
struct list {
	const char *name;       /* in JSON; NULL ends a table */
	const struct row_type *type;
	size_t offset;          /* of the pointer to the rows */
	size_t number;          /* offset of their number, an int; LIST_ONE: the pointer is to one row, or NULL */
};
#define LIST_ONE SIZE_MAX

struct row_type {
	const char *element;    /* in .psc; of findings, which have elements of Periscope's: NULL */
	size_t size;
	const struct field *fields;
	const struct list *lists;       /* rows in the row; may be empty */
	const char *(*wrong)(const void *row);  /* what is wrong with a row that was read; NULL: nothing; may be NULL */
	bool brief;             /* JSON: rows stand on one line */
	bool tall;              /* JSON: the row's lists begin lines */
};
extern const struct row_type node_rows, finding_rows, site_rows, use_rows, problem_rows, problem_structure_rows, gain_rows,
	verified_rows, ledger_rows, cost_rows, thread_rows, tested_rows;
extern const struct list report_lists[];        /* of struct report */

extern const struct field report_fields[];      /* of struct report */
extern const struct field phase_fields[];       /* of struct report; written with its phase */
extern const struct field node_fields[];
extern const struct field finding_fields[];
extern const struct field problem_fields[];
extern const struct field problem_structure_fields[];
extern const struct field site_fields[];
extern const struct field use_fields[];
extern const struct field gain_fields[];
extern const struct field verified_fields[];
extern const struct field ledger_fields[];
extern const struct field cost_fields[];
extern const struct field thread_fields[];
extern const struct field tested_fields[];

/* The rows of a list, and their number. */
const void *list_rows(const struct list *l, const void *obj);
int list_number(const struct list *l, const void *obj);
void list_set(const struct list *l, void *obj, void *rows, int n);
/* Row i. */
const void *list_row(const struct list *l, const void *obj, int i);

/* Sets every field of obj to its missing value ("", NULL, NAN, 0). */
void fields_clear(const struct field *table, void *obj);

/* Never NULL: a string field, "" where it is NULL. */
const char *field_text(const struct field *f, const void *obj);
double field_real(const struct field *f, const void *obj);
/* The value of a field of the kinds INT to OUTCOME. */
int64_t field_int(const struct field *f, const void *obj);
bool field_missing(const struct field *f, const void *obj);     /* NULL or NAN */

void field_set_text(const struct field *f, void *obj, const char *s);
void field_set_real(const struct field *f, void *obj, double v);
/* -1: out of the field's range. */
int field_set_int(const struct field *f, void *obj, int64_t v);

const char *report_outcome_name(enum report_outcome o);
int report_outcome_from_name(const char *name); /* -1: unknown */

#endif
