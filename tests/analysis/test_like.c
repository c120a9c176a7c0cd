/* SPDX-License-Identifier: BSD-3-Clause */
/* Unlike executions: which clean ones are like the counted one, by calls, by turns, by position. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/findings/findings.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "main", "app.c", 4, 90,
		FIXTURE_REGION(1, "loop", "", "app.c", 9, 80,
			FIXTURE_REGION(1, "call", "work", "app.c", 20, 20, "")
			FIXTURE_REGION(1, "call", "output", "app.c", 30, 30, ""))));

enum { R_MAIN, R_PHASE, R_WORK, R_OUTPUT, NREGIONS };
enum { C_PHASE, C_WORK, C_OUTPUT, NCONTEXTS };
enum { FIRST = 2, COUNTED = 8, MOST = 16 };

static const char properties[] =
"class SeqPerf { float exec_time [s]; };\n"
"PROPERTY Any(SeqPerf s) { CONDITION: s.exec_time > 0; CONFIDENCE: 1; SEVERITY: s.exec_time; }\n";

static int set_up(void **state)
{
	static struct fixture f;

	if (fixture_open(&f, sir_text, NREGIONS, properties))
		return -1;
	fixture_cache(&f);
	*state = &f;
	return 0;
}

static struct measurements *make(const struct fixture *f)
{
	static const struct fixture_context contexts[NCONTEXTS] = {
		[C_PHASE] = { NO_CONTEXT, R_PHASE }, [C_WORK] = { C_PHASE, R_WORK }, [C_OUTPUT] = { C_PHASE, R_OUTPUT },
	};

	return fixture_measurements(f, 0, 1, contexts, NCONTEXTS);
}

struct step { double work, output; };   /* ns; output 0: it is not called */

static void add_times(struct measurements *p, uint64_t first, const struct step *steps, uint32_t n)
{
	struct mon_time_row rows[MOST * NCONTEXTS];
	struct mon_result r = { .state = MON_DONE, .kind = MON_TIME, .executions = n, .ran_first = first,
		.times = rows };

	for (uint32_t e = 0; e < n; e++) {
		uint64_t work = (uint64_t)steps[e].work, output = (uint64_t)steps[e].output, all = work + output + 10;

		r.phase_ns[e] = all;
		rows[r.ntimes++] = (struct mon_time_row){ .context = C_PHASE, .execution = e, .wall_ns = all,
			.cpu_ns = all, .calls = 1 };
		rows[r.ntimes++] = (struct mon_time_row){ .context = C_WORK, .execution = e, .wall_ns = work,
			.cpu_ns = work, .calls = 3 };
		if (output)
			rows[r.ntimes++] = (struct mon_time_row){ .context = C_OUTPUT, .execution = e,
				.wall_ns = output, .cpu_ns = output, .calls = 1 };
	}
	assert_int_equal(measured_add_times(p, &r, NULL), 0);
}

static void add_counts(struct measurements *p, uint32_t executions, bool output)
{
	struct mon_time_row calls[] = { { .context = C_WORK, .calls = 3 }, { .context = C_OUTPUT, .calls = 1 } };
	struct mon_count_row row = { .context = C_WORK, .object = MON_OBJ_HEAP, .loads = 100, .load_miss = { 50 } };
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .executions = executions, .ran_first = COUNTED,
		.records = 100, .words = 100, .counts = &row, .ncounts = 1, .times = calls, .ntimes = 1 + output };

	assert_int_equal(measured_add_counts(p, &r, NULL, 0, NULL), 0);
}

static struct measurements *measured(void **state, const struct step *before, uint32_t nbefore, bool output,
	const struct step *after, uint32_t nafter)
{
	struct measurements *p = make(*state);

	p->modelled = false;
	add_times(p, FIRST, before, nbefore);
	add_counts(p, 1, output);
	if (nafter)
		add_times(p, COUNTED + 2, after, nafter);
	return p;
}

static double ns(double seconds)
{
	return round(seconds * 1e9);
}

static const char *words(struct measurements *p)
{
	static char text[200];
	struct report *r = report_new();

	assert_int_equal(findings_executions(p, r), 0);
	snprintf(text, sizeof text, "%s", r->unlike ? r->unlike : "");
	report_free(r);
	return text;
}

static void noise_and_an_outlier_are_no_difference(void **state)
{
	static const struct step noisy[] = { { 1000, 0 }, { 1190, 0 }, { 1010, 0 }, { 1150, 0 }, { 1020, 0 } };
	static const struct step outlier[] = { { 1000, 0 }, { 1010, 0 }, { 9000, 0 }, { 1030, 0 }, { 1020, 0 } };
	struct measurements *p = measured(state, noisy, 5, false, NULL, 0);

	assert_false(like_differ(p));
	assert_true(p->like.how == LIKE_ALL && ns(measured_exec(p, C_WORK)) == 1020);
	assert_string_equal(words(p), "");
	measured_free(p);
	p = measured(state, outlier, 5, false, NULL, 0);
	assert_false(like_differ(p));
	assert_true(ns(measured_exec(p, C_WORK)) == 1020);
	measured_free(p);
}

static void where_times_grow_they_are_on_the_line_between_the_neighbours(void **state)
{
	static const struct step before[] = { { 200, 50 }, { 300, 50 }, { 400, 50 }, { 500, 50 }, { 600, 50 } };
	static const struct step after[] = { { 1000, 50 }, { 1100, 50 } };
	struct measurements *p = measured(state, before, 5, true, after, 2);
	struct tally all;

	assert_true(like_differ(p) && p->like.how == LIKE_LINE);
	assert_true(ns(measured_exec(p, C_WORK)) == 800 && ns(measured_exec(p, C_OUTPUT)) == 50);
	assert_true(ns(measured_cpu(p, C_PHASE)) == 860 && ns(measured_phase_wall(p)) == 860);
	assert_true(ns(measured_thread_cpu(p, C_WORK, 0)) == 800);
	/* the estimate's base sums over the regions */
	assert_true(measured_tally(p, C_PHASE, MON_ANY, &all) && ns(all.estimate.time) == 860);
	assert_true(measured_tally(p, C_WORK, MON_ANY, &all) && ns(all.estimate.time) == 800);
	assert_true(isnan(measured_spread(p, C_PHASE)) && isnan(measured_team_spread(p, C_PHASE)));
	assert_string_equal(words(p), "shares are of execution 8; its times lie between those of executions 5, 6, 10 and 11");
	measured_free(p);
}

static void without_later_executions_the_nearest_is_taken(void **state)
{
	static const struct step before[] = { { 200, 0 }, { 300, 0 }, { 400, 0 }, { 500, 0 }, { 600, 0 } };
	struct measurements *p = measured(state, before, 5, false, NULL, 0);

	assert_true(ns(measured_exec(p, C_WORK)) == 600);
	assert_string_equal(words(p), "shares are of execution 8; its times are those of execution 6, the nearest that was timed");
	measured_free(p);
}

static void executions_that_take_turns_are_told_apart(void **state)
{
	static const struct step two[] = { { 900, 0 }, { 100, 0 }, { 910, 0 }, { 110, 0 }, { 920, 0 } };
	static const struct step three[] = { { 900, 0 }, { 100, 0 }, { 100, 0 }, { 910, 0 }, { 110, 0 } };
	struct measurements *p = measured(state, two, 5, false, NULL, 0);

	assert_true(p->like.how == LIKE_SOME && ns(measured_exec(p, C_WORK)) == 910);
	assert_string_equal(words(p), "shares are of execution 8; its times are those of executions 2, 4 and 6, of its kind");
	measured_free(p);
	p = measured(state, three, 5, false, NULL, 0);
	assert_true(p->like.how == LIKE_SOME && ns(measured_exec(p, C_WORK)) == 905);
	measured_free(p);
}

static void executions_that_call_the_same_are_alike(void **state)
{
	static const struct step steps[] = { { 100, 0 }, { 100, 0 }, { 100, 800 }, { 110, 0 }, { 105, 0 } };
	struct measurements *p = measured(state, steps, 5, true, NULL, 0);

	/* by its time it would be an outlier */
	assert_true(p->like.how == LIKE_SOME && p->like.by_calls);
	assert_true(ns(measured_exec(p, C_OUTPUT)) == 800 && ns(measured_phase_time(p)) == 910);
	assert_string_equal(words(p), "shares are of execution 8; its times are those of execution 4, which calls the same");
	measured_free(p);
	p = measured(state, steps, 5, false, NULL, 0);
	assert_true(ns(measured_phase_time(p)) == 113 && ns(measured_exec(p, C_OUTPUT)) == 0);
	assert_string_equal(words(p),
		"shares are of execution 8; its times are those of executions 2, 3, 5 and 6, which call the same");
	measured_free(p);
}

/* A call that takes nothing does not matter. */
static void other_calls_matter_by_their_time(void **state)
{
	static const struct step steps[] = { { 1000, 0 }, { 1000, 50 }, { 1000, 0 }, { 1000, 50 }, { 1000, 0 } };
	struct measurements *p = measured(state, steps, 5, true, NULL, 0);

	assert_true(p->like.how == LIKE_ALL);
	assert_false(like_differ(p));
	measured_free(p);
}

static void several_counted_executions_are_like_none(void **state)
{
	static const struct step before[] = { { 200, 0 }, { 300, 0 }, { 400, 0 }, { 500, 0 }, { 600, 0 } };
	struct measurements *p = make(*state);

	add_times(p, FIRST, before, 5);
	assert_true(like_differ(p));
	assert_string_equal(words(p), "");
	add_counts(p, 4, false);
	assert_true(p->like.how == LIKE_ALL && ns(measured_exec(p, C_WORK)) == 400);
	assert_string_equal(words(p), "counts and times are of different executions");
	measured_free(p);
}

static void after_lost_accesses_nothing_is_estimated(void **state)
{
	static const struct step steps[] = { { 1000, 0 }, { 1000, 0 }, { 1000, 0 }, { 1000, 0 }, { 1000, 0 } };
	struct measurements *p = measured(state, steps, 5, false, NULL, 0);

	assert_true(p->estimated && measured_phase_cpu(p) > 0);
	assert_int_equal(fixture_lost(p, 0, 4), 0);
	assert_true(p->estimated);
	assert_int_equal(fixture_lost(p, 0, 4), 0);
	assert_true(measured_lossy(p) && !p->estimated);
	assert_true(isnan(measured_phase_cpu(p)) && isnan(measured_memory_time(p)));
	measured_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_and_an_outlier_are_no_difference),
		cmocka_unit_test(where_times_grow_they_are_on_the_line_between_the_neighbours),
		cmocka_unit_test(without_later_executions_the_nearest_is_taken),
		cmocka_unit_test(executions_that_take_turns_are_told_apart),
		cmocka_unit_test(executions_that_call_the_same_are_alike),
		cmocka_unit_test(other_calls_matter_by_their_time),
		cmocka_unit_test(several_counted_executions_are_like_none),
		cmocka_unit_test(after_lost_accesses_nothing_is_estimated),
	};

	return cmocka_run_group_tests(tests, set_up, fixture_tear_down);
}
