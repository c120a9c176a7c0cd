/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps memory from the kernel: the program's allocator may be in any state when the monitor
 * runs. */
#include "monitor/pscmon.h"
#include <sys/mman.h>

struct pscm_block {
	struct pscm_block *next;
	size_t bytes;
};
enum { BLOCK = 1 << 20, BLOCK_HEAD = 64, FILLED = 8 * BLOCK };

void *pscm_map(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return pscm_reserve_get(bytes);
	madvise(p, bytes, MADV_DONTDUMP);
	return p;
}

void pscm_unmap(void *p, size_t bytes)
{
	if (p && !pscm_reserve_put(p))
		munmap(p, bytes);
}

/* Populates blocks of a usual size at once (since Linux 5.14).  A page that is read before it is
 * written costs two faults otherwise, and the second one interrupts all threads. */
static struct pscm_block *block_make(size_t size)
{
	struct pscm_block *b = pscm_map(size);

#ifdef MADV_POPULATE_WRITE
	if (b && size <= FILLED)
		madvise(b, size, MADV_POPULATE_WRITE);
#endif
	if (b)
		b->bytes = size;
	return b;
}

void *pscm_pool_get(struct pscm_pool *pool, size_t bytes)
{
	void *p = NULL;

	bytes = (bytes + 63) & ~(size_t)63;
	pthread_mutex_lock(&pool->lock);
	if (!pool->blocks || pool->used + bytes > pool->blocks->bytes) {
		size_t size = bytes + BLOCK_HEAD > BLOCK ? bytes + BLOCK_HEAD : BLOCK;
		struct pscm_block *b = block_make(size);

		if (!b)
			goto out;
		b->next = pool->blocks;
		pool->blocks = b;
		pool->used = BLOCK_HEAD;
	}
	p = (char *)pool->blocks + pool->used;
	pool->used += bytes;
out:
	pthread_mutex_unlock(&pool->lock);
	return p;
}

void pscm_pool_empty(struct pscm_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	while (pool->blocks) {
		struct pscm_block *b = pool->blocks;

		pool->blocks = b->next;
		pscm_unmap(b, b->bytes);
	}
	pool->used = 0;
	pthread_mutex_unlock(&pool->lock);
}
