/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks of open regions. */
#ifndef PSC_MONITOR_REGIONS_H
#define PSC_MONITOR_REGIONS_H

#include "monitor/host/threads.h"

#pragma GCC visibility push(hidden)

/* Empties the stack: it belongs to an earlier execution than the epoch. */
void pscm_region_stack_reset(struct pscm_thread *t, uint32_t epoch);
static inline void pscm_region_stack_sync(struct pscm_thread *t)
{
	uint32_t epoch = atomic_load_explicit(&pscm_epoch, memory_order_relaxed);

	if (unlikely(t->epoch != epoch))
		pscm_region_stack_reset(t, epoch);
}
/* A span of time begins: its open regions stay.  clean: without brief ones, whose ends will not
 * be seen. */
void pscm_region_stack_carry(struct pscm_thread *t, bool clean);
/* Is the thread in a team? */
bool pscm_region_in_team(const struct pscm_thread *t);
/* When an execution begins. */
void pscm_region_stack_open(struct pscm_thread *t);
/* When it ends: closes its times.  The regions themselves stay open between spans of time. */
void pscm_region_stack_close(struct pscm_thread *t, uint64_t now);
/* Behind a construct: the thread that encountered it may have waited for its team. */
void pscm_region_joined(const struct psc_unit *unit, uint32_t region);

static inline uint32_t pscm_region_stack_context(const struct pscm_thread *t)
{
	return t->depth ? t->frame[t->depth - 1].context : 0;
}

#pragma GCC visibility pop
#endif
