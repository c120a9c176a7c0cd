/* SPDX-License-Identifier: BSD-3-Clause */
/* Which thread touched memory first, and which uses it: by *part*, what one page and one block
 * have in common.
 *
 * Memory belongs to a node by its first touch, and is local to the threads of that node. Whether
 * an object is private to threads, and to which, decides what helps where it is remote. */
#ifndef PSC_MONITOR_PART_USERS_H
#define PSC_MONITOR_PART_USERS_H

#include "monitor/collect/armed.h"

#pragma GCC visibility push(hidden)

/* Begins an experiment, whose memory is fresh: nothing is used. Notes nothing where no node can
 * differ and nobody asked for first touches. */
void locality_begin(void);
/* A thread uses the part [lo, hi) of an object, not for the first time perhaps. */
void locality_use(uint64_t lo, uint64_t hi, uint32_t object, uint32_t thread);
/* Writes the rows of the result (struct mon_locality). */
void locality_write(struct pscm_armed *a);

#pragma GCC visibility pop
#endif
