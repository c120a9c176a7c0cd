/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds reports of processes to a sum, and makes the report of all of them from it. */
#include "analysis/findings/report_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/report_sum_rows.h"
#include "base/text_same.h"

static const struct field *const head_fields[] = { report_fields, phase_fields };
enum { HEAD_TABLES = sizeof head_fields / sizeof *head_fields };

struct report_sum *report_sum_new(void)
{
	struct report_sum *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	for (int t = 0; t < HEAD_TABLES; t++)
		for (const struct field *f = head_fields[t]; f->name; f++) {
			s->nsums += field_summed(f);
			s->nmost += f->merge == MERGE_OF_MOST;
		}
	while (report_lists[s->ntables].name)
		s->ntables++;
	s->arena = arena_new();
	s->lists = report_new();
	s->host.elapsed = s->host.others_share = NAN;
	s->host.cpus = s->host.cpus_others = s->host.cpus_idle = NAN;
	if (s->arena) {
		s->sum = arena_array(s->arena, (size_t)s->nsums, sizeof *s->sum);
		s->most = arena_array(s->arena, (size_t)s->nmost, sizeof *s->most);
		s->table = arena_array(s->arena, (size_t)s->ntables, sizeof *s->table);
	}
	if (!s->lists || !s->sum || !s->most || !s->table) {
		report_sum_free(s);
		return NULL;
	}
	return s;
}

void report_sum_free(struct report_sum *s)
{
	if (!s)
		return;
	sum_rows_free(s);
	report_free(s->only);
	report_free(s->none);
	report_free(s->head);
	arena_free(s->arena);
	free(s);
}

/* A report borrows the strings of others; encoding and decoding it copies them. */
static struct report *own_copy(const struct report *borrowed)
{
	struct buf b = BUF_INIT;
	struct report *own = NULL;

	report_encode(borrowed, &b);
	if (!b.failed)
		own = report_decode(b.data, b.len, NULL);
	buf_free(&b);
	return own;
}

/* --- the head --------------------------------------------------------------------------------- */

static double field_by(const struct field *f, const struct report *r)
{
	return *(const double *)(const void *)((const char *)r + f->by);
}

/* True: a text with the amount a goes before one with the amount b. */
static bool goes_before(double a, const char *text, double b, const char *other)
{
	if (!text || !other)
		return text && !other;
	return a > b || (a == b && strcmp(text, other) < 0);
}

static void take_of_most(struct report_sum *s, const struct field *f, const struct report *from,
	double amount, double *most)
{
	struct report *l = s->lists;
	const char *text = field_missing(f, from) ? NULL : field_text(f, from);

	if (goes_before(amount, text, *most, field_missing(f, l) ? NULL : field_text(f, l))) {
		field_set_text(f, l, sum_text(s, text));
		*most = amount;
	}
}

/* What is joined is kept in `lists`, which has no other head. */
static void join_head(struct report_sum *s, const struct report *from, const double *most)
{
	bool took = false;
	int k = 0;

	for (int t = 0; t < HEAD_TABLES; t++)
		for (const struct field *f = head_fields[t]; f->name; f++) {
			const char *was = f->merge == MERGE_LEAST ? field_text(f, s->lists) : NULL;

			if (f->merge == MERGE_OF_MOST) {
				double amount = most ? most[k] : field_by(f, from);

				take_of_most(s, f, from, amount, &s->most[k++]);
			} else if (f->merge == MERGE_WITH && took) {
				field_set_real(f, s->lists, field_real(f, from));
			} else {
				sum_join(s, f, s->lists, from);
			}
			took = was && strcmp(was, field_text(f, s->lists)) != 0;
		}
}

/* Takes away what is a sum, or joined. */
static void bare_head(struct report *r)
{
	for (int t = 0; t < HEAD_TABLES; t++)
		for (const struct field *f = head_fields[t]; f->name; f++)
			if (f->merge != MERGE_DESCRIBE)
				field_clear(f, r);
	r->phase.time = r->phase.measure = NAN;
	for (const struct list *l = report_lists; l->name; l++)
		list_set(l, r, NULL, 0);
	r->nnotes = 0;
}

void sum_head_add(struct report_sum *s, const struct report *head, const double *most)
{
	struct report bare = *head;

	join_head(s, head, most);
	bare_head(&bare);
	if (s->head && report_head_compare(s->head, &bare) <= 0)
		return;
	report_free(s->head);
	s->head = own_copy(&bare);
	s->failed |= !s->head;
}

void report_sum_host(struct report_sum *s, const struct report *host)
{
	s->host.hosts += host->hosts;
	s->host.elapsed = fmax(s->host.elapsed, host->elapsed);
	s->host.cpus = fmax(s->host.cpus, host->cpus);
	s->host.cpus_others = fmax(s->host.cpus_others, host->cpus_others);
	s->host.cpus_idle = fmin(s->host.cpus_idle, host->cpus_idle);
	s->host.others_share = fmax(s->host.others_share, host->others_share);
}

static void set_host(const struct report_sum *s, struct report *r)
{
	r->hosts = s->host.hosts;
	if (!isnan(s->host.elapsed))
		r->elapsed = s->host.elapsed;
	if (isnan(s->host.cpus))
		return;
	r->cpus = s->host.cpus;
	r->cpus_others = s->host.cpus_others;
	r->cpus_idle = s->host.cpus_idle;
	r->others_share = s->host.others_share;
}

/* --- adding a report -------------------------------------------------------------------------- */

/* Returns what estimates are shares of; without it, shares of them are weighted as those of phase
 * time. */
static double estimate_base(const struct report *r)
{
	double base = report_base_time(r);

	return base > 0 ? base : r->phase_time;
}

/* True: what the property compares is the finding's severity as share of the phase's time. */
static bool compares_share(const struct report_finding *f)
{
	return fabs(f->measure - f->severity_share) <= 1e-9 * fabs(f->severity_share);
}

/* True: the severity is in thread-seconds, a share of the same time as estimates. */
static bool of_base(const struct report_finding *f, double base)
{
	return f->severity_is_time &&
		fabs(f->severity - f->severity_share * base) <= 1e-9 * f->severity;
}

static void add_sites(struct report_sum *s, struct sum_sites *to, const char *source,
	const struct report_site *sites, int n)
{
	const char *kept = sum_text(s, source);

	for (int i = 0; i < n; i++) {
		const char *of = sites[i].line ? kept : NULL;
		struct sum_site *site = sum_site_row(to, of, sites[i].line);

		if (!site) {
			s->failed = true;
			return;
		}
		exact_sum_add(&site->first, sites[i].first_misses);
		exact_sum_add(&site->last, sites[i].last_misses);
	}
}

/* How often a figure counts in its sum, and what it is multiplied with. */
struct weight { uint32_t times; double by; };

static struct weight weight_of(enum field_merge merge, const struct sum_weights *w,
	uint32_t row_procs, bool base)
{
	switch (merge) {
	case MERGE_SUM:
	case MERGE_SUM_ALL:
		return (struct weight){ 1, 1 };
	case MERGE_MEAN_ROW:
		return (struct weight){ row_procs, 1 };
	case MERGE_SHARE:
	case MERGE_SHARE_KNOWN:
		return (struct weight){ w->procs, w->base };
	case MERGE_SEVERITY:
		return (struct weight){ w->procs, base ? w->base : w->phase_time };
	default:
		return (struct weight){ w->procs, 1 };
	}
}

/* Adds the figures of a row to its sums; returns the sum behind the last one.  row_procs: the row's
 * processes; base: its severity is a share of what estimates are shares of. */
static struct exact_sum *add_figures(struct exact_sum *to, const struct field *table,
	const void *row, const struct sum_weights *w, uint32_t row_procs, bool base)
{
	for (const struct field *f = table; f->name; f++) {
		struct weight weight = weight_of(f->merge, w, row_procs, base);

		if (!field_summed(f))
			continue;
		exact_sum_add_times(to + (f->merge == MERGE_SEVERITY && base),
			field_real(f, row) * weight.by, weight.times);
		to += 1 + (f->merge == MERGE_SEVERITY);
	}
	return to;
}

static void add_row(struct report_sum *s, const struct list *l, const void *row,
	const struct sum_weights *w)
{
	const struct report_finding *f = l->type == &finding_rows ? row : NULL;
	bool one = f && f->nprocesses == 1 && f->nruns == 1;
	struct sum_row *to = sum_row_add(s, l, row, one ? (int)f->processes[0].first : -1);
	uint32_t n = f ? (uint32_t)f->nprocesses : w->procs;
	struct exact_sum *sum;

	if (!to)
		return;
	if (f) {
		to->compares_share &= compares_share(f);
		to->nprocesses += n;
		s->failed |= ranks_add(&to->ranks, f->processes, f->nruns) != 0;
	}
	sum = add_figures(to->sum, l->type->fields, row, w, n, f && of_base(f, w->base));
	for (const struct list *in = l->type->lists; in->name; in++) {
		for (int i = 0; i < list_number(in, row) && in->type->merge == ROWS_STEPS; i++)
			sum = add_figures(sum, in->type->fields, list_row(in, row, i), w, n, false);
		if (in->type->merge == ROWS_LINES)
			add_sites(s, &to->sites, f ? f->source : NULL, list_rows(in, row),
				list_number(in, row));
	}
}

static void add_rows(struct report_sum *s, const struct report *part)
{
	struct sum_weights w = { part->nprocs > 0 ? (uint32_t)part->nprocs : 0, part->phase_time,
		estimate_base(part) };
	struct exact_sum *sum = s->sum;

	s->parts++;
	s->nprocs += w.procs;
	exact_sum_add_times(&s->phase_time, w.phase_time, w.procs);
	exact_sum_add_times(&s->base, w.base, w.procs);
	for (int t = 0; t < HEAD_TABLES; t++)
		sum = add_figures(sum, head_fields[t], part, &w, w.procs, false);
	sum_head_add(s, part, NULL);
	for (const struct list *l = report_lists; l->name; l++)
		for (int i = 0; i < list_number(l, part) && l->type->merge == ROWS_BY_KEY; i++)
			add_row(s, l, list_row(l, part, i), &w);
	sum_lists_add(s, part);
}

void sum_spread_only(struct report_sum *s)
{
	struct report *only = s->only;

	s->only = NULL;
	if (only)
		add_rows(s, only);
	report_free(only);
}

/* The only report is kept as it is, so that figures of one process are never rounded. */
int report_sum_add(struct report_sum *s, const struct report *part)
{
	if (!s->parts && !s->only) {
		s->only = own_copy(part);
		s->failed |= !s->only;
	} else {
		sum_spread_only(s);
		add_rows(s, part);
	}
	return s->failed ? -1 : 0;
}

int report_sum_add_none(struct report_sum *s, const struct report *none)
{
	if (s->none && report_head_compare(s->none, none) <= 0)
		return 0;
	report_free(s->none);
	s->none = own_copy(none);
	s->failed |= !s->none;
	return s->failed ? -1 : 0;
}

/* --- the report of all ------------------------------------------------------------------------ */

/* A share of the processes' times.  `known`: of what is known. */
static double share(const struct exact_sum *part, const struct exact_sum *whole, bool known)
{
	double all = exact_sum_known(whole);

	if (known)
		return exact_sum_known(part) / all;
	return !part->known && !part->unknown ? 0 : all > 0 ? exact_sum_all(part) / all : NAN;
}

static double finish_figure(const struct report_sum *s, enum field_merge merge,
	const struct exact_sum *v, double row_procs)
{
	switch (merge) {
	case MERGE_SUM_ALL:
		return exact_sum_all(v);
	case MERGE_MEAN:
		return exact_sum_known(v) / (double)s->nprocs;
	case MERGE_MEAN_KNOWN:
		return exact_sum_known(v) / v->known;
	case MERGE_MEAN_ROW:
		return exact_sum_all(v) / row_procs;
	case MERGE_SHARE:
	case MERGE_SHARE_KNOWN:
		return share(v, &s->base, merge == MERGE_SHARE_KNOWN);
	case MERGE_SEVERITY:
		return share(v, &s->phase_time, false) + share(v + 1, &s->base, false);
	default:
		return exact_sum_known(v);
	}
}

/* Returns the sum behind the last one of the row. */
static const struct exact_sum *finish_figures(const struct report_sum *s, const struct exact_sum *v,
	const struct field *table, void *row, double row_procs)
{
	for (const struct field *f = table; f->name; f++) {
		if (!field_summed(f))
			continue;
		field_set_real(f, row, finish_figure(s, f->merge, v, row_procs));
		v += 1 + (f->merge == MERGE_SEVERITY);
	}
	return v;
}

/* Sets the lines of a row: those of other files than `source` are line 0. */
static int finish_sites(struct report *r, const struct sum_sites *from, const char *source,
	const struct list *l, void *row)
{
	struct report_site *sites = arena_array(r->arena, (size_t)from->n, sizeof *sites);

	if (!sites)
		return -1;
	for (int i = 0; i < from->n; i++) {
		const struct sum_site *s = &from->site[i];

		sites[i] = (struct report_site){ text_same(s->source, source) ? s->line : 0,
			exact_sum_known(&s->first), exact_sum_known(&s->last) };
	}
	list_set(l, row, sites, report_sites_join(sites, from->n));
	return 0;
}

/* Figures of WHY are those of one process, all others of the finding are means or sums: the report names the
 * process, unless all have the same. */
static void finish_why(const struct report_sum *s, const struct sum_row *from, struct report_finding *f)
{
	if (from->described < 0)
		return;                 /* a report of several processes was added, which has named its own */
	f->rank_figures = f->rank_figures && !f->over_processes && s->nprocs > 1 &&
		(from->texts_differ || from->nprocesses != s->nprocs);
	f->figures_rank = from->described;
}

/* What the tables do not say of a finding: its processes, and figures that follow from others. */
static void finish_finding(const struct report_sum *s, const struct sum_row *from,
	struct report_finding *f)
{
	const struct report_finding *of = from->of;
	struct report_node *path = (struct report_node *)(uintptr_t)f->path;

	f->processes = from->ranks.run;
	f->nruns = from->ranks.n;
	f->nprocesses = (int)from->nprocesses;
	if (from->compares_share)
		f->measure = f->severity_share;
	if (f->npath > 0)
		path[f->npath - 1].measure = f->measure;
	finish_why(s, from, f);
	if (f->nsites)
		f->place_line = report_sites_place(f->sites, f->nsites);
	if (f->place_line != of->place_line)
		f->place_routine = NULL;
}

/* Sets the steps of a row, which has those of the sum, to steps with figures from v on. */
static int finish_steps(const struct report_sum *s, const struct exact_sum *v, struct report *r,
	const struct list *l, void *row, double row_procs)
{
	int n = list_number(l, row);
	char *steps = arena_array(r->arena, (size_t)n, l->type->size);

	if (!steps)
		return -1;
	for (int i = 0; i < n; i++) {
		void *step = steps + (size_t)i * l->type->size;

		memcpy(step, list_row(l, row, i), l->type->size);
		v = finish_figures(s, v, l->type->fields, step, row_procs);
	}
	list_set(l, row, steps, n);
	return 0;
}

static int finish_row(const struct report_sum *s, const struct row_type *type,
	const struct sum_row *from, struct report *r, void *row)
{
	struct report_finding *f = type == &finding_rows ? row : NULL;
	const double n = f ? from->nprocesses : (double)s->nprocs;
	const struct exact_sum *v;
	int rc = 0;

	memcpy(row, from->of, type->size);
	v = finish_figures(s, from->sum, type->fields, row, n);
	for (const struct list *l = type->lists; l->name && !rc; l++) {
		if (l->type->merge == ROWS_LINES)
			rc = finish_sites(r, &from->sites, f ? f->source : NULL, l, row);
		else if (l->type->merge == ROWS_STEPS)
			rc = finish_steps(s, v, r, l, row, n);
	}
	if (f && !rc)
		finish_finding(s, from, f);
	return rc;
}

static int by_cost(const void *a, const void *b)
{
	return report_cost_compare(a, b);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int finish_rows(const struct report_sum *s, struct report *r)
{
	for (const struct list *l = report_lists; l->name; l++) {
		const struct sum_table *t = &s->table[l - report_lists];
		char *rows;

		if (l->type->merge != ROWS_BY_KEY)
			continue;
		rows = arena_array(r->arena, t->n, l->type->size);
		if (!rows)
			return -1;
		for (uint32_t i = 0; i < t->n; i++)
			if (finish_row(s, l->type, &t->row[i], r, rows + i * l->type->size))
				return -1;
		list_set(l, r, rows, (int)t->n);
	}
	if (r->ncosts > 1)
		qsort(r->costs, (size_t)r->ncosts, sizeof *r->costs, by_cost);
	r->notes = arena_array(r->arena, s->nnotes, sizeof *r->notes);
	if (!r->notes)
		return -1;
	if (s->nnotes)
		memcpy(r->notes, s->notes, s->nnotes * sizeof *r->notes);
	r->nnotes = (int)s->nnotes;
	if (r->nnotes > 1)
		qsort(r->notes, s->nnotes, sizeof *r->notes, by_text);
	return 0;
}

void sum_finish_head(const struct report_sum *s, struct report *r)
{
	const struct exact_sum *v = s->sum;
	struct arena *arena = r->arena;

	*r = *s->head;
	r->arena = arena;
	for (int t = 0; t < HEAD_TABLES; t++) {
		v = finish_figures(s, v, head_fields[t], r, (double)s->nprocs);
		for (const struct field *f = head_fields[t]; f->name; f++)
			if (field_joined(f) && f->merge != MERGE_ANEW)
				field_copy(f, r, s->lists);
	}
	r->nprocs = (int)s->nprocs;
	r->phase.time = r->phase_time;
	for (const struct list *l = report_lists; l->name; l++)
		if (l->type->merge == ROWS_ALL)
			list_set(l, r, (void *)(uintptr_t)list_rows(l, s->lists),
				list_number(l, s->lists));
	set_host(s, r);
}

/* Drops "no such structure" for a name that another process knows, of --what-if and of --verify (which has no
 * declaration then). */
static void drop_unknown(struct report *r)
{
	int kept = 0, measured = 0;

	for (int i = 0; i < r->nverified; i++) {
		const struct report_verified *v = &r->verified[i];
		bool known = false;

		for (int k = 0; k < r->nverified && v->unknown; k++)
			known |= !r->verified[k].unknown && text_same(r->verified[k].structure, v->structure);
		if (!known)
			r->verified[measured++] = *v;
	}
	r->nverified = measured;

	for (int i = 0; i < r->ngains; i++) {
		bool known = false;

		for (int k = 0; k < r->ngains && !r->gains[i].fix; k++)
			known |= r->gains[k].fix && text_same(r->gains[k].structure, r->gains[i].structure);
		if (!known)
			r->gains[kept++] = r->gains[i];
	}
	r->ngains = kept;
}

static struct report *finish_one(const struct report_sum *s)
{
	const struct report *one = s->only ? s->only : s->none;
	struct report *r = one ? own_copy(one) : NULL;

	if (!r)
		return NULL;
	set_host(s, r);
	for (int i = 0; i < r->nfindings && r->nprocs < 2; i++)
		r->findings[i].rank_figures = false;    /* there is no other process */
	report_thread_rows_keep(r);
	r->ncosts = report_costs_join(r->arena, r->costs, r->ncosts);
	drop_unknown(r);
	report_rank(r);
	return r;
}

struct report *report_sum_finish(struct report_sum *s)
{
	struct report *r, *own = NULL;

	if (s->failed || !s->parts)
		return s->failed ? NULL : finish_one(s);
	r = report_new();
	if (!r)
		return NULL;
	report_thread_rows_keep(s->lists);
	sum_finish_head(s, r);
	if (!finish_rows(s, r)) {
		drop_unknown(r);
		own = own_copy(r);
	}
	report_free(r);
	if (own)
		report_rank(own);
	return own;
}

struct report *report_merge(struct report *const *parts, int n)
{
	struct report_sum *s = report_sum_new();
	struct report *r = NULL;
	int rc = s ? 0 : -1;

	for (int i = 0; i < n && !rc; i++)
		rc = report_sum_add(s, parts[i]);
	if (!rc)
		r = report_sum_finish(s);
	report_sum_free(s);
	return r;
}
