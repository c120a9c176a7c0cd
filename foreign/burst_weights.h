/* SPDX-License-Identifier: BSD-3-Clause */
/* What the counts of bursts stand for.  A context's time in bursts is what its accesses and instructions
 * would take by the machine model; its weight is its time by samples over that, summed over the threads:
 * rates within a context come from bursts, shares between contexts from samples. */
#ifndef PSC_FOREIGN_BURST_WEIGHTS_H
#define PSC_FOREIGN_BURST_WEIGHTS_H

#include "foreign/play_bursts.h"
#include "foreign/sample_times.h"

struct burst_weights {
	double *weight;         /* by context; 0: not seen in bursts, or never in a sample; owned */
	uint32_t n;
};

/* 0 / -1: no memory. */
int burst_weights_make(struct burst_weights *w, const struct play_bursts *p, const struct thread_times *times, uint32_t ncontexts);
void burst_weights_free(struct burst_weights *w);
/* Nanoseconds of a cell by the machine model. */
double burst_cell_time(const struct sim_cell *c, const struct machine_flat *m);

#endif
