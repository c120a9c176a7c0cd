/* SPDX-License-Identifier: BSD-3-Clause */
/* One table of the model's scalar fields for .psc attributes, JSON keys and the wire format.  Their
 * order is that of the wire format: whoever adds or moves a field raises the version in wire.c. */
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

extern const struct field report_fields[];      /* of struct report */
extern const struct field phase_fields[];       /* of struct report; written with its phase */
extern const struct field node_fields[];
extern const struct field finding_fields[];
extern const struct field problem_fields[];
extern const struct field problem_structure_fields[];
extern const struct field site_fields[];
extern const struct field gain_fields[];
extern const struct field verified_fields[];
extern const struct field ledger_fields[];
extern const struct field cost_fields[];
extern const struct field thread_fields[];
extern const struct field tested_fields[];

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
