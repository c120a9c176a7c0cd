/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PSC_MONITOR_CONSUME_H
#define PSC_MONITOR_CONSUME_H

#include "monitor/pscmon.h"

/* Plays the records in [words, end) in the thread's lane; v->lock is held.  Counts go to cells
 * when counting, else nowhere; without play the accesses are only numbered.  Stops at what is
 * no record; returns the words not understood. */
size_t pscm_consume(struct pscm_view *v, const uint64_t *words, const uint64_t *end,
	bool counting, bool play);
#endif
