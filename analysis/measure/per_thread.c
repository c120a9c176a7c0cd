/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the counts of single threads, and answers who ran a context, how long, what each counted.
 *
 * A context's team is that of the innermost parallel region around it, its threads in the order of
 * the monitor's numbers.  Counts are kept for contexts inside parallel regions, where a
 * property can ask for them; they are inclusive up to the parallel region whose team the thread
 * belongs to; and for the phase, where they are those of all its contexts. */
#include "analysis/measure/per_thread.h"
#include "analysis/measure/quantiles.h"
#include "analysis/measure/store.h"
#include "analysis/measure/thread_times.h"

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

/* --- counts ---------------------------------------------------------------------------------- */

static int count_to(struct measurements *p, uint32_t context, uint32_t object,
	const struct mon_count_row *row, double per)
{
	struct store_row *it = store_insert(p->store, store_key(context, object, row->thread));

	if (!it)
		return -1;
	p->nthread_counts += it->counts == STORE_UNKNOWN;
	it->counts = STORE_COUNTED;
	tally_add_row(&it->tally, &p->machine->flat, row, per);
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

	if (!p->keep_threads || p->thread_counts_dropped)
		return 0;
	for (uint32_t c = row->context; top != NO_CONTEXT; c = p->contexts[c].parent) {
		if (count_both(p, c, row, per))
			return -1;
		if (c == top)
			break;
	}
	if (top != 0 && count_to(p, 0, MON_ANY, row, per))
		return -1;
	p->thread_counts_dropped = p->nthread_counts > MOST_TALLIES;
	return 0;
}

int per_thread_count_at(struct measurements *p, uint32_t context, uint32_t object,
	const struct mon_count_row *row, double per)
{
	uint32_t top = parallel_around(p, context);
	bool phase = !context && object == MON_ANY;

	if (!p->keep_threads || p->thread_counts_dropped ||
	    (!phase && (top == NO_CONTEXT || top != parallel_around(p, row->context))))
		return 0;
	return count_to(p, context, object, row, per);
}

void per_thread_forget(struct measurements *p, uint32_t context, uint32_t object)
{
	for (uint32_t t = 0; t < p->threads; t++) {
		struct store_row *it = store_find(p->store, store_key(context, object, t));

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

double measured_thread_cpu(const struct measurements *p, uint32_t context, uint32_t thread)
{
	const struct measured_thread *t = thread_times_find(&p->contexts[context], thread);

	return t ? like_median(p, t->cpu) * 1e-9 : p->nclean ? 0 : NAN;
}

double measured_thread_wait(const struct measurements *p, uint32_t context, uint32_t thread)
{
	const struct measured_thread *t = thread_times_find(&p->contexts[context], thread);

	return t ? like_median(p, t->wait) * 1e-9 : p->nclean ? 0 : NAN;
}

double measured_thread_startup(const struct measurements *p, uint32_t context, uint32_t thread)
{
	const struct measured_thread *t = thread_times_find(&p->contexts[context], thread);

	return t ? like_median(p, t->startup) * 1e-9 : p->nclean ? 0 : NAN;
}

double measured_team_spread(const struct measurements *p, uint32_t context)
{
	const struct measured_context *c = &p->contexts[context];
	double longest = thread_times_longest(p, context) * 1e9, spread = 0;

	for (uint32_t i = 0; i < c->nthreads && !isnan(spread); i++) {
		double one = like_spread(p, c->thread[i].cpu);

		spread = isnan(one) ? NAN : fmax(spread, one);
	}
	return longest > 0 && p->nclean >= SPREAD_LEAST ? spread / longest : NAN;
}

double measured_team_away(const struct measurements *p, uint32_t context)
{
	const struct measured_context *c = team(p, context);
	double most = p->nclean ? 0 : NAN;

	for (uint32_t i = 0; i < c->nthreads && !isnan(most); i++) {
		double away = thread_times_away(p, &c->thread[i]);

		most = away <= most ? most : away;
	}
	return most;
}

bool measured_thread_tally(const struct measurements *p, uint32_t context, uint32_t object,
	uint32_t thread, struct tally *out)
{
	enum keep_threads least = object == MON_ANY ? KEEP_THREADS_REGIONS : KEEP_THREADS_OBJECTS;
	const struct store_row *it = store_find(p->store, store_key(context, object, thread));
	struct tally whole;

	memset(out, 0, sizeof *out);
	if (p->keep_threads < least || p->thread_counts_dropped ||
	    parallel_around(p, context) == NO_CONTEXT ||
	    !measured_tally(p, context, object, &whole))
		return false;
	if (it)
		*out = it->tally;
	return true;
}

bool measured_phase_thread(const struct measurements *p, uint32_t thread, struct tally *out)
{
	struct tally whole;
	double refs = 0;

	if (!p->keep_threads || p->thread_counts_dropped || !measured_tally(p, 0, MON_ANY, &whole))
		return false;
	memset(out, 0, sizeof *out);
	for (uint32_t t = 0; t < p->threads; t++) {
		const struct store_row *it = store_find(p->store, store_key(0, MON_ANY, t));

		refs += it ? tally_refs(&it->tally) : 0;
		if (it && t == thread)
			*out = it->tally;
	}
	/* Counts of experiments with other filters do not belong together. */
	return fabs(refs - tally_refs(&whole)) <= 1e-6 * refs;
}

bool measured_same_team(const struct measurements *p, uint32_t a, uint32_t b)
{
	return parallel_around(p, a) == parallel_around(p, b);
}
