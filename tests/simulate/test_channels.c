/* SPDX-License-Identifier: BSD-3-Clause */
/* Misses by memory channel: what a walk of known addresses gives, by structure and in the log of columns. */
#include "simulate/simulate.h"
#include "simulate/cache/channels.h"
#include "tests/simulate/column_sums.h"
#include "tests/simulate/neighbours.h"

enum { LOAD8 = 8 << 2 | PSC_LOAD, OBJECT = 1 << 24, CHANNELS = 4, TURN = 256, LINE = 64 };
#define AT(object) ((uint64_t)OBJECT * (7 * 16 + (object)))     /* the begin of an object */

static struct { _Alignas(8) struct psc_segment s; uint32_t d[4]; } body;
static uint64_t words[3];

/* A loop of n loads that are `step` bytes apart, on a machine with so many channels. */
static struct sim_thread *play(uint32_t n, uint32_t step, uint32_t channels, uint32_t nodes)
{
	struct machine_flat m = { .nlevels = 2, .ncpus = 1, .page_size = 4096, .level[0] = level(LINE, 2, 4),
		.level[1] = level(LINE, 2, 16), .channels = channels, .interleave = TURN, .nodes.count = nodes };
	struct sim_thread *t = thread_make();

	body.s = (struct psc_segment){ .nwords = 1, .ngroups = 1, .naccess = 1, .length = 2, .line = 10 };
	body.d[0] = step;
	body.d[1] = LOAD8;
	words[0] = (uint64_t)(uintptr_t)&body.s | PSC_REC_LOOP;
	words[1] = n;
	words[2] = AT(1);
	object_bytes = OBJECT;
	sim_arm(&sim, &m, &env);
	sim.columns = true;
	assert_int_equal(sim_core_attach(&t->core, &sim, 0), 0);
	assert_int_equal(sim_batch(t, words, words + 3, true, true), 0);
	sim_core_sum(&t->core);
	return t;
}

static void done(struct sim_thread *t)
{
	free(t->core.channels);
	t->core.channels = NULL;
	thread_free(t);
	blocks_free();
}

static void assert_channels(struct sim_thread *t, const uint64_t want[CHANNELS])
{
	const struct sim_cell *c = cell_of(&t->core, 0, 1 + MON_OBJ_FIRST);

	assert_int_equal(t->core.modules, CHANNELS);
	for (int i = 0; i < CHANNELS; i++)
		assert_int_equal(t->core.channels[c - t->core.cells].now[i], want[i]);
	assert_true(assert_columns_sum(&t->core) > 1);
}

static void a_walk_through_all_lines_meets_all_channels(void **state)
{
	static const uint64_t want[CHANNELS] = { 4096, 4096, 4096, 4096 };
	struct sim_thread *t = play(4 * 4096, LINE, CHANNELS, 1);

	(void)state;
	assert_channels(t, want);
	done(t);
}

static void a_step_of_all_turns_meets_one_channel(void **state)
{
	static const uint64_t want[CHANNELS] = { 8192, 0, 0, 0 };
	struct sim_thread *t = play(8192, CHANNELS * TURN, CHANNELS, 1);

	(void)state;
	assert_channels(t, want);
	done(t);
}

static void a_step_of_two_turns_meets_every_second_channel(void **state)
{
	static const uint64_t want[CHANNELS] = { 4096, 0, 4096, 0 };
	struct sim_thread *t = play(8192, 2 * TURN, CHANNELS, 1);

	(void)state;
	assert_channels(t, want);
	done(t);
}

static void channels_that_the_page_does_not_tell_are_not_counted(void **state)
{
	static const uint32_t unknown[] = { 0, 6, 12, 64 };     /* of 64 times 256 bytes the frame decides, too */

	(void)state;
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		struct sim_thread *t = play(8192, LINE, unknown[i], 1);

		assert_int_equal(t->core.modules, 0);
		assert_null(t->core.channels);
		assert_true(assert_columns_sum(&t->core) > 1);
		done(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_walk_through_all_lines_meets_all_channels),
		cmocka_unit_test(a_step_of_all_turns_meets_one_channel),
		cmocka_unit_test(a_step_of_two_turns_meets_every_second_channel),
		cmocka_unit_test(channels_that_the_page_does_not_tell_are_not_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
