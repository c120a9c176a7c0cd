/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps memory from the kernel: the program's allocator may be in any state when the monitor
 * runs. */
#include "monitor/host/mem.h"
#include "monitor/state.h"
#include <sys/mman.h>

struct pscm_block {
	struct pscm_block *next;
	size_t bytes, used;
	size_t filled;          /* populated from the beginning on */
};
/* A block is address space, and takes memory as far as it is used.  Blocks larger than POPULATED
 * are of tables that may stay almost empty.  PART: populated at a time. */
enum { BLOCK = 4 << 20, BLOCK_HEAD = 64, POPULATED = 8 << 20, PART = 1 << 17 };

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

void pscm_populate(void *p, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE      /* since Linux 5.14 */
	uintptr_t from = (uintptr_t)p & ~(uintptr_t)(PSCM_PAGE - 1);

	madvise((void *)from, (uintptr_t)p + bytes - from, MADV_POPULATE_WRITE);
#else
	(void)p;
	(void)bytes;
#endif
}

static struct pscm_block *block_make(struct pscm_pool *pool, size_t bytes)
{
	size_t size = bytes + BLOCK_HEAD > BLOCK ? bytes + BLOCK_HEAD : BLOCK;
	struct pscm_block *b = pscm_map(size);

	if (!b)
		return NULL;
	b->bytes = size;
	b->used = BLOCK_HEAD;
	b->next = pool->blocks;
	pool->blocks = b;
	return b;
}

void *pscm_pool_get(struct pscm_pool *pool, size_t bytes)
{
	struct pscm_block *b;
	void *p = NULL;

	bytes = (bytes + 63) & ~(size_t)63;
	pthread_mutex_lock(&pool->lock);
	b = pool->blocks;
	if (!b || b->used + bytes > b->bytes)
		b = block_make(pool, bytes);
	if (b) {
		p = (char *)b + b->used;
		b->used += bytes;
		atomic_store_explicit(&pool->unfilled, true, memory_order_relaxed);
	}
	pthread_mutex_unlock(&pool->lock);
	return p;
}

void pscm_pool_fill(struct pscm_pool *pool)
{
	struct pscm_block *b;

	if (likely(!atomic_load_explicit(&pool->unfilled, memory_order_relaxed)) ||
	    pthread_mutex_trylock(&pool->lock))
		return;
	b = pool->blocks;
	while (b && (b->filled >= b->used || b->bytes > POPULATED))
		b = b->next;
	if (b) {
		pscm_populate((char *)b + b->filled, b->bytes - b->filled < PART ?
			b->bytes - b->filled : PART);
		b->filled += PART;
	} else
		atomic_store_explicit(&pool->unfilled, false, memory_order_relaxed);
	pthread_mutex_unlock(&pool->lock);
}

void pscm_pool_empty(struct pscm_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	while (pool->blocks) {
		struct pscm_block *b = pool->blocks;

		pool->blocks = b->next;
		pscm_unmap(b, b->bytes);
	}
	pthread_mutex_unlock(&pool->lock);
}
