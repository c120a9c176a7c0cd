/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides the axis of a timeline into few runs of regions, the outermost
 * that tell its parts apart. */
#include "report/model/timeline_facts.h"

#include <string.h>

#include "report/model/figures.h"

#define LEAST_RUN 0.01          /* of the axis: shorter runs belong to the run before */
#define MOST_LOST 0.1           /* of the axis in such runs: regions take turns, and the next outer
				 * ones tell more */
#define MOST_APART 0.05         /* of the accesses of all threads but the busiest, beside what it
				 * does in other regions */
enum { NEAR = 2 };              /* columns, by which the borders of threads may differ */
#define LEAST_NAMED 0.2         /* of a run's accesses, for its name to stand for it */

/* Accesses by column * (regions + 1) + region. */
struct weights {
	double *at;
	int regions;
};

static double *weight(const struct weights *w, int column, int region)
{
	return &w->at[(size_t)column * (size_t)(w->regions + 1) + (size_t)region];
}

static int busiest(const struct time_facts *f)
{
	int most = 0;

	for (int k = 1; k < f->t->threads; k++)
		if (time_accesses(&f->thread[k]) > time_accesses(&f->thread[most]))
			most = k;
	return most;
}

/* The accesses of one thread; of all: -1. */
static int weigh(struct time_facts *f, struct weights *w, int thread)
{
	const size_t row = (size_t)f->t->nregions + 1;
	double *lane = arena_array(f->arena, (size_t)f->columns, sizeof *lane);

	w->regions = f->t->nregions;
	w->at = arena_array(f->arena, (size_t)f->columns * row, sizeof *w->at);
	if (!w->at || !lane)
		return -1;
	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];
		const struct report_series *s[] = { &c->reads, &c->writes };

		if (thread >= 0 && c->thread != thread)
			continue;
		memset(lane, 0, (size_t)f->columns * sizeof *lane);
		for (int k = 0; k < 2; k++)
			for (int p = 0; p < s[k]->n; p++)
				time_axis_add(&f->axis, c->thread, (int)s[k]->point[p].at,
					(double)s[k]->point[p].value, lane, f->columns);
		for (int column = 0; column < f->columns; column++)
			*weight(w, column, c->region) += lane[column];
	}
	return 0;
}

/* --- sections --------------------------------------------------------------------------------- */

/* The function's part of the last step of the key: "jacld.f:jacld". */
static size_t function_of(const char *key, const char **begin)
{
	*begin = report_key_function(key);
	return strcspn(*begin, "/");
}

bool time_same_function(const char *a, const char *b)
{
	const char *p, *q;
	const size_t n = function_of(a, &p), m = function_of(b, &q);

	return n == m && strncmp(p, q, n) == 0;
}

/* Up to the region of the same function that has no further one of it above. */
static int routine_of(const struct report_timeline *t, int region)
{
	for (int up = t->regions[region - 1].parent; up; up = t->regions[region - 1].parent) {
		if (!time_same_function(t->regions[up - 1].name, t->regions[region - 1].name))
			break;
		region = up;
	}
	return region;
}

static bool one_routine(const struct report_timeline *t)
{
	for (int i = 1; i < t->nregions; i++)
		if (!time_same_function(t->regions[i].name, t->regions[0].name))
			return false;
	return true;
}

static int make_sections(struct time_facts *f)
{
	const struct report_timeline *t = f->t;

	f->one_routine = one_routine(t);
	f->section = arena_array(f->arena, (size_t)t->nregions + 1, sizeof *f->section);
	if (!f->section)
		return -1;
	for (int i = 1; i <= t->nregions; i++)
		f->section[i] = f->one_routine ? i : routine_of(t, i);
	return 0;
}

/* --- runs ------------------------------------------------------------------------------------- */

static int depth_of(const struct report_timeline *t, int region)
{
	int n = 0;

	for (; region; region = t->regions[region - 1].parent)
		n++;
	return n;
}

static int ancestor(const struct report_timeline *t, int region, int depth)
{
	for (int n = depth_of(t, region); n > depth; n--)
		region = t->regions[region - 1].parent;
	return region;
}

/* Fills in the dominant region, at most so deep, of each column; sum: of regions + 1. */
static void dominant(const struct time_facts *f, const struct weights *w, int depth, double *sum,
	int *out)
{
	for (int column = 0; column < f->columns; column++) {
		int best = 0;

		memset(sum, 0, ((size_t)w->regions + 1) * sizeof *sum);
		for (int r = 1; r <= w->regions; r++) {
			const double v = *weight(w, column, r);

			if (v >= 0.5)
				sum[ancestor(f->t, r, depth)] += v;
		}
		for (int r = 1; r <= w->regions; r++)
			if (sum[r] > sum[best])
				best = r;
		out[column] = best;
	}
}

/* Returns the number of runs, or more than TIME_RUNS: also where short ones, which belong to
 * the run before, are many. */
static int join_runs(const int *region, int columns, struct time_run *run)
{
	int n = 0, lost = 0;

	for (int from = 0, to; from < columns; from = to) {
		for (to = from + 1; to < columns && region[to] == region[from]; to++)
			;
		if (n && (run[n - 1].region == region[from] || to - from < LEAST_RUN * columns)) {
			lost += run[n - 1].region == region[from] ? 0 : to - from;
			run[n - 1].to = to;
			continue;
		}
		if (n && run[n - 1].to - run[n - 1].from < LEAST_RUN * columns)
			n--;            /* a short one at the begin */
		if (n == TIME_RUNS)
			return n + 1;
		run[n] = (struct time_run){ .from = n ? run[n - 1].to : 0, .to = to,
			.region = region[from] };
		n++;
	}
	return lost > MOST_LOST * columns ? TIME_RUNS + 1 : n;
}

/* In the order of the source, which is mostly that of time. */
static void sort_names(struct time_run *run)
{
	for (int i = 1; i < TIME_RUN_NAMES; i++)
		for (int k = i; k > 0 && run->named[k] && run->named[k] < run->named[k - 1]; k--) {
			const int other = run->named[k - 1];

			run->named[k - 1] = run->named[k];
			run->named[k] = other;
		}
}

static void name_run(const struct time_facts *f, const struct weights *w, struct time_run *run,
	double *sum)
{
	double all = 0;

	memset(sum, 0, ((size_t)w->regions + 1) * sizeof *sum);
	for (int column = run->from; column < run->to; column++)
		for (int r = 1; r <= w->regions; r++) {
			all += *weight(w, column, r);
			sum[f->section[r]] += *weight(w, column, r);
		}
	run->accesses = (int64_t)all;
	for (int k = 0; k < TIME_RUN_NAMES; k++) {
		int best = 0;

		for (int r = 1; r <= w->regions; r++)
			if (sum[r] > sum[best])
				best = r;
		if (!best || sum[best] < LEAST_NAMED * all)
			break;
		run->named[k] = best;
		for (int r = 1; r <= w->regions; r++)   /* one routine on several paths is one
							 * name */
			if (time_same_function(f->t->regions[r - 1].name,
			    f->t->regions[best - 1].name) && (!f->one_routine || r == best))
				sum[r] = 0;
	}
	sort_names(run);
}

static bool same_names(const struct time_facts *f, const struct time_run *a,
	const struct time_run *b)
{
	for (int k = 0; k < TIME_RUN_NAMES; k++) {
		if (!a->named[k] || !b->named[k])
			return a->named[k] == b->named[k];
		if (!time_same_function(f->t->regions[a->named[k] - 1].name,
		    f->t->regions[b->named[k] - 1].name))
			return false;
	}
	return true;
}

static int find_runs(struct time_facts *f, const struct weights *w)
{
	f->region_run = arena_array(f->arena, (size_t)w->regions + 1, sizeof *f->region_run);
	if (!f->region_run)
		return -1;
	for (int r = 0; r <= w->regions; r++) {
		double most = 0;

		f->region_run[r] = -1;
		for (int i = 0; i < f->nruns; i++) {
			double n = 0;

			for (int column = f->run[i].from; column < f->run[i].to; column++)
				n += *weight(w, column, r);
			if (n > most) {
				most = n;
				f->region_run[r] = i;
			}
		}
	}
	return 0;
}

/* True: the thread of the weights is in the region in the column or beside it; *ever: anywhere. */
static bool meets(const struct time_facts *f, const struct weights *w, int region, int bin,
	bool *ever)
{
	bool near = false;

	*ever = false;
	for (int c = 0; c < f->columns; c++)
		if (*weight(w, c, region) >= 1) {
			*ever = true;
			near |= c >= bin - NEAR && c <= bin + NEAR;
		}
	return near;
}

static bool idle(const struct weights *w, int bin)
{
	for (int r = 1; r <= w->regions; r++)
		if (*weight(w, bin, r) >= 1)
			return false;
	return true;
}

/* A worker that waits for its team has no barrier there: what it does then lies beside what the
 * others did before.  Where threads are too often in a region that the busiest one is in at another
 * time, and in another one then, their order is not known. */
static bool in_order(const struct time_facts *f, const struct weights *w, int busiest)
{
	double all = 0, apart = 0;

	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];
		const struct report_series *s[] = { &c->reads, &c->writes };

		for (int k = 0; k < 2 && c->thread != busiest; k++)
			for (int p = 0; p < s[k]->n; p++) {
				const int bin = time_axis_bin(&f->axis, c->thread,
					(int)s[k]->point[p].at, f->columns);
				bool ever;

				all += (double)s[k]->point[p].value;
				if (!meets(f, w, c->region, bin, &ever) && ever && !idle(w, bin))
					apart += (double)s[k]->point[p].value;
			}
	}
	return f->axis.aligned && apart <= MOST_APART * all;
}

/* The strip is that of all threads, or where their order is not known, that of the busiest.
 * Samples of pages have one clock. */
static int weigh_strip(struct time_facts *f, struct weights *w)
{
	const int most = busiest(f);

	f->strip_of = -1;
	f->ordered = true;
	if (f->t->threads > 1 && !f->t->pages) {
		if (weigh(f, w, most))
			return -1;
		f->ordered = in_order(f, w, most);
		f->strip_of = f->ordered ? -1 : most;
	}
	return f->ordered ? weigh(f, w, -1) : 0;
}

int time_strip_make(struct time_facts *f)
{
	struct weights w;
	struct time_run run[TIME_RUNS];
	int *region = arena_array(f->arena, (size_t)f->columns, sizeof *region), deepest = 0, n;
	double *sum = arena_array(f->arena, (size_t)f->t->nregions + 1, sizeof *sum);

	if (!region || !sum || weigh_strip(f, &w) || make_sections(f))
		return -1;
	for (int i = 1; i <= f->t->nregions; i++)
		if (depth_of(f->t, i) > deepest)
			deepest = depth_of(f->t, i);
	for (int depth = 0; depth <= deepest; depth++) {
		dominant(f, &w, depth, sum, region);
		n = join_runs(region, f->columns, run);
		if (n > TIME_RUNS)
			break;
		memcpy(f->run, run, sizeof run);
		f->nruns = n;
	}
	for (int i = 0; i < f->nruns; i++)
		name_run(f, &w, &f->run[i], sum);
	for (int i = 0; i < f->nruns; i++)
		for (int k = 0; k < f->nruns; k++)
			f->run[i].alike |= i != k && same_names(f, &f->run[i], &f->run[k]);
	return find_runs(f, &w);
}

int time_run_at(const struct time_facts *f, int column)
{
	for (int i = 0; i < f->nruns; i++)
		if (column >= f->run[i].from && column < f->run[i].to)
			return i;
	return -1;
}

int time_run_of(const struct time_facts *f, const struct report_time_cell *c, int column)
{
	if (f->strip_of >= 0 && c->thread != f->strip_of && f->region_run[c->region] >= 0)
		return f->region_run[c->region];
	return time_run_at(f, time_axis_bin(&f->axis, c->thread, column, f->columns));
}
