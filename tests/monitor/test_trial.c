/* SPDX-License-Identifier: BSD-3-Clause */
/* The monitor's part of trials: schedules with a made-up action, and the settings of malloc, which
 * the blocks tell that it returns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/collect/armed.h"
#include "monitor/collect/runtime_collector.h"
#include "monitor/connect.h"
#include "monitor/trial/action.h"
#include "tests/monitor/shared_memory.h"

static char states[200];        /* what the action was told, by letters */
static enum mon_trial_refusal refusal;
static bool gone, untouched;

static int parts;               /* of a switch to B, at so many boundaries */
static uint64_t pages;          /* that such a switch changes */
static int parts_left;

static enum mon_trial_refusal can(const struct mon_request *r, struct mon_trial *out)
{
	(void)r;
	(void)out;
	parts_left = parts;
	return refusal;
}
static bool to_b(uint64_t until)
{
	(void)until;
	strcat(states, "b");
	if (--parts_left > 0)
		return false;
	parts_left = parts;
	return true;
}
static bool to_a(uint64_t until) { (void)until; strcat(states, "a"); return true; }
static void put_back(void) { strcat(states, "."); }
static void child(void) { strcat(states, ","); }
static bool verify(struct mon_trial *out) { out->left = 0; return untouched; }
static uint64_t memory(void) { return 4096; }
static uint64_t moved(int *failed) { *failed = 12; return pages; }

static const struct trial_action made_up = { MON_ACTION_MALLOC, can, to_b, to_a, put_back, child, verify, memory, NULL };
static const struct trial_action of_pages = { MON_ACTION_LARGE_PAGES, can, to_b, to_a, put_back, child, verify, memory,
	moved };

const struct trial_action *trial_action_of(uint32_t action)
{
	return action == MON_ACTION_MALLOC ? &made_up : action == MON_ACTION_LARGE_PAGES ? &of_pages : NULL;
}
bool pscm_agent_gone(void) { return gone; }

/* --- schedules --------------------------------------------------------------------------------- */

static struct pscm_armed armed;

static enum mon_drop begin(const char *slots, bool keep)
{
	struct mon_request *r = &pscm_shm->request[0];

	states[0] = '\0';
	refusal = MON_TRIAL_DONE;
	gone = false;
	untouched = true;
	parts = 1;
	*r = (struct mon_request){ .kind = MON_TRIAL, .action = MON_ACTION_MALLOC, .keep = keep };
	armed = (struct pscm_armed){ .request = r, .collector = &collect_trial };
	/* Slots as in "A03 B12": state, executions discarded and kept. */
	for (; *slots; slots += slots[3] ? 4 : 3) {
		r->schedule[r->nschedule++] = (struct mon_trial_slot){ slots[0] == 'B',
			(uint32_t)(slots[1] - '0'), (uint32_t)(slots[2] - '0') };
		armed.count += (uint32_t)(slots[1] - '0' + slots[2] - '0');
	}
	return collect_trial.arm(&armed);
}

static const struct collector_begin at_begin;

static void execute(uint64_t ns, bool is_void)
{
	const struct collector_execution e = { .ns = ns, .is_void = is_void };

	assert_int_equal(collect_trial.open(&armed, NULL, &at_begin), MON_DROP_NONE);
	strcat(states, is_void ? "v" : "x");
	collect_trial.start(&armed);
	collect_trial.close(&armed, NULL, is_void);
	assert_int_equal(collect_trial.take(&armed, &e), !is_void);
	assert_int_equal(armed.failed, MON_DROP_NONE);
}

static const struct mon_trial_row *row(int i)
{
	return &pscm_shm->trials[0][i];
}

static void a_schedule_is_run_in_its_order(void **state)
{
	(void)state;
	assert_int_equal(begin("A01 B21 B01 A20", false), MON_DROP_NONE);
	for (uint64_t i = 1; i <= 7; i++)
		execute(i * 100, false);
	collect_trial.finish(&armed);
	assert_string_equal(states, "xbxxxxaxx.");
	assert_int_equal(armed.rows.trials, 5);
	assert_true(row(0)->slot == 0 && row(0)->wall_ns == 100 && !row(0)->discarded);
	assert_true(row(1)->slot == 1 && row(1)->wall_ns == 200 + 300 && row(1)->discarded == 2);
	assert_true(row(2)->slot == 1 && row(2)->wall_ns == 400 && row(2)->memory == 4096);
	assert_true(row(3)->slot == 2 && row(3)->wall_ns == 500);
	assert_true(row(4)->slot == 3 && row(4)->wall_ns == 600 + 700 && row(4)->discarded == 2);
	assert_int_equal(armed.request->trial.switches[1], 1);
	assert_int_equal(armed.request->trial.switches[0], 1);
	assert_int_equal(armed.request->trial.changed, 0);
}

static void a_void_execution_comes_again(void **state)
{
	(void)state;
	assert_int_equal(begin("B11", false), MON_DROP_NONE);
	execute(100, false);
	execute(200, true);
	execute(300, false);
	collect_trial.finish(&armed);
	assert_string_equal(states, "bxvx.");
	assert_true(row(1)->wall_ns == 300 && armed.rows.trials == 2);
}

static void the_phase_is_left_in_state_a(void **state)
{
	(void)state;
	begin("B02 A01", false);
	execute(1, false);
	collect_trial.left();
	execute(1, false);
	collect_trial.left();
	execute(1, false);
	collect_trial.left();
	collect_trial.finish(&armed);
	assert_string_equal(states, "bxabxax.");
	collect_trial.left();           /* no trial any more */
	assert_string_equal(states, "bxabxax.");
}

static void an_agent_that_is_gone_ends_the_trial(void **state)
{
	(void)state;
	begin("B01 A01 B01", false);
	execute(1, false);
	gone = true;
	assert_int_equal(collect_trial.open(&armed, NULL, &at_begin), MON_DROP_REQUEST);
	collect_trial.finish(&armed);
	assert_string_equal(states, "bx.");
}

static void only_a_complete_schedule_keeps_its_state(void **state)
{
	(void)state;
	begin("B02", true);
	execute(1, false);
	collect_trial.finish(&armed);
	assert_string_equal(states, "bx.");
	assert_int_equal(armed.request->trial.kept, 0);
	begin("B02", true);
	execute(1, false);
	execute(1, false);
	collect_trial.finish(&armed);
	assert_string_equal(states, "bxx");
	assert_int_equal(armed.request->trial.kept, 1);
}

static void a_child_is_put_back_once(void **state)
{
	(void)state;
	begin("B05", false);
	execute(1, false);
	collect_trial.forking();
	collect_trial.forked();
	collect_trial.forked();
	assert_string_equal(states, "bx,");
}

/* Of an action on pages whose switch needs `n` boundaries. */
static void begin_pages(const char *slots, int n)
{
	begin(slots, false);
	parts = n;
	pages = 512;
	armed.request->action = MON_ACTION_LARGE_PAGES;
	assert_int_equal(collect_trial.arm(&armed), MON_DROP_NONE);
}

static void executions_within_a_long_switch_do_not_count(void **state)
{
	(void)state;
	begin_pages("A01 B02", 3);
	for (uint64_t i = 1; i <= 5; i++)
		execute(i * 100, false);
	collect_trial.finish(&armed);
	assert_string_equal(states, "xbxbxbxx.");
	assert_int_equal(armed.count, 5);
	assert_int_equal(armed.rows.trials, 4);
	assert_true(row(1)->slot == 1 && row(1)->discarded == 2 && row(1)->wall_ns == 200 + 300);
	assert_true(!row(2)->discarded && row(2)->wall_ns == 400);
	assert_int_equal(armed.request->trial.switches[1], 1);
	assert_int_equal(armed.request->trial.moved, 512);
}

static void a_long_switch_is_put_back_where_the_phase_is_left(void **state)
{
	(void)state;
	begin_pages("B11", 3);
	execute(100, false);
	collect_trial.left();
	execute(100, false);
	collect_trial.finish(&armed);
	assert_string_equal(states, "bxabx.");
}

static void a_switch_that_changes_no_page_ends_the_trial(void **state)
{
	(void)state;
	begin_pages("B01", 1);
	pages = 0;
	assert_int_equal(collect_trial.open(&armed, NULL, &at_begin), MON_DROP_TRIAL);
	collect_trial.finish(&armed);
	assert_int_equal(armed.request->trial.refusal, MON_TRIAL_NOT_MOVED);
	assert_int_equal(armed.request->trial.detail, 12);
	assert_string_equal(states, "b.");
}

static void pages_are_put_back_before_a_fork(void **state)
{
	(void)state;
	begin_pages("A01 B02", 1);
	collect_trial.forking();        /* in A a child shares nothing that is to be changed back */
	execute(100, false);
	execute(100, false);
	collect_trial.forking();
	assert_int_equal(collect_trial.open(&armed, NULL, &at_begin), MON_DROP_TRIAL);
	collect_trial.finish(&armed);
	assert_int_equal(armed.request->trial.refusal, MON_TRIAL_FORKED);
	assert_string_equal(states, "xbx..");
}

static void what_the_program_changed_is_told(void **state)
{
	(void)state;
	begin("B01", false);
	execute(1, false);
	untouched = false;
	collect_trial.finish(&armed);
	assert_int_equal(armed.request->trial.changed, 1);
}

static void wrong_requests_change_nothing(void **state)
{
	struct mon_request *r = &pscm_shm->request[0];

	(void)state;
	begin("B01", false);
	collect_trial.finish(&armed);
	states[0] = '\0';
	armed.count = 2;        /* not the schedule's */
	assert_int_equal(collect_trial.arm(&armed), MON_DROP_REQUEST);
	armed.count = 1;
	r->nschedule = MON_TRIAL_SLOTS + 1;
	assert_int_equal(collect_trial.arm(&armed), MON_DROP_REQUEST);
	r->nschedule = 1;
	r->action = MON_ACTIONS;
	assert_int_equal(collect_trial.arm(&armed), MON_DROP_REQUEST);
	r->action = MON_ACTION_MALLOC;
	refusal = MON_TRIAL_STATIC;
	assert_int_equal(collect_trial.arm(&armed), MON_DROP_TRIAL);
	assert_int_equal(r->trial.refusal, MON_TRIAL_STATIC);
	collect_trial.left();
	collect_trial.stop();
	assert_string_equal(states, "");
}

/* --- malloc ----------------------------------------------------------------------------------- */

/* The word before a block says whether it is mapped by itself. */
static bool maps(size_t bytes)
{
	char *volatile block = malloc(bytes);
	bool mapped = ((size_t *)(void *)block)[-1] & 2;

	free(block);
	return mapped;
}

/* The next release of a block of some size gives back what the heap has kept in state B. */
static bool maps_after_release(size_t bytes)
{
	assert_false(maps(100 << 10));
	return maps(bytes);
}

/* False: sanitizers and valgrind bring a malloc of their own, which the action refuses. */
static bool has_malloc(void)
{
	struct mon_trial out = { 0 };
	enum mon_trial_refusal why = trial_malloc.can(NULL, &out);

	if (why == MON_TRIAL_OTHER_MALLOC || why == MON_TRIAL_OTHER_LIBRARY || why == MON_TRIAL_STATIC)
		return false;
	assert_int_equal(why, MON_TRIAL_DONE);
	return true;
}

enum { MIB = 1 << 20 };
static struct mon_trial told;

static void malloc_keeps_blocks_and_goes_back(void **state)
{
	(void)state;
	if (!has_malloc())
		return;
	assert_true(maps(3 * MIB));
	trial_malloc.to_b(0);
	assert_false(maps(40 * MIB));           /* never mapped otherwise */
	assert_true(trial_malloc.memory() > 0);
	trial_malloc.to_a(0);
	assert_true(trial_malloc.verify(&told));
	assert_true(maps_after_release(40 * MIB));
}

static void the_threshold_goes_on_rising(void **state)
{
	(void)state;
	if (!has_malloc())
		return;
	/* More than twice the threshold each time, which the heap keeps. */
	for (size_t size = 7 * MIB; size < 32 * MIB; size = 2 * size + MIB) {
		trial_malloc.to_b(0);
		assert_false(maps(size));
		trial_malloc.put_back();
		assert_true(maps_after_release(size));
		assert_false(maps(size));       /* glibc has raised it */
	}
}

static void what_the_program_sets_itself_stays(void **state)
{
	(void)state;
	if (!has_malloc())
		return;
	trial_malloc.to_b(0);
	assert_int_equal(mallopt(M_MMAP_MAX, 100), 1);
	trial_malloc.put_back();
	assert_false(trial_malloc.verify(&told));
	assert_true(maps_after_release(40 * MIB));      /* 100 is in force, not 0 */
	trial_malloc.to_b(0);
	trial_malloc.put_back();
	assert_true(trial_malloc.verify(&told));
}

static int set_up(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	return pscm_shm ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	shared_memory_free(pscm_shm);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_schedule_is_run_in_its_order),
		cmocka_unit_test(a_void_execution_comes_again),
		cmocka_unit_test(the_phase_is_left_in_state_a),
		cmocka_unit_test(an_agent_that_is_gone_ends_the_trial),
		cmocka_unit_test(only_a_complete_schedule_keeps_its_state),
		cmocka_unit_test(a_child_is_put_back_once),
		cmocka_unit_test(executions_within_a_long_switch_do_not_count),
		cmocka_unit_test(a_long_switch_is_put_back_where_the_phase_is_left),
		cmocka_unit_test(a_switch_that_changes_no_page_ends_the_trial),
		cmocka_unit_test(pages_are_put_back_before_a_fork),
		cmocka_unit_test(what_the_program_changed_is_told),
		cmocka_unit_test(wrong_requests_change_nothing),
		cmocka_unit_test(malloc_keeps_blocks_and_goes_back),
		cmocka_unit_test(the_threshold_goes_on_rising),
		cmocka_unit_test(what_the_program_sets_itself_stays),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
