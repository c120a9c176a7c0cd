/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording: record buffers, and their simulation (record_buffers.c, record_slices.c).  First the
 * steps that whole executions and slices have in common. */
#ifndef PSC_MONITOR_RECORD_BUFFERS_H
#define PSC_MONITOR_RECORD_BUFFERS_H

#include "monitor/collect/armed.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"

/* Are the words from now on counted, or do they warm the caches? */
void pscm_record_set_counting(bool counting);
/* Resolves declared objects and translates their addresses anew. */
void pscm_record_read_objects(void);
/* From here on the thread's words are simulated; they begin in this context. */
void pscm_record_start_words(struct pscm_thread *t, uint32_t context);
/* Stops recording: what recording code writes until it ends belongs to the interval before. */
void pscm_record_discard(void);
/* Simulates the thread's words.  Called by the owner with t->lock held. */
void pscm_record_flush_own(struct pscm_thread *t);

#pragma GCC visibility push(hidden)

enum mon_drop pscm_record_arm(struct pscm_armed *a);
/* Maps the calling thread's buffers, and populates what its simulation always touches, before
 * the first boundary needs them. Where mapping fails, it is tried again there. */
void pscm_record_ready(void);
/* Begins an execution.  after_gap: words recorded since the last execution ended are void. */
void pscm_record_begin(struct pscm_thread *t, bool counting, bool after_gap);
void pscm_record_end(struct pscm_thread *t, bool is_void);
/* Slices of an execution.  prepare: as begin, but nothing is recorded yet.  resume: record and
 * simulate from here on.  count: count from here on; warm: do not.  pause: simulate the words so
 * far and discard what recording code still writes. */
void pscm_record_prepare(struct pscm_thread *t);
void pscm_record_resume(struct pscm_thread *t);
void pscm_record_count(struct pscm_thread *t);
void pscm_record_warm(struct pscm_thread *t);
void pscm_record_pause(struct pscm_thread *t);
/* References of the thread simulated so far, counted or not.  flush: what it has recorded, too. */
uint64_t pscm_record_simulated(struct pscm_thread *t, bool flush);
void pscm_record_finish(struct pscm_armed *a);  /* writes rows; only cleans up when a->failed */
void pscm_record_context(struct pscm_thread *t, uint32_t context);
void pscm_record_fork(struct pscm_thread *t);   /* before the thread creates a team */
bool pscm_record_in_team(void);         /* of two threads or more */
void pscm_record_team_begin(struct pscm_thread *t);   /* the thread joined a team */
void pscm_record_wait(struct pscm_thread *t);   /* before it waits at a barrier */
void pscm_record_barrier(struct pscm_thread *t);/* after it passed a barrier */
void pscm_record_team_end(struct pscm_thread *t);  /* it left its outermost team */
void pscm_record_park(struct pscm_thread *t);   /* its region stack is empty now */
void pscm_record_unpark(struct pscm_thread *t);
void pscm_record_leave(struct pscm_thread *t);  /* the thread ends */
/* Simulates own and parked threads' words before memory is released. */
void pscm_record_flush_parked(void);
/* Before a library with record descriptors is unmapped. */
void pscm_record_unload(const struct psc_unit *unit);
/* Sets the thread's record buffer.  psc_end is NULL in between, so that a signal handler finds no
 * buffer space: if psc_end belonged to another buffer than psc_cur, an interrupted block could
 * write beyond its end. */
static inline void pscm_record_set_buffer(uint64_t *cur, uint64_t *end)
{
	psc_end = NULL;
	atomic_signal_fence(memory_order_seq_cst);
	psc_cur = cur;
	atomic_signal_fence(memory_order_seq_cst);
	psc_end = end;
}

static inline void pscm_record_sink(void)
{
	pscm_record_set_buffer(pscm_sink, NULL);
}

/* In a copy of the process (process_copies.h): recording code runs, and its words are
 * digested instead of simulated.  Equal digests: the code made the same accesses.  begin false:
 * no memory. */
struct pscm_digest { uint64_t words, hash; };
bool pscm_digest_begin(struct pscm_thread *t, struct pscm_digest *to);
void pscm_digest_end(struct pscm_thread *t);    /* without pscm_digest_begin(): does nothing */

#pragma GCC visibility pop
#endif
