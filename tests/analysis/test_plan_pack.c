/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing into experiments, held against all distributions of small cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "analysis/search/plan_pack.h"

static uint32_t state = 12345;

static uint32_t draw(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % n;
}

struct problem {
	struct collector_limits limits;
	struct pack_item item[PACK_ITEMS];
	uint64_t group[4];
	uint32_t nitems, ngroups;
};

static void draw_problem(struct problem *p)
{
	memset(p, 0, sizeof *p);
	p->nitems = 1 + draw(6);
	p->limits = (struct collector_limits){ draw(4), draw(3), draw(5) };
	for (uint32_t i = 0; i < p->nitems; i++)
		p->item[i] = (struct pack_item){ draw(5) == 0, draw(3) == 0 ? 1 + draw(2) : 0,
			draw(2) ? 1 + draw(3) : 0 };
	p->ngroups = draw(5);
	for (uint32_t g = 0; g < p->ngroups; g++)
		p->group[g] = draw(1u << p->nitems);
}

/* Limits, written the plainest way. */
static int fits(const struct problem *p, uint64_t set)
{
	uint32_t counters = 0, ranges = 0;

	for (uint32_t i = 0; i < p->nitems; i++)
		counters += (set >> i & 1) && !p->item[i].free;
	for (uint32_t r = 1; r < 8; r++) {
		uint32_t any = 0;

		for (uint32_t i = 0; i < p->nitems; i++)
			any |= (set >> i & 1) && p->item[i].range == r;
		ranges += any;
	}
	for (uint32_t x = 1; x < 8; x++) {
		uint32_t n = 0;

		for (uint32_t i = 0; i < p->nitems; i++)
			n += (set >> i & 1) && p->item[i].exclusive == x;
		if (n > 1)
			return 0;
	}
	return (!p->limits.items || (uint32_t)__builtin_popcountll(set) <= p->limits.items) &&
		(!p->limits.counters || counters <= p->limits.counters) &&
		(!p->limits.ranges || ranges <= p->limits.ranges);
}

static int good(const struct problem *p, const uint64_t *set, uint32_t n)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!fits(p, set[i]))
			return 0;
		all |= set[i];
	}
	if (all != (UINT64_C(1) << p->nitems) - 1)
		return 0;
	for (uint32_t g = 0; g < p->ngroups; g++) {
		int together = !fits(p, p->group[g]);

		for (uint32_t i = 0; i < n; i++)
			together |= !(p->group[g] & ~set[i]);
		if (!together)
			return 0;
	}
	return 1;
}

/* Is there a good distribution of n experiments?  Tries every one. */
static int possible(const struct problem *p, uint64_t *set, uint32_t at, uint32_t n)
{
	if (at == n)
		return good(p, set, n);
	for (uint64_t s = at ? set[at - 1] : 0; s < UINT64_C(1) << p->nitems; s++) {
		set[at] = s;
		if (fits(p, s) && possible(p, set, at + 1, n))
			return 1;
	}
	return 0;
}

static void every_distribution_is_good_and_as_small_as_can_be(void **unused)
{
	(void)unused;
	for (int round = 0; round < 3000; round++) {
		struct problem p;
		struct pack_result r;
		uint64_t set[PACK_ITEMS];

		draw_problem(&p);
		pack(&p.limits, p.item, p.nitems, p.group, p.ngroups, &r);
		assert_true(r.least);
		assert_true(good(&p, r.experiment, r.n));
		if (r.n - 1 <= 3)
			assert_false(possible(&p, set, 0, r.n - 1));
		for (uint32_t g = 0; g < p.ngroups; g++)
			assert_int_equal(r.split >> g & 1, !fits(&p, p.group[g]));
	}
}

static void without_limits_one_experiment_counts_all(void **unused)
{
	struct collector_limits none = { 0, 0, 0 };
	struct pack_item item[PACK_ITEMS] = { { 0 } };
	struct pack_result r;
	char text[120];

	(void)unused;
	pack(&none, item, 64, NULL, 0, &r);
	assert_int_equal(r.n, 1);
	assert_true(r.experiment[0] == UINT64_MAX);
	pack_text(&none, 64, &r, "event", text, sizeof text);
	assert_string_equal(text, "1 experiment: 64 events, as many at once as are asked for");
}

static void a_property_with_too_many_events_is_split_and_said_so(void **unused)
{
	struct collector_limits two = { 2, 0, 0 };
	struct pack_item item[PACK_ITEMS] = { { 0 } };
	uint64_t groups[] = { 7, 24 };
	struct pack_result r;
	char text[120];

	(void)unused;
	pack(&two, item, 6, groups, 2, &r);
	assert_int_equal(r.n, 3);
	assert_int_equal(r.split, 1);
	pack_text(&two, 6, &r, "event", text, sizeof text);
	assert_string_equal(text, "3 experiments: 6 events, 2 counters at once; a property reads more than fit into one");
}

static void many_items_end_in_bounded_time(void **unused)
{
	struct collector_limits three = { 3, 0, 0 };
	struct pack_item item[PACK_ITEMS] = { { 0 } };
	uint64_t groups[PACK_GROUPS];
	struct pack_result r;
	uint64_t all = 0;

	(void)unused;
	for (uint32_t g = 0; g < PACK_GROUPS; g++)
		groups[g] = UINT64_C(1) << draw(64) | UINT64_C(1) << draw(64);
	pack(&three, item, 64, groups, PACK_GROUPS, &r);
	for (uint32_t i = 0; i < r.n; i++) {
		assert_true(pack_fits(&three, item, r.experiment[i]));
		all |= r.experiment[i];
	}
	assert_true(all == UINT64_MAX);
	for (uint32_t g = 0; g < PACK_GROUPS; g++) {
		int together = 0;

		for (uint32_t i = 0; i < r.n; i++)
			together |= !(groups[g] & ~r.experiment[i]);
		assert_true(together);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_distribution_is_good_and_as_small_as_can_be),
		cmocka_unit_test(without_limits_one_experiment_counts_all),
		cmocka_unit_test(a_property_with_too_many_events_is_split_and_said_so),
		cmocka_unit_test(many_items_end_in_bounded_time),
	};

	return cmocka_run_group_tests_name("plan_pack", tests, NULL, NULL);
}
