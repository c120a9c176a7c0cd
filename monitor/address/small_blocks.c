/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers which data structure each small heap block belongs to: a shadow of two bytes for every
 * 16 bytes of memory.
 *
 * The thread that allocates a block writes the block's shadow, without a lock.  A release marks the
 * block as released and leaves the rest, so that the next block of the same structure changes
 * nothing. */
#include "monitor/address/small_blocks.h"
#include "monitor/address/address_map.h"
#include "monitor/host/mem.h"
#include "monitor/state.h"
#include <string.h>
#include <sys/mman.h>

enum {
	PAGE_ENTRIES = 4096 >> SMALL_GRANULE,
	MADE = 1 << 15,
	/* changes while accesses are recorded, in one experiment, before
	 * which words are simulated */
	EXACT_CHANGES = 1 << 14
};

struct small_chunk *_Atomic *pscm_small_chunk;
static struct {
	_Atomic uint32_t *made;         /* numbers + 1 of the chunks that are not NULL, of MADE at
					 * most */
	_Atomic uint32_t nmade;
	_Atomic uint32_t changes;
	struct small_sum { uint64_t blocks, bytes; } *sum;      /* by object, to `most`; scratch */
	uint32_t most;
} small;

int pscm_small_start(void)
{
	pscm_small_chunk = pscm_map(SMALL_CHUNKS * sizeof *pscm_small_chunk);
	small.made = pscm_map(MADE * sizeof *small.made);
	small.sum = pscm_map((SMALL_OBJECT + 1) * sizeof *small.sum);
	return pscm_small_chunk && small.made && small.sum ? 0 : -1;
}

void pscm_small_again(void)
{
	uint32_t n = atomic_load(&small.nmade);

	for (uint32_t i = 0; i < n && i < MADE; i++) {
		uint32_t chunk = atomic_load(&small.made[i]);

		/* gives the memory back, and zeros in its place */
		if (chunk)
			madvise(atomic_load(&pscm_small_chunk[chunk - 1]),
				sizeof(struct small_chunk), MADV_DONTNEED);
	}
}

static void chunk_make(uint64_t address)
{
	uint64_t n = address >> SMALL_CHUNK;
	struct small_chunk *made, *known = NULL;
	uint32_t at;

	if (n >= SMALL_CHUNKS || atomic_load(&pscm_small_chunk[n]))
		return;
	made = pscm_map(sizeof *made);
	if (!made)
		return;
	if (!atomic_compare_exchange_strong(&pscm_small_chunk[n], &known, made))
		pscm_unmap(made, sizeof *made);
	else if ((at = atomic_fetch_add(&small.nmade, 1)) < MADE)
		atomic_store(&small.made[at], (uint32_t)n + 1);
}

/* The object before: that of the first entry with another object; `object` if there is none. */
static uint32_t object_before(const uint16_t *e, uint32_t n, uint32_t object)
{
	for (uint32_t i = 0; i <= n; i++) {
		uint32_t is = small_load(&e[i]) & SMALL_OBJECT;

		if (is && is != object)
			return is;
	}
	return small_load(e) ? object : 0;
}

uint32_t pscm_small_recorded(uint64_t lo, uint64_t bytes, uint32_t object, void (*simulate)(void))
{
	const uint16_t *e = small_entry(lo);
	uint32_t before;

	if (!e)
		return object;
	before = object_before(e, small_behind(lo, bytes), object);
	if (before == object || before == MON_OBJ_SMALL)
		return before;
	if (before) {
		if (atomic_fetch_add_explicit(&small.changes, 1, memory_order_relaxed) >=
		    EXACT_CHANGES)
			object = MON_OBJ_SMALL;
		simulate();
	}
	atomic_fetch_add(&pscm_translation_generation, 1);
	return object;
}

static struct small_chunk *chunk_of(uint64_t address)
{
	chunk_make(address);
	return small_chunk(address);
}

/* Writes the entries of a block from the begin of the chunk in which it ends. */
static void write_end(uint64_t end, uint32_t object)
{
	const uint64_t begin = end >> SMALL_CHUNK << SMALL_CHUNK;
	struct small_chunk *c = chunk_of(begin);

	if (!c)
		return;
	atomic_store_explicit(&c->written[0], true, memory_order_relaxed);
	for (uint32_t i = 0; i <= small_at(end); i++)
		small_store(&c->entry[i], object);
}

void pscm_small_allocated(uint64_t lo, uint64_t bytes, uint32_t object)
{
	struct small_chunk *c = chunk_of(lo);

	if (object > SMALL_OBJECT)
		object = MON_OBJ_SMALL;
	if (c)
		small_write(c, lo, bytes, object);
	if (small_crosses(lo, bytes))
		write_end(lo + bytes - 1, object);
}

bool pscm_small_find(uint64_t address, struct pscm_span *s)
{
	uint64_t page = address & ~(uint64_t)4095;
	const uint16_t *e = small_entry(page);
	uint32_t at = (uint32_t)(address - page) >> SMALL_GRANULE, lo = at, hi = at + 1, object;

	if (!e)
		return false;
	object = small_load(&e[at]) & SMALL_OBJECT;
	while (lo && (small_load(&e[lo - 1]) & SMALL_OBJECT) == object)
		lo--;
	while (hi < PAGE_ENTRIES && (small_load(&e[hi]) & SMALL_OBJECT) == object)
		hi++;
	if (s->lo < page + ((uint64_t)lo << SMALL_GRANULE))
		s->lo = page + ((uint64_t)lo << SMALL_GRANULE);
	if (s->hi > page + ((uint64_t)hi << SMALL_GRANULE))
		s->hi = page + ((uint64_t)hi << SMALL_GRANULE);
	if (object || lo || hi < PAGE_ENTRIES)  /* there are small blocks in the page */
		s->object = object ? object : MON_OBJ_SMALL;
	return object >= MON_OBJ_FIRST;
}

uint64_t pscm_small_begin(uint64_t address)
{
	const uint16_t *e = small_entry(address);
	const uint32_t object = e ? small_load(e) & SMALL_OBJECT : 0;

	address &= ~(uint64_t)((1 << SMALL_GRANULE) - 1);
	for (uint32_t n = 0; object && n <= PSC_SMALL_BLOCK >> SMALL_GRANULE; n++) {
		e = small_entry(address);
		if (!e || (small_load(e) & SMALL_OBJECT) != object)
			return 0;
		if (small_load(e) & SMALL_BEGINS)
			return address;
		address -= 1 << SMALL_GRANULE;
	}
	return 0;
}

/* --- how many there are --------------------------------------------------------------------- */

/* Counts the blocks that begin in the entries [i, end) of a chunk. */
static void entries_count(const uint16_t *e, uint32_t i, uint32_t end)
{
	struct small_sum *sum = small.sum;

	for (; i < end; i++) {
		uint32_t is = small_load(&e[i]), object = is & SMALL_OBJECT;
		bool live = !(is & SMALL_RELEASED);

		if (!is)
			continue;
		if (object > small.most)
			small.most = object;
		if (is & SMALL_BEGINS)
			sum[object].blocks += live;
		/* The entries behind a released begin are the released block's, too. */
		for (sum[object].bytes += live << SMALL_GRANULE; i + 1 < SMALL_ENTRIES &&
				small_load(&e[i + 1]) == object; i++)
			sum[object].bytes += live << SMALL_GRANULE;
	}
}

static void chunk_count(const struct small_chunk *c)
{
	for (uint32_t part = 0, begin; part < SMALL_PARTS; part++) {
		begin = part;
		while (part < SMALL_PARTS && atomic_load_explicit(&c->written[part],
		       memory_order_relaxed))
			part++;
		if (part > begin)
			entries_count(c->entry, begin << SMALL_PART, part << SMALL_PART);
	}
}

void pscm_small_count(void (*take)(uint32_t object, uint64_t blocks, uint64_t bytes))
{
	uint32_t n = atomic_load(&small.nmade);

	atomic_store(&small.changes, 0);
	for (uint32_t i = 0; i < n && i < MADE; i++) {
		uint32_t chunk = atomic_load(&small.made[i]);

		if (chunk)
			chunk_count(atomic_load(&pscm_small_chunk[chunk - 1]));
	}
	for (uint32_t i = MON_OBJ_FIRST; i <= small.most; i++)
		if (small.sum[i].blocks)
			take(i, small.sum[i].blocks, small.sum[i].bytes);
	memset(small.sum, 0, (small.most + 1) * sizeof *small.sum);
	small.most = 0;
}
