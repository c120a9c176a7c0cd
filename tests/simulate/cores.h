/* SPDX-License-Identifier: BSD-3-Clause */
/* Cores of a small machine, and traces for them: for tests of coherence/. */
#ifndef PSC_TESTS_SIMULATE_CORES_H
#define PSC_TESTS_SIMULATE_CORES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "simulate/coherence/share.h"
#include "tests/simulate/blocks.h"
#include "tests/simulate/one_access.h"

/* More than a page, or a line, has room for at first. */
enum { CORES = 12, CELL = 1 };

static bool memory_out;

static void *get(size_t bytes)
{
	return memory_out ? NULL : block_get(bytes);
}

static _Atomic uint64_t *marks(void *space, uint64_t address, bool make)
{
	(void)space;
	(void)address;
	(void)make;
	return NULL;
}
static const struct sim_env env = { .get = get, .marks = marks };

static struct sim sim;
static struct share *share;
static struct sim_core core[CORES];

static inline void arm(const struct machine_flat *m)
{
	sim_arm(&sim, m, &env);
	share = share_new(&env, m, 0);
	assert_non_null(share);
	for (uint32_t i = 0; i < CORES; i++) {
		memset(&core[i], 0, sizeof core[i]);
		core[i].cells = get(SIM_CELLS * sizeof *core[i].cells);
		core[i].index = get(2 * SIM_CELLS * sizeof *core[i].index);
		sim_core_clear(&core[i]);
		assert_int_equal(sim_core_attach(&core[i], &sim, i), 0);
		assert_int_equal(share_attach(share, &core[i], i), 0);
		assert_ptr_equal(sim_core_cell(&core[i], 7, 9), &core[i].cells[CELL]);
	}
}

/* CPUs with 2 sets of 2 ways each and a level for all; the first cell counts nowhere. */
static inline int set_up(void **state)
{
	struct machine_flat m = { .nlevels = 2, .ncpus = CORES, .page_size = 4096, .level = {
		{ .level = 1, .line = 64, .assoc = 2, .sets = 2, .cpus = 1 },
		{ .level = 2, .line = 64, .assoc = 8, .sets = 64, .cpus = CORES,
		  .shared = MACHINE_SHARED_ALL } } };

	(void)state;
	arm(&m);
	return 0;
}

static inline int tear_down(void **state)
{
	(void)state;
	memory_out = false;
	blocks_free();
	return 0;
}

static inline void begin(uint32_t n, uint32_t stretch)
{
	share_begin(core[n].sharing, stretch);
}

static inline void end(uint32_t n)
{
	sim_drain(&core[n]);
	share_end(core[n].sharing);
}

static inline void touch_as(uint32_t n, uint64_t address, uint64_t bytes, uint32_t store,
	struct sim_cell *c)
{
	share_touch(core[n].sharing, address, address, address + bytes - 1, store, c);
	one_access(&core[n], address, address + bytes - 1, c, store);
}

static inline void touch(uint32_t n, uint64_t address, uint32_t store)
{
	touch_as(n, address, 8, store, &core[n].cells[CELL]);
}

/* A batch of one access. */
static inline void one(uint32_t n, uint32_t stretch, uint64_t address, uint32_t store)
{
	begin(n, stretch);
	touch(n, address, store);
	end(n);
}

static inline uint64_t kind(uint32_t n, int is_true)
{
	const struct sim_cell *c = &core[n].cells[CELL];

	share_finish(share);
	return c->coherent[is_true][0] + c->coherent[is_true][1];
}
enum { FALSE_SHARING, TRUE_SHARING };

static inline uint64_t missed(uint32_t n)
{
	return core[n].cells[CELL].miss[0][0] + core[n].cells[CELL].miss[0][1];
}

static inline void expect(uint32_t n, uint64_t is_false, uint64_t is_true)
{
	assert_int_equal(kind(n, FALSE_SHARING), is_false);
	assert_int_equal(kind(n, TRUE_SHARING), is_true);
}

#endif
