/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds reports of processes to a sum. */
#include "analysis/findings/report_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/report_sum_rows.h"
#include "base/text_same.h"

const struct field *const sum_head_fields[HEAD_TABLES] = { report_fields, phase_fields };

struct report_sum *report_sum_new(void)
{
	struct report_sum *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	for (int t = 0; t < HEAD_TABLES; t++)
		for (const struct field *f = sum_head_fields[t]; f->name; f++) {
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

struct report *sum_own_copy(const struct report *borrowed)
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

/* Joined rows are kept in `lists`, which has no other head. */
static void join_head(struct report_sum *s, const struct report *from, const double *most)
{
	bool took = false;
	int k = 0;

	for (int t = 0; t < HEAD_TABLES; t++)
		for (const struct field *f = sum_head_fields[t]; f->name; f++) {
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
		for (const struct field *f = sum_head_fields[t]; f->name; f++)
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
	s->head = sum_own_copy(&bare);
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
		sum = add_figures(sum, sum_head_fields[t], part, &w, w.procs, false);
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
		s->only = sum_own_copy(part);
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
	s->none = sum_own_copy(none);
	s->failed |= !s->none;
	return s->failed ? -1 : 0;
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
