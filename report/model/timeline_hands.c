/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds structures whose parts change threads: a row is one thread's in one run of the strip, and
 * another's in a later run.  Its lines then lie in the cache of the wrong thread. */
#include "report/model/timeline_facts.h"

#include <string.h>

#define OWNS 0.9                /* of a row's accesses in a run: that thread has the row */
#define SURELY_DRAWN 4          /* samples that tell whose a row is */
#define LEAST_ROWS 8            /* that have a thread in both runs */
#define LEAST_SHARE 0.5         /* of the rows that have a thread in both runs: they change */
#define LEAST_STRUCTURE 0.01    /* of all accesses */

struct hands {
	double *samples;                /* by (run * threads + thread) * rows + row */
	int *owner;                     /* by run * rows + row; -1: none, or not known */
};

static void add(const struct time_facts *f, int thread, const struct report_series *s,
	struct hands *h)
{
	const unsigned rows = (unsigned)f->t->rows;

	for (int i = 0; i < s->n; i++) {
		const int run = time_run_at(f, time_axis_bin(&f->axis, thread,
			(int)(s->point[i].at / rows), f->columns));

		if (run >= 0)
			h->samples[((size_t)run * (size_t)f->t->threads + (size_t)thread) * rows +
				s->point[i].at % rows] += (double)s->point[i].value;
	}
}

static int owner_of(const struct time_facts *f, const struct hands *h, int run, int row)
{
	const size_t rows = (size_t)f->t->rows, threads = (size_t)f->t->threads;
	const double *of = h->samples + (size_t)run * threads * rows + row;
	double sum = 0;
	size_t most = 0;

	for (size_t k = 0; k < threads; k++) {
		sum += of[k * rows];
		if (of[k * rows] > of[most * rows])
			most = k;
	}
	return sum >= SURELY_DRAWN && of[most * rows] >= OWNS * sum ? (int)most : -1;
}

static void find_owners(const struct time_facts *f, int structure, struct hands *h)
{
	const int rows = f->t->rows;

	memset(h->samples, 0, (size_t)f->nruns * (size_t)f->t->threads * (size_t)rows *
		sizeof *h->samples);
	for (int i = 0; i < f->t->nmaps; i++) {
		const struct report_time_map *m = &f->t->maps[i];

		if (m->structure != structure + 1)
			continue;
		add(f, m->thread, &m->reads, h);
		add(f, m->thread, &m->writes, h);
	}
	for (int run = 0; run < f->nruns; run++)
		for (int row = 0; row < rows; row++)
			h->owner[run * rows + row] = owner_of(f, h, run, row);
}

/* Returns the share of rows whose thread is another one in run b than in run a, of those that have
 * a thread in both; 0: these are too few. */
static double changed(const struct time_facts *f, const struct hands *h, int a, int b)
{
	const int rows = f->t->rows;
	int both = 0, differ = 0, later = 0;

	for (int row = 0; row < rows; row++) {
		const int x = h->owner[a * rows + row], y = h->owner[b * rows + row];

		later += y >= 0;
		both += x >= 0 && y >= 0;
		differ += x >= 0 && y >= 0 && x != y;
	}
	return both >= LEAST_ROWS && both >= LEAST_SHARE * later ? (double)differ / both : 0;
}

/* The two runs, each the next one that has the structure, between which most rows change. */
static void find_change(struct time_facts *f, const struct hands *h, struct time_structure *s)
{
	for (int i = 1; i < s->nsteps; i++) {
		const int a = s->step[i - 1].run, b = s->step[i].run;
		const double share = changed(f, h, a, b);

		if (share >= LEAST_SHARE && share > s->hands.share)
			s->hands = (struct time_hands){ a, b, share };
	}
}

int time_hands_make(struct time_facts *f)
{
	const size_t rows = (size_t)f->t->rows, runs = (size_t)f->nruns;
	struct hands h = { 0 };

	if (!rows || !runs || f->t->threads < 2 || !f->ordered)
		return 0;
	h.samples = arena_array(f->arena, runs * (size_t)f->t->threads * rows, sizeof *h.samples);
	h.owner = arena_array(f->arena, runs * rows, sizeof *h.owner);
	if (!h.samples || !h.owner)
		return -1;
	for (int i = 0; i < f->t->nstructures; i++) {
		struct time_structure *s = &f->structure[i];

		if (s->users < 2 || !s->row || s->share < LEAST_STRUCTURE)
			continue;
		find_owners(f, i, &h);
		find_change(f, &h, s);
	}
	return 0;
}
