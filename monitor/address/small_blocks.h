/* SPDX-License-Identifier: BSD-3-Clause */
/* The data structures of small heap blocks (small_blocks.c). */
#ifndef PSC_MONITOR_SMALL_BLOCKS_H
#define PSC_MONITOR_SMALL_BLOCKS_H

#include "monitor/address/address_map.h"
#include "monitor/state.h"

enum {
	SMALL_GRANULE = 4,      /* log2 of the bytes that one entry stands for */
	SMALL_CHUNK = 25,       /* log2 of the bytes that one table of entries stands for */
	SMALL_CHUNKS = 1 << (47 - SMALL_CHUNK),
	SMALL_ENTRIES = 1 << (SMALL_CHUNK - SMALL_GRANULE),
	SMALL_PART = 11,        /* log2 of the entries of a part: 4 KiB */
	SMALL_PARTS = SMALL_ENTRIES >> SMALL_PART,
	/* An entry: an object's number, 0 none. */
	SMALL_BEGINS = 1 << 15,         /* a block begins here */
	SMALL_RELEASED = 1 << 14,       /* and was released */
	SMALL_OBJECT = SMALL_RELEASED - 1
};

/* written: the parts in which a block began.  Reading the others would take page faults. */
struct small_chunk {
	uint16_t entry[SMALL_ENTRIES];
	_Atomic bool written[SMALL_PARTS];
};
/* SMALL_CHUNKS tables or NULL. */
extern struct small_chunk *_Atomic *pscm_small_chunk __attribute__((visibility("hidden")));

static inline struct small_chunk *small_chunk(uint64_t address)
{
	uint64_t n = address >> SMALL_CHUNK;

	return n < SMALL_CHUNKS ? atomic_load_explicit(&pscm_small_chunk[n], memory_order_acquire) :
		NULL;
}

static inline uint32_t small_at(uint64_t address)
{
	return (uint32_t)(address >> SMALL_GRANULE) & (SMALL_ENTRIES - 1);
}

/* The entry of an address; NULL: no small block was near it yet. */
static inline uint16_t *small_entry(uint64_t address)
{
	struct small_chunk *c = small_chunk(address);

	return c ? &c->entry[small_at(address)] : NULL;
}

/* Two small blocks of an allocator without alignment may share an entry, hence atomic accesses. */
static inline uint32_t small_load(const uint16_t *e)
{
	return __atomic_load_n(e, __ATOMIC_RELAXED);
}

static inline void small_store(uint16_t *e, uint32_t value)
{
	__atomic_store_n(e, (uint16_t)value, __ATOMIC_RELAXED);
}

/* Entries of a block behind its first, in the same chunk. */
static inline uint32_t small_behind(uint64_t lo, uint64_t bytes)
{
	uint64_t n = ((lo + bytes - 1) >> SMALL_GRANULE) - (lo >> SMALL_GRANULE);
	uint64_t most = SMALL_ENTRIES - 1 - small_at(lo);

	return (uint32_t)(n < most ? n : most);
}

/* Writes a block's entries. */
static inline void small_write(struct small_chunk *c, uint64_t lo, uint64_t bytes, uint32_t object)
{
	uint16_t *e = &c->entry[small_at(lo)];
	_Atomic bool *written = &c->written[small_at(lo) >> SMALL_PART];

	/* A load, as other threads' blocks may be near. */
	if (unlikely(!atomic_load_explicit(written, memory_order_relaxed)))
		atomic_store_explicit(written, true, memory_order_relaxed);
	small_store(e, object | SMALL_BEGINS);
	for (uint32_t i = small_behind(lo, bytes); i; i--)
		small_store(&e[i], object);
}

/* Does the block end in the next chunk? */
static inline bool small_crosses(uint64_t lo, uint64_t bytes)
{
	return unlikely((lo ^ (lo + bytes - 1)) >> SMALL_CHUNK);
}

/* pscm_small_allocated() where that needs no system call; else false. */
static inline bool pscm_small_write(uint64_t lo, uint64_t bytes, uint32_t object)
{
	struct small_chunk *c = small_chunk(lo);

	if (unlikely(!c) || object < MON_OBJ_FIRST || object > SMALL_OBJECT ||
	    small_crosses(lo, bytes))
		return false;
	small_write(c, lo, bytes, object);
	return true;
}

/* The block at lo is released.  false: no small block begins there. */
static inline bool pscm_small_released(uint64_t lo)
{
	uint16_t *e = small_entry(lo);
	uint32_t is = e ? small_load(e) : 0;

	if ((is & (SMALL_BEGINS | SMALL_RELEASED)) != SMALL_BEGINS)
		return false;
	small_store(e, is | SMALL_RELEASED);
	return true;
}

/* The block [lo, lo + bytes) belongs to the object.  Never waits. */
void pscm_small_allocated(uint64_t lo, uint64_t bytes, uint32_t object);
/* Before that, while accesses are recorded: returns the object that the block gets.  If the memory
 * was another object's, calls simulate() first, for the words recorded so far.  Where this happens
 * all the time it would cost more than it tells: blocks of several structures that take turns at
 * one place have no name in that experiment. */
uint32_t pscm_small_recorded(uint64_t lo, uint64_t bytes, uint32_t object, void (*simulate)(void));
/* When an experiment begins: calls take() for each object that has small blocks now, with their
 * number and their bytes, rounded up to multiples of 16.  Calls are serialised by the caller. */
void pscm_small_count(void (*take)(uint32_t object, uint64_t blocks, uint64_t bytes));
int pscm_small_start(void);
void pscm_small_again(void);    /* forgets all blocks */
/* Looks up an address of no other block.  Narrows *s to the range with the same answer, a page at
 * most; true: s->object is a data structure. */
bool pscm_small_find(uint64_t address, struct pscm_span *s);
/* Where the small block around the address begins, or began; 0: none does. */
uint64_t pscm_small_begin(uint64_t address);

#endif
