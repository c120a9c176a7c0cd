/* SPDX-License-Identifier: BSD-3-Clause */
/* The pattern of misses: what prefetchers make of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "simulate/cache/frames.h"
#include "simulate/cache/pattern.h"

enum { IN_PAGE = 6, LINES = 1 << IN_PAGE, ARRAYS = 3, FIRST_PAGE = 1000 };

static struct pattern p;

static int reset(void **state)
{
	(void)state;
	p = (struct pattern){ .recent = 0 };
	return 0;
}

static void *zeroed(size_t bytes)
{
	return calloc(1, bytes);
}

static uint32_t kind(uint32_t line, struct pattern_page *cell)
{
	return pattern_miss(&p, NULL, line, IN_PAGE, cell) & PATTERN_KIND;
}

/* Streams of arrays that are used side by side, so the numbers of their pages alternate.  At most the
 * first two misses of an array are no part of its stream. */
static void streams(bool down)
{
	struct pattern_page cell[ARRAYS] = { { 0 } };
	uint32_t other = 0;

	for (uint32_t i = 0; i < 20 * LINES; i++)
		for (uint32_t a = 0; a < ARRAYS; a++) {
			uint32_t page = FIRST_PAGE + i / LINES * ARRAYS + a;
			uint32_t line = down ? LINES - 1 - i % LINES : i % LINES;

			other += kind(page * LINES + line, &cell[a]) != PATTERN_STREAM;
		}
	assert_in_range(other, 1, 2 * ARRAYS);
}

static void streams_go_on_over_pages_with_alternating_numbers(void **state)
{
	(void)state;
	streams(false);
}

static void streams_go_down_over_pages_too(void **state)
{
	(void)state;
	streams(true);
}

/* Four rows of a matrix are read at once: their pages have numbers in turn, and the cell's steps
 * are those from row to row. */
static void rows_of_one_matrix_are_streams(void **state)
{
	enum { ROWS = 4, PAGES = 20, FAR = 500 };
	static struct page_sets sets;
	struct pattern_page cell = { 0 };
	uint32_t other = 0;

	(void)state;
	for (uint32_t i = 0; i < PAGES; i++)
		for (uint32_t row = 0; row < ROWS; row++) {
			const uint32_t page = FIRST_PAGE + i * ROWS + row;

			page_sets_put(&sets, page, (uint16_t)(row * FAR + i - page), zeroed);
		}
	for (uint32_t i = 0; i < PAGES * LINES; i++)
		for (uint32_t row = 0; row < ROWS; row++) {
			const uint32_t page = FIRST_PAGE + i / LINES * ROWS + row;

			const uint32_t line = page * LINES + i % LINES;

			other += (pattern_miss(&p, &sets, line, IN_PAGE, &cell) & PATTERN_KIND) !=
				PATTERN_STREAM;
		}
	assert_in_range(other, 1, 2 * ROWS);
}

static void the_edges_of_any_two_pages_are_no_stream(void **state)
{
	struct pattern_page cell = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 40; i++) {
		uint32_t page = FIRST_PAGE + i * 7919 % 4093;

		assert_int_not_equal(kind(page * LINES + (i % 2 ? 0 : LINES - 1), &cell), PATTERN_STREAM);
	}
}

/* A walk over a record's member: 72 bytes a record are steps of one line, and of two after each seventh. */
static void records_beyond_a_line_are_a_stream_with_near_steps(void **state)
{
	struct pattern_page cell = { 0 };
	uint32_t stream = 0, strided = 0;

	(void)state;
	for (uint32_t i = 0; i < 8 * 100; i++) {
		uint32_t found = kind(FIRST_PAGE * LINES + i * 72 / 64, &cell);

		stream += found == PATTERN_STREAM;
		strided += found == PATTERN_STRIDED;
	}
	assert_in_range(stream, 7 * 100 - 1, 7 * 100);
	assert_in_range(strided, 100 - 1, 100);
}

/* The steps of a walk, in a page in which it began with a step of `first`: the kind of the last one. */
static uint32_t kind_after(int32_t first, int32_t step)
{
	struct pattern_page cell = { 0 };
	const uint32_t line = FIRST_PAGE * LINES + LINES / 2;

	reset(NULL);
	kind(line, &cell);
	kind(line + (uint32_t)first, &cell);
	return kind(line + (uint32_t)(first + step), &cell);
}

static void near_steps_onward_are_strided_and_others_are_not(void **state)
{
	(void)state;
	for (int32_t way = -1; way <= 1; way += 2) {
		for (int32_t step = 2; step <= PATTERN_NEAR; step++) {
			assert_int_equal(kind_after(way, way * step), PATTERN_STRIDED);
			assert_int_equal(kind_after(way * 7, way * step), PATTERN_STRIDED);
			assert_int_equal(kind_after(-way * 7, way * step), step == 2 ? PATTERN_STRIDED : PATTERN_IRREGULAR);
		}
		assert_int_equal(kind_after(way, way * (PATTERN_NEAR + 1)), PATTERN_IRREGULAR);
		assert_int_equal(kind_after(way * 7, way * 7), PATTERN_STRIDED);
	}
}

/* Blocks of 200 bytes from the last one to the first, each forwards: three or four lines, then a
 * step back. */
static void blocks_walked_through_backwards_are_not_irregular(void **state)
{
	enum { BLOCKS = 600, BYTES = 200 };
	struct pattern_page cell = { 0 };
	uint32_t found[3] = { 0 }, missed = UINT32_MAX;

	(void)state;
	for (uint32_t b = BLOCKS; b--;) {
		const uint32_t first = b * BYTES / 64, last = (b * BYTES + BYTES - 1) / 64;

		for (uint32_t l = first; l <= last && l < missed; l++)
			found[kind(FIRST_PAGE * LINES + l, &cell)]++;
		missed = first;
	}
	assert_in_range(found[PATTERN_IRREGULAR], 0, 2 * (BLOCKS * BYTES / 4096 + 1));
	assert_in_range(found[PATTERN_STREAM], BLOCKS * 2, BLOCKS * 3);
}

/* Records of two lines and a quarter, of which the second line comes first: some steps are of two
 * lines. */
static void lines_of_a_record_in_another_order_are_not_irregular(void **state)
{
	enum { RECORDS = 600, BYTES = 144, LINES_USED = RECORDS * BYTES / 64 };
	static const uint32_t offset[] = { 64, 0, 127, 63 };
	struct pattern_page cell = { 0 };
	bool seen[LINES_USED + 4] = { false };
	uint32_t found[3] = { 0 };

	(void)state;
	for (uint32_t i = 0; i < RECORDS; i++)
		for (uint32_t k = 0; k < 4; k++) {
			const uint32_t line = (i * BYTES + 16 + offset[k]) / 64;

			if (!seen[line])
				found[kind(FIRST_PAGE * LINES + line, &cell)]++;
			seen[line] = true;
		}
	assert_in_range(found[PATTERN_IRREGULAR], 0, 2 * (RECORDS * BYTES / 4096 + 1));
	assert_in_range(found[PATTERN_STREAM], LINES_USED * 3 / 4, LINES_USED + 1);
}

/* A stencil's planes, a power of two of pages apart, are streams side by side. */
static void streams_of_planes_far_apart_do_not_take_one_anothers_entries(void **state)
{
	struct pattern_page cell = { 0 };
	uint32_t other = 0;

	(void)state;
	for (uint32_t apart = 16; apart <= 1024; apart *= 2)
		for (uint32_t i = 0; i < 4 * LINES; i++)
			for (uint32_t plane = 0; plane < 5; plane++)
				other += kind((FIRST_PAGE + plane * apart) * LINES + i, &cell) != PATTERN_STREAM;
	/* The first two misses of each plane, and where an entry is lost after all. */
	assert_in_range(other, 7 * 5, 7 * 5 * 4);
}

static void steps_of_a_page_crowd_in_one_set(void **state)
{
	struct pattern_page cell = { 0 };
	uint32_t crowd = 0, strided = 0;

	(void)state;
	for (uint32_t i = 0; i < 2048; i++) {
		uint32_t found = pattern_miss(&p, NULL, (FIRST_PAGE + i) * LINES + 5, IN_PAGE, &cell);

		crowd += found >> PATTERN_CROWD;
		strided += (found & PATTERN_KIND) == PATTERN_STRIDED;
	}
	assert_true(strided > 2040 && crowd > 2000 * PATTERN_RECENT);
}

/* Steps of a page meet, the lines of a page do not; a line that keeps its class keeps that, too. */
static void lines_that_meet_in_a_set_are_told(void **state)
{
	struct pattern_page cell = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 12; i++)
		assert_int_equal(!(pattern_miss(&p, NULL, (FIRST_PAGE + i) * LINES + 5, IN_PAGE, &cell) &
			PATTERN_MEETS), i == 0);
	for (uint32_t i = 16; i < 3 * LINES; i++)
		assert_int_equal(!(pattern_miss(&p, NULL, (FIRST_PAGE + 100) * LINES + i, IN_PAGE, &cell) &
			PATTERN_MEETS), 1);
	for (uint32_t i = 0; i < 12; i++) {
		const uint32_t line = (FIRST_PAGE + i) * LINES + 5, found = pattern_known(&p, line);

		assert_int_equal(pattern_miss(&p, NULL, line, IN_PAGE, &cell), found);
		assert_int_equal(!(found & PATTERN_MEETS), i == 0);
	}
}

static void pages_beyond_the_filter_walk(void **state)
{
	enum { HELD = PATTERN_WALK_SETS * PATTERN_WALK_WAYS };

	(void)state;
	for (uint32_t pages = HELD; pages <= 2 * HELD; pages += HELD) {
		struct pattern_page cell = { 0 };
		uint32_t walks = 0;

		reset(NULL);
		for (uint32_t i = 0; i < 3 * pages; i++)        /* another line of the page each time */
			walks += (pattern_miss(&p, NULL, (FIRST_PAGE + i % pages) * LINES + i / pages * 2, IN_PAGE,
				&cell) & PATTERN_WALKS) != 0;
		assert_int_equal(walks, pages == HELD ? pages : 3 * pages);
	}
}

/* The planes of a cube: their pages have numbers in the order of first touch, but are `apart` pages
 * apart. */
static void pages_a_power_of_two_apart_share_few_sets(void **state)
{
	enum { PLANES = 128, ROUNDS = 3 };
	static _Atomic uint16_t block[PAGE_SETS_BLOCK];

	(void)state;
	for (uint32_t apart = 1; apart <= PATTERN_WALK_SETS; apart *= 2) {
		const uint32_t held = PATTERN_WALK_SETS / apart * PATTERN_WALK_WAYS;
		struct page_sets sets = { .block = { block } };
		struct pattern_page cell = { 0 };
		uint32_t walks = 0;

		reset(NULL);
		for (uint32_t i = 0; i < PLANES; i++)
			block[FIRST_PAGE + i] = (uint16_t)(i * apart - (FIRST_PAGE + i));
		for (uint32_t i = 0; i < ROUNDS * PLANES; i++)
			walks += (pattern_miss(&p, &sets, (FIRST_PAGE + i % PLANES) * LINES + i / PLANES * 2,
				IN_PAGE, &cell) & PATTERN_WALKS) != 0;
		assert_int_equal(walks, PLANES <= held ? PLANES : ROUNDS * PLANES);
	}
}

/* The next line of a random trace: steps of few lines in some pages, returns, jumps to any page. */
static uint32_t trace_next(uint64_t *random, uint32_t line)
{
	static const int32_t steps[] = { 1, 1, 1, 1, -1, -1, 2, 2, -2, 3, 3, 64, -64, 0 };
	const uint32_t r = (uint32_t)((*random = *random * UINT64_C(6364136223846793005) + 1) >> 33);

	return r % 16 < 14 ? line + (uint32_t)steps[r % 16] : FIRST_PAGE * LINES + r / 16 % (1u << (8 + r / 16 % 10));
}

static void the_short_path_gives_the_same_classes_and_state(void **state)
{
	enum { CELLS = 3, MISSES = 400000 };
	static struct pattern both, one;
	struct pattern_page cells[2][CELLS] = { { { 0 } } };
	uint64_t random = 5;
	uint32_t line = FIRST_PAGE * LINES, taken = 0;

	(void)state;
	for (uint32_t i = 0; i < MISSES; i++) {
		const struct pattern_entry *page;
		struct pattern_page *cell = &cells[0][i % CELLS];
		uint32_t found, want, meets;

		line = trace_next(&random, line);
		want = pattern_miss(&one, NULL, line, IN_PAGE, &cells[1][i % CELLS]);
		page = pattern_next(&both, line, IN_PAGE, cell, &meets);
		if (page) {
			taken++;
			found = PATTERN_NEW | PATTERN_STREAM | meets;
			assert_int_equal(page->frame, frames_scatter(line / LINES));
		} else {
			found = pattern_miss(&both, NULL, line, IN_PAGE, cell);
		}
		assert_int_equal(found, want);
		if (i % 1000 == 0)
			assert_memory_equal(&both, &one, sizeof one);
	}
	assert_memory_equal(&both, &one, sizeof one);
	assert_memory_equal(cells[0], cells[1], sizeof cells[0]);
	assert_in_range(taken, MISSES / 8, MISSES - MISSES / 10);
}

static void *none(size_t bytes)
{
	(void)bytes;
	return NULL;
}

static void *some(size_t bytes)
{
	static _Alignas(64) uint16_t block[PAGE_SETS_BLOCK];

	return bytes <= sizeof block ? block : NULL;
}

static void pages_without_a_skew_have_the_set_of_their_number(void **state)
{
	static struct page_sets sets;
	const uint32_t last = (uint32_t)PAGE_SETS_BLOCK * PAGE_SETS_BLOCKS - 1;

	(void)state;
	page_sets_put(&sets, 3, 7, none);       /* no memory */
	assert_int_equal(page_sets_of(&sets, 3), 3);
	page_sets_put(&sets, last, 9, some);
	page_sets_put(&sets, last - 1, 0, some);
	page_sets_put(&sets, (uint64_t)last + 1, 9, some);
	assert_int_equal(page_sets_of(&sets, last), (last + 9) % PAGE_SETS);
	assert_int_equal(page_sets_of(&sets, last - 1), (last - 1) % PAGE_SETS);
	assert_int_equal(page_sets_of(&sets, last + 1), (last + 1) % PAGE_SETS);
	assert_int_equal(page_sets_of(&sets, 3), 3);
	assert_int_equal(page_sets_of(NULL, 1000), 1000 % PAGE_SETS);
}

/* The kind of a cell's miss after one step and another. */
static uint32_t far_kind(int32_t first, int32_t step)
{
	struct pattern_page cell = { 0 };
	const uint32_t line = 100 * FIRST_PAGE * LINES;

	reset(NULL);
	kind(line, &cell);
	kind(line + (uint32_t)first, &cell);
	return kind(line + (uint32_t)(first + step), &cell);
}

/* Down the columns of rows of 12000 bytes, which are 187 lines and a half: steps of 187 and 188 lines by turns, or,
 * of 12016 bytes, 188 and, after each fourth, 187.  Steps two lines apart are none. */
static void rows_of_broken_lines_are_strided(void **state)
{
	static const uint32_t rows[] = { 12000, 12016 };

	(void)state;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct pattern_page cell = { 0 };
		uint32_t strided = 0;

		for (uint32_t i = 0; i < 500; i++)
			strided += kind(FIRST_PAGE * LINES + i * rows[k] / 64, &cell) == PATTERN_STRIDED;
		assert_in_range(strided, 490, 500);
	}
	assert_int_equal(far_kind(187, 188), PATTERN_STRIDED);
	assert_int_equal(far_kind(188, 187), PATTERN_STRIDED);
	assert_int_equal(far_kind(187, 189), PATTERN_IRREGULAR);
	assert_int_equal(far_kind(-188, -187), PATTERN_STRIDED);
}

/* Down the columns of two arrays with rows of 178 lines, whose pages got numbers in turn: a step is two, four or
 * six pages of these. */
static void columns_of_arrays_touched_in_turn_are_strided(void **state)
{
	enum { ROW = 178, ROWS = 500, FAR = 30000 };
	static struct page_sets sets;
	uint32_t strided[2] = { 0 };

	(void)state;
	for (uint32_t known = 0; known < 2; known++) {
		struct pattern_page cell[2] = { { 0 } };

		reset(NULL);
		for (uint32_t i = 0; i < 2 * ROWS; i++) {
			const uint32_t array = i % 2, line = i / 2 * ROW, page = line / LINES;
			const uint32_t number = FIRST_PAGE + 2 * page + array;

			if (known)
				page_sets_put(&sets, number, (uint16_t)(page + array * FAR - number), zeroed);
			strided[known] += (pattern_miss(&p, known ? &sets : NULL, number * LINES + line % LINES, IN_PAGE,
				&cell[array]) & PATTERN_KIND) == PATTERN_STRIDED;
		}
	}
	assert_in_range(strided[0], 0, 2 * ROWS * 7 / 10);
	assert_in_range(strided[1], 2 * ROWS - 10, 2 * ROWS);
	for (uint32_t i = 0; i < PAGE_SETS_BLOCKS; i++)
		free((void *)sets.block[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(streams_go_on_over_pages_with_alternating_numbers, reset),
		cmocka_unit_test_setup(streams_go_down_over_pages_too, reset),
		cmocka_unit_test_setup(streams_of_planes_far_apart_do_not_take_one_anothers_entries, reset),
		cmocka_unit_test_setup(records_beyond_a_line_are_a_stream_with_near_steps, reset),
		cmocka_unit_test_setup(rows_of_broken_lines_are_strided, reset),
		cmocka_unit_test_setup(columns_of_arrays_touched_in_turn_are_strided, reset),
		cmocka_unit_test_setup(blocks_walked_through_backwards_are_not_irregular, reset),
		cmocka_unit_test_setup(lines_of_a_record_in_another_order_are_not_irregular, reset),
		cmocka_unit_test_setup(near_steps_onward_are_strided_and_others_are_not, reset),
		cmocka_unit_test_setup(rows_of_one_matrix_are_streams, reset),
		cmocka_unit_test_setup(the_edges_of_any_two_pages_are_no_stream, reset),
		cmocka_unit_test_setup(steps_of_a_page_crowd_in_one_set, reset),
		cmocka_unit_test_setup(lines_that_meet_in_a_set_are_told, reset),
		cmocka_unit_test_setup(pages_beyond_the_filter_walk, reset),
		cmocka_unit_test_setup(pages_a_power_of_two_apart_share_few_sets, reset),
		cmocka_unit_test_setup(the_short_path_gives_the_same_classes_and_state, reset),
		cmocka_unit_test_setup(pages_without_a_skew_have_the_set_of_their_number, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
