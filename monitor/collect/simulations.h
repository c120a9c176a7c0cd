/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulations of an experiment: [0] of the program as it is, the others of its variants
 * (struct pscm_whatif).  Each thread is a core of each of them, its replay. */
#ifndef PSC_MONITOR_SIMULATIONS_H
#define PSC_MONITOR_SIMULATIONS_H

#include "monitor/collect/armed.h"
#include "monitor/host/threads.h"

#pragma GCC visibility push(hidden)

/* Makes the simulations that the experiment needs, without cores.  Else: why not. */
enum mon_drop simulations_arm(struct pscm_armed *a);
/* Maps what a replay needs; false: no memory. */
bool simulations_memory(struct pscm_replay *r);
/* Makes the thread's replays cores of this experiment.  t->lock is held.  false: no memory. */
bool simulations_join(struct pscm_thread *t);
/* Several threads are about to run side by side: makes the coherence directories.  Without this,
 * the second thread that joins does. */
void simulations_meet(void);
/* The directory of the program as it is; NULL: fewer than two threads have joined. */
struct share *simulations_share(void);
/* Simulates [from, end) in all simulations.  Returns the number of words that were not
 * understood. */
size_t simulations_play(struct pscm_thread *t, const uint64_t *from, const uint64_t *end,
	bool counting);
/* An execution of the phase begins. */
void simulations_execution(void);
/* Do the words from now on warm the caches? */
void simulations_warm(bool warming);
/* Code without records may have read what was stored so far. */
void simulations_forget_unread(void);
/* All words are simulated: writes rows; only cleans up when a->failed. */
void simulations_finish(struct pscm_armed *a);

#pragma GCC visibility pop
#endif
