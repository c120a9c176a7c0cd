/* SPDX-License-Identifier: BSD-3-Clause */
/* What is left of the time that recording may add. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "monitor/collect/slice_budget.h"
#include "monitor/collect/slices.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

#define MS UINT64_C(1000000)

struct mon_shm *pscm_shm;
_Atomic uint32_t pscm_sliced;

/* The program has run so long without its recorded executions. */
static void has_run(uint64_t ns)
{
	pscm_shm->started_ns = 5 * MS;
	atomic_store(&pscm_shm->stands, 5 * MS + ns);
}

static int start(void **state)
{
	(void)state;
	if (!pscm_shm)
		pscm_shm = shared_memory();
	return !pscm_shm;
}

static void the_time_named_or_the_programs_own_is_left(void **state)
{
	struct mon_request r = { .slow_ns = 1000 * MS };

	(void)state;
	has_run(30 * MS);
	assert_int_equal(slice_budget_left(&r), 1000 * MS);
	has_run(1200 * MS);
	assert_int_equal(slice_budget_left(&r), 1200 * MS);
}

static void all_recorded_executions_spend_it(void **state)
{
	struct mon_request r = { .slow_ns = 1000 * MS }, after = { .slow_ns = 1000 * MS, .slow_spent = 300 * MS };

	(void)state;
	has_run(30 * MS);
	slice_budget_arm();
	slice_budget_executed(160 * MS, 10 * MS, true);
	slice_budget_executed(110 * MS, 10 * MS, false);
	slice_budget_finish(&r);
	assert_int_equal(r.added_ns, 250 * MS);
	assert_int_equal(slice_budget_left(&r), 750 * MS);
	/* Those of an earlier run, too. */
	assert_int_equal(slice_budget_left(&after), 450 * MS);
	slice_budget_arm();
	slice_budget_executed(5 * MS, 10 * MS, true);
	slice_budget_finish(&after);
	assert_int_equal(after.added_ns, 0);
	/* Slices of another phase are worth something only with some time. */
	slice_budget_executed(5000 * MS, 10 * MS, true);
	assert_int_equal(slice_budget_left(&r), 100 * MS);
}

static void the_slowdown_is_that_of_the_last_whole_execution(void **state)
{
	(void)state;
	slice_budget_forget();
	assert_true(slice_budget_slowdown() == SLICE_SLOWDOWN);
	slice_budget_executed(70 * MS, 0, true);
	assert_true(slice_budget_slowdown() == SLICE_SLOWDOWN);
	slice_budget_executed(70 * MS, 10 * MS, true);
	slice_budget_executed(20 * MS, 10 * MS, false);
	assert_true(slice_budget_slowdown() == 7);
	slice_budget_forget();
	assert_true(slice_budget_slowdown() == SLICE_SLOWDOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_time_named_or_the_programs_own_is_left, start),
		cmocka_unit_test_setup(all_recorded_executions_spend_it, start),
		cmocka_unit_test_setup(the_slowdown_is_that_of_the_last_whole_execution, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
