/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at all records of a batch for stores that are overwritten unread
 * (simulate/cache/unread_bytes.h). */
#ifndef PSC_SIMULATE_LOOP_OVERWRITES_H
#define PSC_SIMULATE_LOOP_OVERWRITES_H

#include "simulate/loop/loop.h"

/* The records of a batch that was simulated: counted, and with the contexts from w->context on. */
void overwrites_look(struct work *w, const uint64_t *words, const uint64_t *end);

#endif
