/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum of reports as bytes: a report with what describes each row, then the sums of these rows in the same order. */
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

/* The rows in an order that does not depend on arrival; pointers, since the indices have numbers of rows. */
struct order {
	const struct sum_finding **finding;
	const struct sum_gain **gain;
	const struct sum_ledger **ledger;
	const struct sum_cost **cost;
};

static int by_finding(const void *a, const void *b)
{
	return report_finding_compare(&(*(const struct sum_finding *const *)a)->of,
		&(*(const struct sum_finding *const *)b)->of);
}

static int by_gain(const void *pa, const void *pb)
{
	const struct report_gain *a = &(*(const struct sum_gain *const *)pa)->of, *b = &(*(const struct sum_gain *const *)pb)->of;
	int c = text_compare(a->structure, b->structure);

	if (!c)
		c = text_compare(a->scope, b->scope);
	if (!c)
		c = text_compare(a->declared, b->declared);
	if (!c)
		c = text_compare(a->fix, b->fix);
	if (!c)
		c = text_compare(a->change, b->change);
	return c ? c : text_compare(a->reason, b->reason);
}

static int by_cause(const void *a, const void *b)
{
	return text_compare((*(const struct sum_ledger *const *)a)->of.cause, (*(const struct sum_ledger *const *)b)->of.cause);
}

static int by_cost(const void *a, const void *b)
{
	return report_cost_compare(&(*(const struct sum_cost *const *)a)->of, &(*(const struct sum_cost *const *)b)->of);
}

static int by_verified(const void *a, const void *b)
{
	return report_verified_compare(a, b);
}

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

/* Pointers to n rows of that size, sorted; NULL: memory. */
static void *sorted(struct report *r, const void *rows, uint32_t n, size_t size, int (*compare)(const void *, const void *))
{
	const void **p = arena_array(r->arena, n, sizeof *p);

	for (uint32_t i = 0; i < n && p; i++)
		p[i] = (const char *)rows + i * size;
	if (n > 1 && p)
		qsort(p, n, sizeof *p, compare);
	return p;
}

static bool order_rows(const struct report_sum *s, struct report *r, struct order *o)
{
	o->finding = sorted(r, s->findings, s->nfindings, sizeof *s->findings, by_finding);
	o->gain = sorted(r, s->gains, s->ngains, sizeof *s->gains, by_gain);
	o->ledger = sorted(r, s->ledger, s->nledger, sizeof *s->ledger, by_cause);
	o->cost = sorted(r, s->costs, s->ncosts, sizeof *s->costs, by_cost);
	r->findings = arena_array(r->arena, s->nfindings, sizeof *r->findings);
	r->gains = arena_array(r->arena, s->ngains, sizeof *r->gains);
	r->verified = arena_array(r->arena, s->nverified, sizeof *r->verified);
	r->ledger = arena_array(r->arena, s->nledger, sizeof *r->ledger);
	r->costs = arena_array(r->arena, s->ncosts, sizeof *r->costs);
	r->notes = arena_array(r->arena, s->nnotes, sizeof *r->notes);
	return o->finding && o->gain && o->ledger && o->cost && r->findings && r->gains && r->verified && r->ledger &&
		r->costs && r->notes;
}

static void describe_rows(const struct report_sum *s, const struct order *o, struct report *r)
{
	for (uint32_t i = 0; i < s->nfindings; i++) {
		r->findings[i] = o->finding[i]->of;
		r->findings[i].processes = o->finding[i]->ranks.run;
		r->findings[i].nruns = o->finding[i]->ranks.n;
		r->findings[i].nprocesses = (int)o->finding[i]->nprocesses;
	}
	for (uint32_t i = 0; i < s->ngains; i++)
		r->gains[i] = o->gain[i]->of;
	for (uint32_t i = 0; i < s->nledger; i++)
		r->ledger[i] = o->ledger[i]->of;
	for (uint32_t i = 0; i < s->ncosts; i++)
		r->costs[i] = o->cost[i]->of;
	if (s->nverified)
		memcpy(r->verified, s->verified, s->nverified * sizeof *r->verified);
	if (s->nnotes)
		memcpy(r->notes, s->notes, s->nnotes * sizeof *r->notes);
	if (s->nverified > 1)
		qsort(r->verified, s->nverified, sizeof *r->verified, by_verified);
	if (s->nnotes > 1)
		qsort(r->notes, s->nnotes, sizeof *r->notes, by_text);
	r->nfindings = (int)s->nfindings;
	r->ngains = (int)s->ngains;
	r->nverified = (int)s->nverified;
	r->nledger = (int)s->nledger;
	r->ncosts = (int)s->ncosts;
	r->nnotes = (int)s->nnotes;
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

static void put_rows(const struct report_sum *s, const struct order *o, struct buf *out)
{
	buf_u32(out, s->parts);
	buf_u64(out, (uint64_t)s->nprocs);
	put_sums(out, &s->phase_time, 1);
	put_sums(out, &s->base, 1);
	put_sums(out, s->times, HEAD_TIMES);
	put_sums(out, &s->stall_cycles, 1);
	for (uint32_t i = 0; i < s->nfindings; i++) {
		const struct sum_finding *f = o->finding[i];

		buf_u8(out, f->compares_share);
		buf_u8(out, f->texts_differ);
		buf_u32(out, (uint32_t)f->described);
		put_sums(out, f->figure, FINDING_FIGURES);
		for (int k = 0; k < f->of.npath; k++) {
			put_sums(out, &f->node[k].measure, 1);
			put_sums(out, &f->node[k].measure_error, 1);
			put_sums(out, &f->node[k].time, 1);
		}
		put_sites(out, &f->sites, f->of.source);
	}
	for (uint32_t i = 0; i < s->ngains; i++) {
		put_sums(out, &o->gain[i]->least, 1);
		put_sums(out, &o->gain[i]->most, 1);
		put_sums(out, &o->gain[i]->time_share, 1);
	}
	for (uint32_t i = 0; i < s->nledger; i++) {
		put_sums(out, &o->ledger[i]->accesses, 1);
		put_sums(out, &o->ledger[i]->misses, 1);
		put_sums(out, &o->ledger[i]->misses_error, 1);
	}
	for (uint32_t i = 0; i < s->ncosts; i++) {
		put_sums(out, o->cost[i]->figure, COST_FIGURES);
		put_sites(out, &o->cost[i]->sites, NULL);
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
	struct order o;

	report_thread_rows_keep(s->lists);
	report_rank(s->lists);
	if (r)
		sum_finish_head(s, r);
	if (!r || !order_rows(s, r, &o)) {
		out->failed = true;
	} else {
		describe_rows(s, &o, r);
		put_report(out, r);
		put_rows(s, &o, out);
	}
	report_free(r);
}

void report_sum_encode(struct report_sum *s, struct buf *out)
{
	buf_u32(out, SUM_MAGIC);
	buf_u32(out, SUM_VERSION);
	buf_u8(out, (uint8_t)((s->only ? HAS_ONLY : 0) | (s->none ? HAS_NONE : 0) | (s->parts ? HAS_ROWS : 0)));
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

static void get_sites(struct report_sum *s, struct sum_sites *sites, const char *source, struct cursor *in)
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

static void get_finding(struct report_sum *s, const struct report_finding *of, struct cursor *in)
{
	struct sum_finding *f = sum_finding_row(s, of);
	bool compares_share = cur_u8(in) != 0, differ = cur_u8(in) != 0;
	uint32_t rank = cur_u32(in);

	if (!f)
		return;
	sum_finding_describe(s, f, of, rank <= INT_MAX ? (int)rank : -1);
	f->texts_differ |= differ;
	f->nprocesses += (uint32_t)of->nprocesses;
	s->failed |= ranks_add(&f->ranks, of->processes, of->nruns) != 0;
	f->compares_share &= compares_share;
	add_sums(f->figure, FINDING_FIGURES, in);
	for (int k = 0; k < of->npath; k++) {
		add_sums(&f->node[k].measure, 1, in);
		add_sums(&f->node[k].measure_error, 1, in);
		add_sums(&f->node[k].time, 1, in);
	}
	get_sites(s, &f->sites, of->source, in);
}

static void get_gain(struct report_sum *s, const struct report_gain *of, struct cursor *in)
{
	struct sum_gain *g = sum_gain_row(s, of);

	if (!g)
		return;
	sum_gain_describe(s, g, of);
	add_sums(&g->least, 1, in);
	add_sums(&g->most, 1, in);
	add_sums(&g->time_share, 1, in);
}

static void get_ledger(struct report_sum *s, const struct report_ledger *of, struct cursor *in)
{
	struct sum_ledger *l = sum_ledger_row(s, of);

	if (!l)
		return;
	add_sums(&l->accesses, 1, in);
	add_sums(&l->misses, 1, in);
	add_sums(&l->misses_error, 1, in);
}

static void get_cost(struct report_sum *s, const struct report_cost *of, struct cursor *in)
{
	struct sum_cost *c = sum_cost_row(s, of);

	if (!c)
		return;
	sum_cost_describe(s, c, of);
	add_sums(c->figure, COST_FIGURES, in);
	get_sites(s, &c->sites, NULL, in);
}

static void get_rows(struct report_sum *s, const struct report *r, struct cursor *in)
{
	s->parts += cur_u32(in);
	s->nprocs += (int64_t)cur_u64(in);
	add_sums(&s->phase_time, 1, in);
	add_sums(&s->base, 1, in);
	add_sums(s->times, HEAD_TIMES, in);
	add_sums(&s->stall_cycles, 1, in);
	sum_head_add(s, r);
	for (int i = 0; i < r->nfindings && !s->failed; i++)
		get_finding(s, &r->findings[i], in);
	for (int i = 0; i < r->ngains && !s->failed; i++)
		get_gain(s, &r->gains[i], in);
	for (int i = 0; i < r->nledger && !s->failed; i++)
		get_ledger(s, &r->ledger[i], in);
	for (int i = 0; i < r->ncosts && !s->failed; i++)
		get_cost(s, &r->costs[i], in);
	for (int i = 0; i < r->nverified; i++)
		sum_verified_add(s, &r->verified[i]);
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

static int take_report(struct report_sum *s, struct cursor *in, int (*add)(struct report_sum *, const struct report *),
	struct err *err)
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
