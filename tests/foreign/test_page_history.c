/* SPDX-License-Identifier: BSD-3-Clause */
/* What was seen of pages, as rows that the agent's reader of timelines understands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>
#include "foreign/page_history.h"
#include "monitor/client/column_log.h"

enum { PAGE = 4096, OBJECT = MON_OBJ_FIRST };
#define BLOCK UINT64_C(0x10000000)

static struct mon_shm *shm;
static struct page_history history;

static int set_up(void **state)
{
	(void)state;
	shm = mmap(NULL, sizeof *shm, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_ptr_not_equal(shm, MAP_FAILED);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	page_history_free(&history);
	munmap(shm, sizeof *shm);
	return 0;
}

static void see(uint32_t task, uint64_t page, uint64_t at, bool write)
{
	const struct page_seen s = { .block = BLOCK, .bytes = 1024 * PAGE, .task = task, .context = 2 + task,
		.object = OBJECT, .reads = !write, .writes = write };

	page_history_add(&history, &s, page * PAGE, at);
}

/* Sums of what a reader finds in the logs of all threads. */
struct found {
	uint64_t reads, writes, length, first, last;    /* first, last: positions of cells */
	uint32_t cells, threads;
	bool whole;
};

static struct found read_all(void)
{
	const struct mon_request *r = &shm->request[0];
	struct found f = { .first = UINT64_MAX, .whole = true };

	for (uint32_t i = 0, n; i < r->rows.columns; i += n) {
		struct columns_reader *reader;
		struct columns_item it;

		n = columns_parts(&shm->columns[0][i], r->rows.columns - i);
		reader = columns_open(&shm->columns[0][i], n);
		f.threads++;
		while (columns_next(reader, &it)) {
			if (it.kind == COLUMNS_END)
				f.length = it.to;
			if (it.kind != COLUMNS_CELL)
				continue;
			assert_int_equal(it.object, OBJECT);
			f.cells++;
			f.reads += it.count[TIMELINE_READS];
			f.writes += it.count[TIMELINE_WRITES];
			f.first = it.from < f.first ? it.from : f.first;
			f.last = it.to > f.last ? it.to : f.last;
		}
		f.whole = f.whole && columns_whole(reader);
		columns_close(reader);
	}
	return f;
}

static void a_reader_finds_what_was_seen(void **state)
{
	struct found f;

	(void)state;
	see(0, 3, 0, true);
	see(0, 3, 10, true);
	see(0, 4, 5000, false);
	see(1, 4, 9999, false);
	assert_int_equal(page_history_write(&history, shm, 0), MON_DROP_NONE);
	f = read_all();
	assert_true(f.whole);
	assert_int_equal(f.threads, 2);
	assert_int_equal(f.cells, 3);
	assert_int_equal(f.writes, 2);
	assert_int_equal(f.reads, 2);
	assert_int_equal(f.first, 0);
	assert_int_equal(f.last, 10000);
	assert_int_equal(f.length, 10000);
}

static void columns_get_wider_and_lose_nothing(void **state)
{
	struct found f;

	(void)state;
	for (uint64_t k = 0; k < 3000; k++)
		see((uint32_t)(k % 3), k % 1024, k * 1000000, k % 2);
	assert_true(history.width >= 3000 * UINT64_C(1000000) / 512);
	assert_int_equal(page_history_write(&history, shm, 0), MON_DROP_NONE);
	f = read_all();
	assert_true(f.whole);
	assert_int_equal(f.reads + f.writes, 3000);
	assert_int_equal(f.length, 2999 * UINT64_C(1000000) + 1);
	assert_int_equal(history.lost, 0);
}

static void a_map_has_the_rows_that_a_page_covers(void **state)
{
	const struct mon_map *m = shm->maps[0];
	struct page_seen small = { .block = BLOCK, .bytes = 16 * PAGE, .object = OBJECT, .reads = 1 };

	(void)state;
	page_history_add(&history, &small, 2 * PAGE, 0);
	assert_int_equal(page_history_write(&history, shm, 0), MON_DROP_NONE);
	assert_int_equal(shm->request[0].rows.maps, MON_MAP_ROWS / 16);
	assert_int_equal(m[0].row, 2 * MON_MAP_ROWS / 16);
	assert_int_equal(m[MON_MAP_ROWS / 16 - 1].row, 3 * MON_MAP_ROWS / 16 - 1);
	assert_int_equal(m[0].lo, BLOCK);
	assert_int_equal(m[0].bytes, 16 * PAGE);
	assert_int_equal(m[0].reads, 1);
}

static void a_map_with_too_many_rows_has_wider_columns(void **state)
{
	struct found f;

	(void)state;
	for (uint64_t k = 0; k < 400; k++)
		for (uint32_t task = 0; task < 4; task++)
			for (uint64_t page = 0; page < 1024; page += 4)
				see(task, page, k * 1000, false);
	assert_int_equal(history.width, 1000);
	assert_int_equal(page_history_write(&history, shm, 0), MON_DROP_NONE);
	assert_true(shm->request[0].rows.maps <= MON_MAPS);
	assert_int_equal(shm->request[0].undrawn, 0);
	assert_int_equal(history.width, 2000);
	f = read_all();
	assert_true(f.whole);
	assert_int_equal(f.reads, 400 * 4 * 256);
}

static void it_can_be_written_again(void **state)
{
	struct found f;

	(void)state;
	see(0, 1, 0, true);
	page_history_write(&history, shm, 0);
	memset(&shm->request[0], 0, sizeof shm->request[0]);
	page_history_write(&history, shm, 0);
	f = read_all();
	assert_int_equal(f.writes, 1);
	assert_int_equal(shm->request[0].rows.maps, 1);
}

static void nothing_is_nothing(void **state)
{
	(void)state;
	assert_int_equal(page_history_write(&history, shm, 0), MON_DROP_NONE);
	assert_int_equal(shm->request[0].rows.columns + shm->request[0].rows.maps, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_reader_finds_what_was_seen, set_up, tear_down),
		cmocka_unit_test_setup_teardown(columns_get_wider_and_lose_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_map_has_the_rows_that_a_page_covers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_map_with_too_many_rows_has_wider_columns, set_up, tear_down),
		cmocka_unit_test_setup_teardown(it_can_be_written_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_is_nothing, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("page_history", tests, NULL, NULL);
}
