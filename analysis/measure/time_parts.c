/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what the threads of a phase spend their time on. */
#include "analysis/measure/time_parts.h"
#include "analysis/measure/waits.h"
#include "analysis/measure/quantiles.h"

#include <math.h>

static const struct measured_thread *thread_inside(const struct measured_context *c, uint32_t thread)
{
	for (uint32_t i = 0; i < c->nthreads; i++)
		if (c->thread[i].thread == thread && c->thread[i].inside)
			return &c->thread[i];
	return NULL;
}

/* What a thread does not account for between its arrival in the phase and its end. */
static double away(const struct measurements *p, const struct measured_thread *t)
{
	return fmax(0, median_of(t->wall, p->nclean) - median_of(t->cpu, p->nclean) -
		median_of(t->wait, p->nclean));
}

/* In the contexts by which the threads come into the phase. */
static double away_all(const struct measurements *p)
{
	double sum = 0;

	for (uint32_t c = 0; c < p->ncontexts; c++) {
		const struct measured_context *at = &p->contexts[c];

		for (uint32_t i = 0; i < at->nthreads; i++) {
			uint32_t thread = at->thread[i].thread;

			if (at->thread[i].inside &&
			    (at->parent == NO_CONTEXT || !thread_inside(&p->contexts[at->parent], thread)))
				sum += away(p, &at->thread[i]);
		}
	}
	return sum * 1e-9;
}

/* The context's waits without those of the contexts inside it. */
static double own_wait(const struct measurements *p, uint32_t context)
{
	double own = measured_wait(p, context);

	for (uint32_t c = p->contexts[context].child; c != NO_CONTEXT; c = p->contexts[c].next)
		own -= measured_wait(p, c);
	return own > 0 ? own : 0;
}

void measured_time_parts(const struct measurements *p, struct time_parts *out)
{
	*out = (struct time_parts){ .cpu = measured_cpu(p, 0), .away = away_all(p) };
	for (uint32_t c = 0; c < p->ncontexts; c++) {
		const uint32_t region = p->contexts[c].region;
		const struct sir_region *r = region == SIR_NONE ? NULL : &p->sir->regions[region];
		enum waits waits = r && r->type == REGION_CALL ? waits_of(r->name) : WAITS_NOT;

		*(waits == WAITS_ALL ? &out->mpi : waits == WAITS_BLOCKED ? &out->blocked : &out->barrier) +=
			own_wait(p, c);
	}
}
