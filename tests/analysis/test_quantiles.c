/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "analysis/measure/quantiles.h"
#include "base/quantile.h"

static void a_median_is_the_middle_value_or_the_mean_of_two(void **state)
{
	static const double odd[] = { 9, 1, 4 }, even[] = { 9, 1, 4, 6 }, one[] = { 7 };

	(void)state;
	assert_true(median_of(odd, 3) == 4);
	assert_true(median_of(even, 4) == 5);
	assert_true(median_of(one, 1) == 7);
}

static void a_spread_reaches_to_the_farther_quartile(void **state)
{
	static const double up[] = { 30, 10, 11, 12, 20 };      /* quartiles 11 and 20, median 12 */
	static const double down[] = { 0, 10, 20, 21, 22 };     /* 10 and 21, median 20 */
	static const double between[] = { 4, 0, 8, 20 };        /* 3 and 11, median 6 */

	(void)state;
	assert_true(spread_of(up, 5) == 8);
	assert_true(spread_of(down, 5) == 10);
	assert_true(spread_of(between, 4) == 5);
}

static void a_quantile_lies_between_two_values(void **state)
{
	double v[] = { 8, 0, 4, 2 };

	(void)state;
	quantile_sort(v, 4);
	assert_true(v[0] == 0 && v[3] == 8);
	assert_true(quantile_at(v, 4, 0) == 0 && quantile_at(v, 4, 1) == 8);
	assert_true(quantile_at(v, 4, 0.5) == 3);       /* between 2 and 4 */
	assert_true(quantile_at(v, 4, 0.75) == 5);      /* a quarter of the way from 4 to 8 */
	assert_true(quantile_at(v, 1, 0.75) == 0);
	assert_true(quantile_nearest(v, 4, 0.25) == 2 && quantile_nearest(v, 4, 0.5) == 4);
}

static void too_few_values_have_neither(void **state)
{
	static const double two[] = { 1, 2 };

	(void)state;
	assert_true(isnan(median_of(two, 0)));
	assert_true(isnan(median_of(NULL, 2)));
	assert_true(isnan(spread_of(two, 2)));
	assert_true(isnan(spread_of(NULL, 3)));
}

static void values_keep_their_order(void **state)
{
	static const double before[] = { 5, 3, 4 };
	double values[3];

	(void)state;
	memcpy(values, before, sizeof values);
	median_of(values, 3);
	spread_of(values, 3);
	assert_memory_equal(values, before, sizeof values);
}

static void a_lower_quartile_is_one_of_the_values(void **state)
{
	static const double want[] = { 1, 1, 1, 1, 2, 2, 2, 2, 3 };     /* of 1 .. n */

	(void)state;
	for (uint32_t n = 1; n <= sizeof want / sizeof *want; n++) {
		double values[sizeof want / sizeof *want];

		for (uint32_t i = 0; i < n; i++)
			values[i] = n - i;
		assert_true(lower_quartile(values, n) == want[n - 1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_median_is_the_middle_value_or_the_mean_of_two),
		cmocka_unit_test(a_spread_reaches_to_the_farther_quartile),
		cmocka_unit_test(a_quantile_lies_between_two_values),
		cmocka_unit_test(too_few_values_have_neither),
		cmocka_unit_test(values_keep_their_order),
		cmocka_unit_test(a_lower_quartile_is_one_of_the_values),
	};

	return cmocka_run_group_tests_name("quantiles", tests, NULL, NULL);
}
