/* SPDX-License-Identifier: BSD-3-Clause */
/* ranges.c against a plain array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "foreign/ranges.h"

enum { SPACE = 400 };
static uint32_t owner[SPACE];           /* value + 1 of each address; 0: none */
static uint64_t seed = 1;

static uint32_t draw(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/* A range that a new one touches goes away whole. */
static void model_add(uint64_t lo, uint64_t hi, uint32_t value)
{
	for (uint64_t a = lo; a < hi; a++) {
		const uint32_t old = owner[a];

		for (uint64_t k = 0; old && k < SPACE; k++)
			owner[k] = owner[k] == old ? 0 : owner[k];
	}
	for (uint64_t a = lo; a < hi; a++)
		owner[a] = value + 1;
}

static void assert_like_model(const struct ranges *r)
{
	for (uint64_t a = 0; a < SPACE; a++) {
		uint64_t lo, hi;
		const struct range *found = ranges_find(r, a, &lo, &hi);

		assert_int_equal(found ? found->value + 1 : 0, owner[a]);
		if (found)
			continue;
		assert_true(lo <= a && a < hi);
		for (uint64_t k = lo; k < hi && k < SPACE; k++)
			assert_int_equal(owner[k], 0);
	}
}

static void ranges_are_those_of_an_array(void **state)
{
	struct ranges r = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 2000; i++) {
		const uint64_t lo = draw(SPACE - 40), hi = lo + 1 + draw(40);

		if (draw(3)) {
			assert_int_equal(ranges_add(&r, &(struct range){ lo, hi, i }), 0);
			model_add(lo, hi, i);
		} else {
			struct range out;
			const bool is = owner[lo] && (!lo || owner[lo - 1] != owner[lo]);

			assert_int_equal(ranges_remove(&r, lo, &out), is);
			if (is)
				model_add(out.lo, out.hi, UINT32_MAX);
		}
		assert_like_model(&r);
	}
	ranges_free(&r);
	assert_null(r.root);
}

static void told(void *asker, uint32_t value, uint64_t bytes)
{
	(void)value;
	*(uint64_t *)asker += bytes;
}

static bool is_free(uint64_t lo, uint64_t hi)
{
	while (lo < hi && !owner[lo])
		lo++;
	return lo == hi;
}

static void cut_leaves_what_is_beside_it(void **state)
{
	struct ranges r = { 0 };

	(void)state;
	for (uint32_t a = 0; a < SPACE; a++)
		owner[a] = 0;
	for (uint32_t i = 0; i < 2000; i++) {
		const uint64_t lo = draw(SPACE - 40), hi = lo + 1 + draw(40);
		uint64_t cut = 0, owned = 0;

		if (is_free(lo, hi)) {
			assert_int_equal(ranges_add(&r, &(struct range){ lo, hi, i }), 0);
			model_add(lo, hi, i);
		} else if (draw(2)) {
			assert_int_equal(ranges_cut(&r, lo, hi, told, &cut), 0);
			for (uint64_t a = lo; a < hi; a++) {
				owned += owner[a] != 0;
				owner[a] = 0;
			}
			assert_int_equal(cut, owned);
		}
		assert_like_model(&r);
	}
	ranges_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_those_of_an_array),
		cmocka_unit_test(cut_leaves_what_is_beside_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
