/* SPDX-License-Identifier: BSD-3-Clause */
/* What an agent passes on of what its children say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "agents/comm.h"
#include "agents/join_messages.h"
#include "agents/heartbeat.h"

static int sent[16], nsent;

int comm_send(int to, enum msg_type type, const struct buf *body)
{
	(void)type;
	(void)body;
	sent[nsent++] = to;
	return 0;
}

/* What comm_silence() says of the second child and of all others. */
static double quiet_silent, others_silent;
static int quiet;       /* its rank */

static double silence(int child)
{
	return child == quiet ? quiet_silent : others_silent;
}

/* Nine ranks with fan-out 2. */
static const struct tree tree = { 9, 2 };

static void begin(struct gather *g)
{
	assert_int_equal(gather_begin(g, &tree, 1), 0);
	assert_int_equal(g->n, 2);
	nsent = 0;
}

static void messages_go_down_to_each_child(void **state)
{
	struct gather g;

	(void)state;
	begin(&g);
	gather_down(&g, MSG_STOP, NULL);
	assert_int_equal(nsent, 2);
	assert_int_equal(sent[0], tree_child(&tree, 1, 0));
	assert_int_equal(sent[1], tree_child(&tree, 1, 1));
	gather_end(&g);
}

static void ready_is_said_once_when_all_are(void **state)
{
	struct gather g;

	(void)state;
	begin(&g);
	gather_take_ready(&g, g.child[1].rank);
	assert_false(gather_all_ready(&g));
	g.ready = true;
	assert_false(gather_all_ready(&g));
	gather_take_ready(&g, 7);       /* not a child */
	assert_false(gather_all_ready(&g));
	gather_take_ready(&g, g.child[0].rank);
	assert_true(gather_all_ready(&g));
	assert_false(gather_all_ready(&g));
	gather_end(&g);
}

static void report_from(struct gather *g, int child, int expected)
{
	struct report_sum *s = report_sum_new();
	struct buf b = BUF_INIT;
	struct err err;

	report_sum_encode(s, &b);
	assert_int_equal(gather_take_report(g, g->child[child].rank, &b, &err), expected);
	buf_free(&b);
	report_sum_free(s);
}

static void again_from(struct gather *g, int child, struct next_run next, int expected)
{
	struct buf b = BUF_INIT;
	struct err err;

	next_run_encode(&next, &b);
	assert_int_equal(gather_take_again(g, g->child[child].rank, &b, &err), expected);
	buf_free(&b);
}

static void the_report_waits_for_all(void **state)
{
	struct gather g;
	struct next_run next;

	(void)state;
	begin(&g);
	report_from(&g, 0, 0);
	g.answer = GATHER_REPORTED;
	assert_int_equal(gather_answer(&g, &next), GATHER_PENDING);
	report_from(&g, 0, -1);         /* a second one */
	report_from(&g, 1, 0);
	assert_int_equal(gather_answer(&g, &next), GATHER_REPORTED);
	assert_int_equal(g.messages, 2);
	gather_end(&g);
}

static void another_run_is_what_all_need_that_want_one(void **state)
{
	struct gather g;
	struct next_run next;

	(void)state;
	begin(&g);
	gather_own_again(&g, &(struct next_run){ 2, 5, 0 });
	again_from(&g, 1, (struct next_run){ 2, 1, 3 }, 0);
	assert_int_equal(gather_answer(&g, &next), GATHER_PENDING);
	report_from(&g, 0, 0);
	assert_int_equal(gather_answer(&g, &next), GATHER_AGAIN);
	assert_int_equal(next.number, 2);
	assert_int_equal(next.clean, 5);
	assert_int_equal(next.counted, 3);
	/* Those that wanted it are asked again; the one that has reported is not. */
	assert_int_equal(gather_answer(&g, &next), GATHER_PENDING);
	again_from(&g, 0, (struct next_run){ 3, 1, 1 }, -1);
	report_from(&g, 1, 0);
	g.answer = GATHER_REPORTED;
	assert_int_equal(gather_answer(&g, &next), GATHER_REPORTED);
	gather_end(&g);
}

static void progress_is_one_line_for_the_job(void **state)
{
	struct progress first = { .experiment = 1, .collector = 1, .executions = 6, .found = 2 };
	struct progress late = { .experiment = 1, .collector = 1, .executions = 7, .found = 5 };
	struct progress second = { .experiment = 2, .collector = 2, .executions = 4, .found = 1 };
	struct gather g;

	(void)state;
	begin(&g);
	assert_true(gather_take_progress(&g, &first));
	assert_false(gather_take_progress(&g, &first));
	assert_false(gather_take_progress(&g, &late));
	assert_true(gather_take_progress(&g, &second));
	assert_int_equal(g.progress.experiment, 2);
	assert_int_equal(g.progress.collector, 2);
	assert_int_equal(g.progress.executions, 7);
	assert_int_equal(g.progress.found, 5);
	gather_end(&g);
}

static void a_silent_child_is_lost_and_the_others_are_enough(void **state)
{
	struct buf lost = BUF_INIT;
	struct next_run next;
	struct gather g;

	(void)state;
	begin(&g);
	g.answer = GATHER_REPORTED;
	quiet = g.child[1].rank;
	quiet_silent = others_silent = 6;
	assert_int_equal(gather_silent(&g, silence), -1);
	quiet_silent = 8;
	assert_true(gather_hears(&g, g.child[0].rank));
	assert_int_equal(gather_silent(&g, silence), g.child[1].rank);
	assert_true(gather_lose(&g, &tree, g.child[1].rank, &lost));
	assert_false(gather_lose(&g, &tree, g.child[1].rank, &lost));
	assert_false(gather_all_missing(&g));
	assert_int_equal(gather_silent(&g, silence), -1);
	/* what it says later is ignored, and it is told nothing */
	assert_false(gather_hears(&g, g.child[1].rank));
	gather_down(&g, MSG_STOP, NULL);
	assert_int_equal(nsent, 1);
	assert_int_equal(gather_answer(&g, &next), GATHER_PENDING);
	report_from(&g, 0, 0);
	assert_int_equal(gather_answer(&g, &next), GATHER_REPORTED);
	others_silent = 8;
	/* nothing is missing of a child that has reported */
	assert_int_equal(gather_silent(&g, silence), -1);
	assert_false(gather_lose(&g, &tree, g.child[0].rank, &lost));
	assert_false(gather_all_missing(&g));
	assert_int_equal(lost.len, 8);         /* the ranks of one child */
	buf_free(&lost);
	gather_end(&g);
}

static void silence_is_counted_while_the_agent_runs(void **state)
{
	const uint64_t S = 1000000000;
	struct heartbeat h = { 0 };

	(void)state;
	assert_true(heartbeat_step(&h, 100 * S) == 0);
	assert_true(heartbeat_step(&h, 100 * S + S / 2) == 0.5);
	assert_true(heartbeat_step(&h, 160 * S) < 1.5);         /* it did not run for a minute */
}

static void neighbours_hear_once_a_second(void **state)
{
	const uint64_t S = 1000000000;
	struct heartbeat h = { 0 };

	(void)state;
	assert_true(heartbeat_due(&h, 100 * S));
	assert_false(heartbeat_due(&h, 100 * S + S / 2));
	assert_true(heartbeat_due(&h, 101 * S));
	assert_false(heartbeat_due(&h, 101 * S + S / 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_go_down_to_each_child),
		cmocka_unit_test(ready_is_said_once_when_all_are),
		cmocka_unit_test(the_report_waits_for_all),
		cmocka_unit_test(another_run_is_what_all_need_that_want_one),
		cmocka_unit_test(progress_is_one_line_for_the_job),
		cmocka_unit_test(a_silent_child_is_lost_and_the_others_are_enough),
		cmocka_unit_test(silence_is_counted_while_the_agent_runs),
		cmocka_unit_test(neighbours_hear_once_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
