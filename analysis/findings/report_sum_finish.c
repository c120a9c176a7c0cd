/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the report of all processes from the sum of their reports. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/report_sum_rows.h"
#include "base/text_same.h"

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

/* Figures of WHY are those of one process, all others of the finding are means or sums: the report
 * names the process, unless all have the same. */
static void finish_why(const struct report_sum *s, const struct sum_row *from,
	struct report_finding *f)
{
	if (from->described < 0)
		return;                 /* a report of several processes was added, which has named
					 * its own */
	f->rank_figures = f->rank_figures && !f->over_processes && s->nprocs > 1 &&
		(from->texts_differ || from->nprocesses != s->nprocs);
	f->figures_rank = from->described;
}

/* Fills in what no table of fields has of a finding: its processes, and figures
 * that follow from others. */
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
		v = finish_figures(s, v, sum_head_fields[t], r, (double)s->nprocs);
		for (const struct field *f = sum_head_fields[t]; f->name; f++)
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

/* Drops "no such structure" for a name that another process knows, of --what-if and of --verify
 * (which has no declaration then). */
static void drop_unknown(struct report *r)
{
	int kept = 0, measured = 0;

	for (int i = 0; i < r->nverified; i++) {
		const struct report_verified *v = &r->verified[i];
		bool known = false;

		for (int k = 0; k < r->nverified && v->unknown; k++)
			known |= !r->verified[k].unknown &&
				text_same(r->verified[k].structure, v->structure);
		if (!known)
			r->verified[measured++] = *v;
	}
	r->nverified = measured;

	for (int i = 0; i < r->ngains; i++) {
		bool known = false;

		for (int k = 0; k < r->ngains && !r->gains[i].fix; k++)
			known |= r->gains[k].fix &&
				text_same(r->gains[k].structure, r->gains[i].structure);
		if (!known)
			r->gains[kept++] = r->gains[i];
	}
	r->ngains = kept;
}

static struct report *finish_one(const struct report_sum *s)
{
	const struct report *one = s->only ? s->only : s->none;
	struct report *r = one ? sum_own_copy(one) : NULL;

	if (!r)
		return NULL;
	set_host(s, r);
	for (int i = 0; i < r->nfindings && r->nprocs < 2; i++)
		r->findings[i].rank_figures = false;    /* there is no other process */
	report_thread_rows_keep(r);
	report_timelines_keep(r);
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
	report_timelines_keep(s->lists);
	sum_finish_head(s, r);
	if (!finish_rows(s, r)) {
		drop_unknown(r);
		own = sum_own_copy(r);
	}
	report_free(r);
	if (own)
		report_rank(own);
	return own;
}
