/* SPDX-License-Identifier: BSD-3-Clause */
/* The store: places by four numbers, counts and other metrics beside each other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "analysis/measure/store.h"

static struct store_key place(uint32_t context, uint32_t object, uint32_t thread, uint32_t bin)
{
	return (struct store_key){ context, object, thread, bin };
}

static void places_differ_in_each_of_their_numbers(void **state)
{
	struct store *s = store_new();
	uint32_t n = 0;

	(void)state;
	for (uint32_t i = 0; i < 16 * 16; i++) {
		struct store_row *row = store_insert(s, place(i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6 & 3));

		assert_non_null(row);
		assert_true(row->counts == STORE_UNKNOWN);
		row->tally.loads = i;
	}
	assert_int_equal(s->used, 256);
	for (uint32_t i = 0; i < 256; i++)
		assert_true(store_find(s, place(i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6 & 3))->tally.loads == i);
	assert_null(store_find(s, place(4, 0, 0, 0)));
	for (uint32_t i = 0; i < 12; i++)
		assert_non_null(store_insert(s, store_key(i % 3, i / 3, ALL_THREADS)));
	for (const struct store_row *it = store_last(s, 2); it; it = store_before(s, it), n++)
		assert_true(it->key.context == 2 && it->key.thread == ALL_THREADS);
	assert_int_equal(n, 4);
	assert_null(store_last(s, 3));
	store_free(s);
}

static void a_metric_names_its_collector_and_has_values_where_it_was_measured(void **state)
{
	struct store *s = store_new();
	struct store_metric *m = store_metric_begin(s, "faults", "events", 2);
	const struct store_key all = store_key(1, MON_ANY, ALL_THREADS);

	(void)state;
	assert_int_equal(store_add(s, m, all, 0, 3), 0);
	assert_int_equal(store_add(s, m, all, 0, 4), 0);
	assert_int_equal(store_add(s, m, place(1, 7, 2, 511), 1, 5), 0);
	for (uint32_t i = 0; i < 3000; i++)     /* the rows move, and more come than the metric has room for */
		assert_non_null(store_insert(s, place(i, 0, 0, 0)));
	assert_string_equal(store_metric_find(s, "faults")->collector, "events");
	assert_true(store_value(s, m, all, 0) == 7);
	assert_true(isnan(store_value(s, m, all, 1)));
	assert_true(store_value(s, m, place(1, 7, 2, 511), 1) == 5);
	assert_true(isnan(store_value(s, m, place(2999, 0, 0, 0), 0)));
	assert_null(store_metric_find(s, "cycles"));
	store_free(s);
}

static void what_is_measured_again_replaces_counts_and_metrics_by_themselves(void **state)
{
	struct store *s = store_new();
	struct store_metric *m = store_metric_begin(s, "faults", "events", 1);
	const struct store_key key = store_key(0, MON_ANY, ALL_THREADS);
	struct store_row *row = store_insert(s, key);

	(void)state;
	row->counts = STORE_COUNTED;
	row->tally.loads = 9;
	assert_int_equal(store_add(s, m, key, 0, 3), 0);
	store_clear_counts(s);
	assert_true(store_find(s, key)->counts == STORE_UNKNOWN && store_find(s, key)->tally.loads == 0);
	assert_true(store_value(s, m, key, 0) == 3);
	m = store_metric_begin(s, "faults", "samples", 1);
	assert_true(isnan(store_value(s, m, key, 0)));
	assert_int_equal(s->nmetrics, 1);
	store_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_differ_in_each_of_their_numbers),
		cmocka_unit_test(a_metric_names_its_collector_and_has_values_where_it_was_measured),
		cmocka_unit_test(what_is_measured_again_replaces_counts_and_metrics_by_themselves),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
