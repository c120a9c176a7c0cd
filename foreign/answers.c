/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes results into the slots of requests. */
#include "config.h"
#include "foreign/answers.h"

#include <stdlib.h>
#include <string.h>

#include "foreign/result_rows.h"

/* --- requests --------------------------------------------------------------------------------- */

static void head(struct mon_request *r, const struct measured_run *run)
{
	r->executions = 1;
	r->ran_first = 1;
	r->phase_ns[0] = run->wall_ns;
	r->reason = MON_DROP_NONE;
}

static uint32_t answer_times(struct mon_request *r, uint32_t slot, const struct measured_run *run)
{
	if (r->kernel_only || r->one_cpu)
		return MON_DROP_REQUEST;
	head(r, run);
	r->kernel[0] = run->kernel;
	return result_times(run, slot, false);
}

static uint32_t answer_counts(struct mon_request *r, uint32_t slot, const struct measured_run *run)
{
	const struct play_bursts *p = run->play;
	uint32_t rc;

	if (r->nvariants)
		return MON_DROP_REQUEST;
	if (!p->bursts)
		return run->bursts.refusal ? MON_DROP_BURSTS : MON_DROP_EXIT;
	if (run->said.asked && !run->said.samples)
		return MON_DROP_SAMPLES;
	head(r, run);
	if (!run->whole) {
		r->groups = MON_GROUPS;
		r->slices = p->bursts;
		r->classes = r->sampled = 1;    /* what the counts stand for is for the agent to
						 * say */
	}
	r->words = p->words;
	r->lost = p->words_invalid;
	r->unshared = p->share ? share_lost(p->share) : 0;
	rc = result_counts(run, slot);
	return rc == MON_DROP_NONE && run->history ? page_history_write(run->history, run->shm,
		slot) : rc;
}

static void answer(struct mon_request *r, uint32_t slot, const struct measured_run *run)
{
	r->rows = (struct mon_row_numbers){ 0 };
	r->bursts = run->bursts;
	r->pages = run->pages;
	r->hardware = run->said;
	switch (r->kind) {
	case MON_TIME: r->reason = answer_times(r, slot, run); break;
	case MON_SIM: r->reason = answer_counts(r, slot, run); break;
	default: r->reason = MON_DROP_REQUEST; break;
	}
	atomic_store_explicit(&r->state, r->reason == MON_DROP_NONE ? MON_DONE : MON_DROPPED,
		memory_order_release);
}

bool answers_write(const struct measured_run *run)
{
	bool any = false;

	for (uint32_t i = 0; i < MON_SLOTS; i++) {
		struct mon_request *r = &run->shm->request[i];

		if (atomic_load_explicit(&r->state, memory_order_acquire) != MON_READY)
			continue;
		answer(r, i, run);
		any = true;
	}
	return any;
}

bool answers_waiting(const struct mon_shm *shm)
{
	for (uint32_t i = 0; i < MON_SLOTS; i++)
		if (atomic_load_explicit(&shm->request[i].state, memory_order_acquire) >= MON_DONE)
			return true;
	return false;
}
