/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the counts of all threads of an experiment to the rows of its result. */
#include "monitor/collect/experiment_rows.h"
#include "monitor/collect/column_rows.h"
#include "monitor/collect/count_rows.h"
#include "monitor/collect/map_writer.h"
#include "monitor/collect/part_users.h"
#include "monitor/collect/record_check.h"
#include "monitor/collect/site_rows.h"
#include "monitor/collect/thread_nodes.h"
#include "monitor/collect/touch_rows.h"
#include "monitor/collect/use_rows.h"
#include "monitor/collect/walk_rows.h"
#include "monitor/host/locks.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"

/* The most rows of misses by line that the threads can have. */
static uint32_t site_room(uint32_t experiment)
{
	uint32_t room = 0;

	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);

		pscm_lock(&t->lock);
		if (t->experiment == experiment)
			room += site_rows_room(&t->replay.sim.core);
		pscm_unlock(&t->lock);
	}
	return room;
}

/* The threads whose accesses were drawn by address. */
static uint32_t drawn_threads(uint32_t experiment)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);

		pscm_lock(&t->lock);
		n += t->experiment == experiment && t->replay.sim.core.maps;
		pscm_unlock(&t->lock);
	}
	return n;
}

/* Writes how the threads share the lines of drawn structures. */
static void use_rows(struct pscm_armed *a, struct share *share, uint32_t experiment)
{
	if (!share)
		return;
	use_rows_begin();
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);

		pscm_lock(&t->lock);
		if (t->experiment == experiment && t->replay.sim.core.maps)
			use_rows_maps(t->replay.sim.core.maps);
		pscm_unlock(&t->lock);
	}
	share_uses(share, use_rows_page, NULL);
	use_rows_write(a);
}

/* The rows of a thread.  t->lock is held. */
static void thread_rows(struct pscm_armed *a, struct pscm_thread *t, uint32_t simulations,
	uint32_t drawn)
{
	struct sim_core *core = &t->replay.sim.core;

	a->request->records += core->records;
	a->request->words += t->simulated;
	thread_nodes_tell(t, a->request);
	for (uint32_t k = 0; k < simulations && !a->failed; k++)
		a->failed = pscm_count_rows(a, k ? t->variant[k - 1] : &t->replay, t);
	pscm_walk_rows(a, core, t->index);
	pscm_map_rows(a, core, t->index, drawn);
	touch_rows_write(a, core);
	if (!a->failed && !atomic_load(&pscm_sliced))
		column_rows_write(a, t);
}

void experiment_rows_write(struct pscm_armed *a, struct share *share, uint32_t simulations,
	bool simulated)
{
	const uint32_t experiment = atomic_load(&pscm_experiment);
	uint32_t drawn = drawn_threads(experiment);

	a->request->records = a->request->words = a->request->left_out = a->request->undrawn = 0;
	a->request->counted_words = a->request->strayed = a->request->strays = 0;
	site_rows_begin(site_room(experiment));
	touch_rows_begin();
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);

		pscm_lock(&t->lock);
		if (t->experiment == experiment) {
			thread_rows(a, t, simulations, drawn);
			drawn -= drawn && t->replay.sim.core.maps;
			if (pscm_check_wanted())
				pscm_check_counts(t, !a->failed && simulated);
		}
		pscm_unlock(&t->lock);
	}
	locality_write(a);
	pscm_line_rows(a, share);
	use_rows(a, share, experiment);
	site_rows_write(a);
}
