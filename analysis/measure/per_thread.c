/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the times and counts of single threads: who ran a context, how long, what each counted.
 *
 * A context's team is that of the innermost parallel region around it, its threads in the order of
 * the monitor's numbers.  Counts are kept only for contexts inside parallel regions, where a
 * property can ask for them; they are inclusive up to the parallel region whose team the thread
 * belongs to. */
#include "analysis/measure/tally_map.h"
#include "analysis/measure/per_thread.h"
#include "analysis/measure/quantiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 40 MB.  Above this limit no counts of threads are kept at all, rather than some of them. */
enum { MOST_TALLIES = 1 << 16 };

static bool is_parallel(const struct measurements *p, uint32_t context)
{
	uint32_t region = p->contexts[context].region;

	return region != SIR_NONE && p->sir->regions[region].type == REGION_PARALLEL;
}

/* The innermost parallel region around the context, itself included; NO_CONTEXT. */
static uint32_t parallel_around(const struct measurements *p, uint32_t context)
{
	while (context != NO_CONTEXT && !is_parallel(p, context))
		context = p->contexts[context].parent;
	return context;
}

/* --- times ----------------------------------------------------------------------------------- */

enum { NSERIES = 3 };
static double **thread_series(struct measured_thread *t, int k)
{
	double **const all[NSERIES] = { &t->wall, &t->cpu, &t->wait };

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

/* The thread's times in the context, inserted if there were none.  NULL: memory. */
static struct measured_thread *thread_make(struct measurements *p, struct measured_context *c,
	uint32_t thread)
{
	uint32_t at = 0;
	struct measured_thread *grown, new = { thread, false, NULL, NULL, NULL };

	while (at < c->nthreads && c->thread[at].thread < thread)
		at++;
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

int per_thread_grow(struct measurements *p, uint32_t executions)
{
	for (uint32_t i = 0; i < p->ncontexts; i++)
		for (uint32_t k = 0; k < p->contexts[i].nthreads; k++)
			if (thread_series_grow(&p->contexts[i].thread[k], p->nclean, executions))
				return -1;
	return 0;
}

int per_thread_time(struct measurements *p, const struct mon_time_row *row, uint32_t execution)
{
	struct measured_thread *t = thread_make(p, &p->contexts[row->context], row->thread);

	if (!t)
		return -1;
	t->inside |= row->wall_ns || row->calls;
	t->wall[execution] += (double)row->wall_ns;
	t->cpu[execution] += (double)row->cpu_ns;
	t->wait[execution] += (double)row->wait_ns;
	return 0;
}

void per_thread_free(struct measured_context *c)
{
	for (uint32_t i = 0; i < c->nthreads; i++)
		thread_series_free(&c->thread[i]);
	free(c->thread);
}

/* --- counts ---------------------------------------------------------------------------------- */

static int count_to(struct measurements *p, uint32_t context, uint32_t object,
	const struct mon_count_row *row, double per)
{
	struct tally_entry *it = tally_map_insert(p->thread_tallies, context, object, row->thread);

	if (!it)
		return -1;
	tally_add_row(&it->tally, &p->machine->flat, row, per, 1);
	return 0;
}

static int count_both(struct measurements *p, uint32_t context, const struct mon_count_row *row,
	double per)
{
	if (count_to(p, context, MON_ANY, row, per))
		return -1;
	if (p->keep_threads < KEEP_THREADS_OBJECTS || row->object < MON_OBJ_FIRST)
		return 0;
	return count_to(p, context, row->object, row, per);
}

int per_thread_count(struct measurements *p, const struct mon_count_row *row, double per)
{
	uint32_t top = parallel_around(p, row->context);

	if (!p->keep_threads || p->thread_counts_dropped || top == NO_CONTEXT)
		return 0;
	for (uint32_t c = row->context; ; c = p->contexts[c].parent) {
		if (count_both(p, c, row, per))
			return -1;
		if (c == top)
			break;
	}
	p->thread_counts_dropped = p->thread_tallies->used > MOST_TALLIES;
	return 0;
}

int per_thread_count_at(struct measurements *p, uint32_t context, uint32_t object,
	const struct mon_count_row *row, double per)
{
	if (!p->keep_threads || p->thread_counts_dropped || parallel_around(p, context) == NO_CONTEXT ||
	    parallel_around(p, context) != parallel_around(p, row->context))
		return 0;
	return count_to(p, context, object, row, per);
}

void per_thread_forget(struct measurements *p, uint32_t context, uint32_t object)
{
	for (uint32_t t = 0; t < p->threads; t++) {
		struct tally_entry *it = tally_map_find(p->thread_tallies, context, object, t);

		if (it)
			memset(&it->tally, 0, sizeof it->tally);
	}
}

/* --- questions ------------------------------------------------------------------------------- */

static const struct measured_context *team(const struct measurements *p, uint32_t context)
{
	uint32_t top = parallel_around(p, context);

	return &p->contexts[top != NO_CONTEXT && p->contexts[top].nthreads ? top : context];
}

uint32_t measured_team_size(const struct measurements *p, uint32_t context)
{
	const struct measured_context *c = team(p, context);
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nthreads; i++)
		n += c->thread[i].inside;
	return n;
}

uint32_t measured_team_member(const struct measurements *p, uint32_t context, uint32_t n)
{
	const struct measured_context *c = team(p, context);
	uint32_t i = 0;

	while (!c->thread[i].inside || n-- > 0)
		i++;
	return c->thread[i].thread;
}

static const struct measured_thread *thread_find(const struct measurements *p, uint32_t context,
	uint32_t thread)
{
	const struct measured_context *c = &p->contexts[context];

	for (uint32_t i = 0; i < c->nthreads; i++)
		if (c->thread[i].thread == thread)
			return &c->thread[i];
	return NULL;
}

double measured_thread_cpu(const struct measurements *p, uint32_t context, uint32_t thread)
{
	const struct measured_thread *t = thread_find(p, context, thread);

	return t ? median_of(t->cpu, p->nclean) * 1e-9 : p->nclean ? 0 : NAN;
}

double measured_thread_wait(const struct measurements *p, uint32_t context, uint32_t thread)
{
	const struct measured_thread *t = thread_find(p, context, thread);

	return t ? median_of(t->wait, p->nclean) * 1e-9 : p->nclean ? 0 : NAN;
}

double per_thread_longest(const struct measurements *p, uint32_t context)
{
	const struct measured_context *c = &p->contexts[context];
	double longest = 0;

	for (uint32_t i = 0; i < c->nthreads; i++)
		longest = fmax(longest, median_of(c->thread[i].cpu, p->nclean) * 1e-9);
	return longest;
}

double measured_team_spread(const struct measurements *p, uint32_t context)
{
	const struct measured_context *c = &p->contexts[context];
	double longest = per_thread_longest(p, context) * 1e9, spread = 0;

	for (uint32_t i = 0; i < c->nthreads && !isnan(spread); i++)
		spread = fmax(spread, spread_of(c->thread[i].cpu, p->nclean));
	return longest > 0 && p->nclean >= SPREAD_LEAST ? spread / longest : NAN;
}

double measured_team_away(const struct measurements *p, uint32_t context)
{
	const struct measured_context *c = team(p, context);
	double *away = malloc((p->nclean + 1) * sizeof *away), most = p->nclean ? 0 : NAN;

	for (uint32_t i = 0; away && i < c->nthreads; i++) {
		const struct measured_thread *t = &c->thread[i];

		for (uint32_t e = 0; e < p->nclean; e++)
			away[e] = fmax(t->wall[e] - t->cpu[e] - t->wait[e], 0);
		most = fmax(most, median_of(away, p->nclean) * 1e-9);
	}
	if (!away)
		most = NAN;
	free(away);
	return most;
}

bool measured_thread_tally(const struct measurements *p, uint32_t context, uint32_t object,
	uint32_t thread, struct tally *out)
{
	enum keep_threads least = object == MON_ANY ? KEEP_THREADS_REGIONS : KEEP_THREADS_OBJECTS;
	const struct tally_entry *it = tally_map_find(p->thread_tallies, context, object, thread);
	struct tally whole;

	memset(out, 0, sizeof *out);
	if (p->keep_threads < least || p->thread_counts_dropped || parallel_around(p, context) == NO_CONTEXT ||
	    !measured_tally(p, context, object, &whole))
		return false;
	if (it)
		*out = it->tally;
	return true;
}

bool measured_same_team(const struct measurements *p, uint32_t a, uint32_t b)
{
	return parallel_around(p, a) == parallel_around(p, b);
}
