/* SPDX-License-Identifier: BSD-3-Clause */
/* All rows of an experiment whose accesses were simulated. */
#ifndef PSC_MONITOR_EXPERIMENT_ROWS_H
#define PSC_MONITOR_EXPERIMENT_ROWS_H

#include "monitor/collect/armed.h"
#include "simulate/simulate.h"

#pragma GCC visibility push(hidden)

/* Writes what the threads' simulations, `simulations` each, have counted, when all words are
 * simulated.  share: of the program as it is, or NULL.  simulated: words were not only counted. */
void experiment_rows_write(struct pscm_armed *a, struct share *share, uint32_t simulations,
	bool simulated);

#pragma GCC visibility pop
#endif
