/* SPDX-License-Identifier: BSD-3-Clause */
/* Records slices of an execution: switches recording on and off where slices.c says. */
#include "monitor/collect/record_buffers.h"
#include "monitor/collect/simulations.h"
#include "monitor/host/locks.h"
#include "monitor/host/signals.h"
#include "monitor/host/threads.h"
#include "monitor/regions/regions.h"

void pscm_record_prepare(struct pscm_thread *t)
{
	simulations_execution();
	pscm_record_set_counting(false);
	pscm_record_discard();
	pscm_record_read_objects();
	if (t->signals && t->words) {
		pscm_lock(&t->lock);
		pscm_signal_leave(t, 0);
		pscm_unlock(&t->lock);
	}
}

void pscm_record_resume(struct pscm_thread *t)
{
	pscm_record_set_counting(false);
	pscm_record_start_words(t, pscm_region_stack_context(t));
}

void pscm_record_count(struct pscm_thread *t)
{
	pscm_record_end(t, false);
	pscm_record_set_counting(true);
}

void pscm_record_warm(struct pscm_thread *t)
{
	pscm_record_end(t, false);
	pscm_record_set_counting(false);
}

void pscm_record_pause(struct pscm_thread *t)
{
	pscm_record_end(t, false);
	pscm_record_set_counting(false);
	pscm_record_discard();
}

uint64_t pscm_record_simulated(struct pscm_thread *t, bool flush)
{
	const struct sim_core *core = &t->replay.sim.core;

	if (flush && t->words) {
		pscm_lock(&t->lock);
		pscm_record_flush_own(t);
		pscm_unlock(&t->lock);
	}
	return core->records + core->warmed;
}
