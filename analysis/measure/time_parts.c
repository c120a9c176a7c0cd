/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what the threads of a phase spend their time on. */
#include "analysis/measure/time_parts.h"
#include "analysis/measure/mpi_messages.h"
#include "analysis/measure/thread_times.h"
#include "analysis/measure/waits.h"

static bool was_inside(const struct measurements *p, uint32_t context, uint32_t thread)
{
	const struct measured_thread *t = context == NO_CONTEXT ? NULL :
		thread_times_find(&p->contexts[context], thread);

	return t && t->inside;
}

/* Sums over the contexts by which the threads come into the phase, and the threads. */
static double away_all(const struct measurements *p)
{
	double sum = 0;

	for (uint32_t c = 0; c < p->ncontexts; c++) {
		const struct measured_context *at = &p->contexts[c];

		for (uint32_t i = 0; i < at->nthreads; i++)
			if (at->thread[i].inside &&
			    !was_inside(p, at->parent, at->thread[i].thread))
				sum += thread_times_away(p, &at->thread[i]);
	}
	return sum;
}

/* The context's waits without those of the contexts inside it. */
static double own_wait(const struct measurements *p, uint32_t context)
{
	double own = measured_wait(p, context);

	for (uint32_t c = p->contexts[context].child; c != NO_CONTEXT; c = p->contexts[c].next)
		own -= measured_wait(p, c);
	return own > 0 ? own : 0;
}

/* Of a context's own waits, the part in calls of MPI, where these were looked at: the caller may be
 * the context, as the function that it calls has no markers. */
static double own_mpi(const struct measurements *p, uint32_t context)
{
	double own = mpi_calls_figure(p, context, MPI_TIME);

	for (uint32_t c = p->contexts[context].child; c != NO_CONTEXT; c = p->contexts[c].next)
		own -= mpi_calls_figure(p, c, MPI_TIME);
	return own > 0 ? own : 0;
}

void measured_time_parts(const struct measurements *p, struct time_parts *out)
{
	*out = (struct time_parts){ .cpu = measured_cpu(p, 0), .away = away_all(p) };
	for (uint32_t c = 0; c < p->ncontexts; c++) {
		const uint32_t region = p->contexts[c].region;
		const struct sir_region *r = region == SIR_NONE ? NULL : &p->sir->regions[region];
		enum waits waits = r && r->type == REGION_CALL ? waits_of(r->name) : WAITS_NOT;

		double wait = own_wait(p, c), mpi = waits == WAITS_NOT ? own_mpi(p, c) : 0;

		mpi = mpi < wait ? mpi : wait;
		out->mpi += mpi;
		*(waits == WAITS_ALL ? &out->mpi : waits == WAITS_BLOCKED ? &out->blocked :
			&out->barrier) += wait - mpi;
	}
}
