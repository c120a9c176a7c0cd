/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads apart: who ran a context, how long, and what each counted there.
 *
 * A team is that of the innermost parallel region around; the monitor's threads in the order of their
 * numbers.  Counts are kept for contexts inside parallel regions only, where a property can ask for
 * them, and go up to the region whose team the thread belongs to. */
#include "analysis/measure/items.h"
#include "analysis/measure/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Not more than 40 MB: then none are kept, rather than some. */
enum { MOST_ITEMS = 1 << 16 };

static bool is_parallel(const struct perf *p, uint32_t context)
{
	uint32_t region = p->contexts[context].region;

	return region != SIR_NONE && p->sir->regions[region].type == REGION_PARALLEL;
}

/* The parallel region around, itself included; PERF_NONE. */
static uint32_t parallel_around(const struct perf *p, uint32_t context)
{
	while (context != PERF_NONE && !is_parallel(p, context))
		context = p->contexts[context].parent;
	return context;
}

/* --- times ---------------------------------------------------------------------------------------- */

/* The thread's part of the context, made where there is none. */
static struct perf_part *part_make(struct perf *p, struct perf_context *c, uint32_t thread)
{
	uint32_t at = 0;
	struct perf_part *grown;
	double *wall;

	while (at < c->nparts && c->parts[at].thread < thread)
		at++;
	if (at < c->nparts && c->parts[at].thread == thread)
		return &c->parts[at];
	wall = calloc(p->nclean, sizeof *wall);
	grown = realloc(c->parts, (c->nparts + 1) * sizeof *grown);
	if (grown)
		c->parts = grown;
	if (!wall || !grown) {
		free(wall);
		return NULL;
	}
	memmove(grown + at + 1, grown + at, (c->nparts - at) * sizeof *grown);
	c->nparts++;
	p->nparts++;
	grown[at] = (struct perf_part){ thread, wall };
	return &grown[at];
}

int team_grow(struct perf *p, uint32_t executions)
{
	for (uint32_t i = 0; i < p->ncontexts; i++)
		for (uint32_t k = 0; k < p->contexts[i].nparts; k++) {
			struct perf_part *part = &p->contexts[i].parts[k];
			double *wall = realloc(part->wall, executions * sizeof *wall);

			if (!wall)
				return -1;
			part->wall = wall;
			for (uint32_t e = p->nclean; e < executions; e++)
				wall[e] = 0;
		}
	return 0;
}

int team_time(struct perf *p, const struct mon_time_row *row, uint32_t execution)
{
	struct perf_part *part = part_make(p, &p->contexts[row->context], row->thread);

	if (!part)
		return -1;
	part->wall[execution] += (double)row->wall_ns;
	return 0;
}

void team_free(struct perf_context *c)
{
	for (uint32_t i = 0; i < c->nparts; i++)
		free(c->parts[i].wall);
	free(c->parts);
}

/* --- counts ---------------------------------------------------------------------------------------- */

static int count_to(struct perf *p, uint32_t context, uint32_t object,
	const struct mon_count_row *row, double per)
{
	struct item *it = item_make(p->by_thread, context, object, row->thread);

	if (!it)
		return -1;
	tally_add_row(&it->tally, &p->machine->flat, row, per, 1);
	return 0;
}

static int count_both(struct perf *p, uint32_t context, const struct mon_count_row *row, double per)
{
	if (count_to(p, context, MON_ANY, row, per))
		return -1;
	if (p->keep < PERF_KEEP_OBJECTS || row->object < MON_OBJ_FIRST)
		return 0;
	return count_to(p, context, row->object, row, per);
}

int team_count(struct perf *p, const struct mon_count_row *row, double per)
{
	uint32_t top = parallel_around(p, row->context);

	if (!p->keep || p->too_many || top == PERF_NONE)
		return 0;
	for (uint32_t c = row->context; ; c = p->contexts[c].parent) {
		if (count_both(p, c, row, per))
			return -1;
		if (c == top)
			break;
	}
	p->too_many = p->by_thread->used > MOST_ITEMS;
	return 0;
}

int team_count_at(struct perf *p, uint32_t context, uint32_t object,
	const struct mon_count_row *row, double per)
{
	if (!p->keep || p->too_many || parallel_around(p, context) == PERF_NONE ||
	    parallel_around(p, context) != parallel_around(p, row->context))
		return 0;
	return count_to(p, context, object, row, per);
}

void team_forget(struct perf *p, uint32_t context, uint32_t object)
{
	for (uint32_t t = 0; t < p->threads; t++) {
		struct item *it = item_find(p->by_thread, context, object, t);

		if (it)
			memset(&it->tally, 0, sizeof it->tally);
	}
}

/* --- questions --------------------------------------------------------------------------------------- */

static const struct perf_context *team(const struct perf *p, uint32_t context)
{
	uint32_t top = parallel_around(p, context);

	return &p->contexts[top != PERF_NONE && p->contexts[top].nparts ? top : context];
}

uint32_t perf_nthreads(const struct perf *p, uint32_t context)
{
	return team(p, context)->nparts;
}

uint32_t perf_thread(const struct perf *p, uint32_t context, uint32_t n)
{
	return team(p, context)->parts[n].thread;
}

double perf_thread_wall(const struct perf *p, uint32_t context, uint32_t thread)
{
	const struct perf_context *c = &p->contexts[context];

	for (uint32_t i = 0; i < c->nparts; i++)
		if (c->parts[i].thread == thread)
			return perf_median(c->parts[i].wall, p->nclean) * 1e-9;
	return p->nclean ? 0 : NAN;
}

bool perf_thread_tally(const struct perf *p, uint32_t context, uint32_t object, uint32_t thread,
	struct tally *out)
{
	enum perf_keep least = object == MON_ANY ? PERF_KEEP_REGIONS : PERF_KEEP_OBJECTS;
	const struct item *it = item_find(p->by_thread, context, object, thread);
	struct tally whole;

	memset(out, 0, sizeof *out);
	if (p->keep < least || p->too_many || parallel_around(p, context) == PERF_NONE ||
	    !perf_tally(p, context, object, &whole))
		return false;
	if (it)
		*out = it->tally;
	return true;
}

bool perf_same_team(const struct perf *p, uint32_t a, uint32_t b)
{
	return parallel_around(p, a) == parallel_around(p, b);
}
