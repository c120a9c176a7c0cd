/* SPDX-License-Identifier: BSD-3-Clause */
/* branch_predictor.c: what has an order is foreseen, what has none is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "foreign/branch_predictor.h"

enum { IP = 0x401000, OTHER = 0x402000, TIMES = 20000, LEARN = 4000 };

static struct branch_predictor p;
static uint64_t state;

static uint32_t random_number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32);
}

static int set_up(void **unused)
{
	(void)unused;
	memset(&p, 0, sizeof p);
	state = 88172645463325252u;
	return 0;
}

/* Mispredictions of a loop of n iterations that is executed again and again, per cent of its branches. */
static unsigned loop_misses(int n)
{
	unsigned missed = 0, all = 0;

	for (int i = 0; i < TIMES; i++) {
		const bool miss = branch_conditional(&p, IP, i % n != n - 1);

		all += i >= LEARN;
		missed += miss && i >= LEARN;
	}
	return 100 * missed / all;
}

static void short_loops_are_foreseen(void **unused)
{
	(void)unused;
	assert_in_range(loop_misses(8), 0, 1);
	set_up(NULL);
	assert_in_range(loop_misses(30), 0, 1);
}

static void long_loops_miss_their_end(void **unused)
{
	(void)unused;
	assert_in_range(loop_misses(1000), 0, 1);
}

static void random_outcomes_are_not_foreseen(void **unused)
{
	unsigned missed = 0, rare = 0;

	(void)unused;
	for (int i = 0; i < TIMES; i++)
		missed += branch_conditional(&p, IP, random_number() & 1);
	assert_in_range(missed, TIMES * 45 / 100, TIMES * 55 / 100);
	for (int i = 0; i < TIMES; i++)
		rare += branch_conditional(&p, OTHER, random_number() % 10 == 0);
	assert_in_range(rare, TIMES * 8 / 100, TIMES * 18 / 100);
}

/* The second branch repeats what the first one did. */
static void branches_tell_of_later_ones(void **unused)
{
	unsigned missed = 0;

	(void)unused;
	for (int i = 0; i < TIMES; i++) {
		const bool taken = random_number() & 1;

		branch_conditional(&p, IP, taken);
		missed += branch_conditional(&p, OTHER, taken) && i >= LEARN;
	}
	assert_in_range(missed, 0, TIMES / 50);
}

static void targets_are_foreseen_where_they_repeat(void **unused)
{
	unsigned same = 0, turns = 0, random = 0;

	(void)unused;
	for (int i = 0; i < TIMES; i++)
		same += branch_indirect(&p, IP, 0x5000);
	assert_in_range(same, 0, 20);
	for (int i = 0; i < TIMES; i++)
		turns += branch_indirect(&p, IP, 0x5000 + 0x100 * (uint64_t)(i % 3)) && i >= LEARN;
	assert_in_range(turns, 0, TIMES / 50);
	for (int i = 0; i < TIMES; i++)
		random += branch_indirect(&p, IP, 0x5000 + 0x100 * (uint64_t)(random_number() % 8));
	assert_in_range(random, TIMES * 70 / 100, TIMES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(short_loops_are_foreseen, set_up),
		cmocka_unit_test_setup(long_loops_miss_their_end, set_up),
		cmocka_unit_test_setup(random_outcomes_are_not_foreseen, set_up),
		cmocka_unit_test_setup(branches_tell_of_later_ones, set_up),
		cmocka_unit_test_setup(targets_are_foreseen_where_they_repeat, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
