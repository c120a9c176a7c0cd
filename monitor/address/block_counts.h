/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the heap blocks of each structure while accesses are recorded: how large they are, whether
 * they grow, and where malloc has them from (struct mon_object). */
#ifndef PSC_MONITOR_BLOCK_COUNTS_H
#define PSC_MONITOR_BLOCK_COUNTS_H

#include <stdint.h>

struct psc_site;
struct pscm_thread;

/* A block was allocated for the object there, by the calling thread. */
void pscm_block_allocated(uint32_t object,
	const struct psc_site *site) __attribute__((visibility("hidden")));

/* A thread begins, which may have the number of one that has ended: who allocated the blocks of
 * that one is unknown from here on. */
void pscm_block_thread_begins(const struct pscm_thread *t) __attribute__((visibility("hidden")));

/* A block of PSC_SMALL_BLOCK bytes or more was allocated at `lo`; flags: those of its site. */
void pscm_block_counted(uint32_t object, uint64_t lo, uint64_t bytes, uint32_t flags)
	__attribute__((visibility("hidden")));

/* One was released, while accesses are recorded. */
void pscm_block_released(uint32_t object) __attribute__((visibility("hidden")));

/* A further analysis begins: the blocks of the one before are none of its own. */
void pscm_blocks_forget(void) __attribute__((visibility("hidden")));

/* Another recorded execution begins. */
void pscm_block_execution(void) __attribute__((visibility("hidden")));

#endif
