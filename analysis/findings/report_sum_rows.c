/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a sum of reports: found by their keys, joined, and described, as the tables of their
 * types say (report/model/fields.h). */
#include "analysis/findings/report_sum_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"

/* --- finding rows ----------------------------------------------------------------------------- */

#define SUM_HASH 2166136261u

static uint32_t sum_hash(uint32_t h, const char *text)
{
	for (; text && *text; text++)
		h = (h ^ (uint8_t)*text) * 16777619u;
	return (h ^ 1) * 16777619u;
}

static struct row_slot *slot_of(const struct row_index *x, uint32_t hash)
{
	return &x->slot[hash & (x->cap - 1)];
}

static int index_grow(struct row_index *x)
{
	uint32_t cap = x->cap ? 2 * x->cap : 64;
	struct row_slot *old = x->slot, *slot = calloc(cap, sizeof *slot);
	struct row_index bigger = { slot, x->n, cap };

	if (!slot)
		return -1;
	for (uint32_t i = 0; i < x->cap; i++) {
		struct row_slot *at;

		if (!old[i].row)
			continue;
		for (at = slot_of(&bigger, old[i].hash); at->row; )
			at = at + 1 == slot + cap ? slot : at + 1;
		*at = old[i];
	}
	free(old);
	*x = bigger;
	return 0;
}

/* A row whose key is equal, from 1; 0: none, and *free_slot is where its number belongs; NULL:
 * memory. */
static uint32_t index_find(struct row_index *x, uint32_t hash,
	bool (*same)(const void *rows, uint32_t row, const void *key), const void *rows,
	const void *key, struct row_slot **free_slot)
{
	struct row_slot *at;

	*free_slot = NULL;
	if (2 * (x->n + 1) > x->cap && index_grow(x))
		return 0;
	for (at = slot_of(x, hash); at->row; at = at + 1 == x->slot + x->cap ? x->slot : at + 1)
		if (at->hash == hash && same(rows, at->row - 1, key))
			return at->row;
	*free_slot = at;
	return 0;
}

/* Appends a zeroed row to an array whose size is a power of two once it is full.  NULL: memory. */
static void *append(struct report_sum *s, void *array, uint32_t *n, size_t size,
	struct row_index *x, struct row_slot *slot, uint32_t hash)
{
	void **rows = array;
	char *grown = *rows;

	if (slot && (*n & (*n - 1)) == 0) {
		grown = realloc(*rows, (*n ? 2 * (size_t)*n : 1) * size);
		if (grown)
			*rows = grown;
	}
	if (!slot || !grown) {
		s->failed = true;
		return NULL;
	}
	memset(grown + *n * size, 0, size);
	*slot = (struct row_slot){ hash, ++*n };
	x->n++;
	return grown + (*n - 1) * size;
}

/* --- texts ------------------------------------------------------------------------------------ */

static bool same_text(const void *rows, uint32_t row, const void *key)
{
	return strcmp(((const char *const *)rows)[row], key) == 0;
}

const char *sum_text(struct report_sum *s, const char *text)
{
	struct row_slot *slot;
	uint32_t hash, row, n = s->strings.n;
	const char **kept;

	if (!text)
		return NULL;
	hash = sum_hash(SUM_HASH, text);
	row = index_find(&s->strings, hash, same_text, s->text, text, &slot);
	if (row)
		return s->text[row - 1];
	kept = append(s, &s->text, &n, sizeof *s->text, &s->strings, slot, hash);
	if (kept) {
		*kept = arena_strdup(s->arena, text);
		s->failed |= !*kept;
		if (!*kept)
			*kept = "";
	}
	return kept ? *kept : "";
}

static bool same_note(const void *rows, uint32_t row, const void *key)
{
	return ((const char *const *)rows)[row] == key;
}

void sum_note_add(struct report_sum *s, const char *note)
{
	const char *text = sum_text(s, note), **row;
	uint32_t hash = sum_hash(SUM_HASH, text);
	struct row_slot *slot;

	if (!index_find(&s->by_note, hash, same_note, s->notes, text, &slot)) {
		row = append(s, &s->notes, &s->nnotes, sizeof *s->notes, &s->by_note, slot, hash);
		if (row)
			*row = text;
	}
}

/* --- keys ------------------------------------------------------------------------------------- */

static int compare_int(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

int sum_key_compare(const struct row_type *type, const void *a, const void *b)
{
	int c = 0;

	for (const struct field *f = type->fields; f->name && !c; f++) {
		if (f->merge == MERGE_KEY_IF)
			c = field_missing(f, a) - field_missing(f, b);
		else if (f->merge == MERGE_KEY && field_is_text(f))
			c = text_compare(field_text(f, a), field_text(f, b));
		else if (f->merge == MERGE_KEY)
			c = compare_int(field_int(f, a), field_int(f, b));
	}
	for (const struct list *l = type->lists; l->name && !c; l++) {
		int na = list_number(l, a), nb = list_number(l, b);

		if (l->type->merge != ROWS_STEPS)
			continue;
		c = compare_int(na, nb);
		for (int i = na - 1; i >= 0 && !c; i--)
			c = sum_key_compare(l->type, list_row(l, a, i), list_row(l, b, i));
	}
	return c;
}

static uint32_t hash_key(uint32_t h, const struct row_type *type, const void *row)
{
	for (const struct field *f = type->fields; f->name; f++) {
		if (f->merge != MERGE_KEY)
			continue;
		if (field_is_text(f))
			h = sum_hash(h, field_text(f, row));
		else
			h = (h ^ (uint32_t)field_int(f, row)) * 16777619u;
	}
	for (const struct list *l = type->lists; l->name; l++)
		for (int i = 0; i < list_number(l, row) && l->type->merge == ROWS_STEPS; i++)
			h = hash_key(h, l->type, list_row(l, row, i));
	return h;
}

struct wanted { const struct row_type *type; const void *row; };

static bool same_key(const void *rows, uint32_t row, const void *key)
{
	const struct wanted *w = key;

	return sum_key_compare(w->type, ((const struct sum_row *)rows)[row].of, w->row) == 0;
}

/* --- joining and describing ------------------------------------------------------------------- */

static void join_text(struct report_sum *s, const struct field *f, void *into, const void *from)
{
	const char *text = field_text(f, from);

	if (!field_missing(f, from) && (field_missing(f, into) ||
	    strcmp(text, field_text(f, into)) < 0))
		field_set_text(f, into, sum_text(s, text));
}

static int64_t join_int(enum field_merge merge, int64_t a, int64_t b)
{
	switch (merge) {
	case MERGE_ADD: return a + b;
	case MERGE_ANY: return a || b;
	case MERGE_MAX: return a > b ? a : b;
	default: return a < b ? a : b;
	}
}

void sum_join(struct report_sum *s, const struct field *f, void *into, const void *from)
{
	if (f->kind == FIELD_REAL && f->merge == MERGE_MAX)
		field_set_real(f, into, fmax(field_real(f, into), field_real(f, from)));
	else if (f->kind == FIELD_REAL && f->merge == MERGE_MIN)
		field_set_real(f, into, fmin(field_real(f, into), field_real(f, from)));
	else if (f->merge == MERGE_LEAST || f->merge == MERGE_KEY_IF)
		join_text(s, f, into, from);
	else if (f->merge >= MERGE_MAX && f->merge <= MERGE_ANY)
		(void)field_set_int(f, into,
			join_int(f->merge, field_int(f, into), field_int(f, from)));
}

static void clear_if(const struct row_type *type, void *row, bool (*which)(const struct field *))
{
	for (const struct field *f = type->fields; f->name; f++)
		if (which(f))
			field_clear(f, row);
}

/* Makes the points of a series the sum's own. */
static void keep_series(struct report_sum *s, const struct field *f, void *row)
{
	struct report_series series = *field_series(f, row);
	struct report_point *point = arena_array(s->arena, (size_t)series.n, sizeof *point);

	if (point && series.n)
		memcpy(point, series.point, (size_t)series.n * sizeof *point);
	s->failed |= !point;
	series.n = point ? series.n : 0;
	series.point = point;
	field_set_series(f, row, &series);
}

/* Makes `to` a copy of `from` whose texts, and rows but lines, are the sum's.  again: `to` is an
 * equal row, of which what is joined stays, and the memory of its steps is used again.  sums:
 * fields with sums stay, too. */
static void keep_row(struct report_sum *s, const struct row_type *type, void *to, const void *from,
	bool again, bool sums)
{
	union { max_align_t align; char row[SUM_ROW_MOST]; } old;

	if (type->size > sizeof old) {
		s->failed = true;
		return;
	}
	memcpy(old.row, to, type->size);
	memcpy(to, from, type->size);
	for (const struct field *f = type->fields; f->name; f++) {
		if (f->merge == MERGE_ANEW)
			field_clear(f, to);
		else if (again && field_joined(f))
			sum_join(s, f, to, old.row);
		if (field_is_text(f) && !field_missing(f, to))
			field_set_text(f, to, sum_text(s, field_text(f, to)));
		if (f->kind == FIELD_SERIES)
			keep_series(s, f, to);
		if (field_summed(f) && !sums)
			field_clear(f, to);
	}
	for (const struct list *l = type->lists; l->name; l++) {
		const size_t size = l->type->size;
		bool same = again && l->type->merge == ROWS_STEPS;
		int n = l->type->merge == ROWS_LINES ? 0 : list_number(l, from);
		char *rows = same ? (char *)(uintptr_t)list_rows(l, old.row) :
			arena_array(s->arena, (size_t)n, size);

		s->failed |= !rows;
		for (int i = 0; i < n && rows; i++)
			keep_row(s, l->type, rows + (size_t)i * size, list_row(l, from, i), same,
				sums);
		list_set(l, to, rows, rows ? n : 0);
	}
	if (type == &finding_rows) {
		struct report_finding *f = to;

		f->processes = NULL;
		f->nruns = f->nprocesses = 0;
	}
}

static void join_row(struct report_sum *s, const struct row_type *type, void *into,
	const void *from)
{
	for (const struct field *f = type->fields; f->name; f++)
		sum_join(s, f, into, from);
	for (const struct list *l = type->lists; l->name; l++)
		for (int i = 0; i < list_number(l, into) && l->type->merge == ROWS_STEPS; i++)
			join_row(s, l->type, (void *)(uintptr_t)list_row(l, into, i),
				list_row(l, from, i));
}

/* Figures that are joined are no part of the order of descriptions, nor are processes. */
static int describes_before(const struct row_type *type, const void *a, const void *b)
{
	union { max_align_t align; char row[SUM_ROW_MOST]; } bare[2];
	const void *rows[] = { a, b };

	if (!type->before)
		return -fields_compare_described(type->fields, a, b);
	for (int i = 0; i < 2; i++) {
		memcpy(bare[i].row, rows[i], type->size);
		clear_if(type, bare[i].row, field_joined);
		if (type == &finding_rows) {
			struct report_finding *f = (struct report_finding *)(void *)bare[i].row;

			f->processes = NULL;
			f->nruns = f->nprocesses = 0;
		}
	}
	return type->before(bare[0].row, bare[1].row) - type->before(bare[1].row, bare[0].row);
}

static void describe(struct report_sum *s, const struct row_type *type, struct sum_row *to,
	const void *row, int rank)
{
	int before = describes_before(type, row, to->of);

	if (type == &finding_rows) {
		const struct report_finding *a = to->of, *b = row;

		to->texts_differ |= !text_same(a->why, b->why) ||
			!text_same(a->advice, b->advice) || !report_same_uses(a, b);
	}
	if (before > 0)
		keep_row(s, type, to->of, row, true, type->before != NULL);
	else
		join_row(s, type, to->of, row);
	if (before > 0 || (before == 0 && rank < to->described))
		to->described = rank;           /* of equal ones the first */
}

/* --- rows by key ------------------------------------------------------------------------------ */

static uint32_t sums_of(const struct row_type *type, const void *row)
{
	uint32_t n = 0;

	for (const struct field *f = type->fields; f->name; f++)
		n += field_summed(f) ? 1 + (f->merge == MERGE_SEVERITY) : 0;
	for (const struct list *l = type->lists; l->name; l++)
		for (int i = 0; i < list_number(l, row) && l->type->merge == ROWS_STEPS; i++)
			n += sums_of(l->type, list_row(l, row, i));
	return n;
}

struct sum_row *sum_row_add(struct report_sum *s, const struct list *l, const void *row, int rank)
{
	const struct row_type *type = l->type;
	struct sum_table *t = &s->table[l - report_lists];
	const struct wanted want = { type, row };
	uint32_t hash = hash_key(SUM_HASH, type, row), at;
	struct row_slot *slot;
	struct sum_row *to;

	at = index_find(&t->index, hash, same_key, t->row, &want, &slot);
	if (at) {
		describe(s, type, &t->row[at - 1], row, rank);
		return s->failed ? NULL : &t->row[at - 1];
	}
	to = append(s, &t->row, &t->n, sizeof *to, &t->index, slot, hash);
	if (!to)
		return NULL;
	to->nsums = sums_of(type, row);
	to->sum = arena_array(s->arena, to->nsums, sizeof *to->sum);
	to->of = arena_alloc(s->arena, type->size);
	to->compares_share = true;
	to->described = rank;
	s->failed |= !to->sum || !to->of || type->size > SUM_ROW_MOST;
	if (!s->failed)
		keep_row(s, type, to->of, row, false, type->before != NULL);
	return s->failed ? NULL : to;
}

/* --- lines ------------------------------------------------------------------------------------ */

struct sum_site *sum_site_row(struct sum_sites *sites, const char *source, int line)
{
	struct sum_site *grown;

	for (int i = 0; i < sites->n; i++)
		if (sites->site[i].line == line && text_same(sites->site[i].source, source))
			return &sites->site[i];
	if (sites->n == sites->cap) {
		int cap = sites->cap ? 2 * sites->cap : 4;

		grown = realloc(sites->site, (size_t)cap * sizeof *grown);
		if (!grown)
			return NULL;
		sites->site = grown;
		sites->cap = cap;
	}
	grown = &sites->site[sites->n++];
	*grown = (struct sum_site){ source, line, { { 0 }, 0, 0 }, { { 0 }, 0, 0 } };
	return grown;
}

/* --- lists of which all rows are kept --------------------------------------------------------- */

static void append_rows(struct report_sum *s, const struct list *l, const struct report *part)
{
	const size_t size = l->type->size;
	int n = list_number(l, s->lists), more = list_number(l, part);
	char *rows = realloc((void *)(uintptr_t)list_rows(l, s->lists),
		((size_t)n + (size_t)more + 1) * size);

	if (!rows) {
		s->failed = true;
		return;
	}
	for (int i = 0; i < more; i++)
		keep_row(s, l->type, rows + (size_t)(n + i) * size, list_row(l, part, i), false,
			true);
	list_set(l, s->lists, rows, n + more);
}

void sum_lists_add(struct report_sum *s, const struct report *part)
{
	for (const struct list *l = report_lists; l->name; l++)
		if (l->type->merge == ROWS_ALL)
			append_rows(s, l, part);
	if (s->lists->nthread_rows > 2 * REPORT_THREAD_ROWS)
		report_thread_rows_keep(s->lists);
	if (s->lists->ntimelines > REPORT_TIMELINES)
		report_timelines_keep(s->lists);
	for (int i = 0; i < part->nnotes; i++)
		sum_note_add(s, part->notes[i]);
}

void sum_rows_free(struct report_sum *s)
{
	for (struct sum_table *t = s->table; t && t < s->table + s->ntables; t++) {
		for (uint32_t i = 0; i < t->n; i++) {
			ranks_free(&t->row[i].ranks);
			free(t->row[i].sites.site);
		}
		free(t->row);
		free(t->index.slot);
	}
	free(s->strings.slot);
	free(s->by_note.slot);
	free(s->notes);
	free((void *)s->text);
	for (const struct list *l = report_lists; s->lists && l->name; l++)
		if (l->type->merge == ROWS_ALL)
			free((void *)(uintptr_t)list_rows(l, s->lists));
	report_free(s->lists);
}
