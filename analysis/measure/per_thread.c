/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the times and counts of single threads: who ran a context, how long, what each counted.
 *
 * A context's team is that of the innermost parallel region around it, its threads in the order of
 * the monitor's numbers.  Counts are kept only for contexts inside parallel regions, where a
 * property can ask for them; they are inclusive up to the parallel region whose team the thread
 * belongs to. */
#include "analysis/measure/tally_map.h"
#include "analysis/measure/per_thread.h"

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

/* The thread's times in the context, inserted if there were none.  NULL: memory. */
static struct measured_thread *thread_make(struct measurements *p, struct measured_context *c,
	uint32_t thread)
{
	uint32_t at = 0;
	struct measured_thread *grown;
	double *wall;

	while (at < c->nthreads && c->thread[at].thread < thread)
		at++;
	if (at < c->nthreads && c->thread[at].thread == thread)
		return &c->thread[at];
	wall = calloc(p->nclean, sizeof *wall);
	grown = realloc(c->thread, (c->nthreads + 1) * sizeof *grown);
	if (grown)
		c->thread = grown;
	if (!wall || !grown) {
		free(wall);
		return NULL;
	}
	memmove(grown + at + 1, grown + at, (c->nthreads - at) * sizeof *grown);
	c->nthreads++;
	p->nthread_rows++;
	grown[at] = (struct measured_thread){ thread, wall };
	return &grown[at];
}

int per_thread_grow(struct measurements *p, uint32_t executions)
{
	for (uint32_t i = 0; i < p->ncontexts; i++)
		for (uint32_t k = 0; k < p->contexts[i].nthreads; k++) {
			struct measured_thread *t = &p->contexts[i].thread[k];
			double *wall = realloc(t->wall, executions * sizeof *wall);

			if (!wall)
				return -1;
			t->wall = wall;
			for (uint32_t e = p->nclean; e < executions; e++)
				wall[e] = 0;
		}
	return 0;
}

int per_thread_time(struct measurements *p, const struct mon_time_row *row, uint32_t execution)
{
	struct measured_thread *t = thread_make(p, &p->contexts[row->context], row->thread);

	if (!t)
		return -1;
	t->wall[execution] += (double)row->wall_ns;
	return 0;
}

void per_thread_free(struct measured_context *c)
{
	for (uint32_t i = 0; i < c->nthreads; i++)
		free(c->thread[i].wall);
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
	return team(p, context)->nthreads;
}

uint32_t measured_team_member(const struct measurements *p, uint32_t context, uint32_t n)
{
	return team(p, context)->thread[n].thread;
}

double measured_thread_wall(const struct measurements *p, uint32_t context, uint32_t thread)
{
	const struct measured_context *c = &p->contexts[context];

	for (uint32_t i = 0; i < c->nthreads; i++)
		if (c->thread[i].thread == thread)
			return median_of(c->thread[i].wall, p->nclean) * 1e-9;
	return p->nclean ? 0 : NAN;
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
