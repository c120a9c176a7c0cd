/* SPDX-License-Identifier: BSD-3-Clause */
/* What the collectors request. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "asl/asl.h"
#include "collect/collector.h"

static const char stores[] =
	"class DataPerf { float stores; float overwritten_bytes; };"
	"PROPERTY Stores(DataPerf d) { CONDITION: d.stores > 1; CONFIDENCE: 1;"
	"  SEVERITY: d.stores; };";
static const char overwritten[] =
	"class DataPerf { float stores; float overwritten_bytes; };"
	"PROPERTY Dead(DataPerf d) { CONDITION: d.overwritten_bytes > 1; CONFIDENCE: 1;"
	"  SEVERITY: d.stores; };";

/* The host's properties; release() frees them. */
static struct attributes *properties(struct asl_program **program, const char *text, size_t length)
{
	const struct asl_source source = { "test.asl", text, length };
	struct attributes *a;

	*program = asl_compile(NULL, &source, 1, NULL, 0, asl_diag_print, stderr);
	assert_non_null(*program);
	a = attributes_new(*program);
	assert_non_null(a);
	return a;
}

static void release(struct asl_program *program, struct attributes *a)
{
	attributes_free(a);
	asl_free(program);
}

/* A collection of a host with that configuration, with one trial of --what-if. */
static void set_up(struct collection *c, struct collect_host *h, struct run_config *config, struct whatif *w)
{
	run_config_init(config);
	*h = (struct collect_host){ .config = config, .all = collectors };
	*w = (struct whatif){ .trial = { { .object = MON_OBJ_FIRST, .variant = { MON_OBJ_FIRST, MON_FIX_ABSENT, 0 } } }, .ntrials = 1 };
	*c = (struct collection){ .host = h, .whatif = w };
}

static void plans_ask_for_the_sample(void **state)
{
	const struct need all = { METRIC_COUNTS, MON_ANY, MON_ANY }, one = { METRIC_COUNTS, 0, MON_ANY };
	const struct needs everything = { &all, 1 }, some = { &one, 1 };
	struct plan_sizes sizes;
	const struct collect_moment now = { .sizes = &sizes };
	struct collect_host host;
	struct run_config config;
	struct collection c;
	struct whatif w;
	struct plan plan;
	struct asl_program *program;
	struct attributes *attributes = properties(&program, stores, sizeof stores - 1);

	(void)state;
	set_up(&c, &host, &config, &w);
	host.attributes = attributes;
	assert_int_equal(config.sample, 1);
	config.sample = 8;
	plan_sizes(&config, &sizes);
	assert_true(collector_sim.plan(&c, &now, &everything, &plan));
	assert_int_equal(plan.want.sample, 8);
	assert_int_equal(plan.want.first, 1 + sizes.delay + sizes.surveys + sizes.clean);
	assert_true(collector_sim.plan(&c, &now, &some, &plan));
	assert_int_equal(plan.want.sample, 8);
	assert_int_equal(plan.want.nfilters, 1);
	assert_false(plan.want.overwrites);
	config.counters = 1;
	assert_false(collector_sim.plan(&c, &now, &everything, &plan));
	release(program, attributes);
}

/* Does a plan for all counts follow every store, where these properties are tested? */
static bool follows_stores(const char *text, size_t length)
{
	const struct need all = { METRIC_COUNTS, MON_ANY, MON_ANY };
	const struct needs everything = { &all, 1 };
	struct plan_sizes sizes;
	const struct collect_moment now = { .sizes = &sizes };
	struct asl_program *program;
	struct attributes *attributes = properties(&program, text, length);
	struct collect_host host;
	struct run_config config;
	struct collection c;
	struct whatif w;
	struct plan plan;

	set_up(&c, &host, &config, &w);
	host.attributes = attributes;
	plan_sizes(&config, &sizes);
	assert_true(collector_sim.plan(&c, &now, &everything, &plan));
	release(program, attributes);
	return plan.want.overwrites;
}

static void overwritten_bytes_are_counted_where_a_property_reads_them(void **state)
{
	(void)state;
	assert_true(follows_stores(overwritten, sizeof overwritten - 1));
	assert_false(follows_stores(stores, sizeof stores - 1));
}

static void trials_are_never_of_a_sample(void **state)
{
	const struct need need = { METRIC_CHANGED, MON_ANY, MON_OBJ_FIRST };
	const struct needs needs = { &need, 1 };
	const struct collect_moment now = { .begun = 3 };
	struct collect_host host;
	struct run_config config;
	struct collection c;
	struct whatif w;
	struct plan plan;

	(void)state;
	set_up(&c, &host, &config, &w);
	config.sample = 8;
	assert_true(collector_variants.plan(&c, &now, &needs, &plan));
	assert_int_equal(plan.want.nvariants, 1);
	assert_int_equal(plan.want.first, 5);
	assert_int_equal(plan.want.sample, 0);
	assert_int_equal(plan.want.slow_percent, 0);
	w.trial[0].done = true;
	assert_false(collector_variants.plan(&c, &now, &needs, &plan));
}

static void those_that_are_named_come_first(void **state)
{
	const struct collector *order[COLLECTORS_MOST];
	struct err err;

	(void)state;
	assert_int_equal(collect_order(collectors, NULL, order, &err), 0);
	assert_ptr_equal(order[0], &collector_times);
	assert_int_equal(collect_order(collectors, "copies,sim", order, &err), 0);
	assert_ptr_equal(order[0], &collector_copies);
	assert_ptr_equal(order[1], &collector_sim);
	assert_ptr_equal(order[2], &collector_times);
	for (int i = 0; collectors[i]; i++)
		assert_true(order[i] && (i < 3 || order[i] != &collector_copies));
	assert_int_equal(collect_order(collectors, "sim,perff", order, &err), -1);
	assert_string_equal(err.text, "there is no collector 'perff'; there are time, sim, burst, page, perf, events, variants, one-cpu, copies, kernel, trial");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_are_named_come_first),
		cmocka_unit_test(plans_ask_for_the_sample),
		cmocka_unit_test(overwritten_bytes_are_counted_where_a_property_reads_them),
		cmocka_unit_test(trials_are_never_of_a_sample),
	};

	return cmocka_run_group_tests_name("requests", tests, NULL, NULL);
}
