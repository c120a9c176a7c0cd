/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums that do not depend on their order, and sets of ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/exact_sum.h"
#include "base/ranks.h"

static uint64_t seed = 12345;

static uint32_t random_below(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1;
	return (uint32_t)(seed >> 33) % n;
}

static double random_value(void)
{
	return ldexp((double)random_below(1u << 30) - (1 << 29), (int)random_below(60) - 60);
}

static void a_single_value_comes_back_unchanged(void **state)
{
	static const double values[] = { 0, 1, -1, 0.1, -0.1, 1.0 / 3, 1e-9, -3e-12, 1e17, -1e20, 0.7 + DBL_EPSILON };

	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		struct exact_sum s = { { 0 }, 0, 0 };

		exact_sum_add(&s, values[i]);
		assert_true(exact_sum_all(&s) == values[i]);
	}
}

static void a_sum_depends_neither_on_order_nor_on_grouping(void **state)
{
	enum { N = 300, GROUPS = 7 };
	double v[N];
	struct exact_sum once = { { 0 }, 0, 0 };

	(void)state;
	for (int i = 0; i < N; i++) {
		v[i] = random_value();
		exact_sum_add(&once, v[i]);
	}
	for (int round = 0; round < 20; round++) {
		struct exact_sum group[GROUPS] = { { { 0 }, 0, 0 } }, all = { { 0 }, 0, 0 };

		for (int i = N - 1; i > 0; i--) {
			int k = (int)random_below((uint32_t)i + 1);
			double t = v[i];

			v[i] = v[k];
			v[k] = t;
		}
		for (int i = 0; i < N; i++)
			exact_sum_add(&group[random_below(GROUPS)], v[i]);
		for (int g = 0; g < GROUPS; g++)
			exact_sum_add_sum(&all, &group[g]);
		assert_memory_equal(&all, &once, sizeof all);
	}
}

static void what_is_not_known_is_counted(void **state)
{
	struct exact_sum s = { { 0 }, 0, 0 };

	(void)state;
	assert_true(isnan(exact_sum_known(&s)) && isnan(exact_sum_all(&s)));
	exact_sum_add(&s, NAN);
	assert_true(isnan(exact_sum_known(&s)));
	exact_sum_add(&s, 2);
	assert_true(exact_sum_known(&s) == 2 && isnan(exact_sum_all(&s)));
	exact_sum_add(&s, INFINITY);
	assert_int_equal(s.unknown, 2);
}

static void many_times_a_value_is_so_many_additions(void **state)
{
	struct exact_sum one = { { 0 }, 0, 0 }, times = { { 0 }, 0, 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		exact_sum_add(&one, 0.1);
	exact_sum_add_times(&times, 0.1, 1000);
	assert_memory_equal(&one, &times, sizeof one);
	exact_sum_add_times(&times, 0.1, 0);
	assert_memory_equal(&one, &times, sizeof one);
}

static void encoded_sums_come_back(void **state)
{
	(void)state;
	for (int i = 0; i < 200; i++) {
		struct exact_sum s = { { 0 }, 0, 0 }, back;
		struct buf b = BUF_INIT;
		struct cursor c;

		for (int k = (int)random_below(3); k >= 0; k--)
			exact_sum_add(&s, i % 50 ? random_value() : NAN);
		exact_sum_encode(&s, &b);
		c = (struct cursor){ (const uint8_t *)b.data, b.len, 0, false };
		exact_sum_decode(&back, &c);
		assert_false(c.failed);
		assert_int_equal(c.pos, b.len);
		assert_memory_equal(&s, &back, sizeof s);
		buf_free(&b);
	}
}

/* --- ranks ------------------------------------------------------------------------------------ */

static void check_text(const struct rank_set *s, const char *text)
{
	struct buf b = BUF_INIT;

	ranks_text(&b, s->run, s->n, 0, ", ");
	assert_string_equal(buf_str(&b), text);
	buf_free(&b);
}

static void neighbouring_ranks_join_to_runs(void **state)
{
	struct rank_set s = { NULL, 0, 0 };
	struct buf b = BUF_INIT;

	(void)state;
	ranks_add_one(&s, 3);
	ranks_add_one(&s, 5);
	check_text(&s, "3, 5");
	ranks_add_one(&s, 4);
	check_text(&s, "3-5");
	ranks_add_one(&s, 4);
	ranks_add_one(&s, 0);
	ranks_add(&s, (const struct rank_run[]){ { 9, 12 }, { 5, 7 } }, 2);
	check_text(&s, "0, 3-7, 9-12");
	assert_int_equal(ranks_count(s.run, s.n), 10);
	ranks_text(&b, s.run, s.n, 2, ", ");
	assert_string_equal(buf_str(&b), "0, 3-7, ..");
	buf_free(&b);
	ranks_add(&s, (const struct rank_run[]){ { 1, 20 } }, 1);
	check_text(&s, "0-20");
	ranks_free(&s);
}

/* Against a table of all ranks: sums, membership, text and wire. */
static void random_sets_agree_with_a_table(void **state)
{
	enum { N = 400 };

	(void)state;
	for (int round = 0; round < 60; round++) {
		struct rank_set s = { NULL, 0, 0 }, back = { NULL, 0, 0 };
		struct buf b = BUF_INIT;
		struct cursor c;
		bool have[N] = { false };
		int n = (int)random_below(N), count = 0;

		for (int i = 0; i < n; i++) {
			int first = (int)random_below(N), last = first + (int)random_below(round % 3 + 1);

			last = last < N ? last : N - 1;
			assert_int_equal(ranks_add(&s, &(struct rank_run){ first, last }, 1), 0);
			for (int k = first; k <= last; k++)
				have[k] = true;
		}
		for (int k = 0; k < N; k++) {
			assert_int_equal(ranks_have(s.run, s.n, k), have[k]);
			count += have[k];
		}
		assert_int_equal(ranks_count(s.run, s.n), count);
		ranks_encode(s.run, s.n, &b);
		assert_true(b.len <= (size_t)(12 + (8 * s.n < N / 8 ? 8 * s.n : N / 8 + 1)));
		c = (struct cursor){ (const uint8_t *)b.data, b.len, 0, false };
		assert_int_equal(ranks_decode(&back, &c), 0);
		assert_int_equal(c.pos, b.len);
		assert_int_equal(ranks_compare(s.run, s.n, back.run, back.n), 0);
		buf_clear(&b);
		ranks_text(&b, s.run, s.n, 0, " ");
		assert_int_equal(ranks_parse(&back, b.len ? b.data : ""), 0);
		assert_int_equal(ranks_compare(s.run, s.n, back.run, back.n), 0);
		buf_free(&b);
		ranks_free(&s);
		ranks_free(&back);
	}
}

static void a_set_is_split_by_another(void **state)
{
	enum { N = 60 };
	struct rank_set s = { NULL, 0, 0 }, by = { NULL, 0, 0 }, in = { NULL, 0, 0 }, out = { NULL, 0, 0 };

	(void)state;
	for (int round = 0; round < 500; round++) {
		s.n = by.n = 0;
		for (int i = 0; i < 12; i++) {
			int a = (int)random_below(N), b = (int)random_below(N);

			ranks_add(&s, &(struct rank_run){ a, a + (int)random_below(9) }, 1);
			ranks_add(&by, &(struct rank_run){ b, b + (int)random_below(5) }, i % 4 != 3);
		}
		assert_int_equal(ranks_split(&s, by.run, by.n, &in, &out), 0);
		for (int k = 0; k < N + 10; k++) {
			bool have = ranks_have(s.run, s.n, k), wanted = ranks_have(by.run, by.n, k);

			assert_int_equal(ranks_have(in.run, in.n, k), have && wanted);
			assert_int_equal(ranks_have(out.run, out.n, k), have && !wanted);
		}
	}
	ranks_free(&s);
	ranks_free(&by);
	ranks_free(&in);
	ranks_free(&out);
}

/* As lists of ranks would be compared: by the first that differs, the shorter list first. */
static int compare_lists(unsigned a, unsigned b)
{
	for (int k = 0; k < 8; k++)
		if ((a ^ b) >> k & 1) {
			unsigned rest = a >> k & 1 ? b : a;
			int sign = a >> k & 1 ? -1 : 1;

			return rest >> k ? sign : -sign;
		}
	return 0;
}

static void sets_are_ordered_as_lists_of_their_ranks(void **state)
{
	struct rank_set s[256] = { { NULL, 0, 0 } };

	(void)state;
	for (int i = 0; i < 256; i++)
		for (int k = 0; k < 8; k++)
			if (i >> k & 1)
				ranks_add_one(&s[i], k);
	for (unsigned a = 0; a < 256; a++)
		for (unsigned b = 0; b < 256; b++)
			assert_int_equal(ranks_compare(s[a].run, s[a].n, s[b].run, s[b].n), compare_lists(a, b));
	for (int i = 0; i < 256; i++)
		ranks_free(&s[i]);
}

static void damaged_sets_are_refused(void **state)
{
	static const char *const texts[] = { "a", "1-", "-1", "3-2", "1;2", "99999999999", "1--2", "1-2-3" };
	struct rank_set s = { NULL, 0, 0 };
	struct buf b = BUF_INIT;
	struct cursor c;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		assert_int_equal(ranks_parse(&s, texts[i]), -1);
	buf_u32(&b, UINT32_C(1) << 31 | 5);
	buf_u32(&b, 0);
	buf_u32(&b, 1 << 30);
	c = (struct cursor){ (const uint8_t *)b.data, b.len, 0, false };
	assert_int_equal(ranks_decode(&s, &c), -1);
	buf_clear(&b);
	buf_u32(&b, 2);
	buf_u32(&b, 1);
	buf_u32(&b, 2);
	c = (struct cursor){ (const uint8_t *)b.data, b.len, 0, false };
	assert_int_equal(ranks_decode(&s, &c), -1);
	buf_free(&b);
	ranks_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_single_value_comes_back_unchanged),
		cmocka_unit_test(a_sum_depends_neither_on_order_nor_on_grouping),
		cmocka_unit_test(what_is_not_known_is_counted),
		cmocka_unit_test(many_times_a_value_is_so_many_additions),
		cmocka_unit_test(encoded_sums_come_back),
		cmocka_unit_test(neighbouring_ranks_join_to_runs),
		cmocka_unit_test(random_sets_agree_with_a_table),
		cmocka_unit_test(a_set_is_split_by_another),
		cmocka_unit_test(sets_are_ordered_as_lists_of_their_ranks),
		cmocka_unit_test(damaged_sets_are_refused),
	};

	return cmocka_run_group_tests_name("sums", tests, NULL, NULL);
}
