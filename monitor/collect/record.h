/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of recording that whole executions (record.c) and slices (record_slices.c) have in common.
 * Private to these files. */
#ifndef PSC_MONITOR_RECORD_H
#define PSC_MONITOR_RECORD_H

#include "monitor/pscmon.h"

/* Tells the simulations that an execution of the phase begins. */
void pscm_record_execution(void);
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

#endif
