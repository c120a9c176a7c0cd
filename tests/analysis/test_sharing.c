/* SPDX-License-Identifier: BSD-3-Clause */
/* What a tally says of memory nodes and of threads, by a machine of two nodes; and lines in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/findings/line_uses.h"
#include "analysis/measure/measurements.h"
#include "analysis/measure/sharing.h"
#include "report/words/words.h"

/* CPUs 0, 1 on node 0, CPUs 2, 3 on node 1; memory takes 200, or 500 on the other node. */
static struct machine two(void)
{
	struct machine m = { .ghz = 1 };

	m.flat.ncpus = 4;
	m.flat.nlevels = 2;
	m.flat.memory_latency = 200;
	m.flat.level[0] = (struct machine_level){ .level = 1, .line = 64, .cpus = 1, .latency = 4 };
	m.flat.level[1] = (struct machine_level){ .level = 2, .line = 64, .cpus = 2, .latency = 40,
		.shared = MACHINE_SHARED_SOCKET };
	m.flat.nodes = (struct machine_nodes){ .count = 2, .cpus = 2, .threshold = 500,
		.latency = { { 200, 500 }, { 500, 200 } } };
	return m;
}

static struct measurements measurements_of(const struct machine *m)
{
	return (struct measurements){ .machine = m, .placement = MON_PLACE_FAULTS };
}

static struct tally tally_of(const struct machine *m, uint32_t thread)
{
	struct mon_count_row row = { .thread = thread, .loads = 1000, .stores = 100,
		.load_miss = { 300, 80 }, .store_miss = { 30, 20 },
		.served = { { 60, 10 }, { 20, 10 } }, .false_sharing = { 5, 1 },
		.true_sharing = { 3, 1 }, .shared_lines = 2 };
	struct tally t = { 0 };

	tally_add_row(&t, &m->flat, &row, 0.5);
	return t;
}

static void a_thread_is_near_the_memory_of_its_own_node(void **state)
{
	struct machine m = two();
	struct measurements p = measurements_of(&m);
	struct tally near = tally_of(&m, 1), far = tally_of(&m, 2), again = tally_of(&m, 4);

	(void)state;
	assert_true(tally_local(&p, &near) == 35 && tally_remote(&p, &near) == 15);
	assert_true(tally_local(&p, &far) == 15 && tally_remote(&p, &far) == 35);
	assert_true(tally_local(&p, &again) == 35);     /* more threads than CPUs */
	assert_true(tally_remote_loads(&p, &near) == 10);
	assert_true(tally_remote_loads(&p, &far) == 30);
}

static void remote_memory_is_in_stalls_and_latency_classes(void **state)
{
	struct machine m = two();
	struct measurements p = measurements_of(&m);
	struct tally t = tally_of(&m, 0);

	(void)state;
	assert_true(tally_stall_cycles(&p, &t) == 165 * 36 + 50 * 160 + 15 * 300);
	assert_true(tally_slow_loads(&p, &t, 64) == 40);
	assert_true(tally_slow_loads(&p, &t, 256) == 10);
	assert_true(tally_slow_loads(&p, &t, 512) == 0);
	assert_true(tally_slow_loads(&p, &t, 4096) == 0);
}

static void what_is_not_placed_is_not_guessed(void **state)
{
	struct machine m = two();
	struct measurements p = measurements_of(&m);
	struct tally t = tally_of(&m, 0);

	(void)state;
	t.unplaced = 0.5;       /* of 50.5: next to nothing */
	assert_true(tally_remote(&p, &t) == 15);
	t.unplaced = 1;
	assert_true(isnan(tally_remote(&p, &t)));
	assert_true(isnan(tally_local(&p, &t)));
	assert_true(isnan(tally_remote_loads(&p, &t)));
	assert_true(isnan(tally_slow_loads(&p, &t, 256)));
	assert_true(tally_slow_loads(&p, &t, 128) == 40);       /* all memory takes that long */
	t.unplaced = 0;
	p.placement = MON_PLACE_UNKNOWN;
	assert_true(isnan(tally_remote(&p, &t)));
	assert_true(tally_stall_cycles(&p, &t) == 165 * 36 + 50 * 160);
}

static void one_node_has_nothing_remote(void **state)
{
	struct machine m = two();
	struct measurements p = measurements_of(&m);
	struct tally t;

	(void)state;
	m.flat.nodes = (struct machine_nodes){ .count = 1, .cpus = 4 };
	p.placement = MON_PLACE_ONE_NODE;
	t = tally_of(&m, 3);
	assert_true(tally_remote(&p, &t) == 0 && tally_remote_loads(&p, &t) == 0);
	assert_true(tally_local(&p, &t) == 50);
	assert_true(tally_slow_loads(&p, &t, 256) == 0);
}

static void a_line_comes_from_the_nearest_level_that_is_shared(void **state)
{
	struct machine m = two();
	struct measurements p = measurements_of(&m);
	struct tally t = tally_of(&m, 0);

	(void)state;
	assert_true(t.false_sharing == 3 && t.true_sharing == 2 && t.shared_lines == 1);
	assert_true(tally_coherence_cycles(&p, t.false_sharing) == 3 * 36);
	m.flat.level[1].cpus = 1;
	assert_true(tally_coherence_cycles(&p, t.false_sharing) == 3 * 196);
	p.unshared = 1;
	assert_true(isnan(tally_coherence(&p, t.false_sharing)));
	assert_true(isnan(tally_coherence_cycles(&p, t.false_sharing)));
}

static void parts_are_taken_off_again(void **state)
{
	struct machine m = two();
	struct tally a = tally_of(&m, 0), b = tally_of(&m, 0), none = { 0 };

	(void)state;
	tally_sub(&a, &b);
	assert_memory_equal(&a, &none, sizeof a);
}

/* Is `want` what the report says of the rows of that object? */
static void are_lines(const struct measurements *p, uint32_t object, const char *want)
{
	struct arena *arena = arena_new();
	struct report_finding f = { 0 };
	struct buf b = BUF_INIT;

	assert_int_equal(line_uses(p, object, arena, &f), 0);
	words_line_uses(&b, &f);
	assert_string_equal(buf_str(&b), want);
	buf_free(&b);
	arena_free(arena);
}

static void the_worst_lines_are_told_in_words(void **state)
{
	struct machine m = two();
	struct measurements p = measurements_of(&m);
	struct mon_line lines[] = {
		{ .object = 1, .bytes = 128, .offset = 128, .false_sharing = 5, .nthreads = 3,
		  .thread = { 0, 2, 3 }, .read = { 1, 2 }, .written = { 0xf, 0 },
		  .block = { 4096, 4096 }, .in_block = { 128, 128 } },
		{ .object = 1, .bytes = 64, .offset = 0, .true_sharing = 9, .nthreads = 2,
		  .thread = { 0, 1 }, .written = { 0xff, 0xff0000ff },
		  .block = { 4096, 4096 } },
		{ .object = 1, .bytes = 64, .offset = 640, .true_sharing = 1, .nthreads = 2 },
		{ .object = 7, .bytes = 64, .offset = 0, .true_sharing = 1, .nthreads = 2 } };
	struct mon_result r = { .lines = lines, .nlines = 4 };

	(void)state;
	p.nobjects = 2;
	p.objects = calloc(2, sizeof *p.objects);
	are_lines(&p, 1, "");
	assert_int_equal(sharing_lines(&p, &r), 0);
	assert_int_equal(sharing_lines(&p, &r), 0);     /* again: the same lines, not more */
	assert_int_equal(p.nlines, 3);
	are_lines(&p, 1, "bytes: thread 0 writes 0-7, thread 1 writes 0-7+24-31; "
		"thread 0 writes 128-135, thread 2 reads 130-131, 1 more");
	are_lines(&p, 0, "");
	are_lines(&p, 7, "");
	sharing_free(&p);
	free(p.objects);
}

/* Two blocks in a line, 16 and 64 bytes from its begin; and one whose block is not known. */
static void lines_of_heap_blocks_are_told_by_block_and_member(void **state)
{
	static const struct sir_member used[] = { { "count", 0, 8 }, { "sum", 8, 8 }, { "lost", 16, 4 }, { "late", 20, 2 },
		{ "twice", 22, 2 } };
	static const struct sir_record records[] = {
		{ .type = "tally", .size = 32, .members = 6, .used = used, .nused = 5 } };
	static const struct sir_region regions[] = { { .records = records, .nrecords = 1 } };
	static const struct sir sir = { .regions = regions, .nregions = 1 };
	struct machine m = two();
	struct measurements p = measurements_of(&m);
	struct mon_line lines[] = {
		{ .object = MON_OBJ_FIRST, .bytes = 128, .offset = 0x7f0000000100, .false_sharing = 5, .nthreads = 2,
		  .thread = { 0, 1 }, .written = { 0xff << 8, UINT64_C(0xf) << 32 },
		  .block = { 0x7f0000000110, 0x7f0000000140 }, .in_block = { -16, -64 } },
		{ .object = MON_OBJ_FIRST, .bytes = 64, .offset = 0x7f0000000200, .false_sharing = 4, .nthreads = 2,
		  .thread = { 0, 1 }, .written = { 0xff, 0xff00 }, .read = { 1, 0 }, .in_block = { 0, 0 } },
		/* of another object: three members; one whose name is not known; more than are named */
		{ .object = MON_OBJ_FIRST + 1, .bytes = 64, .offset = 0x7f0000000300, .false_sharing = 3, .nthreads = 2,
		  .thread = { 0, 1 }, .written = { 0xfffff, UINT64_C(0xff0000ff) << 32 }, .block = { 0x7f0000000300, 0x7f0000000300 } },
		{ .object = MON_OBJ_FIRST + 1, .bytes = 64, .offset = 0x7f0000000340, .false_sharing = 2, .nthreads = 2,
		  .thread = { 0, 1 }, .written = { 0xffffffff, 0 }, .block = { 0x7f0000000300, 0x7f0000000300 },
		  .in_block = { 64, 64 } } };
	struct mon_result r = { .lines = lines, .nlines = 4 };

	(void)state;
	p.sir = &sir;
	p.nobjects = MON_OBJ_FIRST + 2;
	p.objects = calloc(p.nobjects, sizeof *p.objects);
	p.objects[MON_OBJ_FIRST].name = strdup("struct tally");
	p.objects[MON_OBJ_FIRST + 1].name = strdup("tally");
	assert_int_equal(sharing_lines(&p, &r), 0);
	are_lines(&p, MON_OBJ_FIRST,
		"bytes: thread 0 writes 0-15 (count, sum), thread 1 writes 48-55 (count, another block); "
		"thread 0 writes 0-7 (of the line), thread 1 writes 8-15 (of the line)");
	are_lines(&p, MON_OBJ_FIRST + 1,
		"bytes: thread 0 writes 0-19 (count, sum, lost), thread 1 writes 32-39+56-63 (count, ..); "
		"thread 0 writes 64-95 (count, sum, lost, late, ..)");
	sharing_free(&p);
	free(p.objects[MON_OBJ_FIRST].name);
	free(p.objects[MON_OBJ_FIRST + 1].name);
	free(p.objects);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_near_the_memory_of_its_own_node),
		cmocka_unit_test(remote_memory_is_in_stalls_and_latency_classes),
		cmocka_unit_test(what_is_not_placed_is_not_guessed),
		cmocka_unit_test(one_node_has_nothing_remote),
		cmocka_unit_test(a_line_comes_from_the_nearest_level_that_is_shared),
		cmocka_unit_test(parts_are_taken_off_again),
		cmocka_unit_test(the_worst_lines_are_told_in_words),
		cmocka_unit_test(lines_of_heap_blocks_are_told_by_block_and_member),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
