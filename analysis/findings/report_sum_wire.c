/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum of reports as bytes: a report with what describes each row, then the sums of these rows in
 * the same order. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/report_sum_rows.h"
#include "base/text_same.h"

#define SUM_MAGIC 0x53435350u           /* "PSCS" */
#define SUM_VERSION 1u
enum { HOSTS_MOST = 1 << 20 };
enum { HAS_ONLY = 1, HAS_NONE = 2, HAS_ROWS = 4 };

/* --- encoding --------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_site(const void *pa, const void *pb)
{
	const struct sum_site *a = pa, *b = pb;
	int c = text_compare(a->source, b->source);

	return c ? c : a->line < b->line ? -1 : a->line > b->line;
}

/* A row in the order of the message, which does not depend on arrival; the tables' indices have
 * numbers of rows. */
struct ordered { const struct row_type *type; const struct sum_row *row; };

static int by_key(const void *pa, const void *pb)
{
	const struct ordered *a = pa, *b = pb;

	return sum_key_compare(a->type, a->row->of, b->row->of);
}

/* The rows of a table in their order, in the report's arena; NULL: memory. */
static const struct ordered *ordered(const struct report_sum *s, const struct list *l,
	struct report *r)
{
	const struct sum_table *t = &s->table[l - report_lists];
	struct ordered *o = arena_array(r->arena, t->n, sizeof *o);

	for (uint32_t i = 0; i < t->n && o; i++)
		o[i] = (struct ordered){ l->type, &t->row[i] };
	if (t->n > 1 && o)
		qsort(o, t->n, sizeof *o, by_key);
	return o;
}

/* Gives the report the rows as they are described. */
static bool describe_rows(const struct report_sum *s, const struct ordered **order,
	struct report *r)
{
	for (const struct list *l = report_lists; l->name; l++) {
		const struct sum_table *t = &s->table[l - report_lists];
		const struct ordered *o = l->type->merge == ROWS_BY_KEY ? ordered(s, l, r) : NULL;
		char *rows = arena_array(r->arena, t->n, l->type->size);

		if (l->type->merge != ROWS_BY_KEY)
			continue;
		if (!o || !rows)
			return false;
		for (uint32_t i = 0; i < t->n; i++)
			memcpy(rows + i * l->type->size, o[i].row->of, l->type->size);
		list_set(l, r, rows, (int)t->n);
		order[l - report_lists] = o;
		for (uint32_t i = 0; i < t->n && l->type == &finding_rows; i++) {
			r->findings[i].processes = o[i].row->ranks.run;
			r->findings[i].nruns = o[i].row->ranks.n;
			r->findings[i].nprocesses = (int)o[i].row->nprocesses;
		}
	}
	r->notes = arena_array(r->arena, s->nnotes, sizeof *r->notes);
	if (s->nnotes && r->notes)
		memcpy(r->notes, s->notes, s->nnotes * sizeof *r->notes);
	if (s->nnotes > 1 && r->notes)
		qsort(r->notes, s->nnotes, sizeof *r->notes, by_text);
	r->nnotes = (int)s->nnotes;
	return r->notes != NULL;
}

static void put_sums(struct buf *out, const struct exact_sum *sum, int n)
{
	for (int i = 0; i < n; i++)
		exact_sum_encode(&sum[i], out);
}

static void put_sites(struct buf *out, const struct sum_sites *sites, const char *source)
{
	if (sites->n > 1)
		qsort(sites->site, (size_t)sites->n, sizeof *sites->site, by_site);
	buf_u32(out, (uint32_t)sites->n);
	for (int i = 0; i < sites->n; i++) {
		const struct sum_site *t = &sites->site[i];
		bool same = t->source && text_same(t->source, source);

		buf_u8(out, same);
		if (!same)
			buf_string(out, t->source);
		buf_u32(out, (uint32_t)t->line);
		exact_sum_encode(&t->first, out);
		exact_sum_encode(&t->last, out);
	}
}

static void put_rows(const struct report_sum *s, const struct ordered *const *order,
	struct buf *out)
{
	buf_u32(out, s->parts);
	buf_u64(out, (uint64_t)s->nprocs);
	put_sums(out, &s->phase_time, 1);
	put_sums(out, &s->base, 1);
	put_sums(out, s->sum, s->nsums);
	for (int i = 0; i < s->nmost; i++)
		buf_f64(out, s->most[i]);
	for (const struct list *l = report_lists; l->name; l++)
		for (uint32_t i = 0; i < s->table[l - report_lists].n; i++) {
			const struct sum_row *row = order[l - report_lists][i].row;
			const struct report_finding *f = l->type == &finding_rows ? row->of : NULL;

			if (f) {
				buf_u8(out, row->compares_share);
				buf_u8(out, row->texts_differ);
				buf_u32(out, (uint32_t)row->described);
			}
			put_sums(out, row->sum, (int)row->nsums);
			put_sites(out, &row->sites, f ? f->source : NULL);
		}
}

/* A report with its length before it. */
static void put_report(struct buf *out, const struct report *r)
{
	struct buf b = BUF_INIT;

	report_encode(r, &b);
	buf_u32(out, (uint32_t)b.len);
	buf_add_buf(out, &b);
	out->failed |= b.failed;
	buf_free(&b);
}

static void put_all(struct report_sum *s, struct buf *out)
{
	struct report *r = report_new();
	const struct ordered **order = r ?
		arena_array(r->arena, (size_t)s->ntables, sizeof *order) : NULL;

	report_thread_rows_keep(s->lists);
	report_timelines_keep(s->lists);
	report_rank(s->lists);
	if (r)
		sum_finish_head(s, r);
	if (!order || !describe_rows(s, order, r)) {
		out->failed = true;
	} else {
		put_report(out, r);
		put_rows(s, order, out);
	}
	report_free(r);
}

void report_sum_encode(struct report_sum *s, struct buf *out)
{
	buf_u32(out, SUM_MAGIC);
	buf_u32(out, SUM_VERSION);
	buf_u8(out, (uint8_t)((s->only ? HAS_ONLY : 0) | (s->none ? HAS_NONE : 0) | (s->parts ?
		HAS_ROWS : 0)));
	buf_u32(out, (uint32_t)s->host.hosts);
	buf_f64(out, s->host.elapsed);
	buf_f64(out, s->host.cpus);
	buf_f64(out, s->host.cpus_others);
	buf_f64(out, s->host.cpus_idle);
	buf_f64(out, s->host.others_share);
	if (s->only)
		put_report(out, s->only);
	if (s->none)
		put_report(out, s->none);
	if (s->parts)
		put_all(s, out);
	out->failed |= s->failed;
}

/* --- decoding --------------------------------------------------------------------------------- */

static struct report *get_report(struct cursor *in, struct err *err)
{
	uint32_t len = cur_u32(in);
	struct report *r;

	if (in->failed || len > in->len - in->pos) {
		err_set(err, "sum of reports: cut");
		return NULL;
	}
	r = report_decode(in->data + in->pos, len, err);
	in->pos += len;
	return r;
}

static void add_sums(struct exact_sum *to, int n, struct cursor *in)
{
	for (int i = 0; i < n; i++) {
		struct exact_sum v;

		exact_sum_decode(&v, in);
		exact_sum_add_sum(&to[i], &v);
	}
}

static void get_sites(struct report_sum *s, struct sum_sites *sites, const char *source,
	struct cursor *in)
{
	uint32_t n = cur_u32(in);

	for (uint32_t i = 0; i < n && !in->failed; i++) {
		bool same = cur_u8(in);
		char *other = same ? NULL : cur_string(in);
		int line = (int)(cur_u32(in) & INT_MAX);
		struct sum_site *t = sum_site_row(sites, sum_text(s, same ? source : other), line);

		free(other);
		if (!t) {
			s->failed = in->failed = true;
			return;
		}
		add_sums(&t->first, 1, in);
		add_sums(&t->last, 1, in);
	}
}

static void get_row(struct report_sum *s, const struct list *l, const void *of, struct cursor *in)
{
	const struct report_finding *f = l->type == &finding_rows ? of : NULL;
	bool compares_share = !f || cur_u8(in), differ = f && cur_u8(in);
	uint32_t rank = f ? cur_u32(in) : 0;
	struct sum_row *row = sum_row_add(s, l, of, rank <= INT_MAX ? (int)rank : -1);

	if (!row)
		return;
	if (f) {
		row->compares_share &= compares_share;
		row->texts_differ |= differ;
		row->nprocesses += (uint32_t)f->nprocesses;
		s->failed |= ranks_add(&row->ranks, f->processes, f->nruns) != 0;
	}
	add_sums(row->sum, (int)row->nsums, in);
	get_sites(s, &row->sites, f ? f->source : NULL, in);
}

static void get_rows(struct report_sum *s, const struct report *r, struct cursor *in)
{
	double *most = arena_array(s->arena, (size_t)s->nmost, sizeof *most);

	s->parts += cur_u32(in);
	s->nprocs += (int64_t)cur_u64(in);
	add_sums(&s->phase_time, 1, in);
	add_sums(&s->base, 1, in);
	add_sums(s->sum, s->nsums, in);
	s->failed |= !most;
	for (int i = 0; i < s->nmost && most; i++)
		most[i] = cur_f64(in);
	sum_head_add(s, r, most);
	for (const struct list *l = report_lists; l->name; l++) {
		int n = l->type->merge == ROWS_BY_KEY ? list_number(l, r) : 0;

		for (int i = 0; i < n && !s->failed; i++)
			get_row(s, l, list_row(l, r, i), in);
	}
	sum_lists_add(s, r);
}

static int take_all(struct report_sum *s, struct cursor *in, struct err *err)
{
	struct report *r = get_report(in, err);

	if (!r)
		return -1;
	sum_spread_only(s);
	get_rows(s, r, in);
	report_free(r);
	return in->failed ? err_set(err, "sum of reports: cut") : 0;
}

static int take_report(struct report_sum *s, struct cursor *in, int (*add)(struct report_sum *,
	const struct report *), struct err *err)
{
	struct report *r = get_report(in, err);
	int rc;

	if (!r)
		return -1;
	rc = add(s, r);
	report_free(r);
	return rc ? err_nomem(err) : 0;
}

int report_sum_add_encoded(struct report_sum *s, const void *data, size_t len, struct err *err)
{
	struct cursor in = { data, len, 0, false };
	bool good = cur_u32(&in) == SUM_MAGIC && cur_u32(&in) == SUM_VERSION;
	uint8_t has = cur_u8(&in);
	struct report host = { .hosts = (int)cur_u32(&in) };

	if (host.hosts < 0 || host.hosts > HOSTS_MOST)
		in.failed = true;
	host.elapsed = cur_f64(&in);
	host.cpus = cur_f64(&in);
	host.cpus_others = cur_f64(&in);
	host.cpus_idle = cur_f64(&in);
	host.others_share = cur_f64(&in);
	if (!good || in.failed)
		return err_set(err, "sum of reports: of another version");
	report_sum_host(s, &host);
	if ((has & HAS_ONLY && take_report(s, &in, report_sum_add, err)) ||
	    (has & HAS_NONE && take_report(s, &in, report_sum_add_none, err)) ||
	    (has & HAS_ROWS && take_all(s, &in, err)))
		return -1;
	if (in.pos != in.len)
		return err_set(err, "sum of reports: damaged at byte %zu of %zu", in.pos, in.len);
	return s->failed ? err_nomem(err) : 0;
}
