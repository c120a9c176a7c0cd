/* SPDX-License-Identifier: BSD-3-Clause */
/* Spans of time by a fake clock: when they end, and which hooks clean ones keep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "monitor/collect/slices.h"
#include "monitor/host/mem.h"
#include "monitor/phase/timed_spans.h"
#include "monitor/regions/brief_regions.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

enum { MS = 1000000, LONG_CALL = 1, OFTEN, RARE, LOOP, NEVER_SEEN };

static uint64_t now, readings, spent;
static bool open;
uint8_t pscm_brief[BRIEF_REGIONS / 8];

int __wrap_clock_gettime(clockid_t id, struct timespec *ts);
int __wrap_clock_gettime(clockid_t id, struct timespec *ts)
{
	(void)id;
	readings++;
	*ts = (struct timespec){ (time_t)(now / 1000000000), (long)(now % 1000000000) };
	return 0;
}

void *pscm_map(size_t bytes) { return calloc(1, bytes); }
bool slices_open(void) { return open; }
uint64_t slices_spent(void) { return spent; }

static bool hook(uint32_t region, enum timed_kind kind)
{
	return timed_over(region, kind, false);
}

/* Calls the hook every `step` ns until the span may end; returns how long that took. */
static uint64_t until_over(uint64_t step)
{
	uint64_t begin = now;

	do
		now += step;
	while (!hook(OFTEN, TIMED_ENTRY));
	return now - begin;
}

static int set_up(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	pscm_timed_ns = 100 * MS;
	pscm_brief[0] = 1u << OFTEN | 1u << RARE;
	now = 1000 * MS;
	return pscm_shm ? 0 : -1;
}

static void a_span_ends_at_the_first_hook_after_its_time(void **state)
{
	(void)state;
	timed_begin(false);
	assert_int_equal(until_over(30 * MS), 120 * MS);
	timed_begin(false);
	assert_in_range(until_over(1000), 100 * MS, 101 * MS);
}

static void the_clock_is_read_less_often_where_hooks_come_often(void **state)
{
	uint64_t hooks = 0;

	(void)state;
	timed_begin(false);
	readings = 0;
	for (; !hook(OFTEN, TIMED_ENTRY); hooks++)
		now += 100;
	assert_true(readings * 15 < hooks);
	/* behind a pause, it is read at one of the next 16 hooks, and at each while they come seldom */
	timed_begin(false);
	for (int i = 0; i < 1000; i++)
		hook(OFTEN, TIMED_ENTRY);
	for (int i = 0; i < 16; i++) {
		now += 2 * MS;
		hook(OFTEN, TIMED_ENTRY);
	}
	now += 2 * MS;
	readings = 0;
	hook(OFTEN, TIMED_ENTRY);
	assert_int_equal(readings, 1);
}

static void one_that_may_not_end_yet_ends_at_the_next_hook(void **state)
{
	(void)state;
	timed_begin(false);
	until_over(10 * MS);
	assert_true(hook(OFTEN, TIMED_ENTRY));
	assert_true(hook(OFTEN, TIMED_ENTRY));
}

static void slices_are_no_part_of_the_time(void **state)
{
	(void)state;
	atomic_store(&pscm_sliced, 1);
	spent = 40 * MS;
	timed_begin(false);
	assert_int_equal(until_over(20 * MS), 140 * MS);
	open = true;
	assert_false(hook(OFTEN, TIMED_ENTRY));
	open = false;
	now += MS;
	for (int i = 0; i < 16; i++)
		hook(OFTEN, TIMED_ENTRY);
	assert_true(hook(OFTEN, TIMED_ENTRY));
	atomic_store(&pscm_sliced, 0);
}

static void idle_it_ends_when_the_agent_has_detached(void **state)
{
	(void)state;
	timed_begin(false);
	atomic_store(&pscm_shm->doorbell, MON_BELL_DETACHED);
	assert_false(timed_over(OFTEN, TIMED_ENTRY, false));
	now += MS;
	for (int i = 0; i < 16 && !timed_over(OFTEN, TIMED_ENTRY, true); i++)
		assert_true(i < 15);
	atomic_store(&pscm_shm->doorbell, 0);
}

static void before_the_survey_iterations_are_called_and_no_brief_region(void **state)
{
	(void)state;
	assert_true(timed_keeps(LOOP, TIMED_ITERATION));
	assert_false(timed_keeps(OFTEN, TIMED_ENTRY));
}

/* LONG_CALL comes once; OFTEN and RARE are brief, RARE only in the first half. */
static void clean_spans_keep_the_rarest_hooks_that_come_all_the_time(void **state)
{
	(void)state;
	timed_begin(true);
	hook(LONG_CALL, TIMED_ENTRY);
	for (int i = 0; i < 10000; i++) {
		now += 9900;
		hook(OFTEN, TIMED_ENTRY);
		hook(LOOP, TIMED_ITERATION);
		hook(LOOP, TIMED_ITERATION);
		if (i % 10 == 0 && i < 5000)
			hook(RARE, TIMED_ENTRY);
	}
	timed_choose();
	assert_true(timed_keeps(RARE, TIMED_ENTRY));
	assert_true(timed_keeps(OFTEN, TIMED_ENTRY));
	assert_false(timed_keeps(LOOP, TIMED_ITERATION));
	assert_true(timed_keeps(NEVER_SEEN, TIMED_ITERATION));
	assert_false(timed_keeps(NEVER_SEEN, TIMED_ENTRY));     /* it is not brief: its hooks are called anyway */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_span_ends_at_the_first_hook_after_its_time),
		cmocka_unit_test(the_clock_is_read_less_often_where_hooks_come_often),
		cmocka_unit_test(one_that_may_not_end_yet_ends_at_the_next_hook),
		cmocka_unit_test(slices_are_no_part_of_the_time),
		cmocka_unit_test(idle_it_ends_when_the_agent_has_detached),
		cmocka_unit_test(before_the_survey_iterations_are_called_and_no_brief_region),
		cmocka_unit_test(clean_spans_keep_the_rarest_hooks_that_come_all_the_time),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
