/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays the columns of a timeline on an axis of time, and names the region of each. */
#include "report/model/timeline_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "report/model/timeline_axis.h"

/* References of one thread, and what one of them takes by region. */
struct lane {
	double *refs;           /* [(region - 1) * columns + column], of one execution */
	double *rate;           /* ns a reference, by region */
	double mean;            /* of regions without a time */
};

static double *cell_of(const struct lane *l, const struct report_timeline *t, int region,
	uint32_t column)
{
	return &l->refs[(size_t)(region - 1) * (size_t)t->columns + column];
}

static void add_series(const struct lane *l, const struct report_timeline *t, int region,
	const struct report_series *s)
{
	for (int i = 0; i < s->n; i++)
		*cell_of(l, t, region, s->point[i].at) += (double)s->point[i].value / t->executions;
}

static void take_thread(const struct lane *l, const struct report_timeline *t, int thread)
{
	for (size_t i = 0; i < (size_t)t->nregions * (size_t)t->columns; i++)
		l->refs[i] = 0;
	for (int i = 0; i < t->ncells; i++) {
		if (t->cells[i].thread != thread)
			continue;
		add_series(l, t, t->cells[i].region, &t->cells[i].reads);
		add_series(l, t, t->cells[i].region, &t->cells[i].writes);
	}
}

/* The most references that one thread makes in the region. */
static double most_references(const struct report_timeline *t, double *threads, int region)
{
	double most = 0;

	for (int i = 0; i < t->threads; i++)
		threads[i] = 0;
	for (int i = 0; i < t->ncells; i++) {
		const struct report_time_cell *c = &t->cells[i];

		if (c->region == region)
			threads[c->thread] += (double)(series_sum(&c->reads) +
				series_sum(&c->writes)) / t->executions;
	}
	for (int i = 0; i < t->threads; i++)
		most = threads[i] > most ? threads[i] : most;
	return most;
}

/* Returns whether any region has a time. */
static bool set_rates(struct lane *l, const struct report_timeline *t, double *threads)
{
	double time = 0, all = 0;

	for (int r = 1; r <= t->nregions; r++) {
		const double refs = most_references(t, threads, r), ns = t->regions[r - 1].time *
			1e9;

		l->rate[r - 1] = refs > 0 && ns > 0 ? ns / refs : NAN;
		time += isnan(l->rate[r - 1]) ? 0 : ns;
		all += isnan(l->rate[r - 1]) ? 0 : refs;
	}
	l->mean = all > 0 ? time / all : 1;
	return all > 0;
}

static void lay_thread(const struct lane *l, const struct report_timeline *t,
	struct timeline_lanes *out, int thread)
{
	double *at = &out->at[(size_t)thread * ((size_t)t->columns + 1)];
	int *region = &out->region[(size_t)thread * (size_t)t->columns];

	at[0] = 0;
	for (int c = 0; c < t->columns; c++) {
		double most = 0;

		at[c + 1] = at[c];
		region[c] = 0;
		for (int r = 1; r <= t->nregions; r++) {
			const double refs = *cell_of(l, t, r, (uint32_t)c);

			at[c + 1] += refs * (isnan(l->rate[r - 1]) ? l->mean : l->rate[r - 1]);
			if (refs > most) {
				most = refs;
				region[c] = r;
			}
		}
	}
}

/* --- barriers ------------------------------------------------------------------------------ */

/* What a thread's columns take between two barriers is stretched to what the slowest thread
 * takes there. */
static int join_threads(const struct report_timeline *t, struct timeline_lanes *out)
{
	const size_t columns = (size_t)t->columns + 1, n = (size_t)t->threads * columns;
	struct arena *arena = arena_new();
	double *own = arena ? arena_array(arena, n, sizeof *own) : NULL;
	struct time_axis x;
	int rc = -1;

	if (own) {
		memcpy(own, out->at, n * sizeof *own);
		rc = time_axis_make(&x, arena, t, own);
	}
	for (size_t i = 0; !rc && i < n; i++)
		out->at[i] = time_axis_border(&x, (int)(i / columns), (int)(i % columns));
	arena_free(arena);
	return rc;
}

/* --- the front door ------------------------------------------------------------------------ */

int timeline_lanes_make(const struct report_timeline *t, struct timeline_lanes *l, struct err *err)
{
	const size_t columns = (size_t)t->columns, threads = (size_t)t->threads,
		regions = (size_t)t->nregions;
	struct lane lane = { malloc((regions * columns + 1) * sizeof *lane.refs),
		malloc((regions + 1) * sizeof *lane.rate), 0 };
	double *sums = malloc(threads * sizeof *sums);
	int rc = -1;

	*l = (struct timeline_lanes){ t->threads, t->columns, false,
		malloc(threads * (columns + 1) * sizeof *l->at),
		malloc(threads * columns * sizeof *l->region) };
	if (lane.refs && lane.rate && sums && l->at && l->region) {
		l->is_time = set_rates(&lane, t, sums);
		for (int i = 0; i < t->threads; i++) {
			take_thread(&lane, t, i);
			lay_thread(&lane, t, l, i);
		}
		rc = join_threads(t, l);
	}
	free(lane.refs);
	free(lane.rate);
	free(sums);
	if (rc)
		timeline_lanes_free(l);
	return rc ? err_nomem(err) : 0;
}

void timeline_lanes_free(struct timeline_lanes *l)
{
	free(l->at);
	free(l->region);
	*l = (struct timeline_lanes){ 0 };
}

uint64_t timeline_lanes_tick(double time)
{
	return time > 0 ? (uint64_t)llround(time) : 0;
}

double timeline_lanes_at(const struct timeline_lanes *l, int thread, int column)
{
	return l->at[(size_t)thread * ((size_t)l->columns + 1) + (size_t)column];
}

int timeline_lanes_region(const struct timeline_lanes *l, int thread, int column)
{
	return l->region[(size_t)thread * (size_t)l->columns + (size_t)column];
}

int timeline_path(const struct report_timeline *t, int region, int *path, int most)
{
	int n = 0;

	for (int r = region; r > 0; r = t->regions[r - 1].parent)
		n++;
	for (int r = region, i = n - 1; r > 0; r = t->regions[r - 1].parent, i--)
		if (i < most)
			path[i] = r;
	return n < most ? n : most;
}

int report_timeline_levels(const struct report *r)
{
	int levels = 0;

	for (int i = 0; i < r->ncosts; i++)
		for (int k = levels; k < REPORT_LEVELS; k++)
			levels = isnan(r->costs[i].misses[k]) ? levels : k + 1;
	for (int i = 0; i < r->ntimelines; i++)
		for (int c = 0; c < r->timelines[i].ncells; c++)
			for (int k = levels; k < TIMELINE_LEVELS; k++)
				levels = r->timelines[i].cells[c].misses[k].n ? k + 1 : levels;
	return levels;
}
