/* SPDX-License-Identifier: BSD-3-Clause */
/* How the tables of the model are written: fields.c, timeline_fields.c. */
#ifndef PSC_REPORT_FIELD_TABLES_H
#define PSC_REPORT_FIELD_TABLES_H

#include "report/model/fields.h"

#include <stddef.h>

#define NAMED(name, kind, type, member, rule) \
	{ name, FIELD_##kind, offsetof(struct type, member), MERGE_##rule, 0, NULL }
#define M(type, kind, name, rule) NAMED(#name, kind, type, name, rule)
#define F(type, kind, name) M(type, kind, name, DESCRIBE)
#define OF_MOST(type, name, by) { #name, FIELD_OPTIONAL, offsetof(struct type, name), \
	MERGE_OF_MOST, offsetof(struct type, by), NULL }
#define N(type, name, names) { #name, FIELD_NAME, offsetof(struct type, name), MERGE_DESCRIBE, 0, names }
#define END { NULL, FIELD_TEXT, 0, MERGE_DESCRIBE, 0, NULL }

#define ROWS(name, type, rows, array, n) \
	{ name, &rows, offsetof(struct type, array), offsetof(struct type, n) }
#define LIST(type, rows, array, n) ROWS(#array, type, rows, array, n)
#define ONE(type, rows, pointer) { #pointer, &rows, offsetof(struct type, pointer), LIST_ONE }
#define NO_LIST { NULL, NULL, 0, 0 }

#define ROW_TYPE(type, name, in, rule, ...) { \
	.element = name, .size = sizeof(struct report_##type), \
	.fields = type##_fields, .lists = in, .merge = ROWS_##rule, __VA_ARGS__ }

#endif
