/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes and decodes a report as bytes: magic, version, then every field in the order of
 * fields.c.  A missing string is sent as 0, a missing number as NAN.  A string is sent once; where
 * it comes again, its number stands: findings of one place have most of their strings in common. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/fields.h"

#define WIRE_MAGIC 0x52435350u          /* "PSCR" */
#define REPORT_WIRE_VERSION 1u

/* --- encoding --------------------------------------------------------------------------------- */

struct writer {
	struct buf *out;
	const char **string;    /* that were sent, borrowed; their numbers begin with 1 */
	uint32_t n, cap;
	uint32_t *slot;         /* numbers, by hash; twice as many as cap */
};

static uint32_t text_hash(const char *s)
{
	uint32_t h = 2166136261u;

	while (*s)
		h = (h ^ (uint8_t)*s++) * 16777619u;
	return h;
}

/* The slot of the string, or the empty one where it belongs. */
static uint32_t *find_string(const struct writer *w, const char *s)
{
	uint32_t mask = 2 * w->cap - 1, i = text_hash(s) & mask;

	while (w->slot[i] && strcmp(w->string[w->slot[i] - 1], s) != 0)
		i = (i + 1) & mask;
	return &w->slot[i];
}

static int grow_strings(struct writer *w)
{
	uint32_t cap = w->cap ? 2 * w->cap : 256;
	const char **string = realloc(w->string, cap * sizeof *string);
	uint32_t *slot = calloc((size_t)2 * cap, sizeof *slot);

	if (string)
		w->string = string;
	if (!string || !slot) {
		free(slot);
		return -1;
	}
	free(w->slot);
	w->slot = slot;
	w->cap = cap;
	for (uint32_t i = 0; i < w->n; i++)
		*find_string(w, w->string[i]) = i + 1;
	return 0;
}

static void put_string(struct writer *w, const char *s)
{
	uint32_t *slot;

	if (!s) {
		buf_u32(w->out, 0);
		return;
	}
	if (w->n == w->cap && grow_strings(w)) {
		w->out->failed = true;
		return;
	}
	slot = find_string(w, s);
	if (*slot) {
		buf_u32(w->out, *slot);
		return;
	}
	w->string[w->n++] = s;
	*slot = w->n;
	buf_u32(w->out, w->n);
	buf_string(w->out, s);
}

static void put_series(struct writer *w, const struct report_series *s)
{
	buf_u32(w->out, (uint32_t)s->n);
	for (int i = 0; i < s->n; i++) {
		buf_u32(w->out, s->point[i].at);
		buf_u64(w->out, (uint64_t)s->point[i].value);
	}
}

static void put_fields(struct writer *w, const struct field *table, const void *obj)
{
	for (const struct field *f = table; f->name; f++) {
		if (field_is_text(f))
			put_string(w, field_missing(f, obj) ? NULL : field_text(f, obj));
		else if (f->kind == FIELD_REAL)
			buf_f64(w->out, field_real(f, obj));
		else if (f->kind == FIELD_SERIES)
			put_series(w, field_series(f, obj));
		else
			buf_u64(w->out, (uint64_t)field_int(f, obj));
	}
}

static void put_count(struct writer *w, int n)
{
	buf_u32(w->out, n > 0 ? (uint32_t)n : 0);
}

static void put_lists(struct writer *w, const struct list *lists, const void *obj);

static void put_row(struct writer *w, const struct row_type *type, const void *row)
{
	put_fields(w, type->fields, row);
	if (type == &finding_rows) {
		const struct report_finding *f = row;

		put_count(w, f->nprocesses);
		ranks_encode(f->processes, f->nruns, w->out);
	}
	put_lists(w, type->lists, row);
}

static void put_lists(struct writer *w, const struct list *lists, const void *obj)
{
	for (const struct list *l = lists; l->name; l++) {
		put_count(w, list_number(l, obj));
		for (int i = 0; i < list_number(l, obj); i++)
			put_row(w, l->type, list_row(l, obj, i));
	}
}

static void put_report(struct writer *w, const struct report *r)
{
	buf_u32(w->out, WIRE_MAGIC);
	buf_u32(w->out, REPORT_WIRE_VERSION);
	put_fields(w, report_fields, r);
	put_fields(w, node_fields, &r->phase);
	put_fields(w, phase_fields, r);
	put_count(w, r->nnotes);
	for (int i = 0; i < r->nnotes; i++)
		put_string(w, r->notes[i] ? r->notes[i] : "");
	put_lists(w, report_lists, r);
}

void report_encode(const struct report *r, struct buf *out)
{
	struct writer w = { out, NULL, 0, 0, NULL };

	put_report(&w, r);
	free(w.string);
	free(w.slot);
}

/* --- decoding --------------------------------------------------------------------------------- */

/* Decoding checks in.failed once, at the end; values read after an error are harmless. */
struct reader {
	struct cursor in;
	struct arena *arena;
	const char **string;    /* that came, in the arena; the array is owned */
	uint32_t n, cap;
};

/* Takes a string that comes for the first time. */
static const char *new_string(struct reader *rd)
{
	char *s = cur_string(&rd->in), *copy = s ? arena_strdup(rd->arena, s) : NULL;

	free(s);
	if (rd->n == rd->cap) {
		uint32_t cap = rd->cap ? 2 * rd->cap : 256;
		const char **more = realloc(rd->string, cap * sizeof *more);

		if (!more)
			copy = NULL;
		else
			rd->string = more;
		rd->cap = more ? cap : rd->cap;
	}
	if (!copy) {
		rd->in.failed = true;
		return NULL;
	}
	rd->string[rd->n++] = copy;
	return copy;
}

static const char *get_string(struct reader *rd)
{
	uint32_t number = cur_u32(&rd->in);

	if (rd->in.failed || !number)
		return NULL;
	if (number == rd->n + 1)
		return new_string(rd);
	if (number > rd->n) {
		rd->in.failed = true;
		return NULL;
	}
	return rd->string[number - 1];
}

/* Reads a count and allocates that many elements.  Fails where the rest of the message is too short
 * for them, `least` bytes each, so that no message can cause a large allocation. */
static void *get_array(struct reader *rd, size_t least, size_t size, int *n)
{
	uint32_t count = cur_u32(&rd->in);
	void *p;

	*n = 0;
	if (rd->in.failed || count > INT_MAX || count > (rd->in.len - rd->in.pos) / least) {
		rd->in.failed = true;
		return NULL;
	}
	p = arena_array(rd->arena, count, size);
	if (!p) {
		rd->in.failed = true;
		return NULL;
	}
	*n = (int)count;
	return p;
}

static void get_series(struct reader *rd, struct report_series *s)
{
	int n;
	struct report_point *point = get_array(rd, 12, sizeof *point, &n);

	for (int i = 0; i < n; i++) {
		point[i].at = cur_u32(&rd->in);
		point[i].value = (int64_t)cur_u64(&rd->in);
	}
	*s = (struct report_series){ point, n };
}

static void get_fields(struct reader *rd, const struct field *table, void *obj)
{
	struct report_series series;

	fields_clear(table, obj);
	for (const struct field *f = table; f->name && !rd->in.failed; f++) {
		if (field_is_text(f))
			rd->in.failed |= field_set_text(f, obj, get_string(rd)) != 0;
		else if (f->kind == FIELD_REAL)
			field_set_real(f, obj, cur_f64(&rd->in));
		else if (f->kind == FIELD_SERIES) {
			get_series(rd, &series);
			field_set_series(f, obj, &series);
		} else if (field_set_int(f, obj, (int64_t)cur_u64(&rd->in)) < 0)
			rd->in.failed = true;
	}
}

/* The lowest number of bytes that put_row() writes for a row. */
static size_t least_bytes(const struct row_type *type)
{
	size_t n = type == &finding_rows ? 8 : 0;

	for (const struct field *f = type->fields; f->name; f++)
		n += field_is_text(f) || f->kind == FIELD_SERIES ? 4 : 8;
	for (const struct list *l = type->lists; l->name; l++)
		n += 4;
	return n;
}

static void get_ranks(struct reader *rd, struct report_finding *f)
{
	struct rank_set set = { NULL, 0, 0 };
	struct rank_run *run = NULL;

	if (!ranks_decode(&set, &rd->in))
		run = arena_array(rd->arena, (size_t)set.n, sizeof *run);
	if (!run)
		rd->in.failed = true;
	else if (set.n)
		memcpy(run, set.run, (size_t)set.n * sizeof *run);
	f->processes = run;
	f->nruns = run ? set.n : 0;
	ranks_free(&set);
}

static void get_lists(struct reader *rd, const struct list *lists, void *obj);

static void get_row(struct reader *rd, const struct row_type *type, void *row)
{
	get_fields(rd, type->fields, row);
	if (type == &finding_rows) {
		struct report_finding *f = row;

		f->nprocesses = (int)(cur_u32(&rd->in) & INT_MAX);
		get_ranks(rd, f);
	}
	get_lists(rd, type->lists, row);
	if (type->wrong && !rd->in.failed && type->wrong(row))
		rd->in.failed = true;
}

static void get_lists(struct reader *rd, const struct list *lists, void *obj)
{
	for (const struct list *l = lists; l->name; l++) {
		int n;
		char *rows = get_array(rd, least_bytes(l->type), l->type->size, &n);

		if (l->number == LIST_ONE && n > 1)
			rd->in.failed = true;
		for (int i = 0; i < n && !rd->in.failed; i++)
			get_row(rd, l->type, rows + (size_t)i * l->type->size);
		list_set(l, obj, rows, n);
	}
}

static void get_report(struct reader *rd, struct report *r)
{
	get_fields(rd, report_fields, r);
	get_fields(rd, node_fields, &r->phase);
	get_fields(rd, phase_fields, r);
	r->notes = get_array(rd, 4, sizeof *r->notes, &r->nnotes);
	for (int i = 0; i < r->nnotes; i++) {
		const char *s = get_string(rd);

		r->notes[i] = s ? s : "";
	}
	get_lists(rd, report_lists, r);
}

struct report *report_decode(const void *data, size_t len, struct err *err)
{
	struct reader rd = { .in = { data, len, 0, false } };
	struct report *r;
	uint32_t magic = cur_u32(&rd.in), version = cur_u32(&rd.in);

	if (rd.in.failed || magic != WIRE_MAGIC) {
		err_set(err, "report message: not a report (%zu bytes)", len);
		return NULL;
	}
	if (version != REPORT_WIRE_VERSION) {
		err_set(err, "report message: version %lu, this program reads %lu",
			(unsigned long)version, (unsigned long)REPORT_WIRE_VERSION);
		return NULL;
	}
	r = report_new();
	if (!r) {
		err_nomem(err);
		return NULL;
	}
	rd.arena = r->arena;
	get_report(&rd, r);
	free(rd.string);
	if (rd.in.failed || rd.in.pos != rd.in.len || report_problems_link(r)) {
		err_set(err, "report message: damaged at byte %zu of %zu", rd.in.pos, rd.in.len);
		report_free(r);
		return NULL;
	}
	return r;
}
