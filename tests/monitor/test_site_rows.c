/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of misses by source line from the sites of threads: sums, scaling, and which lines are left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "monitor/address/page_numbers.h"
#include "monitor/collect/armed.h"
#include "monitor/collect/site_rows.h"
#include "monitor/state.h"

struct mon_shm *pscm_shm;
static bool no_memory;

void *pscm_experiment_memory(size_t bytes)
{
	static _Alignas(64) char room[1 << 20];

	assert_true(bytes <= sizeof room);
	memset(room, 0, sizeof room);
	return no_memory ? NULL : room;
}

static struct sim_cell cells[4];
static struct sim_sites sites[2];
static struct sim_core core[2];
static struct mon_request request;
static struct pscm_armed armed;

static int begin(void **state)
{
	(void)state;
	pscm_shm = calloc(1, sizeof *pscm_shm);
	memset(cells, 0, sizeof cells);
	memset(sites, 0, sizeof sites);
	for (int i = 0; i < 2; i++)
		core[i] = (struct sim_core){ .cells = cells, .ncells = 4, .nlevels = 2, .counting = true,
			.sites = &sites[i] };
	request = (struct mon_request){ 0 };
	armed = (struct pscm_armed){ .request = &request };
	no_memory = false;
	return pscm_shm ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	free(pscm_shm);
	return 0;
}

static void site(uint32_t thread, uint32_t cell, uint32_t line, uint64_t first, uint64_t last)
{
	struct sim_sites *t = &sites[thread];

	t->site[t->nsites] = (struct sim_site){ .cell = &cells[cell], .line = line, .next = t->rest[cell].next, .first = first,
		.last = last };
	t->rest[cell].next = ++t->nsites;
}

/* A cell's misses, and their row. */
static struct mon_count_row row(uint32_t cell, uint32_t object, uint64_t loads, uint64_t stores, uint64_t last)
{
	cells[cell].miss[0][0] = loads;
	cells[cell].miss[0][1] = stores;
	cells[cell].miss[1][0] = last;
	return (struct mon_count_row){ .context = 3, .object = object, .load_miss = { loads, last },
		.store_miss = { stores } };
}

static void expect(uint32_t i, uint32_t object, uint32_t line, uint64_t first, uint64_t last)
{
	const struct mon_site *s = &pscm_shm->sites[0][i];

	assert_true(s->context == 3 && s->object == object && s->line == line && !s->zero);
	assert_int_equal(s->first, first);
	assert_int_equal(s->last, last);
}

static void collect(void)
{
	site_rows_begin(site_rows_room(&core[0]) + site_rows_room(&core[1]));
}

static void threads_are_summed_and_the_rest_is_in_line_0(void **state)
{
	struct mon_count_row r;

	(void)state;
	site(0, 1, 20, 60, 30);
	site(0, 1, 10, 25, 1);
	site(1, 1, 20, 40, 10);
	site(1, 2, 7, 5, 5);
	collect();
	r = row(1, 9, 80, 20, 40);
	site_rows_cell(&core[0], &cells[1], &r);
	r = row(1, 9, 40, 0, 10);
	site_rows_cell(&core[1], &cells[1], &r);
	r = row(2, 8, 5, 0, 5);
	site_rows_cell(&core[1], &cells[2], &r);
	r = row(3, 11, 0, 0, 0);        /* nothing missed */
	site_rows_cell(&core[0], &cells[3], &r);
	site_rows_write(&armed);
	assert_int_equal(armed.rows.sites, 4);
	expect(0, 8, 7, 5, 5);
	expect(1, 9, 0, 15, 9);
	expect(2, 9, 20, 100, 40);
	expect(3, 9, 10, 25, 1);
}

static void lines_are_scaled_as_their_row_is(void **state)
{
	struct mon_count_row r;

	(void)state;
	site(0, 1, 20, 60, 30);
	site(0, 1, 10, 40, 10);
	collect();
	r = row(1, 9, 80, 20, 40);
	r.load_miss[0] = 250;
	r.store_miss[0] = 51;
	r.load_miss[1] = 120;
	site_rows_cell(&core[0], &cells[1], &r);
	site_rows_write(&armed);
	assert_int_equal(armed.rows.sites, 3);
	expect(0, 9, 0, 1, 0);
	expect(1, 9, 20, 180, 90);
	expect(2, 9, 10, 120, 30);
}

static void the_worst_lines_are_kept(void **state)
{
	struct mon_count_row r = row(1, 9, 1000, 0, 200);
	uint64_t first = 0, last = 0;

	(void)state;
	for (uint32_t i = 0; i < 12; i++)       /* 108 has the most, then 109; 100, 101, 110, 111 have none */
		site(0, 1, 100 + (i * 5) % 12, (i * 5) % 12 + 1, (i * 5) % 12 == 8 ? 50 : (i * 5) % 12 % 10 / 2);
	collect();
	site_rows_cell(&core[0], &cells[1], &r);
	site_rows_write(&armed);
	assert_int_equal(armed.rows.sites, 1 + MON_SITES_EACH);
	for (uint32_t i = 0; i < armed.rows.sites; i++) {
		first += pscm_shm->sites[0][i].first;
		last += pscm_shm->sites[0][i].last;
	}
	assert_true(first == 1000 && last == 200);
	expect(1, 9, 108, 9, 50);
	expect(2, 9, 109, 10, 4);
	expect(3, 9, 107, 8, 3);
	expect(4, 9, 106, 7, 3);
	expect(8, 9, 102, 3, 1);
	assert_int_equal(pscm_shm->sites[0][0].line, 0);
}

static void without_lines_or_memory_there_are_no_rows(void **state)
{
	struct mon_count_row r = row(1, 9, 80, 20, 40);

	(void)state;
	collect();
	site_rows_cell(&core[0], &cells[1], &r);
	site_rows_write(&armed);
	assert_int_equal(armed.rows.sites, 0);
	site(0, 1, 20, 60, 30);
	no_memory = true;
	collect();
	site_rows_cell(&core[0], &cells[1], &r);
	armed.rows.sites = 0;
	site_rows_write(&armed);
	assert_int_equal(armed.rows.sites, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(threads_are_summed_and_the_rest_is_in_line_0, begin, end),
		cmocka_unit_test_setup_teardown(lines_are_scaled_as_their_row_is, begin, end),
		cmocka_unit_test_setup_teardown(the_worst_lines_are_kept, begin, end),
		cmocka_unit_test_setup_teardown(without_lines_or_memory_there_are_no_rows, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
