/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps which bytes are stored to and not read, and counts those that are overwritten. */
#include "simulate/cache/unread_bytes.h"
#include "simulate/cache/sim.h"
#include <string.h>

_Static_assert(UNREAD_LINES << UNREAD_LINE == 4096, "a chunk has 4 KiB");

struct unread_bytes *unread_bytes_new(const struct sim_env *env, void *space)
{
	struct unread_bytes *u = env->get(sizeof *u);

	if (!u)
		return NULL;
	u->env = env;
	u->space = space;
	u->nwriters = 1;
	sim_lock_init(&u->lock);
	return u;
}

void unread_bytes_forget(struct unread_bytes *u)
{
	if (u)
		atomic_fetch_add_explicit(&u->times, 1, memory_order_relaxed);
}

bool unread_bytes_begin(struct sim_core *core)
{
	const struct unread_bytes *u = core->sim->unread;
	struct unread_core *c = core->unread;
	const uint32_t times = atomic_load_explicit(&u->times, memory_order_relaxed);

	if (!c)
		c = core->unread = core->sim->env->get(sizeof *c + SIM_CELLS * sizeof *c->writer);
	if (!c)
		return false;
	if (c->times != times || c->execution != core->execution) {
		memset(c->recent, 0, sizeof c->recent);
		c->times = times;
		c->execution = core->execution;
	}
	return true;
}

/* --- writers ---------------------------------------------------------------------------------- */

/* The number of a writer; 0: there are too many. */
static uint16_t writer_find(struct unread_bytes *u, uint64_t key)
{
	uint32_t slot = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40);

	while (slot %= 2 * UNREAD_WRITERS, u->index[slot] && u->writer[u->index[slot]] != key)
		slot++;
	if (!u->index[slot] && u->nwriters < UNREAD_WRITERS) {
		u->writer[u->nwriters] = key;
		u->index[slot] = (uint16_t)u->nwriters++;
	}
	return u->index[slot];
}

static uint16_t writer_of(struct sim_core *core, const struct sim_cell *cell)
{
	struct unread_bytes *u = core->sim->unread;
	uint16_t *w = &core->unread->writer[cell - core->cells];

	if (__builtin_expect(!*w, 0)) {
		pthread_mutex_lock(&u->lock);
		*w = writer_find(u, cell->key);
		pthread_mutex_unlock(&u->lock);
	}
	return *w;
}

/* Counts bytes of a writer that are overwritten.  first: their line was not read before. */
static __attribute__((noinline)) void charge(struct sim_core *core, uint16_t writer, uint64_t bytes,
	bool first)
{
	struct unread_core *c = core->unread;

	if (c->charged != writer) {
		const uint64_t key = core->sim->unread->writer[writer];

		c->charged = writer;
		c->cell = sim_core_cell(core, (uint32_t)(key >> 32), (uint32_t)key);
	}
	c->cell->overwritten += bytes;
	c->cell->overwritten_first += first ? bytes : 0;
}

/* --- chunks ----------------------------------------------------------------------------------- */

/* What is older than the execution, or forgotten, is not known.  u->lock is held. */
static void chunk_renew(const struct sim_core *core, struct unread_chunk *c)
{
	if (c->times == core->unread->times && c->execution == core->execution)
		return;
	for (int i = 0; i < UNREAD_LINES; i++)
		atomic_store_explicit(&c->bytes[i], 0, memory_order_relaxed);
	if (c->execution != core->execution)
		atomic_store_explicit(&c->read, 0, memory_order_relaxed);
	c->times = core->unread->times;
	c->execution = core->execution;
}

/* u->lock is held; NULL: no memory. */
static struct unread_chunk *chunk_get(struct unread_bytes *u, uint64_t number)
{
	struct unread_chunk ***block = number / UNREAD_CHUNKS < UNREAD_BLOCKS ?
		&u->block[number / UNREAD_CHUNKS] : NULL;
	struct unread_chunk **chunk;

	if (!block)
		return NULL;
	if (!*block)
		*block = u->env->get(UNREAD_CHUNKS * sizeof **block);
	if (!*block)
		return NULL;
	chunk = &(*block)[number % UNREAD_CHUNKS];
	if (!*chunk)
		*chunk = u->env->get(sizeof **chunk);
	return *chunk;
}

static __attribute__((noinline)) struct unread_chunk *chunk_ask(struct sim_core *core,
	uint64_t chunk)
{
	struct unread_bytes *u = core->sim->unread;
	struct unread_chunk *c;

	pthread_mutex_lock(&u->lock);
	c = chunk_get(u, u->env->chunk ? u->env->chunk(u->space, chunk << 12) : chunk);
	if (c)
		chunk_renew(core, c);
	pthread_mutex_unlock(&u->lock);
	core->unread->recent[chunk % UNREAD_RECENT].chunk = chunk;
	core->unread->recent[chunk % UNREAD_RECENT].at = c;
	return c;
}

static inline struct unread_chunk *chunk_of(struct sim_core *core, uint64_t chunk)
{
	struct unread_chunk *c = core->unread->recent[chunk % UNREAD_RECENT].at;

	return __builtin_expect(c && core->unread->recent[chunk % UNREAD_RECENT].chunk == chunk,
		1) ? c : chunk_ask(core, chunk);
}

/* --- accesses --------------------------------------------------------------------------------- */

/* Sets and clears bits.  Other cores may change other bits of the word. */
static inline void change(const struct sim_core *core, _Atomic uint64_t *word, uint64_t set,
	uint64_t clear)
{
	if (core->sharing) {
		if (clear)
			atomic_fetch_and_explicit(word, ~clear, memory_order_relaxed);
		if (set)
			atomic_fetch_or_explicit(word, set, memory_order_relaxed);
		return;
	}
	atomic_store_explicit(word, (atomic_load_explicit(word, memory_order_relaxed) & ~clear) |
		set, memory_order_relaxed);
}

static inline void load_line(const struct sim_core *core, struct unread_chunk *c, uint32_t line,
	uint64_t bytes)
{
	const uint64_t bit = UINT64_C(1) << line;

	if (atomic_load_explicit(&c->bytes[line], memory_order_relaxed) & bytes)
		change(core, &c->bytes[line], 0, bytes);
	if (!(atomic_load_explicit(&c->read, memory_order_relaxed) & bit))
		change(core, &c->read, bit, 0);
}

static inline void store_line(struct sim_core *core, struct unread_chunk *c, uint32_t line,
	uint64_t bytes, uint16_t writer)
{
	const struct unread_bytes *u = core->sim->unread;
	const uint16_t old = atomic_load_explicit(&c->writer[line], memory_order_relaxed);
	uint64_t unread = atomic_load_explicit(&c->bytes[line], memory_order_relaxed);

	if (old != writer) {
		/* What was stored to another object was released since, or only shares the
		 * line. */
		if ((uint32_t)u->writer[old] != (uint32_t)u->writer[writer]) {
			change(core, &c->bytes[line], 0, unread);
			unread = 0;
		}
		atomic_store_explicit(&c->writer[line], writer, memory_order_relaxed);
	}
	if (unread & bytes)
		charge(core, old, (uint64_t)__builtin_popcountll(unread & bytes),
			!(atomic_load_explicit(&c->read, memory_order_relaxed) >> line & 1));
	if (~unread & bytes)
		change(core, &c->bytes[line], bytes, 0);
}

void unread_bytes_access(struct sim_core *core, uint64_t first, uint64_t length,
	struct sim_cell *writer)
{
	const uint16_t number = writer ? writer_of(core, writer) : 0;

	for (uint64_t at = first, end = first + length, n; at < end; at += n) {
		struct unread_chunk *c = chunk_of(core, at >> 12);
		const uint32_t offset = at % (1 << UNREAD_LINE),
			line = at >> UNREAD_LINE & (UNREAD_LINES - 1);
		uint64_t bytes;

		n = end - at < (1 << UNREAD_LINE) - offset ? end - at : (1 << UNREAD_LINE) - offset;
		bytes = UINT64_MAX >> ((1 << UNREAD_LINE) - n) << offset;
		if (!c)
			continue;
		if (number)
			store_line(core, c, line, bytes, number);
		else
			load_line(core, c, line, bytes);
	}
}
