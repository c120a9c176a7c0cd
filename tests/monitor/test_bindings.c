/* SPDX-License-Identifier: BSD-3-Clause */
/* When the report of a dummy argument goes to the tables that all threads share, which takes locks and system calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "monitor/address/address_map.h"
#include "monitor/address/objects.h"
#include "monitor/host/threads.h"
#include "monitor/regions/compile_units.h"
#include "monitor/state.h"

enum { A = MON_OBJ_FIRST, B, ROW = 64, ROWS = 16 };

static char a[ROWS * ROW], b[ROW], nameless[ROWS * ROW];
static const struct psc_dummy dummies[] = { { .name = "p" }, { .name = "q" } };
static struct psc_unit unit = { .registered = 1, .ndummies = 2, .dummies = dummies };
static struct pscm_thread thread;
static unsigned bound;

union pscm_live pscm_live = { .mode = PSCM_MODE_NAMES };
_Atomic uint32_t pscm_bind_generation;
__thread uintptr_t pscm_busy __attribute__((tls_model("initial-exec")));
__thread struct psc_records __psc_records __attribute__((tls_model("initial-exec")));

bool pscm_guard_left(uintptr_t here)
{
	(void)here;
	return false;
}

struct pscm_thread *pscm_thread_self(void)
{
	return &thread;
}

void pscm_address_map_find(uint64_t address, struct pscm_span *out)
{
	const char *p = (const char *)(uintptr_t)address;

	*out = (struct pscm_span){ .object = p >= a && p < a + sizeof a ? A : p >= b && p < b + sizeof b ? B : MON_OBJ_STACK + 1 };
}

int pscm_address_map_build(bool read_maps)
{
	(void)read_maps;
	return 0;
}

bool pscm_object_bind(const struct psc_unit *of, uint32_t dummy, uint64_t address, uint64_t size, uint32_t known,
	uint32_t context)
{
	(void)of, (void)dummy, (void)address, (void)size, (void)context;
	bound++;
	return known < MON_OBJ_FIRST;
}

bool pscm_descriptor_range(const void *descriptor, uint64_t *address, uint64_t *size)
{
	(void)descriptor, (void)address, (void)size;
	return false;
}

void __psc_enter(struct psc_unit *of, uint32_t region)
{
	(void)of, (void)region;
}

void pscm_record_make_space(void)
{
}

static int start(void **state)
{
	(void)state;
	memset(thread.bind, 0, sizeof thread.bind);
	thread.depth = 1;
	thread.frame[0].context = 5;
	bound = 0;
	return 0;
}

static void the_rows_of_an_object_are_told_once(void **state)
{
	(void)state;
	for (int i = 0; i < 3 * ROWS; i++)
		__psc_bind(&unit, 0, a + i % ROWS * ROW, ROW);
	assert_int_equal(bound, 1);
}

static void another_object_dummy_or_context_is_told(void **state)
{
	(void)state;
	__psc_bind(&unit, 0, a, ROW);
	__psc_bind(&unit, 0, b, ROW);
	__psc_bind(&unit, 0, a + ROW, ROW);
	assert_int_equal(bound, 3);
	__psc_bind(&unit, 1, a + ROW, ROW);
	assert_int_equal(bound, 4);
	thread.frame[0].context = 6;
	__psc_bind(&unit, 0, a, ROW);
	assert_int_equal(bound, 5);
	atomic_fetch_add(&pscm_bind_generation, 1);
	__psc_bind(&unit, 0, a + ROW, ROW);
	assert_int_equal(bound, 6);
}

/* Memory without a name gets the dummy's, wherever it is. */
static void each_place_without_a_name_is_told(void **state)
{
	(void)state;
	for (int i = 0; i < ROWS; i++)
		__psc_bind(&unit, 0, nameless + i * ROW, ROW);
	assert_int_equal(bound, ROWS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_rows_of_an_object_are_told_once, start),
		cmocka_unit_test_setup(another_object_dummy_or_context_is_told, start),
		cmocka_unit_test_setup(each_place_without_a_name_is_told, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
