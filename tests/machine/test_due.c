/* SPDX-License-Identifier: BSD-3-Clause */
/* When a host is measured before an analysis, and which of two calibrations is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "machine/calibration_due.h"

static struct calibration measured(double load, const char *varies, double spread)
{
	struct calibration c = { .costs = { .source = COST_MEASURED, .load = load, .loaded = load > 0.1,
		.spread = spread, .fault = { .source = COST_MEASURED } } };

	strcpy(c.costs.varies, varies);
	return c;
}

enum { HOUR = 3600, THEN = 1790000000 };

static void a_host_without_a_calibration_is_measured_whatever_its_load(void **state)
{
	(void)state;
	assert_int_equal(calibration_due(NULL, 0, 0, THEN), CALIBRATION_MISSING);
	assert_int_equal(calibration_due(NULL, THEN, 1, THEN), CALIBRATION_MISSING);
}

static void a_good_calibration_is_kept(void **state)
{
	struct calibration c = measured(0.05, "", 0.2);

	(void)state;
	assert_int_equal(calibration_due(&c, THEN, 0, THEN + 1000 * HOUR), CALIBRATION_KEPT);
}

static void one_of_a_busy_machine_is_made_again_on_a_quieter_one(void **state)
{
	struct calibration c = measured(0.8, "memory chase", 0.6);

	(void)state;
	assert_int_equal(calibration_due(&c, THEN, 0.7, THEN + 1000 * HOUR), CALIBRATION_KEPT);
	assert_int_equal(calibration_due(&c, THEN, 0.3, THEN + 1), CALIBRATION_KEPT);      /* not with each analysis */
	assert_int_equal(calibration_due(&c, THEN, 0.3, THEN + 400), CALIBRATION_QUIETER);
}

/* Other virtual machines of the host do not show: not with each analysis. */
static void one_that_varied_on_an_idle_machine_is_made_again_after_an_hour(void **state)
{
	struct calibration c = measured(0.02, "L3 chase", 0.6);

	(void)state;
	assert_int_equal(calibration_due(&c, THEN, 0, THEN + HOUR / 2), CALIBRATION_KEPT);
	assert_int_equal(calibration_due(&c, THEN, 0, THEN + 2 * HOUR), CALIBRATION_QUIETER);
	assert_int_equal(calibration_due(&c, THEN, 0.5, THEN + 2 * HOUR), CALIBRATION_KEPT);
	assert_int_equal(calibration_due(&c, THEN, 0, THEN - HOUR), CALIBRATION_QUIETER);  /* a clock that was put back */
}

static void an_old_file_without_page_faults_is_made_again_on_an_idle_machine(void **state)
{
	struct calibration c = measured(0, "", 0.1);

	(void)state;
	c.costs.fault.source = COST_ASSUMED;
	assert_int_equal(calibration_due(&c, THEN, 0.5, THEN + 2 * HOUR), CALIBRATION_KEPT);
	assert_int_equal(calibration_due(&c, THEN, 0, THEN + 1), CALIBRATION_QUIETER);
}

static void of_two_the_surer_one_is_kept(void **state)
{
	struct calibration good = measured(0.05, "", 0.2), busy = measured(0.8, "memory chase", 0.9);
	struct calibration less = measured(0.3, "memory chase", 0.9), varied = measured(0.02, "L3 chase", 0.6);
	struct calibration closer = measured(0.02, "L3 chase", 0.5), steady = measured(0.8, "", 0.1);

	(void)state;
	assert_true(calibration_better(&good, &good));  /* the later one */
	assert_true(calibration_better(&good, &busy) && !calibration_better(&busy, &good));
	assert_true(calibration_better(&less, &busy) && !calibration_better(&busy, &less));
	assert_true(calibration_better(&varied, &busy) && !calibration_better(&busy, &varied));
	assert_true(calibration_better(&closer, &varied) && !calibration_better(&varied, &closer));
	assert_true(calibration_better(&steady, &busy) && !calibration_better(&busy, &steady));
}

static void the_load_is_a_share_of_the_processors(void **state)
{
	double load = calibration_load();

	(void)state;
	assert_true(load >= 0 && load <= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_without_a_calibration_is_measured_whatever_its_load),
		cmocka_unit_test(a_good_calibration_is_kept),
		cmocka_unit_test(one_of_a_busy_machine_is_made_again_on_a_quieter_one),
		cmocka_unit_test(one_that_varied_on_an_idle_machine_is_made_again_after_an_hour),
		cmocka_unit_test(an_old_file_without_page_faults_is_made_again_on_an_idle_machine),
		cmocka_unit_test(of_two_the_surer_one_is_kept),
		cmocka_unit_test(the_load_is_a_share_of_the_processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
