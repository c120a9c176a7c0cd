/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory from the kernel. */
#ifndef PSC_MONITOR_MEM_H
#define PSC_MONITOR_MEM_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

void *pscm_map(size_t bytes);           /* zeroed, or NULL */
void pscm_unmap(void *p, size_t bytes);
/* The kernel limits mapped memory; ours takes from the program's. */
bool pscm_memory_counted(void);
/* Memory reserved at the start (reserve.c), used by pscm_map() when mmap fails.  get: zeroed, or
 * NULL.  put: false if the memory is not from the reserve. */
void pscm_reserve_start(void);
void pscm_reserve_stop(void);
void *pscm_reserve_get(size_t bytes);
bool pscm_reserve_put(const void *p);
/* A pool that is emptied as a whole.  Its lock serialises calls. */
struct pscm_pool {
	pthread_mutex_t lock;
	struct pscm_block *blocks;
	_Atomic bool unfilled;          /* pscm_pool_fill() has not populated all that is used */
};
void *pscm_pool_get(struct pscm_pool *pool, size_t bytes);      /* zeroed, or NULL */
void pscm_pool_empty(struct pscm_pool *pool);
/* Populates memory that pscm_map() returned, so that the first accesses need no faults.  A page
 * that is read before it is written costs two, and the second one interrupts all threads. */
void pscm_populate(void *p, size_t bytes);
/* Populates a part of the memory that was handed out: all of it at once would hold the program
 * up for milliseconds. */
void pscm_pool_fill(struct pscm_pool *pool);

#pragma GCC visibility pop
#endif
