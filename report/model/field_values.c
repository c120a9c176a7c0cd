/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses the fields and rows of the model by their tables. */
#include "report/model/fields.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const void *list_rows(const struct list *l, const void *obj)
{
	return *(const void *const *)(const void *)((const char *)obj + l->offset);
}

int list_number(const struct list *l, const void *obj)
{
	if (l->number == LIST_ONE)
		return list_rows(l, obj) != NULL;
	return *(const int *)(const void *)((const char *)obj + l->number);
}

const void *list_row(const struct list *l, const void *obj, int i)
{
	return (const char *)list_rows(l, obj) + (size_t)i * l->type->size;
}

void list_set(const struct list *l, void *obj, void *rows, int n)
{
	*(void **)(void *)((char *)obj + l->offset) = l->number == LIST_ONE && !n ? NULL : rows;
	if (l->number != LIST_ONE)
		*(int *)(void *)((char *)obj + l->number) = n;
}

bool field_joined(const struct field *f)
{
	return f->merge >= MERGE_MAX || f->merge == MERGE_KEY_IF || f->merge == MERGE_ANEW;
}

bool field_summed(const struct field *f)
{
	return f->merge >= MERGE_SUM && f->merge <= MERGE_SEVERITY;
}

static const char *const outcomes[] = {
	[REPORT_HELD] = "held",
	[REPORT_FALSE] = "false",
	[REPORT_UNDECIDED] = "undecided",
	[REPORT_PRUNED] = "pruned",
	[REPORT_NOT_TESTED] = "not tested",
};
#define NOUTCOMES ((int)(sizeof outcomes / sizeof outcomes[0]))

static const void *at(const struct field *f, const void *obj)
{
	return (const char *)obj + f->offset;
}

static void *slot(const struct field *f, void *obj)
{
	return (char *)obj + f->offset;
}

void fields_clear(const struct field *table, void *obj)
{
	for (const struct field *f = table; f->name; f++)
		field_clear(f, obj);
}

void field_clear(const struct field *f, void *obj)
{
	if (f->kind == FIELD_TEXT)
		field_set_text(f, obj, "");
	else if (f->kind == FIELD_OPTIONAL)
		field_set_text(f, obj, NULL);
	else if (f->kind == FIELD_REAL)
		field_set_real(f, obj, NAN);
	else if (f->kind == FIELD_SERIES)
		field_set_series(f, obj, &(struct report_series){ NULL, 0 });
	else
		field_set_int(f, obj, 0);
}

void field_copy(const struct field *f, void *to, const void *from)
{
	if (field_is_text(f))
		field_set_text(f, to, field_missing(f, from) ? NULL : field_text(f, from));
	else if (f->kind == FIELD_REAL)
		field_set_real(f, to, field_real(f, from));
	else if (f->kind == FIELD_SERIES)
		field_set_series(f, to, field_series(f, from));
	else
		(void)field_set_int(f, to, field_int(f, from));
}

bool field_is_text(const struct field *f)
{
	return f->kind == FIELD_TEXT || f->kind == FIELD_OPTIONAL || f->kind == FIELD_NAME;
}

const char *field_text(const struct field *f, const void *obj)
{
	const char *s = f->kind == FIELD_NAME ? f->names[field_int(f, obj)] :
		*(const char *const *)at(f, obj);

	return s ? s : "";
}

double field_real(const struct field *f, const void *obj)
{
	return *(const double *)at(f, obj);
}

int64_t field_int(const struct field *f, const void *obj)
{
	switch (f->kind) {
	case FIELD_INT64:
		return *(const int64_t *)at(f, obj);
	case FIELD_BOOL:
		return *(const bool *)at(f, obj);
	case FIELD_REGION:
		return *(const enum region_type *)at(f, obj);
	case FIELD_OUTCOME:
		return *(const enum report_outcome *)at(f, obj);
	default:
		return *(const int *)at(f, obj);
	}
}

bool field_missing(const struct field *f, const void *obj)
{
	if (f->kind == FIELD_OPTIONAL)
		return !*(const char *const *)at(f, obj);
	if (f->kind == FIELD_SERIES)
		return field_series(f, obj)->n == 0;
	return f->kind == FIELD_NAME ? !field_int(f, obj) : f->kind == FIELD_REAL &&
		isnan(field_real(f, obj));
}

const struct report_series *field_series(const struct field *f, const void *obj)
{
	return at(f, obj);
}

void field_set_series(const struct field *f, void *obj, const struct report_series *s)
{
	*(struct report_series *)slot(f, obj) = *s;
}

int field_set_text(const struct field *f, void *obj, const char *s)
{
	int i = 0;

	if (f->kind != FIELD_NAME) {
		*(const char **)slot(f, obj) = s || f->kind == FIELD_OPTIONAL ? s : "";
		return 0;
	}
	while (s && f->names[i] && strcmp(f->names[i], s) != 0)
		i++;
	return f->names[i] ? field_set_int(f, obj, i) : -1;
}

void field_set_real(const struct field *f, void *obj, double v)
{
	*(double *)slot(f, obj) = v;
}

int field_set_int(const struct field *f, void *obj, int64_t v)
{
	switch (f->kind) {
	case FIELD_INT64:
		*(int64_t *)slot(f, obj) = v;
		return 0;
	case FIELD_BOOL:
		*(bool *)slot(f, obj) = v != 0;
		return v == 0 || v == 1 ? 0 : -1;
	case FIELD_REGION:
		if (v < REGION_UNKNOWN || v > REGION_DATA_STRUCTURE)
			return -1;
		*(enum region_type *)slot(f, obj) = (enum region_type)v;
		return 0;
	case FIELD_OUTCOME:
		if (v < 0 || v >= NOUTCOMES)
			return -1;
		*(enum report_outcome *)slot(f, obj) = (enum report_outcome)v;
		return 0;
	default:
		if (v < INT_MIN || v > INT_MAX)
			return -1;
		*(int *)slot(f, obj) = (int)v;
		return 0;
	}
}

const char *report_outcome_name(enum report_outcome o)
{
	return (int)o >= 0 && (int)o < NOUTCOMES ? outcomes[o] : "?";
}

int report_outcome_from_name(const char *name)
{
	for (int i = 0; i < NOUTCOMES; i++)
		if (strcmp(outcomes[i], name) == 0)
			return i;
	return -1;
}
