/* SPDX-License-Identifier: BSD-3-Clause */
/* Variants of the same records, worked out by hand: two arrays that lie in the same sets, a column of a
 * matrix, a line of counters; on a direct-mapped cache of one page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "monitor/address/address_map.h"
#include "monitor/address/memory_policy.h"
#include "monitor/address/objects.h"
#include "monitor/address/page_numbers.h"
#include "monitor/address/placement.h"
#include "monitor/collect/part_users.h"
#include "monitor/collect/sim_env.h"
#include "monitor/host/memory_nodes.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

/* No structure has a rule of placement. */
bool memory_policy_matched;

uint32_t memory_policy_node(uint32_t object, uint64_t address)
{
	(void)object;
	(void)address;
	return UINT32_MAX;
}

enum { A = MON_OBJ_FIRST, B, NOBJECTS, LINE = 64, BYTES = 4096, ROWS = 8 };
#define AT(object) (UINT64_C(0x10000000) * (object))
#define SIZE 65536

struct mon_shm *pscm_shm;

void pscm_address_map_find(uint64_t address, struct pscm_span *out)
{
	uint32_t object = address < AT(B) ? A : B;

	*out = (struct pscm_span){ AT(object), AT(object) + SIZE, 0, AT(object), object };
}

bool pscm_address_map_image(uint64_t address, uint64_t *lo, uint64_t *len)
{
	*lo = address;
	*len = 1 << 20;
	return true;
}

uint64_t pscm_address_map_unshift(uint64_t shifted)
{
	return shifted;
}

uint64_t pscm_object_lo(uint32_t object)
{
	return AT(object);
}

void locality_use(uint64_t lo, uint64_t hi, uint32_t object, uint32_t thread)
{
	(void)(lo + hi + object + thread);
}

uint32_t placement_node(uint64_t address)
{
	(void)address;
	return 0;       /* the kernel has put all on the first node */
}

void memory_nodes_of_pages(uint32_t n, void **page, int *node)
{
	(void)(n + (page && node));
	fail();         /* the nodes are a model's */
}

struct counts { uint64_t miss[NOBJECTS], served[2]; };

static struct machine_flat machine = { .nlevels = 1, .ncpus = 2, .page_size = 4096,
	.level[0] = { .level = 1, .cpus = 1, .line = LINE, .assoc = 1, .sets = BYTES / LINE,
		.size = BYTES, .latency = 1 },
	.nodes = { .count = 2, .cpus = 1, .latency = { { 100, 200 }, { 200, 100 } } } };
static uint64_t words[1 << 16], *end;

static const struct { _Alignas(8) struct psc_segment s; uint32_t d[1]; } load = {
	{ 1, 1, 1, 1, 0, { 0 } }, { 8 << 2 | PSC_LOAD } };
static const struct { _Alignas(8) struct psc_segment s; uint32_t d[2]; } loop = {
	{ 1, 1, 1, 2, 0, { 0 } }, { 8, 8 << 2 | PSC_LOAD } };

static void access(uint64_t address)
{
	*end++ = (uintptr_t)&load;
	*end++ = address;
}

static int set_up(void **state)
{
	(void)state;
	end = words;
	return 0;
}

/* Plays the words as thread `cpu`; fix 0: as they are. */
static struct counts play_on(uint32_t cpu, uint32_t object, uint32_t fix, uint64_t parameter)
{
	struct pscm_whatif x = { .number = 1, .object = object, .fix = fix, .line = LINE, .nodes = 2,
		.parameter = parameter ? parameter : 1 };
	struct pscm_replay *v = calloc(1, sizeof *v);
	struct counts c = { .served = { 0 } };
	struct sim sim = { .env = NULL };

	v->sim.asker = v;
	v->sim.whole = fix;
	v->sim.core.cells = calloc(SIM_CELLS, sizeof *v->sim.core.cells);
	v->sim.core.index = calloc(2 * SIM_CELLS, sizeof *v->sim.core.index);
	v->sim.places = UINT32_MAX;
	v->whatif = fix ? &x : NULL;
	v->node = cpu;
	sim_core_clear(&v->sim.core);
	pscm_page_numbers_arm(&machine);
	sim_arm(&sim, &machine, &pscm_sim_env);
	sim.space = v->pages = pscm_page_numbers_new();
	assert_int_equal(sim_core_attach(&v->sim.core, &sim, cpu), 0);
	assert_int_equal(sim_batch(&v->sim, words, end, true, true), 0);
	sim_core_sum(&v->sim.core);
	for (uint32_t i = 1; i < v->sim.core.ncells; i++) {
		const struct sim_cell *cell = &v->sim.core.cells[i];

		c.miss[(uint32_t)cell->key] += cell->miss[0][0];
		for (int n = 0; n < 2; n++)
			c.served[n] += cell->served[n][0];
	}
	free(v->sim.core.cells);
	free(v->sim.core.index);
	free(v);
	return c;
}

static struct counts play(uint32_t object, uint32_t fix, uint64_t parameter)
{
	return play_on(0, object, fix, parameter);
}

/* a[i], b[i] of 512 elements: each takes the other's line away. */
static void two_arrays(void)
{
	for (uint64_t i = 0; i < BYTES; i += 8) {
		access(AT(A) + i);
		access(AT(B) + i);
	}
}

static void moving_by_a_line_removes_exactly_the_conflicts(void **state)
{
	struct counts c;

	(void)state;
	two_arrays();
	c = play(0, 0, 0);
	assert_int_equal(c.miss[A], 512);
	assert_int_equal(c.miss[B], 512);
	/* One line apart: what is left is the first touch of each line. */
	c = play(B, MON_FIX_SHIFT, LINE);
	assert_int_equal(c.miss[A], 64);
	assert_int_equal(c.miss[B], 64);
	/* By as much as the cache holds: as before. */
	c = play(B, MON_FIX_SHIFT, BYTES);
	assert_int_equal(c.miss[A] + c.miss[B], 1024);
}

static void left_out_it_takes_no_room(void **state)
{
	struct counts c;

	(void)state;
	two_arrays();
	c = play(B, MON_FIX_ABSENT, 0);
	assert_int_equal(c.miss[A], 64);        /* so at most 960 of 1024 go; 512 are its own */
	assert_int_equal(c.miss[B], 0);
}

static void longer_rows_spread_a_column_over_the_sets(void **state)
{
	struct counts c;

	(void)state;
	for (int times = 0; times < 10; times++)
		for (uint64_t r = 0; r < ROWS; r++)
			access(AT(A) + r * BYTES);
	c = play(0, 0, 0);
	assert_int_equal(c.miss[A], 80);        /* all in set 0 */
	c = play(A, MON_FIX_ROWS, BYTES);
	assert_int_equal(c.miss[A], 8);
	c = play(A, MON_FIX_ROWS, 2 * BYTES);   /* two rows, then a line: pairs share a set */
	assert_int_equal(c.miss[A], 80);
}

static void elements_apart_take_a_line_each(void **state)
{
	struct counts c;

	(void)state;
	for (int times = 0; times < 3; times++)
		for (uint64_t i = 0; i < 8; i++)
			access(AT(A) + 8 * i);
	c = play(0, 0, 0);
	assert_int_equal(c.miss[A], 1);
	c = play(A, MON_FIX_SPREAD, 8);         /* a fix that makes it worse */
	assert_int_equal(c.miss[A], 8);
}

/* The same as records of loops. */
static void loops_are_changed_like_their_iterations(void **state)
{
	struct counts c;

	(void)state;
	for (int times = 0; times < 2; times++) {
		*end++ = (uintptr_t)&loop | PSC_REC_LOOP;
		*end++ = 512;
		*end++ = AT(B) + 32;
	}
	c = play(0, 0, 0);
	assert_int_equal(c.miss[B], 65 + 2);    /* its first and last line share a set */
	c = play(B, MON_FIX_SHIFT, 32);         /* begins at a line: 64, and they stay */
	assert_int_equal(c.miss[B], 64);
	c = play(B, MON_FIX_ABSENT, 0);
	assert_int_equal(c.miss[B], 0);
	c = play(B, MON_FIX_SPREAD, 8);         /* 512 lines, in a cache of 64 */
	assert_int_equal(c.miss[B], 1024);
}

static void pages_are_placed_by_first_users_or_in_turn(void **state)
{
	struct counts c;

	(void)state;
	for (uint64_t page = 0; page < 4; page++)
		for (uint64_t i = 0; i < BYTES; i += LINE)
			access(AT(A) + page * BYTES + i);
	access(AT(B));
	c = play_on(1, 0, 0, 0);
	assert_int_equal(c.served[0], 257);
	assert_int_equal(c.served[1], 0);
	c = play_on(1, A, MON_FIX_FIRST_TOUCH, 0);
	assert_int_equal(c.served[0], 1);       /* b stays where it was */
	assert_int_equal(c.served[1], 256);
	c = play_on(1, A, MON_FIX_INTERLEAVE, 0);
	assert_int_equal(c.served[0], 129);
	assert_int_equal(c.served[1], 128);
	assert_int_equal(c.miss[A], 256);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)
/* Its first page is of the image's file, the others are not.  A block of the heap is what the map says. */
static void a_static_variable_in_two_mappings_is_one_block(void **state)
{
	struct mon_object *o;
	uint64_t lo, hi;

	(void)state;
	pscm_shm = shared_memory();
	assert_non_null(pscm_shm);
	o = &pscm_shm->objects[A];
	*o = (struct mon_object){ .address = AT(A) - SIZE, .size = 3 * SIZE, .kind = PSC_VAR_STATIC };
	assert_true(pscm_sim_env.range(NULL, AT(A) + 8, &lo, &hi));
	assert_int_equal(lo, AT(A) - SIZE);
	assert_int_equal(hi, AT(A) + 2 * SIZE);
	o->size = SIZE;                         /* it is somewhere else */
	assert_true(pscm_sim_env.range(NULL, AT(A) + 8, &lo, &hi));
	assert_int_equal(lo, AT(A));
	*o = (struct mon_object){ .address = AT(A) - SIZE, .size = 3 * SIZE, .kind = MON_KIND_HEAP };
	assert_true(pscm_sim_env.range(NULL, AT(A) + 8, &lo, &hi));
	assert_int_equal(hi, AT(A) + SIZE);
	shared_memory_free(pscm_shm);
	pscm_shm = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_static_variable_in_two_mappings_is_one_block),
		TEST(moving_by_a_line_removes_exactly_the_conflicts),
		TEST(left_out_it_takes_no_room),
		TEST(longer_rows_spread_a_column_over_the_sets),
		TEST(elements_apart_take_a_line_each),
		TEST(loops_are_changed_like_their_iterations),
		TEST(pages_are_placed_by_first_users_or_in_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
