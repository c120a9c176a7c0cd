/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes of place: which make sense for a structure, and what they save, by made-up flows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/findings/whatif_try.h"
#include "analysis/measure/flow_nodes.h"
#include "machine/machine.h"

enum { OBJECT = MON_OBJ_FIRST };

/* The neighbours: a phase of 1000 cycles of memory, 400 of them for the structure. */
static struct machine machine;
static struct measurements measured = { .machine = &machine };
static struct flow_interval interval;
static struct flow flow;
static uint32_t users, user_nodes;
static bool has_flow, has_counts;
static struct whatif out;
static char refused[400];

struct flow *flow_new(const struct measurements *p, uint32_t context, uint32_t object)
{
	(void)context;
	flow.measured = p;
	flow.object = object;
	return has_flow ? &flow : NULL;
}

void flow_free(struct flow *f)
{
	(void)f;
}

uint32_t flow_users(const struct flow *f)
{
	(void)f;
	return users;
}

uint32_t flow_user_nodes(const struct flow *f)
{
	(void)f;
	return user_nodes;
}

uint32_t flow_user_node(const struct flow *f)
{
	(void)f;
	return user_nodes == 1 ? 1 : UINT32_MAX;
}

uint32_t flow_home(const struct flow *f)
{
	(void)f;
	return 0;
}

double flow_cycles(const struct flow *f, enum flow_placement where)
{
	static const double cycles[] = { [FLOW_AS_IT_IS] = 300, [FLOW_AT_USERS] = 200,
		[FLOW_INTERLEAVED] = 250, [FLOW_TOGETHER] = 220 };

	return f->first == 99 ? NAN : cycles[where];
}

bool measured_tally(const struct measurements *p, uint32_t context, uint32_t object,
	struct tally *t)
{
	(void)p;
	(void)context;
	*t = (struct tally){ .estimate.stall = object == MON_ANY ? 10 : 4 };
	return has_counts;
}

double tally_stall_cycles(const struct measurements *p, const struct tally *t)
{
	(void)p;
	return 100 * t->estimate.stall;
}

double measured_memory_time(const struct measurements *p)
{
	(void)p;
	return 2;
}

struct trial *whatif_add(struct whatif *w, uint32_t object, enum fix fix)
{
	struct trial *t = &w->trial[w->ntrials++];

	*t = (struct trial){ .object = object, .fix = fix, .node = UINT32_MAX };
	return t;
}

void whatif_refuse(struct whatif *w, uint32_t object, enum fix fix, const char *why)
{
	(void)w;
	(void)object;
	(void)fix;
	snprintf(refused, sizeof refused, "%s", why);
}

static int set_up(void **state)
{
	(void)state;
	machine.flat.nodes.count = 2;
	machine.flat.pages = MACHINE_PAGES_FIRST_TOUCH;
	interval = (struct flow_interval){ .reads = 1000 };
	flow = (struct flow){ .threads = 4, .interval = &interval, .nintervals = 1 };
	users = 4;
	user_nodes = 2;
	has_flow = has_counts = true;
	memset(&out, 0, sizeof out);
	refused[0] = '\0';
	return 0;
}

static const struct trial *try(enum fix fix)
{
	out.ntrials = 0;
	whatif_try_places(&out, &measured, OBJECT, fix, true);
	return out.ntrials ? &out.trial[0] : NULL;
}

static void what_a_change_saves_is_its_part_of_the_structure(void **state)
{
	const struct trial *t = try(FIX_INTERLEAVE);

	(void)state;
	assert_non_null(t);
	assert_true(t->done);
	assert_float_equal(t->stall, 1000, 1e-9);
	assert_float_equal(t->own, 400, 1e-9);
	assert_float_equal(t->with, 1000 - 50, 1e-9);           /* 50 of 400 cycles */
	assert_float_equal(t->memory_with, 2 * (1 - 0.125 * 0.4), 1e-9);
	assert_int_equal(t->node, UINT32_MAX);
	assert_string_equal(t->change, "pages over all nodes in turn");
}

static void a_copy_is_for_what_nobody_writes(void **state)
{
	(void)state;
	assert_non_null(try(FIX_REPLICATE));
	interval.writes = 100;
	assert_null(try(FIX_REPLICATE));
	assert_string_equal(refused, "it is written: copies would have to be kept alike");
}

static void own_nodes_are_for_one_user_or_parts_of_their_own(void **state)
{
	(void)state;
	flow.locality.one_user = 0.2;
	assert_null(try(FIX_BIND));
	assert_string_equal(refused, "several threads use the same parts of it");
	flow.locality.one_user = 0.9;
	assert_string_equal(try(FIX_BIND)->change,
		"each part on the node of the thread that uses it");
	assert_int_equal(try(FIX_BIND)->node, UINT32_MAX);
	users = user_nodes = 1;
	flow.locality.one_user = NAN;
	assert_string_equal(try(FIX_BIND)->change, "on the node of the thread that uses it");
	assert_int_equal(try(FIX_BIND)->node, 1);
}

static void threads_move_where_they_run_apart(void **state)
{
	(void)state;
	assert_float_equal(try(FIX_THREADS)->with, 1000 - 80, 1e-9);    /* all of them: together */
	assert_int_equal(try(FIX_THREADS)->node, 0);
	users = 2;                      /* a group takes what it shares along */
	assert_float_equal(try(FIX_THREADS)->with, 1000 - 100, 1e-9);
	users = 4;
	flow.locality.group = 0.9;      /* several groups */
	assert_float_equal(try(FIX_THREADS)->with, 1000 - 100, 1e-9);
	user_nodes = 1;
	assert_null(try(FIX_THREADS));
	assert_string_equal(refused, "the threads that use it run on one node already");
}

static void what_is_not_known_is_said(void **state)
{
	(void)state;
	has_counts = false;
	assert_null(try(FIX_INTERLEAVE));
	assert_string_equal(refused, "it has no accesses in the phase");
	has_counts = true;
	flow.first = 99;
	assert_null(try(FIX_INTERLEAVE));
	assert_string_equal(refused, "the memory nodes of its pages are not known");
	has_flow = false;
	assert_null(try(FIX_INTERLEAVE));
	assert_string_equal(refused, "which thread uses it when is not known");
	machine.flat.nodes.count = 1;
	assert_null(try(FIX_INTERLEAVE));
	assert_string_equal(refused, "the machine has one memory node");
	machine.flat.nodes.count = 2;
	machine.flat.pages = MACHINE_PAGES_VIRTUAL;
	assert_null(try(FIX_INTERLEAVE));
	assert_string_equal(refused,
		"the machine model has no page placement (pages=\"virtual\")");
}

static void what_nobody_named_is_left_out_in_silence(void **state)
{
	(void)state;
	interval.writes = 100;
	whatif_try_places(&out, &measured, OBJECT, FIX_REPLICATE | FIX_INTERLEAVE, false);
	assert_int_equal(out.ntrials, 1);
	assert_int_equal(out.trial[0].fix, FIX_INTERLEAVE);
	assert_string_equal(refused, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(what_a_change_saves_is_its_part_of_the_structure, set_up),
		cmocka_unit_test_setup(a_copy_is_for_what_nobody_writes, set_up),
		cmocka_unit_test_setup(own_nodes_are_for_one_user_or_parts_of_their_own, set_up),
		cmocka_unit_test_setup(threads_move_where_they_run_apart, set_up),
		cmocka_unit_test_setup(what_is_not_known_is_said, set_up),
		cmocka_unit_test_setup(what_nobody_named_is_left_out_in_silence, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
