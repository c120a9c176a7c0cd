/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of time: how logs of several threads and executions come into the same columns, and what a log that is damaged
 * does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "analysis/findings/first_touch_rows.h"
#include "analysis/findings/line_use_rows.h"
#include "analysis/measure/columns.h"
#include "analysis/measure/maps.h"
#include "analysis/measure/touches.h"

enum { A = MON_OBJ_FIRST, WIDTH = 100 };

static struct measured_context contexts[] = { { .parent = NO_CONTEXT }, { .parent = 0 } };
static uint32_t context_of[] = { 0, 1 }, object_of[] = { 0, 1, 2, 3, 4, 5, 6, 7, A };

static struct measurements two_contexts(void)
{
	return (struct measurements){ .contexts = contexts, .ncontexts = 2, .nobjects = A + 1, .context_of = context_of,
		.ncontexts_of = 2, .object_of = object_of, .nobjects_of = A + 1 };
}

/* --- logs ------------------------------------------------------------------------------------------ */

static void put(struct mon_columns *log, uint64_t n)
{
	for (; n > 127; n >>= 7)
		log->log[log->bytes++] = (uint8_t)(n | 128);
	log->log[log->bytes++] = (uint8_t)n;
}

/* A column of context 1, object A. */
static void put_column(struct mon_columns *log, uint32_t skipped, bool new, uint64_t reads)
{
	put(log, TIMELINE_COLUMN + skipped);
	put(log, 1);
	put(log, (UINT64_C(1) << (TIMELINE_READS + TIMELINE_FIRST_FIELD)) | (new ? TIMELINE_NEW : 0));
	if (new) {
		put(log, 1);
		put(log, A);
	}
	put(log, reads);
	put(log, 0);
}

static void put_end(struct mon_columns *log, uint32_t execution, uint64_t length)
{
	put(log, TIMELINE_END);
	put(log, execution);
	put(log, length);
}

static struct mon_columns log_of(uint32_t thread, int32_t number)
{
	return (struct mon_columns){ .thread = thread, .number = number, .width = WIDTH };
}

static struct mon_result result_of(struct mon_columns *logs, uint32_t n, uint32_t executions)
{
	return (struct mon_result){ .state = MON_DONE, .kind = MON_SIM, .executions = executions, .columns = logs, .ncolumns = n };
}

/* Reads of a thread in a column; UINT32_MAX: in all. */
static uint64_t reads(const struct columns *c, uint32_t thread, uint32_t column)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->ncounts; i++)
		if (c->count[i].thread == thread && (column == UINT32_MAX || c->count[i].column == column))
			sum += c->count[i].value;
	return sum;
}

/* --- tests ----------------------------------------------------------------------------------------- */

static void threads_have_the_numbers_of_their_team(void **state)
{
	struct mon_columns logs[] = { log_of(0, 1), log_of(3, -1), log_of(4, 0), log_of(5, 0) };
	struct measurements p = two_contexts();
	struct mon_result r = result_of(logs, 4, 1);

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		put_column(&logs[i], 0, true, 10 + i);
		put_end(&logs[i], 1, WIDTH);
	}
	assert_int_equal(columns_add(&p, &r), 0);
	assert_int_equal(p.columns->threads, 4);
	assert_int_equal(reads(p.columns, 1, 0), 10);
	assert_int_equal(reads(p.columns, 0, 0), 12);
	assert_int_equal(reads(p.columns, 2, 0), 11);
	assert_int_equal(reads(p.columns, 3, 0), 13);
	columns_free(&p);
}

/* The second execution is twice as long: two of its columns are one. */
static void executions_share_their_columns(void **state)
{
	struct mon_columns log = log_of(0, 0);
	struct measurements p = two_contexts();
	struct mon_result r = result_of(&log, 1, 2);

	(void)state;
	for (int i = 0; i < 4; i++)
		put_column(&log, 0, !i, 100);
	put_end(&log, 5, 4 * WIDTH);
	for (int i = 0; i < 8; i++)
		put_column(&log, 0, false, 7);
	put_end(&log, 6, 8 * WIDTH);
	assert_int_equal(columns_add(&p, &r), 0);
	assert_int_equal(p.columns->n, 4);
	assert_int_equal(p.columns->width, WIDTH);
	assert_int_equal(p.columns->references, 4 * WIDTH);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(reads(p.columns, 0, i), 114);
	columns_free(&p);
}

/* What lies over two columns is divided, and no count is lost. */
static void a_column_of_the_log_may_be_of_several_columns(void **state)
{
	struct mon_columns log = log_of(0, 0);
	struct measurements p = two_contexts();
	struct mon_result r = result_of(&log, 1, 2);

	(void)state;
	put_column(&log, 1, true, 5);
	put(&log, TIMELINE_DOUBLE);
	put_column(&log, 0, false, 1001);
	put_end(&log, 1, 4 * WIDTH);
	put_column(&log, 0, false, 99);         /* twice as wide, in an execution of three columns */
	put_end(&log, 2, 3 * WIDTH);
	assert_int_equal(columns_add(&p, &r), 0);
	assert_int_equal(reads(p.columns, 0, UINT32_MAX), 5 + 1001 + 99);
	assert_int_equal(reads(p.columns, 0, 0), 37);           /* a column is three eighths of 99 */
	assert_int_equal(reads(p.columns, 0, 1), 5 + 37);
	assert_int_equal(reads(p.columns, 0, 2), 500 + 25);
	assert_int_equal(reads(p.columns, 0, 3), 501);
	columns_free(&p);
}

static void barriers_are_numbered_in_their_order(void **state)
{
	struct mon_columns logs[] = { log_of(0, 0), log_of(1, 1) };
	struct measurements p = two_contexts();
	struct mon_result r = result_of(logs, 2, 1);
	static const struct column_mark marks[] = { { 0, 0, 30 }, { 0, 2, 140 }, { 1, 0, 20 }, { 1, 1, 40 } };

	(void)state;
	for (uint32_t t = 0; t < 2; t++)
		for (uint32_t i = 0; i < 2; i++) {
			const struct column_mark *m = &marks[2 * t + i];

			put(&logs[t], TIMELINE_MARK);
			put(&logs[t], (UINT64_C(3) << 32) + 10 * m->number);
			put(&logs[t], m->at - (i && !t ? WIDTH : 0));
			if (!i && !t)
				put_column(&logs[t], 0, true, 1);
		}
	put_end(&logs[0], 1, 150);
	put_end(&logs[1], 1, 50);
	assert_int_equal(columns_add(&p, &r), 0);
	assert_int_equal(p.columns->nmarks, 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_true(p.columns->mark[i].thread == marks[i].thread && p.columns->mark[i].number == marks[i].number &&
			p.columns->mark[i].at == marks[i].at);
	columns_free(&p);
}

/* A worker has done nothing when its team begins: its log begins with the team's barrier. */
static void workers_begin_where_the_team_does(void **state)
{
	static const struct { uint32_t thread; uint64_t number, at; } logged[] = {
		{ 0, UINT64_C(7) << 32, 100 }, { 0, (UINT64_C(7) << 32) + 1, 150 }, { 0, (UINT64_C(8) << 32) + 1, 170 },
		{ 1, (UINT64_C(7) << 32) + 1, 50 }, { 1, (UINT64_C(8) << 32) + 1, 70 } };
	static const struct column_mark marks[] = { { 0, 0, 100 }, { 0, 1, 150 }, { 0, 2, 150 }, { 0, 3, 170 },
		{ 1, 0, 0 }, { 1, 1, 50 }, { 1, 2, 50 }, { 1, 3, 70 } };
	struct mon_columns logs[] = { log_of(0, 0), log_of(1, 1) };
	struct measurements p = two_contexts();
	struct mon_result r = result_of(logs, 2, 1);

	(void)state;
	for (size_t i = 0; i < sizeof logged / sizeof *logged; i++) {
		put(&logs[logged[i].thread], TIMELINE_MARK);
		put(&logs[logged[i].thread], logged[i].number);
		put(&logs[logged[i].thread], logged[i].at);
	}
	put_end(&logs[0], 1, 170);
	put_end(&logs[1], 1, 70);
	assert_int_equal(columns_add(&p, &r), 0);
	assert_int_equal(p.columns->nmarks, 8);
	for (uint32_t i = 0; i < 8; i++)
		assert_true(p.columns->mark[i].thread == marks[i].thread && p.columns->mark[i].number == marks[i].number &&
			p.columns->mark[i].at == marks[i].at);
	columns_free(&p);
}

/* Rows of one block, or pieces of memory; what is in none of them is left out. */
static void lines_are_in_the_rows_of_the_maps(void **state)
{
	enum { BYTES = 4096, B = A + 1, NONE, OBJECTS };
	const uint32_t all[OBJECTS] = { [A] = A, [B] = B, [NONE] = NONE };
	struct mon_columns logs[] = { log_of(4, 0), log_of(5, 1) };
	struct mon_map maps[] = { { .object = A, .thread = 4, .width = WIDTH, .bytes = BYTES, .reads = 1 },
		{ .object = B, .thread = 4, .width = WIDTH, .lo = 8 * BYTES, .bytes = BYTES, .row = MON_MAP_ROWS, .reads = 1 },
		{ .object = B, .thread = 5, .width = WIDTH, .lo = 64 * BYTES, .bytes = BYTES, .row = 0, .reads = 1 } };
	struct mon_use uses[] = { { A, 7, 0, BYTES, { 1, 2, 3, 4 } }, { A, 8, BYTES, BYTES, { 1, 0, 0, 0 } },
		{ B, MON_MAP_ROWS, 8 * BYTES, BYTES, { 0, 5, 0, 0 } }, { B, 200, 64 * BYTES, BYTES, { 0, 0, 6, 0 } },
		{ B, 255, 64 * BYTES, BYTES, { 0, 0, 1, 0 } }, { B, MON_MAP_ROWS, 9 * BYTES, BYTES, { 1, 0, 0, 0 } },
		{ NONE, 1, 0, BYTES, { 1, 0, 0, 0 } } };
	struct measurements p = two_contexts();
	struct mon_result r = result_of(logs, 2, 1);
	uint32_t numbers[OBJECTS] = { [A] = 1, [B] = 2 };
	struct report_time_structure structures[] = { { .name = "a" }, { .name = "b" } };
	struct report_timeline t = { .rows = MON_MAP_ROWS, .structures = structures, .nstructures = 2, .threads = 2 };
	struct report *report = report_new();

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		put_column(&logs[i], 0, true, 10);
		put_end(&logs[i], 1, WIDTH);
	}
	p.nobjects = p.nobjects_of = OBJECTS;
	p.object_of = (uint32_t *)(uintptr_t)all;
	r.maps = maps;
	r.nmaps = 3;
	r.uses = uses;
	r.nuses = 7;
	assert_int_equal(columns_add(&p, &r), 0);
	assert_int_equal(p.columns->nuses, 3);
	assert_non_null(report);
	assert_int_equal(findings_line_uses(p.columns, report, &t, numbers), 0);
	assert_int_equal(structures[0].lines.n, 4);
	assert_int_equal(series_at(&structures[0].lines, 7 * LINE_USES + LINE_WRITTEN), 4);
	assert_int_equal(structures[1].lines.n, 2);
	assert_int_equal(series_at(&structures[1].lines, 0 * LINE_USES + LINE_READ), 5);
	assert_int_equal(series_at(&structures[1].lines, 1 * LINE_USES + LINE_ONE_WRITES), 7);
	report_free(report);
	columns_free(&p);
}

/* Threads have the numbers of their team.  What is of no thread of the executions, of another block, or said twice is left
 * out. */
static void first_touches_are_of_structures_that_are_drawn(void **state)
{
	enum { BYTES = 4096 };
	struct mon_columns logs[] = { log_of(4, 0), log_of(5, 1) };
	struct mon_map map = { .object = A, .thread = 4, .width = WIDTH, .bytes = BYTES, .reads = 1 };
	struct mon_touch touches[] = { { A, 5, 128, 256, BYTES }, { A, 4, 0, 100, BYTES }, { A, 9, 100, 110, BYTES },
		{ A, 4, 110, 120, 2 * BYTES }, { A, 5, 90, 128, BYTES } };
	struct measurements p = two_contexts();
	struct mon_result r = result_of(logs, 2, 1);
	uint32_t numbers[A + 1] = { [A] = 1 };
	struct report_time_structure structure = { .name = "a" };
	struct report_timeline t = { .rows = MON_MAP_ROWS, .structures = &structure, .nstructures = 1, .threads = 2 };
	struct report *report = report_new();

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		put_column(&logs[i], 0, true, 10);
		put_end(&logs[i], 1, WIDTH);
	}
	r.maps = &map;
	r.nmaps = 1;
	r.touches = touches;
	r.ntouches = 5;
	assert_int_equal(columns_add(&p, &r), 0);
	assert_int_equal(p.columns->ntouches, 2);
	assert_non_null(report);
	assert_int_equal(findings_first_touches(p.columns, report, &t, numbers), 0);
	assert_int_equal(structure.touched, TOUCH_BEGIN);
	assert_int_equal(structure.toucher.n, 228);
	assert_int_equal(series_at(&structure.toucher, 99), 1 + 0);
	assert_int_equal(series_at(&structure.toucher, 100), 0);
	assert_int_equal(series_at(&structure.toucher, 128), 1 + 1);
	report_free(report);
	columns_free(&p);
}

/* With more counts than may be kept, columns are merged; no count is lost.  Where even one column has too many, there is no
 * timeline, which is said. */
static void columns_are_merged_where_counts_are_too_many(void **state)
{
	struct mon_columns log = log_of(0, 0);
	struct measurements p = two_contexts();
	struct mon_result r = result_of(&log, 1, 1);

	(void)state;
	for (int i = 0; i < 64; i++)
		put_column(&log, 0, !i, 10);
	put_end(&log, 5, 64 * WIDTH);
	assert_int_equal(columns_add_most(&p, &r, 64), 0);
	assert_int_equal(p.columns->n, 64);
	assert_int_equal(p.columns->merged, 1);
	assert_int_equal(columns_add_most(&p, &r, 40), 0);
	assert_int_equal(p.columns->merged, 4);         /* 40 columns become 20, and the first 60 are then 15 */
	assert_int_equal(p.columns->n, 16);
	assert_int_equal(p.columns->width, 4 * WIDTH);
	assert_int_equal(reads(p.columns, 0, UINT32_MAX), 640);
	assert_int_equal(reads(p.columns, 0, 3), 40);
	assert_int_equal(reads(p.columns, 0, 15), 40);
	assert_false(p.columns_full);
	assert_int_equal(columns_add_most(&p, &r, 1), 0);
	assert_null(p.columns);
	assert_true(p.columns_full);
	columns_free(&p);
}

/* A log with every byte changed in turn, and cut everywhere: it is read as far as it goes. */
static void damaged_logs_do_no_harm(void **state)
{
	static const uint8_t bytes[] = { 0, 1, 3, 127, 128, 255 };
	struct mon_columns whole = log_of(0, 0), log;
	struct measurements p = two_contexts();

	(void)state;
	put_column(&whole, 0, true, 100000);
	put_column(&whole, 3, false, 5);
	put(&whole, TIMELINE_DOUBLE);
	put_column(&whole, 1000000, false, 5);
	put_end(&whole, 1, 900);
	for (uint32_t at = 0; at <= whole.bytes; at++)
		for (size_t b = 0; b < sizeof bytes; b++) {
			struct mon_result r = result_of(&log, 1, 1);

			log = whole;
			if (at < whole.bytes)
				log.log[at] = bytes[b];
			log.bytes = b ? whole.bytes : at;
			log.width = b == 5 ? UINT64_C(1) << 47 : WIDTH;
			assert_int_equal(columns_add(&p, &r), 0);
			assert_true(!p.columns || p.columns->n <= TIMELINE_PARTS);
			for (size_t i = 0; p.columns && i < p.columns->ncounts; i++)
				assert_true(p.columns->count[i].column < p.columns->n);
		}
	columns_free(&p);
}

/* An application may write what it likes. */
static void random_logs_do_no_harm(void **state)
{
	struct measurements p = two_contexts();
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct mon_columns log = log_of(0, 0);
		struct mon_result r = result_of(&log, 1, 1);

		for (log.bytes = 0; log.bytes < 60; log.bytes++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			log.log[log.bytes] = seed % 3 ? (uint8_t)(seed >> 8) % 8 : (uint8_t)(seed >> 16);
		}
		assert_int_equal(columns_add(&p, &r), 0);
	}
	columns_free(&p);
}

/* --- maps ------------------------------------------------------------------------------------------ */

static struct mon_map map_row(uint32_t thread, uint64_t lo, uint64_t bytes, uint32_t row)
{
	return (struct mon_map){ .object = A, .thread = thread, .width = WIDTH, .lo = lo, .bytes = bytes, .row = row,
		.reads = 4, .first_misses = 2, .last_misses = 1 };
}

/* The columns of two threads of 4 columns each, with these rows of maps. */
static void take_maps(struct measurements *p, struct mon_map *rows, uint32_t n)
{
	struct mon_columns logs[] = { log_of(0, 0), log_of(1, 1) };
	struct mon_result r = result_of(logs, 2, 1);

	r.maps = rows;
	r.nmaps = n;
	for (int i = 0; i < 2; i++) {
		put_column(&logs[i], 0, true, 100);
		put_end(&logs[i], 1, 4 * WIDTH);
	}
	*p = two_contexts();
	assert_int_equal(columns_add(p, &r), 0);
	assert_non_null(p->columns);
}

static void rows_of_one_block_keep_their_numbers(void **state)
{
	struct mon_map rows[] = { map_row(0, 1 << 20, 1 << 16, 200), map_row(1, 1 << 20, 1 << 16, 3), map_row(0, 1 << 20, 1 << 16, 200) };
	struct measurements p;
	(void)state;

	rows[2].from = WIDTH / 2;       /* in the first column and in the second */
	take_maps(&p, rows, 3);
	assert_int_equal(p.columns->nmaps, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(p.columns->map[i].pieces == 0 && p.columns->map[i].lo == 1 << 20);
	assert_true(p.columns->map[0].row == 200 && p.columns->map[0].count[MAPPED_READS] == 6);
	assert_int_equal(p.columns->map[0].count[MAPPED_FIRST], 3);
	assert_true(p.columns->map[1].row == 200 && p.columns->map[1].column == 1);
	assert_true(p.columns->map[2].row == 3 && p.columns->map[2].thread == 1);
	columns_free(&p);
}

/* Two threads have a block each, far apart, and one a piece that lies before both. */
static void rows_of_several_blocks_are_pieces_by_address(void **state)
{
	struct mon_map rows[] = { map_row(0, UINT64_C(1) << 40, 1 << 20, 255), map_row(1, 1 << 30, 1 << 20, 0),
		map_row(1, 4096, 4096, MON_MAP_ROWS), map_row(0, 4096, 4096, MON_MAP_ROWS) };
	struct measurements p;
	(void)state;

	take_maps(&p, rows, 4);
	assert_int_equal(p.columns->nmaps, 4);
	for (size_t i = 0; i < 4; i++)
		assert_true(p.columns->map[i].pieces == 3 && p.columns->map[i].bytes == 4096);
	assert_true(p.columns->map[0].thread == 0 && p.columns->map[0].row == 0);
	assert_true(p.columns->map[1].thread == 0 && p.columns->map[1].row == 2);
	assert_true(p.columns->map[2].thread == 1 && p.columns->map[2].row == 0);
	assert_true(p.columns->map[3].thread == 1 && p.columns->map[3].row == 1);
	columns_free(&p);
}

static void pieces_become_longer_until_the_rows_suffice(void **state)
{
	enum { MANY = 1000 };
	static struct mon_map rows[MANY];
	struct measurements p;
	uint64_t sum = 0;
	(void)state;

	for (uint32_t i = 0; i < MANY; i++)
		rows[i] = map_row(0, (uint64_t)i << 12, 4096, MON_MAP_ROWS);
	take_maps(&p, rows, MANY);
	for (size_t i = 0; i < p.columns->nmaps; i++) {
		assert_true(p.columns->map[i].pieces == 250 && p.columns->map[i].row < 250);
		sum += p.columns->map[i].count[MAPPED_READS];
	}
	assert_int_equal(sum, 4 * MANY);
	columns_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_have_the_numbers_of_their_team),
		cmocka_unit_test(executions_share_their_columns),
		cmocka_unit_test(a_column_of_the_log_may_be_of_several_columns),
		cmocka_unit_test(barriers_are_numbered_in_their_order),
		cmocka_unit_test(workers_begin_where_the_team_does),
		cmocka_unit_test(first_touches_are_of_structures_that_are_drawn),
		cmocka_unit_test(lines_are_in_the_rows_of_the_maps),
		cmocka_unit_test(columns_are_merged_where_counts_are_too_many),
		cmocka_unit_test(damaged_logs_do_no_harm),
		cmocka_unit_test(random_logs_do_no_harm),
		cmocka_unit_test(rows_of_one_block_keep_their_numbers),
		cmocka_unit_test(rows_of_several_blocks_are_pieces_by_address),
		cmocka_unit_test(pieces_become_longer_until_the_rows_suffice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
