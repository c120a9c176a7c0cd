/* SPDX-License-Identifier: BSD-3-Clause */
/* The statistics of trials, and whole trials over simulated programs whose true effect is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trials/actions.h"
#include "analysis/trials/coin.h"
#include "analysis/trials/cpu_order.h"
#include "analysis/trials/settle.h"
#include "analysis/trials/signed_rank.h"
#include "analysis/trials/trial_plan.h"

/* --- the signed-rank interval ----------------------------------------------------------------- */

/* Two-sided critical values as published tables have them. */
static void cuts_are_those_of_the_published_tables(void **state)
{
	(void)state;
	assert_int_equal(signed_rank_cut(6, 0.95), 0);
	assert_int_equal(signed_rank_cut(8, 0.95), 3);
	assert_int_equal(signed_rank_cut(8, 0.98), 1);
	assert_int_equal(signed_rank_cut(10, 0.95), 8);
	assert_int_equal(signed_rank_cut(16, 0.98), 23);
	assert_int_equal(signed_rank_cut(20, 0.98), 43);
	assert_int_equal(signed_rank_cut(25, 0.95), 89);
}

/* Counts the signs one by one. */
static void confidences_are_counted_exactly(void **state)
{
	(void)state;
	for (uint32_t n = 1; n <= 12; n++)
		for (int cut = 0; cut <= (int)n; cut++) {
			uint32_t less = 0;

			for (uint32_t signs = 0; signs < 1u << n; signs++) {
				int sum = 0;

				for (uint32_t i = 0; i < n; i++)
					sum += signs >> i & 1 ? (int)i + 1 : 0;
				less += sum <= cut;
			}
			assert_true(fabs(signed_rank_confidence(n, cut) - (1 - 2.0 * less / (1u << n))) < 1e-12);
		}
}

static void too_few_differences_give_all_they_have(void **state)
{
	static const double d[] = { 3, 1, 2, 4 };
	const struct centre c = signed_rank_centre(d, 4, 0.98);

	(void)state;
	assert_int_equal(signed_rank_cut(4, 0.98), -1);
	assert_true(c.low == 1 && c.high == 4 && c.value == 2.5);
	assert_true(c.confidence == 1 - 2.0 / 16);
}

static void an_outlier_moves_the_centre_little(void **state)
{
	double d[] = { 0.9, 1.0, 1.1, 1.0, 0.95, 1.05, 1.0, 1000 };
	const struct centre c = signed_rank_centre(d, 8, 0.95);

	(void)state;
	assert_true(c.value > 0.99 && c.value < 1.06);
	assert_true(c.low > 0.9);
}

/* --- settling ---------------------------------------------------------------------------------- */

static void a_step_settles_where_it_ends(void **state)
{
	double time[16];

	(void)state;
	for (int i = 0; i < 16; i++)
		time[i] = i < 3 ? 25 : 1;
	assert_int_equal(settle_point(time, 16), 2);    /* the median of four has one of them */
	for (int i = 0; i < 16; i++)
		time[i] = i < 1 ? 25 : 1;
	assert_int_equal(settle_point(time, 16), 0);
	for (int i = 0; i < 16; i++)
		time[i] = 100 - i * 5;
	assert_int_equal(settle_point(time, 16), -1);
}

static void executions_are_discarded_by_number_and_by_time(void **state)
{
	(void)state;
	assert_int_equal(settle_discard(0, 0.003), 10);         /* 30 ms */
	assert_int_equal(settle_discard(0, 0.010), 5);
	assert_int_equal(settle_discard(0, 0.100), 2);
	assert_int_equal(settle_discard(8, 0.100), 11);         /* 1.25 x 8, and one */
	assert_int_equal(settle_discard(20, 0.003), 26);
}

static void the_coin_is_fair_and_repeats_with_its_seed(void **state)
{
	struct coin a = coin_seed(7), b = coin_seed(7);
	int heads = 0, changes = 0;
	bool last = false;

	(void)state;
	for (int i = 0; i < 10000; i++) {
		bool head = coin_throw(&a);

		assert_true(head == coin_throw(&b));
		heads += head;
		changes += i && head != last;
		last = head;
	}
	assert_in_range(heads, 4800, 5200);
	assert_in_range(changes, 4800, 5200);
}

/* --- simulated programs ------------------------------------------------------------------------ */

/* A program of which an execution takes `base` seconds, times factors. */
struct program {
	double base;
	double effect;          /* of state B: log of the factor */
	double noise, follows;  /* of the logarithm: deviation; what of it stays in the next execution */
	double drift;           /* of the logarithm, an execution */
	int period;             /* every n-th execution takes 1.3 times as long; 0: none */
	double spikes;          /* share of executions that take 1.5 times as long */
	double warm, decays;    /* behind a switch: log of the factor, and seconds until it has fallen to 1/e */
	uint32_t ends;          /* executions that it has; 0: no limit */
	/* What goes on. */
	uint64_t random;
	double left, at, since;
	uint32_t executed;
	bool b;
};

static double uniform(struct program *p)
{
	p->random = p->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ldexp((double)(p->random >> 11), -53);
}

static double normal(struct program *p)
{
	return sqrt(-2 * log(1 - uniform(p))) * cos(6.283185307179586 * uniform(p));
}

static double execute(struct program *p, bool b)
{
	double log_time;

	if (b != p->b)
		p->since = 0;
	p->b = b;
	p->left = p->follows * p->left + sqrt(1 - p->follows * p->follows) * normal(p);
	log_time = (b ? p->effect : 0) + p->noise * p->left + p->drift * p->executed;
	if (p->decays > 0)
		log_time += p->warm * exp(-p->since / p->decays);
	if (p->period && p->executed % (uint32_t)p->period == 0)
		log_time += log(1.3);
	if (uniform(p) < p->spikes)
		log_time += log(1.5);
	p->executed++;
	p->since += p->base;
	return p->base * exp(log_time);
}

/* Runs a schedule as the monitor does. */
static void run_schedule(const struct action_trial *t, struct program *p, struct mon_result *r)
{
	static struct mon_trial_row rows[MON_TRIAL_ROWS];

	*r = (struct mon_result){ .trials = rows };
	for (uint32_t s = 0; s < t->nschedule; s++) {
		const struct mon_trial_slot *slot = &t->schedule[s];
		struct mon_trial_row sum = { .slot = s };

		for (uint32_t i = 0; i < slot->discard + slot->keep; i++) {
			uint64_t ns;

			if (p->ends && p->executed == p->ends)
				return;
			ns = (uint64_t)(execute(p, slot->b) * 1e9);
			if (i < slot->discard) {
				sum.wall_ns += ns;
				sum.cpu_ns += ns;
				sum.discarded++;
				if (sum.discarded == slot->discard)
					rows[r->ntrials++] = sum;
			} else {
				rows[r->ntrials++] = (struct mon_trial_row){ .slot = s, .wall_ns = ns,
					.cpu_ns = ns, .memory = slot->b ? 5000 : 1000 };
			}
		}
	}
	p->b = false;           /* put back: the next request finds A, maybe warm */
}

static void run_trial(struct action_trial *t, struct program p, uint64_t seed)
{
	const struct trial_want want = { .action = TRIED_MALLOC, .how = MON_ACTION_MALLOC, .warms = true,
		.seconds = p.base, .confidence = 0.98, .seed = seed };
	struct mon_result r;

	p.random = seed * 77 + 1;
	trial_begin(t, &want);
	while (trial_next(t)) {
		run_schedule(t, &p, &r);
		trial_take(t, &r);
		if (p.ends && p.executed == p.ends)
			break;
	}
	trial_end(t);
}

struct outcomes {
	int verdict[TRIAL_VERDICTS];
	int covered;            /* intervals that contain the truth */
	int executions;
};

static struct outcomes many(const struct program *p, int n)
{
	struct outcomes all = { 0 };

	for (int i = 0; i < n; i++) {
		static struct action_trial t;

		run_trial(&t, *p, (uint64_t)i + 1);
		all.verdict[t.verdict]++;
		all.covered += t.centre.low <= p->effect && p->effect <= t.centre.high;
		all.executions += (int)t.executions;
	}
	return all;
}

enum { TRIALS = 1000 };

/* At most so many gains, and as many losses, of 1000 trials of an action that changes nothing.  Each of
 * four looks errs in 2 of 100; noise that follows itself for long makes it more. */
static void assert_seldom(int most, const struct program *p)
{
	const struct outcomes all = many(p, TRIALS);

	assert_in_range(all.verdict[TRIAL_GAIN], 0, most);
	assert_in_range(all.verdict[TRIAL_LOSS], 0, most);
	assert_in_range(all.verdict[TRIAL_REFUSED], 0, 0);
}

static void noise_is_seldom_an_effect(void **state)
{
	(void)state;
	assert_seldom(5, &(struct program){ .base = 0.003, .noise = 0.02 });
	assert_seldom(35, &(struct program){ .base = 0.003, .noise = 0.10 });
	assert_seldom(10, &(struct program){ .base = 0.200, .noise = 0.05 });
}

static void noise_that_follows_itself_and_drifts_is_seldom_an_effect(void **state)
{
	(void)state;
	assert_seldom(40, &(struct program){ .base = 0.003, .noise = 0.08, .follows = 0.5 });
	assert_seldom(50, &(struct program){ .base = 0.003, .noise = 0.08, .follows = 0.95 });
	assert_seldom(10, &(struct program){ .base = 0.003, .noise = 0.03, .follows = 0.3, .drift = 0.001 });
	assert_seldom(15, &(struct program){ .base = 0.003, .noise = 0.03, .spikes = 0.15 });
}

static void a_period_of_the_program_is_seldom_an_effect(void **state)
{
	(void)state;
	assert_seldom(5, &(struct program){ .base = 0.010, .noise = 0.02, .period = 4 });
	assert_seldom(5, &(struct program){ .base = 0.010, .noise = 0.02, .period = 12 });
	assert_seldom(5, &(struct program){ .base = 0.050, .noise = 0.02, .period = 6 });
}

/* The first executions behind a switch take longer, or less, in either state. */
static void a_warm_up_is_seldom_an_effect(void **state)
{
	(void)state;
	assert_seldom(5, &(struct program){ .base = 0.001, .noise = 0.02, .warm = 0.5, .decays = 0.008 });
	assert_seldom(5, &(struct program){ .base = 0.020, .noise = 0.02, .warm = -1.0, .decays = 0.010 });
	assert_seldom(15, &(struct program){ .base = 0.003, .noise = 0.02, .warm = 1.0, .decays = 0.030 });
}

static void effects_are_found_with_intervals_that_hold(void **state)
{
	static const struct { double effect; int found; } cases[] = {
		{ -0.05, 950 }, { -0.10, 990 }, { -3.0, 1000 }, { 0.08, 990 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct program p = { .base = 0.003, .noise = 0.03, .follows = 0.4, .effect = cases[i].effect };
		const struct outcomes all = many(&p, TRIALS);

		assert_true(all.verdict[p.effect < 0 ? TRIAL_GAIN : TRIAL_LOSS] >= cases[i].found);
		assert_true(all.covered >= TRIALS * 94 / 100);
	}
}

static void what_matters_little_is_nothing(void **state)
{
	const struct outcomes all = many(&(struct program){ .base = 0.003, .noise = 0.005, .effect = -0.004 }, TRIALS);

	(void)state;
	assert_true(all.verdict[TRIAL_NULL] >= TRIALS * 98 / 100);
}

static void a_state_that_never_settles_gets_no_verdict(void **state)
{
	static struct action_trial t;

	(void)state;
	run_trial(&t, (struct program){ .base = 0.001, .noise = 0.001, .warm = 3, .decays = 0.3 }, 3);
	assert_int_equal(t.verdict, TRIAL_UNDECIDED);
	assert_int_equal(t.reason, TRIAL_UNSETTLED);
}

static void a_program_that_ends_early_is_judged_by_what_there_is(void **state)
{
	static struct action_trial t;

	(void)state;
	run_trial(&t, (struct program){ .base = 0.05, .noise = 0.01, .effect = -2, .ends = 60 }, 3);
	assert_int_equal(t.verdict, TRIAL_REFUSED);
	assert_int_equal(t.reason, TRIAL_ENDED);
	run_trial(&t, (struct program){ .base = 0.01, .noise = 0.2, .effect = -0.02, .ends = 400 }, 3);
	assert_int_equal(t.verdict, TRIAL_UNDECIDED);
	assert_int_equal(t.reason, TRIAL_ENDED);
	assert_true(t.npairs >= 8);
}

static void discarded_executions_are_charged(void **state)
{
	static struct action_trial t;

	(void)state;
	run_trial(&t, (struct program){ .base = 0.010, .noise = 1e-4, .effect = -2 }, 3);
	assert_true(t.cost < 0.01);
	run_trial(&t, (struct program){ .base = 0.010, .noise = 1e-4, .effect = -2, .warm = 1, .decays = 0.01 }, 3);
	assert_true(t.cost > 0.05);
}

/* A: 1.1 s, so that a slot is one execution, and few are discarded. */
static void long_executions_are_few(void **state)
{
	static struct action_trial t;

	(void)state;
	run_trial(&t, (struct program){ .base = 1.1, .noise = 0.01, .effect = -0.2 }, 5);
	assert_int_equal(t.verdict, TRIAL_GAIN);
	assert_in_range(t.executions, 40, 90);
}

static void a_gain_can_stay(void **state)
{
	struct program p = { .base = 0.01, .noise = 0.01, .effect = -1 };
	const struct trial_want want = { .action = TRIED_MALLOC, .how = MON_ACTION_MALLOC, .keep = true,
		.seconds = p.base, .confidence = 0.98, .seed = 5 };
	static struct action_trial t;
	struct mon_result r;

	(void)state;
	p.random = 1;
	trial_begin(&t, &want);
	while (trial_next(&t)) {
		run_schedule(&t, &p, &r);
		if (t.stage == TRIAL_KEEPS) {
			assert_int_equal(t.nschedule, 1);
			assert_int_equal(t.schedule[0].b, 1);
			r.trial.kept = 1;
		}
		trial_take(&t, &r);
	}
	assert_int_equal(t.verdict, TRIAL_GAIN);
	assert_true(t.kept);
}

/* --- actions ----------------------------------------------------------------------------------- */

static void actions_have_names(void **state)
{
	struct tried_want w;
	struct err err;

	(void)state;
	assert_int_equal(action_parse("malloc", &w, &err), 0);
	assert_true(w.action == TRIED_MALLOC && !w.structure[0]);
	assert_int_equal(action_parse(NULL, &w, &err), 0);
	assert_int_equal(w.action, TRIED_NOTHING);
	assert_int_equal(action_parse("field::table:pages=2M", &w, &err), 0);
	assert_int_equal(w.action, TRIED_LARGE_PAGES);
	assert_string_equal(w.structure, "field::table");
	assert_int_equal(action_parse("mallok", &w, &err), -1);
	assert_string_equal(err.text,
		"--try takes one of malloc, STRUCTURE:pages=2M, STRUCTURE:interleave, STRUCTURE:bind=N, STRUCTURE:local, "
		"threads:spread, threads:compact, threads:pin, or nothing, not 'mallok'");
	assert_int_equal(action_parse("threads:pin", &w, &err), 0);
	assert_true(w.action == TRIED_PIN && !w.structure[0]);
	assert_int_equal(action_parse("a:bind=3", &w, &err), 0);
	assert_true(w.action == TRIED_ONE_NODE && w.node == 3);
	assert_string_equal(w.structure, "a");
	assert_int_equal(action_parse("a:bind", &w, &err), -1);
	assert_int_equal(action_parse("a:bind=1024", &w, &err), -1);
	assert_int_equal(action_parse("a:local=1", &w, &err), -1);
	assert_int_equal(action_parse("pages=2M", &w, &err), -1);
	assert_int_equal(action_parse("table:malloc", &w, &err), -1);
	assert_int_equal(action_parse("field::pages=2M", &w, &err), -1);
}

/* Two nodes of two cores, each with two hardware threads, as kernels number them: thread by thread. */
static void threads_come_far_apart_or_close_together(void **state)
{
	struct cpu_place p[8];
	static const uint32_t close[8] = { 0, 4, 1, 5, 2, 6, 3, 7 }, far[8] = { 0, 2, 1, 3, 4, 6, 5, 7 };

	(void)state;
	for (int spread = 0; spread < 2; spread++) {
		for (uint32_t i = 0; i < 8; i++)
			p[i] = (struct cpu_place){ .cpu = i, .node = i % 4 / 2, .core = (uint64_t)(i % 4 / 2) << 32 | i % 2 };
		cpu_order(p, 8, spread);
		for (int i = 0; i < 8; i++)
			assert_int_equal(p[i].cpu, (spread ? far : close)[i]);
	}
	assert_int_equal(cpu_places("/nowhere", p, 8), 0);
}

/* Eight cores on two sockets of two nodes, and on two sockets that share a node. */
static void threads_that_are_spread_use_the_sockets_in_turn(void **state)
{
	struct cpu_place p[8];
	static const uint32_t far[2][8] = { { 0, 4, 2, 6, 1, 5, 3, 7 },
		{ 0, 4, 1, 5, 2, 6, 3, 7 } };

	(void)state;
	for (int k = 0; k < 4; k++) {
		const int one_node = k % 2, spread = k < 2;

		for (uint32_t i = 0; i < 8; i++)
			p[i] = (struct cpu_place){ .cpu = i, .node = one_node ? 0 : i / 2,
				.socket = i / 4, .core = i };
		cpu_order(p, 8, spread);
		for (uint32_t i = 0; i < 8; i++)
			assert_int_equal(p[i].cpu, spread ? far[one_node][i] : i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cuts_are_those_of_the_published_tables),
		cmocka_unit_test(confidences_are_counted_exactly),
		cmocka_unit_test(too_few_differences_give_all_they_have),
		cmocka_unit_test(an_outlier_moves_the_centre_little),
		cmocka_unit_test(a_step_settles_where_it_ends),
		cmocka_unit_test(executions_are_discarded_by_number_and_by_time),
		cmocka_unit_test(the_coin_is_fair_and_repeats_with_its_seed),
		cmocka_unit_test(noise_is_seldom_an_effect),
		cmocka_unit_test(noise_that_follows_itself_and_drifts_is_seldom_an_effect),
		cmocka_unit_test(a_period_of_the_program_is_seldom_an_effect),
		cmocka_unit_test(a_warm_up_is_seldom_an_effect),
		cmocka_unit_test(effects_are_found_with_intervals_that_hold),
		cmocka_unit_test(what_matters_little_is_nothing),
		cmocka_unit_test(a_state_that_never_settles_gets_no_verdict),
		cmocka_unit_test(a_program_that_ends_early_is_judged_by_what_there_is),
		cmocka_unit_test(discarded_executions_are_charged),
		cmocka_unit_test(long_executions_are_few),
		cmocka_unit_test(a_gain_can_stay),
		cmocka_unit_test(threads_come_far_apart_or_close_together),
		cmocka_unit_test(threads_that_are_spread_use_the_sockets_in_turn),
		cmocka_unit_test(actions_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
