/* SPDX-License-Identifier: BSD-3-Clause */
/* The regions that could be the phase: their list for the monitors, and what they took. */
#ifndef PSC_AGENTS_PHASE_PHASE_CANDIDATES_H
#define PSC_AGENTS_PHASE_PHASE_CANDIDATES_H

#include "analysis/measure/measurements.h"
#include "phase/choice.h"
#include "monitor/client/mon.h"

struct candidates {             /* freed by candidates_free() */
	struct mon_hook *hook;  /* as the monitors have them; those of a region in a row */
	uint32_t *region;       /* of each hook, in the SIR */
	uint32_t n, nregions;
	uint32_t nteam;         /* of the hooks, the last: of subroutines that all threads of a team
				 * call */
};

/* Lists the phase first (SIR_NONE: there is none yet), then the loops, user regions and constructs
 * that can be it, those with most of the program below them first, at last subroutines called in
 * parallel regions.
 * 0 / -1 (memory). */
int candidates_make(struct candidates *c, const struct sir *sir, uint32_t phase);
void candidates_free(struct candidates *c);

/* Adds the times of a process to t, which has c->nregions elements in the order of the list and was
 * zeroed before the first process. */
void candidates_add(const struct candidates *c, const struct mon_peer *peer, struct phase_time *t);

#endif
