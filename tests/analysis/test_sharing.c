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
#include "analysis/findings/worst_lines.h"
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
	struct mon_count_row row = { .thread = thread,
		.node = machine_node(&m->flat, thread), .loads = 1000, .stores = 100,
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

/* Two threads, the bytes that they write, and where locks lie. */
struct lines_of {
	uint64_t written[2], locks;
	uint32_t nlocks, nupdated, updated;
	unsigned given, want;
};

static void what_lies_in_a_line_tells_the_kind(void **state)
{
	static const struct lines_of lines[] = {
		/* two locks; a lock beside data; neither */
		{ { 0xffff, UINT64_C(0xffff) << 40 }, 0xffff | UINT64_C(0xffff) << 40, 2, 0, 0, KIND_FALSE_SHARING, KIND_LOCK },
		{ { 0xffff, 0xff << 16 }, 0xffff, 1, 0, 0, MEMORY_SHARING, KIND_LOCK },
		{ { 0xff, 0xff00 }, 0, 0, 0, 0, KIND_FALSE_SHARING, KIND_FALSE_SHARING },
		/* a lock that both take, with what it protects; a scalar; one of them reads; much that both write */
		{ { 0xffffff, 0xffffff }, 0xffff, 1, 1, 24, KIND_TRUE_SHARING, KIND_CONTENTION },
		{ { 0xff, 0xff }, 0, 0, 0, 8, KIND_TRUE_SHARING, KIND_CONTENTION },
		/* few bytes beside a lock that one takes */
		{ { 0xff, 0xff }, 0xff00, 1, 0, 8, KIND_TRUE_SHARING, KIND_CONTENTION },
		{ { 0xff, 0 }, 0, 0, 0, 0, KIND_TRUE_SHARING, KIND_TRUE_SHARING },
		{ { 0xffffffff, 0xffffffff }, 0, 0, 0, 32, KIND_TRUE_SHARING, KIND_TRUE_SHARING },
	};
	struct machine m = two();

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct measurements p = measurements_of(&m);
		struct mon_line l = { .object = MON_OBJ_FIRST, .bytes = 64, .true_sharing = 5, .nthreads = 2, .thread = { 0, 1 },
			.written = { lines[i].written[0], lines[i].written[1] }, .locks = lines[i].locks,
			.nlocks = lines[i].nlocks, .nupdated = lines[i].nupdated };
		struct mon_result r = { .lines = &l, .nlines = 1 };

		p.nobjects = MON_OBJ_FIRST + 1;
		assert_int_equal(sharing_lines(&p, &r), 0);
		assert_int_equal(sharing_locks(&p, MON_OBJ_FIRST), lines[i].nlocks);
		assert_int_equal(sharing_locks_updated(&p, MON_OBJ_FIRST), lines[i].nupdated);
		assert_int_equal(sharing_updated(&p, MON_OBJ_FIRST), lines[i].updated);
		assert_int_equal(sharing_kind_of(&p, MON_OBJ_FIRST, lines[i].given), lines[i].want);
		assert_int_equal(sharing_kind_of(&p, MON_OBJ_FIRST + 1, lines[i].given), lines[i].given);
		sharing_free(&p);
	}
}

static void locks_and_other_structures_are_told_beside_the_bytes(void **state)
{
	struct machine m = two();
	struct measurements p = measurements_of(&m);
	struct mon_line line = { .object = MON_OBJ_FIRST, .bytes = 64, .false_sharing = 5, .nthreads = 2, .thread = { 0, 1 },
		.written = { 0xffff, UINT64_C(0xffff) << 40 }, .locks = 0xffff | UINT64_C(0xffff) << 40, .nlocks = 2,
		.block = { 4096, 4096 }, .used = { MON_OBJ_FIRST, MON_OBJ_FIRST + 1 } };
	struct mon_result r = { .lines = &line, .nlines = 1 };

	(void)state;
	p.nobjects = MON_OBJ_FIRST + 2;
	p.objects = calloc(p.nobjects, sizeof *p.objects);
	p.objects[MON_OBJ_FIRST].name = strdup("one");
	p.objects[MON_OBJ_FIRST + 1].name = strdup("two");
	assert_int_equal(sharing_lines(&p, &r), 0);
	are_lines(&p, MON_OBJ_FIRST, "bytes: thread 0 writes 0-15 (lock), thread 1 writes 40-55 (two, lock)");
	sharing_free(&p);
	free(p.objects[MON_OBJ_FIRST].name);
	free(p.objects[MON_OBJ_FIRST + 1].name);
	free(p.objects);
}

/* Names of a block in a subroutine that gets it as `in` and as `out`, of which its loop reads one and writes the other. */
static void an_argument_has_the_name_that_fits_its_misses(void **state)
{
	static const struct sir_array arrays[] = { { .name = "in", .access = SIR_READ }, { .name = "out", .access = SIR_WRITE } };
	static const struct sir_region regions[] = {
		{ .id = 0, .type = REGION_SUB, .parent = SIR_NONE, .child = 1, .next = SIR_NONE },
		{ .id = 1, .type = REGION_LOOP, .parent = 0, .child = SIR_NONE, .next = SIR_NONE, .arrays = arrays, .narrays = 2 } };
	static const struct sir sir = { .regions = regions, .nregions = 2 };
	struct measured_context contexts[] = { { .parent = NO_CONTEXT, .region = 0 }, { .parent = 0, .region = 1 } };
	struct measured_alias alias = { .unit = 0, .object = MON_OBJ_FIRST, .context = MON_ANY, .name = strdup("in") };
	struct measured_object objects[MON_OBJ_FIRST + 1] = { { 0 } };
	struct measurements p = { .sir = &sir, .contexts = contexts, .ncontexts = 2, .objects = objects,
		.nobjects = MON_OBJ_FIRST + 1, .aliases = &alias, .naliases = 1 };
	const struct tally loads = { .load_miss = { 9 }, .store_miss = { 1 } }, stores = { .store_miss = { 1 } };

	(void)state;
	objects[MON_OBJ_FIRST] = (struct measured_object){ .kind = MON_KIND_DUMMY, .region = 0, .name = strdup("out") };
	alias.context = 0;
	assert_string_equal(measured_object_name(&p, 1, MON_OBJ_FIRST, tally_access(&loads)), "in");
	assert_string_equal(measured_object_name(&p, 1, MON_OBJ_FIRST, tally_access(&stores)), "out");
	assert_false(measured_owned(&p, MON_OBJ_FIRST));
	objects[MON_OBJ_FIRST].kind = MON_KIND_HEAP;            /* its owner calls it so */
	assert_true(measured_owned(&p, MON_OBJ_FIRST));
	assert_string_equal(measured_object_name(&p, 1, MON_OBJ_FIRST, tally_access(&stores)), "in");
	free(alias.name);
	free(objects[MON_OBJ_FIRST].name);
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
		cmocka_unit_test(what_lies_in_a_line_tells_the_kind),
		cmocka_unit_test(locks_and_other_structures_are_told_beside_the_bytes),
		cmocka_unit_test(an_argument_has_the_name_that_fits_its_misses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
