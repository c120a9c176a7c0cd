/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces the monitor around the simulator in tests: translation, memory, random numbers, threads,
 * machines. */
#ifndef TESTS_MONITOR_NEIGHBOURS_H
#define TESTS_MONITOR_NEIGHBOURS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include "monitor/address/address_map.h"
#include "monitor/address/objects.h"
#include "monitor/address/page_numbers.h"
#include "monitor/collect/sim_env.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include "tests/simulate/blocks.h"

static uint64_t permute;        /* flips page numbers where addresses are normalised */
static uint64_t scatter = 63;   /* small: pages at one distance have numbers at various distances */
static uint64_t object_bytes = 1000;    /* one after the other */

/* Dense, as real page numbers are: line numbers have 32 bits. */
static uint64_t normalised(uint64_t n)
{
	n = n >= PSCM_MOVED ? n - PSCM_MOVED + (UINT64_C(1) << 36) : n;
	return n ^ (n >> 12 >> scatter << 12) ^ (permute << 12);
}

/* The asker is a variant, or NULL. */
static bool place(void *asker, uint64_t address, struct sim_place *out)
{
	static struct pscm_replay v;
	struct pscm_span s = { .lo = address / object_bytes * object_bytes,
		.object = (uint32_t)(address / object_bytes % 7) + MON_OBJ_FIRST };
	uint64_t page;
	uint32_t home = 0;

	v.whatif = asker;
	s.hi = s.lo + object_bytes;
	if (asker && v.whatif->object == s.object && !pscm_whatif_move(&v, address, &s, &home)) {
		*out = (struct sim_place){ .lo = s.lo, .hi = s.hi };
		return false;
	}
	page = ((address + s.shift) & ~(uint64_t)4095) - s.shift;
	*out = (struct sim_place){ s.lo > page ? s.lo : page, s.hi < page + 4096 ? s.hi : page + 4096,
		normalised(address + s.shift) - address, s.object,
		(uint8_t)((normalised(address + s.shift) >> 12) * 37) };
	return true;
}

static bool readable(uint64_t address, uint64_t *lo, uint64_t *len)
{
	if (address < 4096)
		return false;
	*lo = address;
	*len = 1 << 20;
	return true;
}

static _Atomic uint64_t marked[1 << 12];
static _Atomic uint64_t *marks(void *space, uint64_t address, bool make)
{
	(void)space;
	(void)make;
	return &marked[(address >> 12) & 4095];
}
static void *own_room(size_t bytes)
{
	return calloc(1, bytes);
}

static const struct sim_env env = { .get = block_get, .room = own_room, .place = place, .readable = readable,
	.marks = marks };
static struct sim sim;

uint64_t pscm_object_lo(uint32_t object)
{
	(void)object;
	return 0;       /* each span is a piece by itself */
}

/* A case touches few pages of a large table, so the C library must get tables from the kernel:
 * calloc() would clear all of a table from its heap. */
__attribute__((constructor)) static void large_tables_are_the_kernels(void)
{
	mallopt(M_MMAP_THRESHOLD, BLOCK_LARGE / 8);
}

/* --- random numbers, threads, machines ---------------------------------------------------------- */

static uint64_t seed;
static inline uint64_t rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Clears and reuses the tables of finished threads: new ones would cost more than most cases. */
static struct spare { struct sim_cell *cells; uint32_t *index; } spares[16];
static size_t nspares;

static struct spare spare_take(void)
{
	if (nspares)
		return spares[--nspares];
	return (struct spare){ calloc(SIM_CELLS, sizeof(struct sim_cell)),
		calloc(2 * SIM_CELLS, sizeof(uint32_t)) };
}

static void spare_give(struct sim_core *l)
{
	memset(l->cells, 0, l->ncells * sizeof *l->cells);
	memset(l->index, 0, 2 * SIM_CELLS * sizeof *l->index);
	if (nspares < sizeof spares / sizeof *spares) {
		spares[nspares++] = (struct spare){ l->cells, l->index };
	} else {
		free(l->cells);
		free(l->index);
	}
}

static struct sim_thread *thread_make(void)
{
	struct sim_thread *t = calloc(1, sizeof *t);
	struct spare tables = spare_take();

	assert_non_null(t);
	t->core.cells = tables.cells;
	t->core.index = tables.index;
	t->places = UINT32_MAX;
	sim_core_clear(&t->core);
	return t;
}

static void thread_free(struct sim_thread *t)
{
	spare_give(&t->core);
	free(t->events);
	free(t->plans);
	free(t->known_turns);
	free(t->unpacked);
	free(t->core.timeline_room);
	free(t);
}

static struct machine_level level(uint32_t line, uint32_t assoc, uint32_t sets)
{
	return (struct machine_level){ .level = 1, .cpus = 1, .line = line, .assoc = assoc,
		.sets = sets, .size = (uint64_t)line * assoc * sets };
}

#endif
