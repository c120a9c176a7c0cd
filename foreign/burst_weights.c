/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the weights of contexts. */
#include "config.h"
#include "foreign/burst_weights.h"

#include <stdlib.h>

#include "base/abi.h"

/* The part of a level's extra latency that a miss adds to the time, by class: assumed, from 1/64 of a line of a
 * stream, which is fetched ahead, to all of a link of a chain.  Too small a part does less harm than too large a
 * one: the estimate never exceeds what computing leaves of the time. */
static const double part_of_latency[MISS_CLASSES] = {
	[MISS_STREAM] = 1. / 64, [MISS_STRIDED] = 1. / 24, [MISS_GATHER] = 1. / 16, [MISS_BRANCH] = 1. / 3,
	[MISS_CONTROL] = 1. / 3, [MISS_CHAINED] = 1
};
static const double ASSUMED_GHZ = 3;

/* Cycles that a miss of a level waits longer than a hit. */
static double extra_latency(const struct machine_flat *m, uint32_t level)
{
	const uint32_t next = level + 1 < m->nlevels ? m->level[level + 1].latency : m->memory_latency;

	return next > m->level[level].latency ? next - m->level[level].latency : 0;
}

double burst_cell_time(const struct sim_cell *c, const struct machine_flat *m)
{
	double cycles = (double)(c->core[0] + c->core[1]) / 2 / PSC_WORK_UNIT;

	for (uint32_t l = 0; l < m->nlevels; l++) {
		double waits = 0;

		for (int k = 0; k < MISS_CLASSES; k++)
			waits += part_of_latency[k] * (double)(c->class[l][k][0] + c->class[l][k][1]);
		cycles += waits * extra_latency(m, l);
	}
	/* A line that another core wrote comes from there. */
	cycles += (double)(c->coherent[0][0] + c->coherent[1][0]) * m->level[m->nlevels - 1].latency;
	return cycles / (m->ghz > 0 ? m->ghz : ASSUMED_GHZ);
}

int burst_weights_make(struct burst_weights *w, const struct play_bursts *p, const struct thread_times *times, uint32_t ncontexts)
{
	double *in_bursts = calloc(ncontexts + 1, sizeof *in_bursts);

	*w = (struct burst_weights){ calloc(ncontexts + 1, sizeof *w->weight), ncontexts };
	if (!in_bursts || !w->weight) {
		free(in_bursts);
		burst_weights_free(w);
		return -1;
	}
	for (uint32_t i = 0; i < p->nthreads; i++) {
		const struct sim_thread *t = p->thread[i].sim;

		for (uint32_t c = 0; c < ncontexts && c < times[i].room; c++)
			w->weight[c] += (double)times[i].own[c];
		for (uint32_t k = 1; t && t->core.counting && k < t->core.ncells; k++)
			if (sim_cell_context(&t->core.cells[k]) < ncontexts)
				in_bursts[sim_cell_context(&t->core.cells[k])] += burst_cell_time(&t->core.cells[k],
					&p->sim.machine);
	}
	for (uint32_t c = 0; c < ncontexts; c++)
		w->weight[c] = in_bursts[c] > 0 ? w->weight[c] / in_bursts[c] : 0;
	free(in_bursts);
	return 0;
}

void burst_weights_free(struct burst_weights *w)
{
	free(w->weight);
	*w = (struct burst_weights){ 0 };
}
