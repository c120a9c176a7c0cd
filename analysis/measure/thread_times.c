/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the times of single threads in each context. */
#include "analysis/measure/thread_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NSERIES = 6 };
static double **thread_series(struct measured_thread *t, int k)
{
	double **const all[NSERIES] = { &t->wall, &t->cpu, &t->wait, &t->startup, &t->faults,
		&t->sys };

	return all[k];
}

static void thread_series_free(struct measured_thread *t)
{
	for (int k = 0; k < NSERIES; k++)
		free(*thread_series(t, k));
}

/* Appends zeros. 0 / -1 (memory). */
static int thread_series_grow(struct measured_thread *t, uint32_t from, uint32_t to)
{
	for (int k = 0; k < NSERIES; k++) {
		double *grown = realloc(*thread_series(t, k), to * sizeof *grown);

		if (!grown)
			return -1;
		*thread_series(t, k) = grown;
		for (uint32_t e = from; e < to; e++)
			grown[e] = 0;
	}
	return 0;
}

/* The index of the thread's times in the context, or, if there are none, that to insert them at. */
static uint32_t place_of(const struct measured_context *c, uint32_t thread)
{
	uint32_t at = 0;

	while (at < c->nthreads && c->thread[at].thread < thread)
		at++;
	return at;
}

/* The thread's times in the context, inserted if there were none.  NULL: memory. */
static struct measured_thread *thread_make(struct measurements *p, struct measured_context *c,
	uint32_t thread)
{
	uint32_t at = place_of(c, thread);
	struct measured_thread *grown, new = { .thread = thread };

	if (at < c->nthreads && c->thread[at].thread == thread)
		return &c->thread[at];
	grown = realloc(c->thread, (c->nthreads + 1) * sizeof *grown);
	if (grown)
		c->thread = grown;
	if (!grown || thread_series_grow(&new, 0, p->nclean)) {
		thread_series_free(&new);
		return NULL;
	}
	memmove(grown + at + 1, grown + at, (c->nthreads - at) * sizeof *grown);
	c->nthreads++;
	p->nthread_rows++;
	grown[at] = new;
	return &grown[at];
}

int thread_times_grow(struct measurements *p, uint32_t executions)
{
	for (uint32_t i = 0; i < p->ncontexts; i++)
		for (uint32_t k = 0; k < p->contexts[i].nthreads; k++)
			if (thread_series_grow(&p->contexts[i].thread[k], p->nclean, executions))
				return -1;
	return 0;
}

int thread_times_add(struct measurements *p, const struct mon_time_row *row, uint32_t execution)
{
	struct measured_thread *t = thread_make(p, &p->contexts[row->context], row->thread);

	if (!t)
		return -1;
	t->inside |= row->wall_ns || row->calls;
	t->wall[execution] += (double)row->wall_ns;
	t->cpu[execution] += (double)row->cpu_ns;
	t->wait[execution] += (double)row->wait_ns;
	t->startup[execution] += (double)row->startup_ns;
	t->faults[execution] += (double)row->faults;
	t->sys[execution] += (double)row->sys_ns;
	return 0;
}

void thread_times_free(struct measured_context *c)
{
	for (uint32_t i = 0; i < c->nthreads; i++)
		thread_series_free(&c->thread[i]);
	free(c->thread);
}

const struct measured_thread *thread_times_find(const struct measured_context *c, uint32_t thread)
{
	uint32_t at = place_of(c, thread);

	return at < c->nthreads && c->thread[at].thread == thread ? &c->thread[at] : NULL;
}

double thread_times_away(const struct measurements *p, const struct measured_thread *t)
{
	double *away = malloc((p->nclean + 1) * sizeof *away), median;

	if (!away)
		return NAN;
	for (uint32_t e = 0; e < p->nclean; e++)
		away[e] = fmax(t->wall[e] - t->cpu[e] - t->wait[e], 0);
	median = like_median(p, away) * 1e-9;
	free(away);
	return median;
}

double thread_times_longest(const struct measurements *p, uint32_t context)
{
	const struct measured_context *c = &p->contexts[context];
	double longest = 0;

	for (uint32_t i = 0; i < c->nthreads; i++)
		longest = fmax(longest, like_median(p, c->thread[i].cpu) * 1e-9);
	return longest;
}

int time_row_order(const void *a, const void *b)
{
	const struct mon_time_row *x = a, *y = b;

	if (x->execution != y->execution)
		return x->execution < y->execution ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->context < y->context ? -1 : x->context > y->context;
}
