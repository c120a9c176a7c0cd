/* SPDX-License-Identifier: BSD-3-Clause */
/* Broken record streams, and what the checks say of each; sound ones, of which they say nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/address/address_map.h"
#include "monitor/collect/record_check.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/regions/contexts.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

static struct pscm_thread *thread;
static struct sim sim;
static struct sim_cell cells[8];
static double memory[1000];
static uint32_t parents[4] = { MON_ANY, 0, 1, 0 };

/* One load of 8 bytes; one store of 4; both move in the loop. */
static const struct {
	struct psc_segment s;
	uint32_t d[2];
} straight = { { 2, 2, 2, 2, 17, { 0 } }, { 8 << 2 | PSC_LOAD, 4 << 2 | PSC_STORE } };
static const struct {
	struct psc_segment s;
	uint32_t d[4];
} loop = { { 2, 2, 2, 4, 23, { 0 } }, { 8, 8 << 2 | PSC_LOAD, 8, PSC_GROUP_TAIL | 4 << 2 | PSC_STORE } };
static const struct {
	struct psc_segment s;
	uint32_t d[1];
} range = { { 2, 1, 1, 1, 29, { 0 } }, { PSC_STORE_RANGE } };
static const struct {
	struct psc_segment s;
	uint32_t d[1];
} liar = { { 3, 1, 1, 1, 31, { 0 } }, { 8 << 2 | PSC_LOAD } };

void *pscm_map(size_t bytes)
{
	return calloc(1, bytes);
}

uint32_t pscm_context_parent(uint32_t context)
{
	return parents[context];
}

/* The descriptors above are all the image that there is. */
bool pscm_address_map_image(uint64_t address, uint64_t *lo, uint64_t *len)
{
	const void *const all[] = { &straight, &loop, &range, &liar };
	const size_t sizes[] = { sizeof straight, sizeof loop, sizeof range, sizeof liar };

	for (int i = 0; i < 4; i++) {
		*lo = (uint64_t)(uintptr_t)all[i];
		*len = sizes[i];
		if (address - *lo < *len)
			return true;
	}
	return false;
}

static int begin(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	thread = calloc(1, sizeof *thread);
	if (!pscm_shm || !thread)
		return -1;
	pscm_unhandled = 0;
	sim.line_min = 64;
	memset(cells, 0, sizeof cells);
	thread->replay.sim.core.sim = &sim;
	thread->replay.sim.core.cells = cells;
	thread->replay.sim.core.ncells = 1;
	pscm_shm->check = 1;
	pscm_shm->ncontexts = 4;
	for (uint32_t i = 0; i < 4; i++)
		pscm_shm->contexts[i] = (struct mon_context){ parents[i], 5, 10 + i, 0 };
	return 0;
}

static int end(void **state)
{
	(void)state;
	free(thread->checked);
	free(thread);
	shared_memory_free(pscm_shm);
	return 0;
}

#define TAG(segment, tag) ((uint64_t)(uintptr_t)&(segment) | (tag))
#define AT(i) ((uint64_t)(uintptr_t)&memory[i])
#define CONTEXT(n) ((uint64_t)(n) << 3 | PSC_REC_CONTEXT)

static void feed(const uint64_t *words, size_t n)
{
	pscm_check_words(thread, words, words + n, true);
}
#define FEED(...) feed((const uint64_t[]){ __VA_ARGS__ }, sizeof (uint64_t[]){ __VA_ARGS__ } / 8)

static void nothing_is_wrong(void)
{
	assert_int_equal(pscm_shm->nviolations, 0);
}

/* One violation, of this kind, in the region of that context. */
static void found(enum mon_violation_kind kind, uint32_t context, uint32_t line)
{
	const struct mon_violation *v = &pscm_shm->violation[0];

	assert_int_equal(pscm_shm->nviolations, 1);
	assert_int_equal(v->kind, kind);
	assert_int_equal(v->region, context == MON_ANY ? MON_ANY : 10 + context);
	assert_int_equal(v->line, line);
}

static void cell(uint32_t n, uint32_t context, uint64_t loads, uint64_t stores, uint64_t bytes)
{
	cells[n].key = (uint64_t)context << 32 | 9;
	cells[n].refs[0] = loads;
	cells[n].refs[1] = stores;
	cells[n].bytes = bytes;
	thread->replay.sim.core.ncells = n + 1;
}

static void sound_records_say_nothing_and_add_up(void **state)
{
	(void)state;
	FEED(TAG(straight, 0), AT(0), AT(1), CONTEXT(2), TAG(loop, PSC_REC_LOOP), 100, AT(0), AT(200),
		TAG(range, 0), AT(400), 803, TAG(loop, PSC_REC_LOOP), 0, 0, 0);
	nothing_is_wrong();
	assert_int_equal(pscm_shm->checked_records, 4);
	assert_int_equal(pscm_shm->checked_accesses, 2 + 100 + 99 + 1);
	cell(1, 0, 1, 1, 12);
	cell(2, 2, 100, 50, 800 + 200);
	cell(3, 2, 0, 49 + 101, 196 + 803);
	pscm_check_counts(thread, true);
	nothing_is_wrong();
	/* What was added up is forgotten. */
	thread->replay.sim.core.ncells = 1;
	pscm_check_counts(thread, true);
	nothing_is_wrong();
}

static void an_access_that_did_not_take_place_is_none(void **state)
{
	(void)state;
	FEED(TAG(straight, 0), 0, AT(1));
	cell(1, 0, 0, 1, 4);
	pscm_check_counts(thread, true);
	nothing_is_wrong();
}

static void counts_that_differ_are_found_in_their_region(void **state)
{
	(void)state;
	FEED(CONTEXT(3), TAG(straight, 0), AT(0), AT(1));
	cell(1, 3, 1, 0, 12);
	pscm_check_counts(thread, true);
	found(MON_CHECK_COUNTS, 3, 0);
	assert_int_equal(pscm_shm->violation[0].found, 1);
}

static void bytes_that_differ_are_found(void **state)
{
	(void)state;
	FEED(TAG(straight, 0), AT(0), AT(1));
	cell(1, 0, 1, 1, 16);
	pscm_check_counts(thread, true);
	found(MON_CHECK_BYTES, 0, 0);
}

static void more_misses_by_line_than_misses_are_found(void **state)
{
	static struct sim_sites sites;

	(void)state;
	FEED(TAG(straight, 0), AT(0), AT(1));
	cell(1, 0, 1, 1, 12);
	cells[1].miss[0][0] = 5;
	thread->replay.sim.core.nlevels = 1;
	thread->replay.sim.core.sites = &sites;
	sites.site[8] = (struct sim_site){ .cell = &cells[1], .line = 3, .first = 4, .last = 5 };
	sites.rest[1] = (struct sim_site){ .cell = &cells[1], .next = 9, .first = 1 };
	pscm_check_counts(thread, true);
	nothing_is_wrong();
	FEED(TAG(straight, 0), AT(0), AT(1));
	sites.site[8].first++;
	pscm_check_counts(thread, true);
	found(MON_CHECK_SITES, 0, 0);
}

static void a_word_that_begins_no_record_is_found(void **state)
{
	(void)state;
	FEED(CONTEXT(1), AT(0) | 3);
	found(MON_CHECK_WORD, 1, 0);
}

static void a_record_without_descriptor_is_found(void **state)
{
	(void)state;
	FEED(CONTEXT(1), AT(0), AT(1), AT(2));
	found(MON_CHECK_DESCRIPTOR, 1, 0);
}

static void a_descriptor_that_does_not_add_up_is_found(void **state)
{
	(void)state;
	FEED(TAG(liar, 0), AT(0), AT(0), AT(0));
	found(MON_CHECK_DESCRIPTOR, 0, 0);
}

static void a_record_that_is_cut_off_is_found_with_its_line(void **state)
{
	(void)state;
	FEED(TAG(loop, PSC_REC_LOOP), 5, AT(0));
	found(MON_CHECK_CUT, 0, 23);
}

static void a_context_that_does_not_exist_is_found(void **state)
{
	(void)state;
	FEED(CONTEXT(4), TAG(straight, 0), AT(0), AT(1));
	found(MON_CHECK_CONTEXT, 0, 0);
}

static void an_address_that_no_program_has_is_found(void **state)
{
	(void)state;
	FEED(TAG(straight, 0), AT(0), UINT64_C(0xffff800000000000));
	found(MON_CHECK_ADDRESS, 0, 17);
}

static void lengths_beyond_any_memory_are_found(void **state)
{
	(void)state;
	FEED(TAG(range, 0), AT(0), UINT64_C(1) << 41);
	found(MON_CHECK_LENGTH, 0, 29);
}

static void counts_beyond_any_memory_are_found(void **state)
{
	(void)state;
	FEED(TAG(loop, PSC_REC_LOOP), UINT64_MAX, AT(0), AT(1));
	found(MON_CHECK_LENGTH, 0, 23);
}

static void memory_that_has_gone_is_counted_not_wrong(void **state)
{
	(void)state;
	FEED(TAG(straight, 0), AT(0), UINT64_C(0x10000));
	nothing_is_wrong();
	assert_int_equal(pscm_shm->checked_gone, 1);
}

static void behind_what_is_broken_nothing_is_compared(void **state)
{
	(void)state;
	FEED(TAG(straight, 0), AT(0), AT(1), AT(0) | 3, TAG(liar, 0));
	pscm_check_counts(thread, true);
	found(MON_CHECK_WORD, 0, 17);
}

static void frame(uint32_t n, uint32_t context, uint32_t team)
{
	thread->frame[n] = (struct pscm_frame){ .context = context, .team = team };
	thread->depth = n + 1;
}

static void regions_that_lie_in_each_other_are_sound(void **state)
{
	(void)state;
	frame(0, 1, 0);
	frame(1, 2, 0);
	frame(2, 1, 0);         /* recursion, collapsed */
	frame(3, 3, 1);         /* a team's, which another thread forked */
	FEED(CONTEXT(3));
	nothing_is_wrong();
}

static void a_region_beside_the_one_around_it_is_found(void **state)
{
	(void)state;
	frame(0, 1, 0);
	frame(1, 3, 0);
	FEED(CONTEXT(3));
	found(MON_CHECK_NESTING, 3, 0);
}

static void a_region_that_is_left_open_is_found(void **state)
{
	(void)state;
	pscm_check_closed(thread);
	nothing_is_wrong();
	frame(0, 1, 0);
	frame(1, 2, 0);
	pscm_check_closed(thread);
	found(MON_CHECK_OPEN, 2, 0);
}

static void more_violations_than_are_kept_are_one_more(void **state)
{
	(void)state;
	for (int i = 0; i < 3 * MON_VIOLATIONS; i++)
		FEED(AT(0) | 3);
	assert_int_equal(pscm_shm->nviolations, MON_VIOLATIONS + 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(sound_records_say_nothing_and_add_up),
		TEST(an_access_that_did_not_take_place_is_none),
		TEST(counts_that_differ_are_found_in_their_region),
		TEST(bytes_that_differ_are_found),
		TEST(more_misses_by_line_than_misses_are_found),
		TEST(a_word_that_begins_no_record_is_found),
		TEST(a_record_without_descriptor_is_found),
		TEST(a_descriptor_that_does_not_add_up_is_found),
		TEST(a_record_that_is_cut_off_is_found_with_its_line),
		TEST(a_context_that_does_not_exist_is_found),
		TEST(an_address_that_no_program_has_is_found),
		TEST(lengths_beyond_any_memory_are_found),
		TEST(counts_beyond_any_memory_are_found),
		TEST(memory_that_has_gone_is_counted_not_wrong),
		TEST(behind_what_is_broken_nothing_is_compared),
		TEST(regions_that_lie_in_each_other_are_sound),
		TEST(a_region_beside_the_one_around_it_is_found),
		TEST(a_region_that_is_left_open_is_found),
		TEST(more_violations_than_are_kept_are_one_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
