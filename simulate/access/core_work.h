/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums what the processor does (struct psc_work of the records' descriptors) in the cells of
 * (context, SIM_OBJECT_WORK).  Segments are numerous, so each descriptor counts its executions,
 * which are added to a cell when the context changes or the batch ends.
 * Private to the simulator. */
#ifndef PSC_SIMULATE_CORE_WORK_H
#define PSC_SIMULATE_CORE_WORK_H

#include "simulate/access/play.h"

enum { CORE_WORK_NONE = UINT16_MAX };   /* no cell */

/* Adds n executions of the descriptor's code to the present context. */
void core_work_add(struct work *w, const struct psc_segment *s, uint64_t n);
/* n iterations of a loop that only copies, whose work belongs to what it loads. */
void core_work_copies(struct work *w, const struct psc_segment *s, struct sim_cell *loaded,
	uint64_t n);
/* Adds the executions that the descriptor has counted; the next ones belong to the present
 * context. */
void core_work_turn(struct work *w, struct sim_segment *seg);
/* Adds the executions that this descriptor, or all descriptors, have counted. */
void core_work_drop(struct sim_thread *t, struct sim_segment *seg);
void core_work_flush(struct sim_thread *t);
/* A run of chained segments begins. */
void core_work_chain(struct work *w);

/* Counts an execution of a segment. */
LRU_INLINE void core_work_segment(struct work *w, struct sim_segment *seg)
{
	if (likely(seg->facts & FACT_WORKS)) {
		if (unlikely(seg->cell != w->work))
			core_work_turn(w, seg);
		seg->n++;
	}
	if (unlikely(seg->chained != w->v->chained)) {
		w->v->chained = seg->chained;
		if (seg->chained)
			core_work_chain(w);
	}
}

/* Counts n iterations of a loop.  A loop inside a chained one does not end a run of chained
 * segments. */
LRU_INLINE void core_work_loop(struct work *w, const struct sim_segment *seg, uint64_t n)
{
	if (likely(seg->facts & FACT_WORKS) && !(seg->facts & FACT_COPIES))
		core_work_add(w, seg->s, n);
	w->v->chained &= seg->chained;
}

#endif
