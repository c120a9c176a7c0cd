/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for the memory that the monitor shares with its agent: mapped, so that only pages that a test touches take
 * memory and time.  Of a block from calloc() as large, sanitizers poison or search all. */
#ifndef PSC_TESTS_SHARED_MEMORY_H
#define PSC_TESTS_SHARED_MEMORY_H

#include <stddef.h>
#include <sys/mman.h>
#include "monitor/shared/shm.h"

/* NULL: no memory. */
static inline struct mon_shm *shared_memory(void)
{
	void *p = mmap(NULL, sizeof(struct mon_shm), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static inline void shared_memory_free(struct mon_shm *m)
{
	munmap(m, sizeof *m);
}

#endif
