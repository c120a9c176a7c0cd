/* SPDX-License-Identifier: BSD-3-Clause */
/* Trials in ranks: who plans a round, what is summed, and that nobody waits for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "collect/rank_trials.h"

static struct rank_trials *all;
static struct rank_seat seat[2];
static struct mon_result taken;
static struct mon_trial_row taken_row[8];
static int takes, refusals;

/* The engine of trials. */
void trial_take(struct action_trial *t, const struct mon_result *r)
{
	(void)t;
	takes++;
	taken = *r;
	memcpy(taken_row, r->trials, r->ntrials * sizeof *taken_row);
}

void trial_refuse(struct action_trial *t, enum trial_reason why)
{
	(void)t;
	assert_int_equal(why, TRIAL_RANKS);
	refusals++;
}

static int set_up(void **state)
{
	(void)state;
	all = calloc(1, sizeof *all);
	memset(seat, 0, sizeof seat);
	takes = refusals = 0;
	return all ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	free(all);
	return 0;
}

static enum rank_turn turn(int rank, uint64_t begun, uint64_t now)
{
	return rank_trials_turn(all, &seat[rank], begun, 2, now);
}

/* Runs of one slot: discarded ones, and one that counts. */
static void answer(int rank, uint64_t first, uint64_t wall)
{
	struct mon_trial_row row[2] = { { .slot = 0, .discarded = 3, .wall_ns = 9 },
		{ .slot = 0, .wall_ns = wall, .cpu_ns = wall / 2, .memory = 100 } };
	const struct mon_result r = { .ran_first = first, .ntrials = 2, .trials = row,
		.trial = { .switches = { 1, (uint32_t)rank }, .switch_ns = { wall, 5 }, .moved = 7,
			.kept = (uint32_t)rank } };

	rank_trials_take(all, &seat[rank], &r, 0);
}

/* Both have asked; the second one opens the round. */
static void both_ask(void)
{
	assert_int_equal(turn(0, 20, 0), RANK_WAITS);
	assert_int_equal(turn(1, 30, 0), RANK_OPENS);
	assert_int_equal(turn(0, 21, 0), RANK_JOINS);
	assert_int_equal(turn(0, 21, 0), RANK_WAITS);
	assert_int_equal(turn(1, 30, 0), RANK_WAITS);
}

static void a_round_begins_when_all_have_asked(void **state)
{
	(void)state;
	both_ask();
	assert_int_equal(rank_trials_first(all, 0.01), 30 + 13);
	assert_int_equal(rank_trials_first(all, 1e-9), 30 + 1000);
}

static void an_execution_takes_what_the_slowest_rank_takes(void **state)
{
	(void)state;
	both_ask();
	answer(0, 43, 500);
	assert_int_equal(takes, 0);
	answer(1, 43, 400);
	assert_int_equal(takes, 1);
	assert_int_equal(taken.ntrials, 2);
	assert_int_equal(taken_row[1].wall_ns, 500);
	assert_int_equal(taken_row[1].cpu_ns, 250);
	assert_int_equal(taken_row[1].memory, 200);
	assert_int_equal(taken.trial.switches[1], 1);
	assert_int_equal(taken.trial.switch_ns[0], 500);
	assert_int_equal(taken.trial.moved, 14);
	assert_int_equal(taken.trial.kept, 0);
	assert_int_equal(turn(0, 60, 0), RANK_OPENS);
	assert_int_equal(turn(1, 60, 0), RANK_JOINS);
}

static void a_round_in_other_executions_is_repeated(void **state)
{
	(void)state;
	assert_int_equal(turn(0, 20, 0), RANK_WAITS);
	for (int i = 0; i < 5; i++) {
		const uint64_t before = rank_trials_first(all, 0.01);

		assert_int_equal(turn(1, 30, 0), RANK_OPENS);
		assert_int_equal(turn(0, 30, 0), RANK_JOINS);
		answer(0, 43, 500);
		answer(1, 44, 500);
		assert_int_equal(takes, 0);
		assert_int_equal(refusals, i == 4);
		assert_true(rank_trials_first(all, 0.01) >= before);
	}
}

static void a_refusal_ends_the_round(void **state)
{
	(void)state;
	both_ask();
	rank_trials_refused(all);
	answer(1, 43, 500);             /* of the round that is over */
	assert_int_equal(takes, 0);
	assert_int_equal(turn(1, 50, 0), RANK_OPENS);
	assert_int_equal(turn(0, 50, 0), RANK_JOINS);
}

static void nobody_waits_for_ever(void **state)
{
	const uint64_t minute = UINT64_C(60000000000);

	(void)state;
	assert_int_equal(turn(0, 20, 5), RANK_WAITS);
	assert_int_equal(turn(0, 20, 5 + minute), RANK_WAITS);
	assert_int_equal(turn(0, 20, 6 + minute), RANK_ENDS);
	assert_int_equal(turn(1, 20, 6 + minute), RANK_ENDS);
}

static void one_rank_needs_nobody(void **state)
{
	(void)state;
	assert_int_equal(rank_trials_turn(all, &seat[0], 20, 1, 0), RANK_OPENS);
	answer(0, 43, 500);
	assert_int_equal(takes, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_round_begins_when_all_have_asked),
		TEST(an_execution_takes_what_the_slowest_rank_takes),
		TEST(a_round_in_other_executions_is_repeated),
		TEST(a_refusal_ends_the_round),
		TEST(nobody_waits_for_ever),
		TEST(one_rank_needs_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
