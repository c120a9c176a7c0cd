/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulator's questions, and changed data structures. */
#ifndef PSC_MONITOR_SIM_ENV_H
#define PSC_MONITOR_SIM_ENV_H

#include "monitor/address/address_map.h"
#include "monitor/host/threads.h"

#pragma GCC visibility push(hidden)

extern const struct sim_env pscm_sim_env;       /* the callbacks */

/* Gives the shift of an address in the variant's object.  Narrows *s to the range with the same
 * shift, sets s->shift, and *home for variants of placement.  False: the variant leaves its
 * accesses out. */
bool pscm_whatif_move(const struct pscm_replay *replay, uint64_t address, struct pscm_span *s,
	uint32_t *home);

#pragma GCC visibility pop
#endif
