/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of the processor become misses of rows: the shares of their own cell, and nothing that
 * they do not tell. */
#include "tests/foreign/made_up.h"
#include "foreign/hardware_samples.h"
#include "samples/event_source.h"

/* No unit: samples are added by hand.  All pages are on one node, or on none that is known. */
static int node_of_pages, asked_at_once;

static void page_nodes(pid_t program, uint32_t n, void **page, int *node)
{
	(void)program;
	(void)page;
	asked_at_once = (int)n;
	while (n-- > 0)
		node[n] = node_of_pages;
}

static int cpu_node(uint32_t cpu)
{
	return cpu < 4 ? (int)cpu / 2 : -1;
}

const struct sample_source sample_source = { .page_nodes = page_nodes, .cpu_node = cpu_node };

static const struct machine_flat machine = { .nlevels = 3,
	.ncpus = 4,
	.page_size = 4096,
	.memory_latency = 200,
	.level = { { .level = 1,
			   .line = 64,
			   .assoc = 2,
			   .sets = 8,
			   .cpus = 1,
			   .latency = 4,
			   .size = 1024 },
		{ .level = 2,
			.line = 64,
			.assoc = 4,
			.sets = 64,
			.cpus = 1,
			.latency = 14,
			.size = 16384 },
		{ .level = 3,
			.line = 64,
			.assoc = 16,
			.sets = 64,
			.cpus = 4,
			.latency = 40,
			.size = 65536 } },
	.nodes = { .count = 2, .cpus = 2 } };
static const uint64_t table = BASE + 0x10000;
static struct hardware_samples h;
static uint32_t table_object, loop_context, sample_cpu, sample_latency;

static int set_up(void **state)
{
	struct memory_span span;

	made_up_begin(state);
	h = (struct hardware_samples){ .machine = machine,
		.places = &places,
		.objects = &objects,
		.room = 4,
		.cell = calloc(4, sizeof *h.cell) };
	memory_objects_find(&objects, table, &span);
	table_object = span.object;
	node_of_pages = -1;
	sample_cpu = 0;
	sample_latency = 0;
	loop_context = places_at(&places, BASE + LOOP_AT).context;
	return !h.cell;
}

static int tear_down(void **state)
{
	free(h.cell);
	return made_up_end(state);
}

static void add(uint32_t thread, enum sample_op op, enum sample_level level,
	enum sample_answer modified, int n)
{
	const struct memory_sample s = { .ip = BASE + LOOP_AT,
		.address = table + 64,
		.period = 100,
		.cpu = sample_cpu,
		.latency = sample_latency,
		.source = { .op = op,
			.level = level,
			.modified = modified,
			.remote = level == SAMPLE_REMOTE_MEMORY || level == SAMPLE_REMOTE_CACHE ?
				SAMPLE_YES :
				level == SAMPLE_MEMORY ? SAMPLE_NO :
							 SAMPLE_NOT_TOLD } };
	const struct hardware_thread t = { thread, 0 };

	for (int i = 0; i < n; i++)
		hardware_samples_add(&h, &t, &s);
}

static struct mon_count_row row_of_model(uint32_t thread)
{
	return (struct mon_count_row){ .context = loop_context,
		.object = table_object,
		.thread = thread,
		.loads = 1000,
		.stores = 500,
		.load_miss = { 100, 50, 20 },
		.store_miss = { 80, 40, 10 },
		.fetched = { 180, 90, 30 },
		.stream_load = { 40, 20, 10 },
		.unwarmed = 7,
		.unplaced = 30,
		.false_sharing = { 30 },
		.true_sharing = { 10 } };
}

static void misses_are_the_shares_of_the_samples(void **state)
{
	struct mon_count_row r = row_of_model(1);

	(void)state;
	add(1, SAMPLE_LOAD, SAMPLE_L1, SAMPLE_NO, 40);
	add(1, SAMPLE_LOAD, SAMPLE_FILL_BUFFER, SAMPLE_NO, 10);
	add(1, SAMPLE_LOAD, SAMPLE_L3, SAMPLE_NO, 30);
	add(1, SAMPLE_LOAD, SAMPLE_MEMORY, SAMPLE_NO, 15);
	add(1, SAMPLE_LOAD, SAMPLE_REMOTE_MEMORY, SAMPLE_NO, 5);
	assert_true(hardware_samples_apply(&h, &r));
	assert_int_equal(r.load_miss[0], 600);
	assert_int_equal(r.load_miss[1], 500);
	assert_int_equal(r.load_miss[2], 200);
	assert_int_equal(r.stream_load[0], 240); /* the model's part of the misses */
	assert_int_equal(r.store_miss[0], 80);   /* no store was sampled */
	assert_int_equal(r.loads, 1000);
	assert_int_equal(r.unwarmed, 0);
	/* Thread 1 is on node 0; a quarter of what memory served was remote. */
	assert_int_equal(r.served[0][0], 150);
	assert_int_equal(r.served[1][0], 50);
	assert_int_equal(r.unplaced, 10); /* the model's misses of stores */
	/* No load found a modified line, and the unit would have told. */
	assert_int_equal(r.false_sharing[0] + r.true_sharing[0], 0);
}

/* Loads of 4, 14, 40 and 200 cycles: classes are cumulative, and a latency is in its own. */
static void latencies_are_classes_of_so_many_cycles_or_more(void **state)
{
	static const float want[] = { 1000, 500, 400, 400, 100, 100 };
	struct mon_count_row r = row_of_model(1);

	(void)state;
	sample_latency = 4;
	add(1, SAMPLE_LOAD, SAMPLE_L1, SAMPLE_NO, 50);
	sample_latency = 14;
	add(1, SAMPLE_LOAD, SAMPLE_L2, SAMPLE_NO, 10);
	sample_latency = 40;
	add(1, SAMPLE_LOAD, SAMPLE_L3, SAMPLE_NO, 30);
	sample_latency = 200;
	add(1, SAMPLE_LOAD, SAMPLE_MEMORY, SAMPLE_NO, 10);
	add(1, SAMPLE_STORE, SAMPLE_MEMORY, SAMPLE_NO, 50); /* of loads alone */
	assert_true(hardware_samples_apply(&h, &r));
	assert_true(r.sampled[MON_TIMED] == 1000);
	for (int k = 0; k < 6; k++)
		assert_true(r.sampled[MON_SLOW + k] == want[k]);
	for (int k = MON_SLOW + 6; k < MON_SLOW_END; k++)
		assert_true(r.sampled[k] == 0);
}

/* AMD: hits of the first level have none. */
static void hits_without_a_latency_are_the_fastest(void **state)
{
	struct mon_count_row r = row_of_model(1);

	(void)state;
	add(1, SAMPLE_LOAD, SAMPLE_L1, SAMPLE_NO, 75);
	sample_latency = 200;
	add(1, SAMPLE_LOAD, SAMPLE_MEMORY, SAMPLE_NO, 25);
	assert_true(hardware_samples_apply(&h, &r));
	assert_true(r.sampled[MON_TIMED] == 1000);
	assert_true(r.sampled[MON_SLOW] == 1000 && r.sampled[MON_SLOW + 1] == 250);
}

static void latencies_that_are_not_told_are_none(void **state)
{
	struct mon_count_row r = row_of_model(1);

	(void)state;
	add(1, SAMPLE_LOAD, SAMPLE_L1, SAMPLE_NO, 95);
	add(1, SAMPLE_LOAD, SAMPLE_MEMORY, SAMPLE_NO, 5);
	assert_true(hardware_samples_apply(&h, &r));
	for (int k = MON_TIMED; k < MON_SLOW_END; k++)
		assert_true(r.sampled[k] == 0);
}

/* The unit takes all memory for near; three quarters of the samples are from a CPU of the other
 * node. */
static void the_page_s_node_goes_before_the_unit_s_word(void **state)
{
	struct mon_count_row r = row_of_model(1);

	(void)state;
	node_of_pages = 0;
	add(1, SAMPLE_LOAD, SAMPLE_L1, SAMPLE_NO, 60);
	add(1, SAMPLE_LOAD, SAMPLE_MEMORY, SAMPLE_NO, 10);
	sample_cpu = 3;
	add(1, SAMPLE_LOAD, SAMPLE_MEMORY, SAMPLE_NO, 30);
	hardware_samples_place(&h);
	assert_int_equal(asked_at_once, 40);
	assert_true(hardware_samples_apply(&h, &r));
	/* Thread 1 is on node 0 by the model. */
	assert_int_equal(r.served[0][0], 100);
	assert_int_equal(r.served[1][0], 300);
	assert_true(r.sampled[MON_NEAR] == 100 && r.sampled[MON_FAR_BY_PAGE] == 300);
	assert_true(r.sampled[MON_FAR_BY_UNIT] == 0 && r.sampled[MON_FAR] == 0);
}

/* Arm's units do not tell a node's own memory from another's. */
static void memory_of_a_node_that_nobody_tells_is_not_near(void **state)
{
	const struct memory_sample s = { .ip = BASE + LOOP_AT,
		.address = table + 64,
		.period = 100,
		.cpu = UINT32_MAX,
		.source = { .op = SAMPLE_LOAD, .level = SAMPLE_MEMORY } };
	const struct hardware_thread t = { 1, 0 };
	struct mon_count_row r = row_of_model(1);

	(void)state;
	node_of_pages = 0; /* but the CPU is not known */
	for (int i = 0; i < 40; i++)
		hardware_samples_add(&h, &t, &s);
	hardware_samples_place(&h);
	assert_true(hardware_samples_apply(&h, &r));
	assert_int_equal(r.load_miss[2], 1000);
	assert_int_equal(r.served[0][0] + r.served[1][0], 0);
	assert_int_equal(r.unplaced, 1010);
}

static void groups_sum_up_to_the_misses(void **state)
{
	struct mon_count_row r = row_of_model(0);
	double sum = 0;

	(void)state;
	for (int i = 0; i < 40; i++) {
		add(0, SAMPLE_LOAD, SAMPLE_L1, SAMPLE_NO, 5);
		add(0, SAMPLE_LOAD, SAMPLE_MEMORY, SAMPLE_NO, 3);
	}
	assert_true(hardware_samples_apply(&h, &r));
	for (int g = 0; g < MON_GROUPS; g++)
		sum += (double)r.group[2][0][g];
	assert_int_equal(r.load_miss[2], 375);
	assert_true(sum > 374.9 && sum < 375.1);
}

static void a_thread_with_few_samples_has_those_of_all(void **state)
{
	struct mon_count_row r = row_of_model(3);

	(void)state;
	add(3, SAMPLE_LOAD, SAMPLE_L1, SAMPLE_NO, 5);
	add(0, SAMPLE_LOAD, SAMPLE_MEMORY, SAMPLE_NO, 45);
	assert_true(hardware_samples_apply(&h, &r));
	assert_int_equal(r.load_miss[2], 900);
}

static void too_few_samples_leave_the_model(void **state)
{
	const struct mon_count_row before = row_of_model(0);
	struct mon_count_row r = before;

	(void)state;
	add(0, SAMPLE_LOAD, SAMPLE_MEMORY, SAMPLE_NO, 24);
	assert_false(hardware_samples_apply(&h, &r));
	assert_memory_equal(&r, &before, sizeof r);
}

/* Stores of most processors tell nothing of where their line was. */
static void an_unknown_place_is_no_hit(void **state)
{
	const struct mon_count_row before = row_of_model(0);
	struct mon_count_row r = before;

	(void)state;
	add(0, SAMPLE_STORE, SAMPLE_LEVEL_UNKNOWN, SAMPLE_NOT_TOLD, 1000);
	add(0, SAMPLE_STORE, SAMPLE_LEVEL_OTHER, SAMPLE_NOT_TOLD, 1000);
	assert_false(hardware_samples_apply(&h, &r));
	assert_memory_equal(&r, &before, sizeof r);
}

static void a_place_beyond_the_first_level_tells_of_that_level_alone(void **state)
{
	struct mon_count_row r = row_of_model(0);

	(void)state;
	add(0, SAMPLE_STORE, SAMPLE_L1, SAMPLE_NOT_TOLD, 94);
	add(0, SAMPLE_STORE, SAMPLE_BEYOND_L1, SAMPLE_NOT_TOLD, 6);
	assert_true(hardware_samples_apply(&h, &r));
	assert_int_equal(r.store_miss[0], 30);
	add(0, SAMPLE_STORE, SAMPLE_BEYOND_L1, SAMPLE_NOT_TOLD, 100);
	r = row_of_model(0);
	assert_true(hardware_samples_apply(&h, &r));
	assert_int_equal(r.store_miss[0], 265);
	assert_int_equal(r.store_miss[1], 40); /* the model's */
	assert_int_equal(r.store_miss[2], 10);
}

static void modified_lines_are_split_as_bursts_see_them(void **state)
{
	struct mon_count_row r = row_of_model(0);

	(void)state;
	add(0, SAMPLE_LOAD, SAMPLE_L1, SAMPLE_NO, 92);
	add(0, SAMPLE_LOAD, SAMPLE_PEER_CACHE, SAMPLE_YES, 8);
	assert_true(hardware_samples_apply(&h, &r));
	assert_int_equal(r.false_sharing[0], 60);
	assert_int_equal(r.true_sharing[0], 20);
	assert_int_equal(r.load_miss[1], 80);
	assert_int_equal(r.load_miss[2], 0); /* the other core shares the last level */
}

static void a_unit_that_does_not_tell_of_modified_lines_leaves_the_model_s_sharing(void **state)
{
	struct mon_count_row r = row_of_model(0);

	(void)state;
	add(0, SAMPLE_LOAD, SAMPLE_L1, SAMPLE_NOT_TOLD, 100);
	assert_true(hardware_samples_apply(&h, &r));
	assert_int_equal(r.false_sharing[0], 30);
	assert_int_equal(r.true_sharing[0], 10);
}

static void cells_of_many_threads_stay_apart(void **state)
{
	(void)state;
	for (uint32_t t = 0; t < 500; t++)
		add(t, SAMPLE_LOAD, t % 2 ? SAMPLE_L1 : SAMPLE_MEMORY, SAMPLE_NO, 30);
	for (uint32_t t = 0; t < 500; t++) {
		struct mon_count_row r = row_of_model(t);

		assert_true(hardware_samples_apply(&h, &r));
		assert_int_equal(r.load_miss[2], t % 2 ? 0 : 1000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			misses_are_the_shares_of_the_samples, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			latencies_are_classes_of_so_many_cycles_or_more, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			hits_without_a_latency_are_the_fastest, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			latencies_that_are_not_told_are_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			the_page_s_node_goes_before_the_unit_s_word, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			memory_of_a_node_that_nobody_tells_is_not_near, set_up, tear_down),
		cmocka_unit_test_setup_teardown(groups_sum_up_to_the_misses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_thread_with_few_samples_has_those_of_all, set_up, tear_down),
		cmocka_unit_test_setup_teardown(too_few_samples_leave_the_model, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_unknown_place_is_no_hit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_place_beyond_the_first_level_tells_of_that_level_alone, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			modified_lines_are_split_as_bursts_see_them, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_unit_that_does_not_tell_of_modified_lines_leaves_the_model_s_sharing,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			cells_of_many_threads_stay_apart, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
