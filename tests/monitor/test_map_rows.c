/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of maps: threads share the room, and what does not fit is counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "monitor/collect/map_writer.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"
#include "tests/simulate/blocks.h"

struct mon_shm *pscm_shm;

enum { A = 20 };
static struct mon_request request;
static struct pscm_armed armed;
static struct sim sim;
static struct sim_maps *maps;

static bool range(void *asker, uint64_t address, uint64_t *lo, uint64_t *hi)
{
	(void)asker;
	*lo = address & ~(uint64_t)0xfffff;
	*hi = *lo + 0x100000;
	return true;
}

static const struct sim_env env = { .get = block_get, .range = range };

static int begin(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	request = (struct mon_request){ 0 };
	armed = (struct pscm_armed){ .request = &request };
	sim.env = &env;
	sim.maps = true;
	sim.page = 12;
	return pscm_shm ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	blocks_free();
	shared_memory_free(pscm_shm);
	return 0;
}

/* A core that has drawn so many counts: each is one row of one of the objects in a column of its own. */
static struct sim_core core_with(uint32_t objects, uint32_t rows, uint32_t columns)
{
	struct sim_core core = { .sim = &sim };
	const uint32_t n[MAP_FIELDS] = { [MAP_READS] = 512, [MAP_SAMPLED] = 512, [MAP_FIRST] = 6, [MAP_LAST] = 6 };

	sim_maps_begin(&core, 1000);
	maps = core.maps;
	assert_non_null(maps);
	for (uint32_t o = 0; o < objects; o++) {
		const uint64_t at = (uint64_t)(o + 1) << 20;
		const uint32_t number = sim_maps_object(&core, NULL, at, A + o);

		for (uint32_t r = 0; r < rows; r++)
			for (uint32_t c = 0; c < columns; c++)
				sim_maps_add(&core, number, at + ((uint64_t)r << 12), 1000 * c, n);
	}
	return core;
}

/* The reads of a thread's rows, and what is left out, as reads. */
static uint64_t reads_of(uint32_t thread)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < armed.rows.maps; i++)
		if (pscm_shm->maps[0][i].thread == thread)
			sum += pscm_shm->maps[0][i].reads;
	return sum;
}

static void all_rows_are_written_where_they_fit(void **state)
{
	struct sim_core core;

	(void)state;
	core = core_with(2, 256, 20);
	pscm_map_rows(&armed, &core, 3, 2);
	assert_int_equal(armed.rows.maps, 2 * 256 * 20);
	assert_int_equal(reads_of(3), 2 * 256 * 20 * 512);
	assert_int_equal(request.undrawn, 0);
	assert_int_equal(pscm_shm->maps[0][0].width, 1000);
}

/* Columns become wider until a thread has its part of the rows; one that needs less leaves more to the others. */
static void threads_share_the_rows(void **state)
{
	struct sim_core core;

	(void)state;
	core = core_with(1, 4, 2);
	pscm_map_rows(&armed, &core, 0, 3);
	assert_int_equal(armed.rows.maps, 8);
	for (uint32_t i = 1; i < 3; i++) {
		core = core_with(2, 256, 500);
		pscm_map_rows(&armed, &core, i, 3 - i);
		assert_true(reads_of(i) == 2 * 256 * 500 * 512);
	}
	assert_true(armed.rows.maps <= MON_MAPS);
	assert_true(armed.rows.maps > MON_MAPS / 2);
	assert_int_equal(request.undrawn, 0);
}

/* Where one column is too much, too, the rest is counted: a thread never takes another one's part. */
static void what_does_not_fit_is_counted(void **state)
{
	struct sim_core core;
	uint64_t samples = 0;

	(void)state;
	for (uint32_t i = 0; i < 600; i++) {
		const uint32_t before = armed.rows.maps;

		core = core_with(3, 256, 1);
		pscm_map_rows(&armed, &core, i, 600 - i);
		assert_true(armed.rows.maps - before <= (MON_MAPS - before) / (600 - i));
		assert_true(armed.rows.maps > before);
		samples += 3 * 256 * (512 / MAP_ACCESSES + 12 / MAP_MISSES);
		blocks_free();
	}
	assert_int_equal(armed.rows.maps, MON_MAPS);
	assert_int_equal(armed.rows.maps * (512 / MAP_ACCESSES + 12 / MAP_MISSES) + request.undrawn, samples);
}

static void rows_of_lost_structures_are_counted(void **state)
{
	struct sim_core core;

	(void)state;
	core = core_with(1, 256, 3);
	for (int i = 0; i < MAP_OBJECTS; i++)
		core.maps->object[i].lost = core.maps->object[i].hi != 0;
	pscm_map_rows(&armed, &core, 0, 1);
	assert_int_equal(armed.rows.maps, 0);
	assert_int_equal(request.undrawn, 256 * 3 * (512 / MAP_ACCESSES + 12 / MAP_MISSES));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_rows_are_written_where_they_fit, begin, end),
		cmocka_unit_test_setup_teardown(threads_share_the_rows, begin, end),
		cmocka_unit_test_setup_teardown(what_does_not_fit_is_counted, begin, end),
		cmocka_unit_test_setup_teardown(rows_of_lost_structures_are_counted, begin, end),
	};

	return cmocka_run_group_tests_name("map rows", tests, NULL, NULL);
}
