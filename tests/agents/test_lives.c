/* SPDX-License-Identifier: BSD-3-Clause */
/* The life-cycles: every pair of state and event leads where this file says, or is ignored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "agents/lives.h"
#include "base/log.h"
#include "frontend/front_lives.h"

/* A row for each state, a letter for each event: the state after it, '.' where it is ignored. */
static void check_table(const struct life_cycle *c, const char *letters, const char *const *rows)
{
	assert_int_equal(strlen(letters), c->nstates);
	for (int state = 0; state < c->nstates; state++) {
		assert_int_equal(strlen(rows[state]), c->nevents);
		for (int event = 0; event < c->nevents; event++) {
			const char *at = strchr(letters, rows[state][event]);
			int now = state, want = at ? (int)(at - letters) : -1;

			if (life_cycle_next(c, state, event) != want)
				fail_msg("%s: %s, %s", c->name, c->states[state], c->events[event]);
			assert_int_equal(life_cycle_step(c, "1", &now, event), want >= 0);
			assert_int_equal(now, want >= 0 ? want : state);
		}
	}
}

static void every_step_of_a_process(void **state)
{
	/* needs, fix, settled, unanswered, over the limit, limit, stop, failure, exit, again, return */
	static const char *const rows[] = {
		[PROCESS_SEARCHING] = "SFR.LRRRD..",
		[PROCESS_FIXING] = "SFR.LRRRD..",
		[PROCESS_LAST] = "....LRRRD..",
		[PROCESS_DRAINING] = "CCCC.CCC.B.",
		[PROCESS_BETWEEN] = "..CC.CCC..S",
		[PROCESS_REPORTED] = "........C..",
		[PROCESS_CLOSED] = "...........",
	};

	(void)state;
	check_table(&process_life, "SFLDBRC", rows);
}

static void every_step_of_a_node_agent(void **state)
{
	/* configured, report sent, quit */
	static const char *const rows[] = {
		[NODE_WAITING] = "M.E", [NODE_MEASURING] = ".RE", [NODE_REPORTED] = "..E", [NODE_ENDING] = "..."
	};

	(void)state;
	check_table(&node_life, "WMRE", rows);
}

static void every_step_of_the_master(void **state)
{
	/* configuration, all ready, all reported, quit, front end lost */
	static const char *const rows[] = {
		[MASTER_WAITING] = "S..EE", [MASTER_STARTING] = ".M.EE", [MASTER_MEASURING] = "..REE",
		[MASTER_REPORTED] = "...EE", [MASTER_ENDING] = "....."
	};

	(void)state;
	check_table(&master_life, "WSMRE", rows);
}

static void every_step_of_the_agents_job(void **state)
{
	/* connected, all ready, progress, report, failure, retry */
	static const char *const rows[] = {
		[JOB_STARTING] = "C...F.", [JOB_CONNECTED] = ".R..F.", [JOB_READY] = "..MPF.",
		[JOB_MEASURING] = "..MPF.", [JOB_REPORTED] = "..P...", [JOB_FAILED] = "..FF.S"
	};

	(void)state;
	check_table(&job_life, "SCRMPF", rows);
}

static void every_step_of_the_application(void **state)
{
	static const char *const rows[] = {
		[APPLICATION_ABSENT] = "R.", [APPLICATION_RUNNING] = ".E", [APPLICATION_ENDED] = "R."
	};

	(void)state;
	check_table(&application_life, "ARE", rows);
}

/* From every state in which something is measured, a report or an end can be reached. */
static void no_state_is_a_trap(void **state)
{
	(void)state;
	for (int s = PROCESS_SEARCHING; s < PROCESS_REPORTED; s++) {
		int next = life_cycle_next(&process_life, s, EVENT_STOP);

		assert_true(next == PROCESS_REPORTED || next == PROCESS_CLOSED);
	}
	for (int s = MASTER_WAITING; s < MASTER_ENDING; s++)
		assert_int_equal(life_cycle_next(&master_life, s, MASTER_ORPHANED), MASTER_ENDING);
	for (int s = NODE_WAITING; s < NODE_ENDING; s++)
		assert_int_equal(life_cycle_next(&node_life, s, NODE_QUIT), NODE_ENDING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_step_of_a_process),
		cmocka_unit_test(every_step_of_a_node_agent),
		cmocka_unit_test(every_step_of_the_master),
		cmocka_unit_test(every_step_of_the_agents_job),
		cmocka_unit_test(every_step_of_the_application),
		cmocka_unit_test(no_state_is_a_trap),
	};

	log_setup("test", -1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
