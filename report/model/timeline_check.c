/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the sums of timelines with the costs of the same report. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/report.h"

enum { ACCESSES, COHERENCE, MISSES, FIGURES = MISSES + TIMELINE_LEVELS };

static const char *figure_name(int f)
{
	static const char *const names[FIGURES] = { "accesses", "coherence misses",
		"level 1 misses", "level 2 misses",
		"level 3 misses", "level 4 misses" };

	return names[f];
}

static double figure_of(const struct report_cost *c, int f)
{
	return f == ACCESSES ? c->accesses : f == COHERENCE ? c->coherence : c->misses[f - MISSES];
}

/* The cells of all timelines with their sums over the columns, of an execution. */
struct sums {
	const struct report *r;
	double (*cell)[FIGURES];        /* owned; those of a timeline behind those of the one
					 * before */
	bool *inside;           /* owned; as many as the regions of all timelines: of the row that
				 * is checked */
};

static void sum_cell(double sum[FIGURES], const struct report_timeline *t,
	const struct report_time_cell *c)
{
	const double n = t->executions;

	sum[ACCESSES] = (double)(series_sum(&c->reads) + series_sum(&c->writes)) / n;
	sum[COHERENCE] = (double)series_sum(&c->coherent) / n;
	for (int k = 0; k < TIMELINE_LEVELS; k++)
		sum[MISSES + k] = (double)series_sum(&c->misses[k]) / n;
}

/* False: no memory. */
static bool sums_make(struct sums *s, const struct report *r)
{
	size_t cells = 0, regions = 0, n = 0;

	for (int i = 0; i < r->ntimelines; i++) {
		cells += (size_t)r->timelines[i].ncells;
		regions += (size_t)r->timelines[i].nregions;
	}
	*s = (struct sums){ r, calloc(cells + 1, sizeof *s->cell),
		calloc(regions + 1, sizeof *s->inside) };
	for (int i = 0; i < r->ntimelines && s->cell; i++)
		for (int k = 0; k < r->timelines[i].ncells; k++)
			sum_cell(s->cell[n++], &r->timelines[i], &r->timelines[i].cells[k]);
	return s->cell && s->inside;
}

static void sums_free(struct sums *s)
{
	free(s->cell);
	free(s->inside);
}

/* Finds the regions that the key calls, and those inside; a parent comes before them. */
static void find_regions(struct sums *s, const char *key)
{
	bool *inside = s->inside;

	for (int i = 0; i < s->r->ntimelines; i++) {
		const struct report_timeline *t = &s->r->timelines[i];

		for (int k = 0; k < t->nregions; k++)
			inside[k] = strcmp(t->regions[k].name, key) == 0 ||
				(t->regions[k].parent && inside[t->regions[k].parent - 1]);
		inside += t->nregions;
	}
}

static bool of_structure(const struct report_time_structure *s, const struct report_cost *c)
{
	return !s->joined && text_same(s->name, c->structure) && text_same(s->scope, c->scope) &&
		text_same(s->declared, c->declared);
}

static void add(double to[FIGURES], const double v[FIGURES])
{
	for (int f = 0; f < FIGURES; f++)
		to[f] += v[f];
}

/* What all columns have of a row of the table: `sum`, and what small
 * structures have together there. */
static void sum_row(struct sums *s, const struct report_cost *c, double sum[FIGURES],
	double joined[FIGURES])
{
	const double (*v)[FIGURES] = (const double (*)[FIGURES])s->cell;
	const bool *inside = s->inside;

	find_regions(s, c->region);
	for (int f = 0; f < FIGURES; f++)
		sum[f] = joined[f] = 0;
	for (int i = 0; i < s->r->ntimelines; i++) {
		const struct report_timeline *t = &s->r->timelines[i];

		for (int k = 0; k < t->ncells; k++, v++) {
			const struct report_time_structure *own =
				&t->structures[t->cells[k].structure - 1];

			if (!inside[t->cells[k].region - 1])
				continue;
			if (!c->structure || of_structure(own, c))
				add(sum, *v);
			else if (own->joined)
				add(joined, *v);
		}
		inside += t->nregions;
	}
}

static int differs(const struct report_cost *c, int f, double sum, double table, struct err *err)
{
	return err_set(err, "%s%s%s: the table has %.17g %s an execution, the columns have %.17g",
		c->region, c->structure ? ", " : "", c->structure ? c->structure : "", table,
		figure_name(f), sum);
}

/* Compares a row; returns the number of figures, or -1. */
static int check_row(struct sums *s, const struct report_cost *c, bool phase, bool misses,
	struct err *err)
{
	double sum[FIGURES], joined[FIGURES];
	int n = 0;

	sum_row(s, c, sum, joined);
	for (int f = 0; f < FIGURES; f++) {
		const double table = figure_of(c, f), rounding = 1e-9 * (fabs(table) + sum[f]);

		if (isnan(table) || (f != ACCESSES && !misses))
			continue;
		if (sum[f] > table + rounding || (phase && sum[f] + joined[f] < table - rounding))
			return differs(c, f, sum[f], table, err);
		n++;
	}
	return n;
}

/* --- what a cell has of its misses ------------------------------------------------------------ */

/* The farthest level of which there are misses; -1: of none. */
static int last_level(const struct report_timeline *t)
{
	int last = -1;

	for (int i = 0; i < t->ncells; i++)
		for (int k = last + 1; k < TIMELINE_LEVELS; k++)
			last = t->cells[i].misses[k].n ? k : last;
	return last;
}

static int cell_differs(const struct report_timeline *t, const struct report_time_cell *c,
	const char *what, int64_t n, int64_t misses, struct err *err)
{
	return err_set(err, "%s, %s, thread %d: %lld misses of the last level by %s, %lld in all",
		t->regions[c->region - 1].name, t->structures[c->structure - 1].name, c->thread,
		(long long)n, what, (long long)misses);
}

/* The misses of the last level by class, node and channel are these misses, but for coherence
 * misses, which may have none, and pages whose node is not known.  Returns
 * the number of sums, or -1. */
static int check_cell(const struct report_timeline *t, const struct report_time_cell *c, int last,
	struct err *err)
{
	const int64_t misses = last < 0 ? 0 : series_sum(&c->misses[last]),
		coherent = series_sum(&c->coherent);
	const int64_t kinds = series_sum(&c->kinds), served = series_sum(&c->served),
		channels = series_sum(&c->channels);

	if (kinds > misses)
		return cell_differs(t, c, "class", kinds, misses, err);
	if (served > misses)
		return cell_differs(t, c, "node", served, misses, err);
	if (channels > misses ||
	    (t->channels && (t->nodes > 1 ? channels != served : channels < misses - coherent)))
		return cell_differs(t, c, "channel", channels, misses, err);
	return 3;
}

static int check_cells(const struct report *r, struct err *err)
{
	int all = 0;

	for (int i = 0; i < r->ntimelines; i++) {
		const struct report_timeline *t = &r->timelines[i];
		const int last = last_level(t);

		for (int k = 0; k < t->ncells; k++) {
			const int n = check_cell(t, &t->cells[k], last, err);

			if (n < 0)
				return -1;
			all += n;
		}
	}
	return all;
}

/* The regions' times add up to no more than the phase's.  0 / -1. */
static int check_times(const struct report *r, struct err *err)
{
	for (int i = 0; i < r->ntimelines; i++) {
		const struct report_timeline *t = &r->timelines[i];
		double sum = 0;

		for (int k = 0; k < t->nregions; k++)
			sum += isnan(t->regions[k].time) ? 0 : t->regions[k].time;
		if (sum > t->time * (1 + 1e-9))
			return err_set(err, "regions take %.17g s of a phase of %.17g s", sum,
				t->time);
	}
	return 0;
}

static bool complete(const struct report *r, bool *misses)
{
	*misses = true;
	for (int i = 0; i < r->ntimelines; i++) {
		if (r->timelines[i].left_out)
			return false;
		*misses = *misses && isnan(r->timelines[i].sample_share);
	}
	return r->ntimelines && !r->timelines_left_out && r->ntimelines >= r->nprocs;
}

bool report_counts_timelines(const struct report *r)
{
	for (int i = 0; i < r->ntimelines; i++)
		if (r->timelines[i].pages)
			return false;
	return r->ntimelines > 0;
}

int report_timelines_check(const struct report *r, struct err *err)
{
	const char *phase = r->ntimelines && r->timelines[0].nregions ?
		r->timelines[0].regions[0].name : "";
	struct sums s;
	bool misses;
	int all = 0;

	if (!report_counts_timelines(r) || !complete(r, &misses))
		return 0;
	if (!sums_make(&s, r))
		all = err_nomem(err);
	for (int i = 0; i < r->ncosts && all >= 0; i++) {
		const int n = check_row(&s, &r->costs[i], text_same(r->costs[i].region, phase),
			misses, err);

		all = n < 0 ? n : all + n;
	}
	sums_free(&s);
	if (all >= 0 && misses) {
		const int n = check_cells(r, err);

		all = n < 0 ? n : all + n;
	}
	return all >= 0 && check_times(r, err) ? -1 : all;
}
