/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the model of what memory costs: prices of each class, bounds, and sums. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/abi.h"
#include "analysis/measure/contention.h"
#include "analysis/measure/blocking.h"
#include "tests/analysis/fixture.h"

/* Two levels; prices that can be told apart. */
static struct machine_costs prices(void)
{
	static const double line[3][COST_PATTERNS] = {
		{ 1, 1, 1, 1, 1, 1, 1, 1, 1 },
		{ 2, 3, 5, 6, 4, 7, 11, 5, 5 },
		{ 9, 13, 31, 35, 17, 29, 101, 31, 21 },
	};
	static const double walk[3][COST_WALKS] = { { 0, 0, 0 }, { 0, 0, 0 }, { 10, 20, 100 } };
	struct machine_costs c = { .source = COST_MEASURED, .nlevels = 2, .cycle = 0.5, .mispredict = 10, .transfer = { 100, 90, 120 } };

	for (int l = 0; l < 3; l++) {
		for (int i = 0; i < COST_PATTERNS; i++)
			c.line[l][i] = (struct cost){ line[l][i], line[l][i], line[l][i] };
		for (int i = 0; i < COST_WALKS; i++)
			c.walk[l][i] = (struct cost){ walk[l][i], walk[l][i], walk[l][i] };
	}
	return c;
}

static const struct memory_shape no_records = { 64, 0, { 1, 1 } };

/* Work with so many statements from one irregular miss to the next that all of them overlap. */
static const struct thread_work dense = { .statements = 1000, .irregular = 1000 };

static double price(const struct mon_count_row *row, const struct thread_work *w, enum memory_class class)
{
	struct machine_costs c = prices();
	struct memory_time m;

	memory_time_of_row(&m, row, 0.5, w, &c, &no_records);
	for (int i = 0; i < MEMORY_CLASSES; i++)
		if (i != (int)class)
			assert_true(m.class[i].value == 0);
	assert_true(m.class[class].low <= m.class[class].value && m.class[class].value <= m.class[class].high);
	return m.class[class].value;
}

static bool is(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static void each_class_has_its_price(void **state)
{
	const struct mon_count_row stream = { .load_miss = { 10, 4 }, .stream_load = { 10, 4 } };
	const struct mon_count_row copy = { .load_miss = { 10, 4 }, .stream_load = { 10, 4 }, .stores = 80 };
	const struct mon_count_row stores = { .store_miss = { 10, 4 }, .stream_store = { 10, 4 }, .stores = 80 };
	const struct mon_count_row strided = { .load_miss = { 10, 10 }, .strided_load = { 10, 10 } };
	const struct mon_count_row half = { .load_miss = { 10, 10 }, .strided_load = { 10, 10 }, .walks = { 5, 5 } };
	const struct mon_count_row far = { .load_miss = { 10, 10 }, .strided_load = { 10, 10 }, .walks = { 10, 10 } };
	const struct mon_count_row far_stores = { .store_miss = { 10, 10 }, .strided_store = { 10, 10 },
		.walks = { 10, 10 } };
	const struct mon_count_row gather = { .load_miss = { 10, 10 }, .walks = { 5, 5 } };
	const struct mon_count_row scatter = { .store_miss = { 10, 10 }, .walks = { 5, 5 } };
	const struct mon_count_row branch = { .load_miss = { 10, 10 }, .branch_load = { 10, 10 } };
	const struct mon_count_row control = { .load_miss = { 10, 10 }, .control_load = { 10, 10 } };
	const struct mon_count_row chained = { .load_miss = { 10, 10 }, .chained_load = { 10, 10 } };
	const struct mon_count_row shared = { .load_miss = { 10, 0 }, .true_sharing = { 10, 0 },
		.coherent_load = { 10, 0 } };

	(void)state;
	/* 6 lines from level 2, 4 from memory, of two executions */
	assert_true(is(price(&stream, &dense, MEMORY_STREAM), (6 * 1 + 4 * 8) / 2.));
	/* each line is stored to: it goes back as well */
	assert_true(is(price(&copy, &dense, MEMORY_STREAM), (6 * 2 + 4 * 12) / 2.));
	assert_true(is(price(&stores, &dense, MEMORY_STREAM), (6 * 2 + 4 * 12) / 2.));
	/* near each other; in another page each time; as a gather that walks, if that is dearer */
	assert_true(is(price(&strided, &dense, MEMORY_STRIDED), 10 * 20 / 2.));
	assert_true(is(price(&half, &dense, MEMORY_STRIDED), 10 * 25 / 2.));
	assert_true(is(price(&far, &dense, MEMORY_STRIDED), 10 * 30 / 2.));
	assert_true(is(price(&far_stores, &dense, MEMORY_STRIDED), 10 * (28 + 20) / 2.));
	/* half of them walk */
	assert_true(is(price(&gather, &dense, MEMORY_GATHER), 10 * (16 + 5) / 2.));
	assert_true(is(price(&scatter, &dense, MEMORY_GATHER), 10 * (28 + 10) / 2.));
	assert_true(is(price(&branch, &dense, MEMORY_GUESSED), 10 * sqrt(16 * 100) / 2));
	assert_true(is(price(&control, &dense, MEMORY_GUESSED), 10 * 50 / 2.));
	assert_true(is(price(&chained, &dense, MEMORY_CHAINED), 10 * 100 / 2.));
	/* a coherence miss is paid once, by the transfer */
	assert_true(is(price(&shared, &dense, MEMORY_SHARING), 10 * 100 / 2.));
}

/* A stream of whole lines hides four loads a line, one of a word a line only one: the rest is memory's. */
static void a_stream_of_few_accesses_a_line_hides_less(void **state)
{
	struct mon_count_row row = { .loads = 80, .load_miss = { 10, 10 }, .stream_load = { 10, 10 } };
	struct machine_costs c = prices();
	struct memory_time m;

	(void)state;
	c.line[0][COST_STRIDED] = (struct cost){ 0.25, 0.25, 0.25 };
	memory_time_of_row(&m, &row, 1, &dense, &c, &no_records);
	assert_true(is(m.class[MEMORY_STREAM].value, 10 * (9 - 1)));
	row.loads = 20;
	memory_time_of_row(&m, &row, 1, &dense, &c, &no_records);
	assert_true(is(m.class[MEMORY_STREAM].value, 10 * (9 - 0.5)));
}

static double gather_of(struct machine_costs *c, double pages)
{
	const struct mon_count_row gather = { .load_miss = { 10, 10 }, .walks = { 5, 5 } };
	const struct memory_shape shape = { 64, pages, { 1, 1 } };
	struct memory_time m;

	memory_time_of_row(&m, &gather, 1, &dense, c, &shape);
	return m.class[MEMORY_GATHER].value;
}

/* Walks cost 10 with 65536 pages, of memory, and 2 with 4096, of level 2. */
static void walks_through_small_page_tables_are_cheap(void **state)
{
	struct machine_costs c = prices();

	(void)state;
	c.walk[1][COST_WALK_GATHER] = (struct cost){ 2, 2, 2 };
	assert_true(is(gather_of(&c, 4096), 10 * (16 + 5)));    /* not known with how many pages */
	c.walk_pages[1] = 4096;
	c.walk_pages[2] = 65536;
	assert_true(is(gather_of(&c, 0), 10 * (16 + 5)));
	assert_true(is(gather_of(&c, 1e6), 10 * (16 + 5)));
	assert_true(is(gather_of(&c, 16384), 10 * (16 + 0.5 * 6)));
	assert_true(is(gather_of(&c, 4096), 10 * (16 + 0.5 * 2)));
	assert_true(is(gather_of(&c, 1), 10 * (16 + 0.5 * 2)));
}

static struct memory_time on_pages(const struct mon_count_row *row, const struct machine_costs *c)
{
	struct memory_time m;

	memory_time_of_row(&m, row, 1, &dense, c, &no_records);
	return m;
}

/* Walks of 10 and 100 ns, of which huge pages leave so much. */
static struct machine_costs huge(double gather, double chase)
{
	struct machine_costs c = prices();

	c.source = COST_MEASURED;
	c.huge_known = true;
	c.huge[2][COST_WALK_GATHER] = (struct cost){ gather, gather, gather };
	c.huge[2][COST_WALK_CHASE] = (struct cost){ chase, chase, chase };
	return c;
}

static void large_pages_save_the_measured_part_of_the_walks(void **state)
{
	const struct mon_count_row gather = { .load_miss = { 10, 10 }, .walks = { 10, 10 } };
	const struct mon_count_row chained = { .load_miss = { 10, 10 }, .chained_load = { 10, 10 }, .walks = { 10, 10 } };
	const struct mon_count_row strided = { .load_miss = { 10, 10 }, .strided_load = { 10, 10 }, .walks = { 10, 10 } };
	struct machine_costs most = huge(4, 25), none = huge(9, 95), model = prices(), unknown = prices();
	struct memory_time m = on_pages(&gather, &most);

	(void)state;
	assert_true(is(m.walks, 10 * 10) && is(m.changed[CHANGE_PAGES], 10 * (16 + 4)));
	m = on_pages(&chained, &most);
	assert_true(is(m.walks, 10 * 100) && is(m.changed[CHANGE_PAGES], 10 * (100 + 25)));
	/* a step of a page costs 10 more than one within it, and that is paid to 4 / 10 */
	m = on_pages(&strided, &most);
	assert_true(is(m.walks, 10 * 10) && is(m.changed[CHANGE_PAGES], 10 * (20 + 4)));
	/* where the ranges overlap, no difference was measured */
	none.walk[2][COST_WALK_GATHER].low = 8;
	none.walk[2][COST_WALK_CHASE].low = 90;
	m = on_pages(&gather, &none);
	assert_true(is(m.walks, 10 * 10) && is(m.changed[CHANGE_PAGES], 10 * (16 + 10)));
	m = on_pages(&chained, &none);
	assert_true(is(m.changed[CHANGE_PAGES], 10 * 200));
	/* where nothing was measured nothing is promised; on another machine's model there are no walks then */
	m = on_pages(&chained, &unknown);
	assert_true(is(m.walks, 10 * 100) && is(m.changed[CHANGE_PAGES], 10 * 200));
	model.source = COST_MODEL;
	m = on_pages(&chained, &model);
	assert_true(is(m.changed[CHANGE_PAGES], 10 * 100));
}

/* 80 cycles of half a nanosecond, in every second execution; three quarters of the bytes are copied. */
static void copies_cost_what_they_take_and_their_part_of_the_misses(void **state)
{
	const struct mon_count_row row = { .load_miss = { 10, 4 }, .stream_load = { 10, 4 }, .bytes = 1000, .copied = 750,
		.copy_work = 80 * PSC_WORK_UNIT };
	struct mon_count_row misses = row;
	struct machine_costs c = prices();
	struct memory_time m, plain;

	(void)state;
	misses.copied = misses.copy_work = 0;
	memory_time_of_row(&m, &row, 0.5, &dense, &c, &no_records);
	memory_time_of_row(&plain, &misses, 0.5, &dense, &c, &no_records);
	assert_true(is(m.class[MEMORY_COPY].value, 20));
	assert_true(is(m.class[MEMORY_COPY].low, 10));
	assert_true(is(m.class[MEMORY_COPY].high, 40));
	assert_true(is(m.class[MEMORY_STREAM].value, plain.class[MEMORY_STREAM].value));
	assert_true(is(m.changed[CHANGE_UNCOPIED], plain.class[MEMORY_STREAM].value / 4));
	/* Other changes leave the copies. */
	assert_true(is(m.changed[CHANGE_PAGES], plain.changed[CHANGE_PAGES] + 20));
	assert_true(is(plain.changed[CHANGE_UNCOPIED], plain.class[MEMORY_STREAM].value));
}

/* In order or in steps; what chooses what is copied in no order has its own cure. */
static void what_is_mostly_copied_is_a_copy(void **state)
{
	struct tally t = { .bytes = 100, .copied = 60, .estimate = { .memory = { [MEMORY_STREAM] = 20 }, .capacity = 15 } };

	(void)state;
	assert_int_equal(tally_memory_kind(&t), MEMORY_COPY);
	t.copied = 40;
	assert_int_equal(tally_memory_kind(&t), KIND_CAPACITY);
	t.copied = 60;
	t.load_miss[0] = 100;           /* all of them gathers */
	t.estimate.memory[MEMORY_GATHER] = 30;
	assert_int_equal(tally_memory_kind(&t), MEMORY_GATHER);
	t.estimate.memory[MEMORY_COPY] = 40;
	assert_int_equal(tally_memory_kind(&t), MEMORY_COPY);
	assert_string_equal(miss_kind_name(memory_kind_of(MEMORY_COPY)), "copy");
	assert_string_equal(memory_kind_name(MEMORY_COPY), "COPY");
}

/* An array instead of the chain saves the walks, too; large pages leave the chain. */
static void a_chain_that_walks_is_a_chain(void **state)
{
	struct tally t = { .estimate = { .memory = { [MEMORY_CHAINED] = 20 }, .walks = 12 } };

	(void)state;
	assert_int_equal(tally_memory_kind(&t), MEMORY_CHAINED);
	t.estimate.memory[MEMORY_GATHER] = 21;
	t.estimate.walks = 25;
	assert_int_equal(tally_memory_kind(&t), KIND_TLB);
}

/* Of 6 streamed and 10 strided lines a quarter remains, as streams; of gathered ones a half. */
static void split_records_are_streams_of_fewer_lines(void **state)
{
	const struct mon_count_row walked = { .load_miss = { 16, 16 }, .stream_load = { 6, 6 },
		.strided_load = { 10, 10 } };
	const struct mon_count_row gather = { .load_miss = { 10, 10 } };
	const struct memory_shape split = { 64, 0, { 0.25, 0.5 } };
	struct machine_costs c = prices();
	struct memory_time m;

	(void)state;
	memory_time_of_row(&m, &walked, 0.5, &dense, &c, &split);
	assert_true(is(m.changed[CHANGE_SPLIT], 0.25 * 16 * 8 / 2));
	memory_time_of_row(&m, &walked, 0.5, &dense, &c, &no_records);
	assert_true(is(m.changed[CHANGE_SPLIT], (6 * 8 + 10 * 20) / 2.));
	memory_time_of_row(&m, &gather, 0.5, &dense, &c, &split);
	assert_true(is(m.changed[CHANGE_SPLIT], 0.5 * 10 * 16 / 2));
}

static void misses_that_are_far_apart_do_not_overlap(void **state)
{
	const struct mon_count_row gather = { .load_miss = { 10, 10 } };
	const struct thread_work rare = { .statements = OVERLAP_WINDOW / 2 * 1000., .irregular = 1000 };
	const struct thread_work alone = { .statements = 1e6, .irregular = 1000 };

	(void)state;
	assert_true(is(price(&gather, &rare, MEMORY_GATHER), 10 * 50 / 2.));
	assert_true(is(price(&gather, &alone, MEMORY_GATHER), 10 * 100 / 2.));
}

/* Of two threads each gets 5/8 of what one alone has. */
static struct memory_time together(const struct mon_count_row *row, double threads)
{
	const struct thread_work work = { .statements = 1000, .irregular = 1000, .threads = threads };
	struct machine_costs costs = prices();
	struct memory_time m;

	costs.read_bandwidth[0] = costs.write_bandwidth[0] = 16e9;
	costs.read_bandwidth[1] = costs.write_bandwidth[1] = 20e9;
	memory_time_of_row(&m, row, 1, &work, &costs, &no_records);
	return m;
}

static void threads_share_the_bandwidth_of_memory(void **state)
{
	const struct mon_count_row stream = { .load_miss = { 10, 4 }, .stream_load = { 10, 4 },
		.fetched = { 10, 4 }, .writeback = { 0, 1 } };
	const struct mon_count_row gather = { .load_miss = { 10, 10 } };
	double more = 2 * 16 / 20.;

	(void)state;
	assert_true(is(together(&stream, 0).class[MEMORY_STREAM].value, 6 * 1 + 4 * 8));
	assert_true(is(together(&stream, 1).class[MEMORY_STREAM].value, 6 * 1 + 4 * 8));
	assert_true(is(together(&stream, 2).class[MEMORY_STREAM].value, 6 * 1 + 4 * (more * 9 - 1)));
	/* three lines read; one read and written back */
	assert_true(is(together(&stream, 1).traffic, 3 * 9 + 13));
	assert_true(is(together(&stream, 2).traffic, more * (3 * 9 + 13)));
	/* dearer than a stream's lines with two threads, limited by bandwidth with four */
	assert_true(is(together(&gather, 2).class[MEMORY_GATHER].value, 10 * 16));
	assert_true(is(together(&gather, 4).class[MEMORY_GATHER].value, 10 * (2 * more * 9 - 1)));
}

static double least(const struct mon_count_row *row, const struct thread_work *w, enum memory_class class)
{
	struct machine_costs costs = prices();
	struct memory_time m;

	memory_time_of_row(&m, row, 0.5, w, &costs, &no_records);
	return m.class[class].low;
}

static void short_chains_may_overlap_and_long_ones_do_not(void **state)
{
	const struct mon_count_row chained = { .load_miss = { 10, 10 }, .chained_load = { 10, 10 } };
	const struct thread_work shorter = { .statements = 1, .irregular = 1, .chains = 10, .chain_statements = 640 };
	const struct thread_work shortest = { .statements = 1, .irregular = 1, .chains = 10, .chain_statements = 10 };
	const struct thread_work one = { .statements = 1, .irregular = 1, .chains = 1, .chain_statements = 1e6 };

	(void)state;
	assert_true(is(price(&chained, &shorter, MEMORY_CHAINED), 10 * 100 / 2.));
	assert_true(is(price(&chained, &shortest, MEMORY_CHAINED), 10 * 100 / 2.));
	assert_true(is(price(&chained, &one, MEMORY_CHAINED), 10 * 100 / 2.));
	assert_true(least(&chained, &shortest, MEMORY_CHAINED) < 0.5 * least(&chained, &shorter, MEMORY_CHAINED));
	assert_true(least(&chained, &shorter, MEMORY_CHAINED) < 0.7 * least(&chained, &one, MEMORY_CHAINED));
}

static void the_work_of_a_row_is_in_nanoseconds(void **state)
{
	const struct mon_count_row row = { .object = MON_OBJ_WORK, .core_low = 8 * 100, .core_high = 8 * 400,
		.statements = 7, .mispredicts = 16 * 3 };
	struct machine_costs costs = prices();
	struct thread_work w = { 0 };
	struct estimate c;

	(void)state;
	work_add_row(&w, &row, 0.5);
	c = work_core_time(&w, &costs, 1000);
	assert_true(is(c.low, 20));
	assert_true(is(c.high, 100 + 15));
	/* of the mispredicted branches half are expected */
	assert_true(is(c.value, 50 + 7.5));
	assert_true(is(work_branch_time(&w, &costs), 7.5));
	/* additions take two of this host's cycles, not the plugin's three */
	costs.addition = 2 * costs.cycle;
	assert_true(is(work_core_time(&w, &costs, 1000).low, 25 * 2. / 3));
	costs.addition = 4 * costs.cycle;
	assert_true(is(work_core_time(&w, &costs, 1000).low, 20));
	/* whose clock is not known either, where nothing was measured */
	costs.source = COST_ASSUMED;
	assert_true(is(work_core_time(&w, &costs, 1000).low, 25 * 0.45));
	costs.source = COST_MEASURED;
	/* a call into a library may take all the rest */
	w.unknown_calls = 1;
	assert_true(work_core_time(&w, &costs, 1000).high == 1000);
	/* without known work nothing is excluded */
	c = work_core_time(&(struct thread_work){ .statements = 0 }, &costs, 1000);
	assert_true(c.low == 0 && c.value == 0 && c.high == 1000);
}

static uint64_t drawn = 88172645463325252u;
static double draw(double most)
{
	drawn ^= drawn << 13;
	drawn ^= drawn >> 7;
	drawn ^= drawn << 17;
	return (double)(drawn % 1000) / 999 * most;
}

static void the_estimate_stays_within_its_range_and_the_time(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		double t = draw(100), low = draw(150), high = low + draw(100);
		struct cost m = { low + (high - low) * draw(1), low, high };
		double c_low = draw(150), c_high = c_low + draw(100);
		struct estimate core = { sqrt(c_low * c_high), c_low, c_high };
		struct estimate e = estimate_stall(&m, &core, t, t);

		assert_true(0 <= e.low && e.low <= e.value && e.value <= e.high && e.high <= t);
		assert_true(e.value <= m.value * fmax(1, t / (c_high + m.value)) * 1.000001 || e.value <= e.low);
	}
}

/* M = 120 and C = 30: a step of 300 took twice what is known, and so did its misses. */
static void time_that_nothing_explains_is_divided_as_the_known_time_is(void **state)
{
	const struct cost m = { 120, 100, 400 }, sure = { 120, 120, 120 };
	const struct estimate core = { 30, 30, 30 }, perhaps = { 30, 30, 180 }, unknown = { 30, 30, 300 };

	(void)state;
	assert_true(is(estimate_stall(&m, &core, 300, 300).value, 240));
	assert_true(is(estimate_stall(&m, &core, 150, 150).value, 120));
	assert_true(is(estimate_stall(&m, &core, 100, 100).value, 70));
	/* the code may have taken it */
	assert_true(is(estimate_stall(&m, &perhaps, 300, 300).value, 120));
	assert_true(is(estimate_stall(&m, &unknown, 300, 300).value, 120));
	assert_true(is(estimate_stall(&sure, &core, 300, 300).value, 1.1 * 120));
	/* Misses may cost more than the model knows, up to all that is left. */
	assert_true(is(estimate_stall(&sure, &core, 300, 300).high, 2 * 1.1 * 120));
	assert_true(is(estimate_stall(&sure, &core, 3000, 3000).high, 20 * 1.1 * 120));
	assert_true(is(estimate_stall(&m, &core, 300, 300).high, 300 - 30));
	assert_true(is(estimate_stall(&sure, &core, 150, 150).high, 150 - 30));
}

/* C is 200, at least 50: half of that range is a factor of 2. */
static void time_that_refutes_the_code_leaves_misses_a_part(void **state)
{
	const struct cost m = { 120, 100, 400 };
	const struct estimate core = { 200, 50, 800 }, sure = { 200, 200, 200 };
	struct estimate e = estimate_stall(&m, &core, 40, 40);

	(void)state;
	assert_true(e.low == 0 && e.value == 0 && is(e.high, 20));
	assert_true(is(estimate_stall(&m, &core, 60, 60).high, 30));
	assert_true(is(estimate_stall(&m, &core, 200, 200).high, 150));
	assert_true(estimate_stall(&m, &sure, 150, 150).high == 0);
	/* other executions took more */
	assert_true(is(estimate_stall(&m, &sure, 150, 200).high, 37.5));        /* of 200, 50 are lost */
	assert_true(is(estimate_stall(&m, &sure, 150, 1500).high, 135));
}

/* 10 misses and up to 20 more, of 100 ns each. */
static void contended_loads_are_paid_for_by_what_nothing_else_explains(void **state)
{
	const struct mon_count_row row = { .load_miss = { 10 }, .coherent_load = { 10 }, .false_sharing = { 10 },
		.contended = 20 };
	const struct thread_work known = { .statements = 1 }, calls = { .statements = 1, .unknown_calls = 1 };
	const struct thread_work unknown = { .statements = 0 };
	struct estimate core = { 300, 300, 300 }, perhaps = { 400, 100, 1600 };
	struct machine_costs costs = prices();
	struct memory_time m;
	struct cost sum;

	(void)state;
	memory_time_of_row(&m, &row, 1, &known, &costs, &no_records);
	sum = memory_time_sum(&m);
	assert_true(is(sum.value, 1000) && is(m.contended.value, 2000) && m.true_part == 0);
	assert_true(m.changed[CHANGE_APART] == 0);
	assert_true(estimate_contended(&sum, &m.contended, &known, &core, 1200) == 0);
	assert_true(is(estimate_contended(&sum, &m.contended, &known, &core, 2300), 0.5));
	assert_true(is(estimate_contended(&sum, &m.contended, &known, &core, 9000), 1));
	assert_true(estimate_contended(&sum, &m.contended, &calls, &core, 9000) == 0);
	assert_true(estimate_contended(&sum, &m.contended, &unknown, &core, 9000) == 0);
	/* C has an upper end of 1600, but all took 1200; of 3000, it may be so */
	assert_true(is(estimate_contended(&sum, &m.contended, &known, &perhaps, 3000), 0.8));
	assert_true(perhaps.value == 400);
	assert_true(estimate_contended(&sum, &m.contended, &known, &perhaps, 1200) == 0);
	assert_true(is(perhaps.value, 400 * sqrt(0.75)));
	/* whatever is paid for, the range has all of them */
	memory_time_contend(&m, 0.5);
	sum = memory_time_sum(&m);
	assert_true(is(sum.low, 900) && is(sum.value, 2000) && is(sum.high, 10 * 120 + 20 * 120));
	assert_true(is(estimate_stall(&sum, &core, 2300, 2300).value, 2000));
}

/* C is 300 to 1600, but on one CPU the thread takes 500. */
static void what_one_cpu_takes_limits_the_code_and_the_rest_is_lost(void **state)
{
	const struct cost m = { 1000, 900, 5000 }, little = { 100, 90, 200 };
	const double one = 500, longer = 3000, none = 0;
	struct estimate core = { 800, 300, 1600 }, e;

	(void)state;
	estimate_core_on_one_cpu(&core, none);
	assert_true(core.value == 800 && core.high == 1600);
	estimate_core_on_one_cpu(&core, one);
	assert_true(core.low == 300 && core.value == 500 && core.high == 500);
	e = (struct estimate){ 1000, 0, 1900 };
	estimate_stall_on_one_cpu(&e, &m, 2000, none);
	assert_true(e.low == 0 && e.value == 1000);
	estimate_stall_on_one_cpu(&e, &m, 2000, longer);
	assert_true(e.low == 0 && e.value == 1000);
	estimate_stall_on_one_cpu(&e, &m, 2000, one);
	assert_true(is(e.low, 1450) && is(e.value, 1450) && e.high == 1900);
	/* what M cannot be is not memory's */
	e = (struct estimate){ 100, 0, 220 };
	estimate_stall_on_one_cpu(&e, &little, 2000, one);
	assert_true(is(e.low, 180) && is(e.value, 180));
	e = (struct estimate){ 100, 0, 150 };
	estimate_stall_on_one_cpu(&e, &little, 2000, one);
	assert_true(e.low == 150 && e.high == 150);
}

/* Nothing overlaps the lines that threads fight over. */
static void what_neither_code_nor_other_misses_explain_was_waited_for(void **state)
{
	const struct cost memory = { 900, 700, 3000 }, serial = { 600, 500, 2500 };
	const struct estimate core = { 600, 400, 800 };
	struct estimate e = { 100, 0, 2000 };

	(void)state;
	estimate_stall_serial(&e, &memory, &serial, &core, 1300);       /* 800 and 500 explain all */
	assert_true(e.value == 100 && e.low == 0);
	estimate_stall_serial(&e, &memory, &serial, &core, 1500);
	assert_true(e.value == 200 && e.low == 200);
	estimate_stall_serial(&e, &memory, &serial, &core, 9000);
	assert_true(e.value == 450 && e.low == 450 && e.high == 2000);
	e.high = 300;
	e.low = 0;
	estimate_stall_serial(&e, &memory, &serial, &core, 9000);
	assert_true(e.low == 300);
}

static void what_a_lock_protects_goes_with_it(void **state)
{
	struct memory_time data = { .contended = { 40, 30, 50 }, .class = { [MEMORY_SHARING] = { 10, 8, 12 } } }, given = { .true_part = 0 };
	struct memory_time lock = { .contended = { 100, 90, 120 }, .class = { [MEMORY_SHARING] = { 20, 18, 22 } } };
	struct cost s;

	(void)state;
	assert_true(memory_time_serial(&given, 1).high == 0);
	memory_time_give(&data, false, &given);
	assert_true(data.contended.value == 0 && data.class[MEMORY_SHARING].value == 10);
	data.contended = (struct cost){ 4, 4, 4 };
	memory_time_give(&data, true, &given);
	assert_true(data.contended.value == 0 && data.class[MEMORY_SHARING].high == 0);
	memory_time_take(&lock, &given, 0.5);
	assert_true(lock.contended.value == 122 && lock.contended.low == 107 && lock.contended.high == 147);
	assert_true(lock.class[MEMORY_SHARING].value == 25);
	memory_time_wait(&lock, 1000);
	s = memory_time_serial(&lock, 0.5);
	assert_true(s.value == 1025 && s.low == 1022 + 53.5 && s.high == 1028);
}

/* --- within the measurements ----------------------------------------------------------------- */

enum { R_PHASE, R_LOOP };
enum { C_PHASE, C_LOOP, NCONTEXTS };
enum { A = MON_OBJ_FIRST, B, NOBJECTS };

static const char structure[] = FIXTURE_PROGRAM("c",
	FIXTURE_UNIT(1, "step", "s.c", 1, 90, FIXTURE_REGION(1, "loop", "", "s.c", 10, 20, "")));
static const char properties[] =
	"enum RegionType { A }; enum MemoryKind { STREAM, STRIDED, GATHER, GUESSED, CHAINED, SHARING };"
	"class Region { string name; }; class Process { int rank; };"
	"class SeqPerf { Region region; Process process; float est_stall [s]; float phase_cpu_time [s]; };"
	"PROPERTY Stall(SeqPerf s) { CONDITION: s.est_stall / s.phase_cpu_time > 0.05; CONFIDENCE: 1;"
	" SEVERITY: s.est_stall; }";

static struct fixture f;

static int set_up(void **state)
{
	static const struct fixture_context contexts[] = {
		{ NO_CONTEXT, R_PHASE }, { C_PHASE, R_LOOP } };
	static const char *const names[NOBJECTS] = { [A] = "a", [B] = "b" };
	struct measurements *p;

	if (fixture_open(&f, structure, 2, properties))
		return -1;
	fixture_cache(&f);
	p = fixture_measurements(&f, 0, 2, contexts, NCONTEXTS);
	fixture_objects(p, "s.c", names, NOBJECTS);
	p->modelled = false;
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct measurements *p = *state;

	measured_free(p);
	fixture_close(&f);
	return 0;
}

static const struct mon_count_row rows[] = {
	{ .context = C_LOOP, .thread = 0, .object = A, .loads = 900, .load_miss = { 20 } },
	{ .context = C_LOOP, .thread = 0, .object = B, .loads = 900, .load_miss = { 60 } },
	{ .context = C_LOOP, .thread = 1, .object = B, .loads = 900, .load_miss = { 10 } },
	{ .context = C_PHASE, .thread = 0, .object = A, .loads = 900, .load_miss = { 5 } },
	{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .core_low = 8 * 1000, .core_high = 8 * 1000,
		.statements = 10 },
	{ .context = C_LOOP, .thread = 1, .object = MON_OBJ_WORK, .core_low = 8 * 1000, .core_high = 8 * 1000,
		.statements = 10 },
};

static void add_times(struct measurements *p, uint64_t phase, uint64_t loop0, uint64_t loop1, bool brief)
{
	const struct mon_time_row times[] = {
		{ .context = C_PHASE, .thread = 0, .wall_ns = phase, .cpu_ns = phase, .calls = 1 },
		{ .context = C_LOOP, .thread = 0, .wall_ns = loop0, .cpu_ns = loop0, .calls = 1, .brief = brief },
		{ .context = C_LOOP, .thread = 1, .wall_ns = loop1, .cpu_ns = loop1, .calls = 1, .brief = brief },
	};

	assert_int_equal(fixture_times(p, phase, times, 3), 0);
}

static void add_clean(struct measurements *p, uint64_t phase, uint64_t loop0, uint64_t loop1)
{
	add_times(p, phase, loop0, loop1, false);
}

static double stall(const struct measurements *p, uint32_t context, uint32_t object)
{
	struct tally t;

	assert_true(measured_tally(p, context, object, &t));
	return t.estimate.stall * 1e9;
}

static void structures_sum_to_the_region_and_regions_to_the_phase(void **state)
{
	struct measurements *p = *state;

	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof rows[0], NULL, 0), 0);
	assert_true(isnan(measured_phase_cpu(p)));      /* no times yet */
	/* of five executions the second fastest counts */
	add_clean(p, 9000, 5000, 4000);
	add_clean(p, 9900, 5900, 4900);
	add_clean(p, 8000, 4000, 1500);
	add_clean(p, 99000, 59000, 49000);
	add_clean(p, 9100, 5100, 4100);
	/* loop, thread 0: M = 80 x 100 ns, T = 5000, C = 1000: 4000 are lost */
	assert_true(is(stall(p, C_LOOP, A), 4000 * .25));
	/* thread 1: M = 1000, T = 4000, C = 1000: M x 2, but at most 1.1 M */
	assert_true(is(stall(p, C_LOOP, B), 4000 * .75 + 1100));
	assert_true(is(stall(p, C_LOOP, MON_ANY), 5100));
	/* of the phase itself the work is not known: M = 500 */
	assert_true(is(stall(p, C_PHASE, MON_ANY), 5600));
	assert_true(is(stall(p, C_PHASE, A) + stall(p, C_PHASE, B), 5600));
	assert_true(is(measured_phase_cpu(p) * 1e9, 4000 + 5000 + 4000));
}

/* Threads that fight over b: what the time has more than C and M is b's; a change to b takes it off. */
static void contention_is_its_structures_and_padding_ends_it(void **state)
{
	static const struct mon_count_row fight[] = {
		{ .context = C_LOOP, .thread = 0, .object = A, .loads = 900, .load_miss = { 5 } },
		{ .context = C_LOOP, .thread = 0, .object = B, .loads = 900, .load_miss = { 10 }, .contended = 90,
			.coherent_load = { 10 }, .false_sharing = { 8 }, .true_sharing = { 2 } },
		{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .core_low = 8 * 1000, .core_high = 8 * 1000,
			.statements = 10 },
	};
	struct measurements *p = *state;

	p->costs.transfer = (struct cost){ 100, 100, 100 };
	assert_int_equal(fixture_counts(p, fight, 3, NULL, 0), 0);
	add_clean(p, 5000, 5000, 0);
	assert_true(is(stall(p, C_LOOP, MON_ANY), 4000));
	assert_true(is(stall(p, C_LOOP, A), 500));
	assert_true(is(stall(p, C_LOOP, B), 3500));
	assert_true(is(measured_memory_time(p) * 1e9, 4000));
	assert_true(is(measured_changed_memory(p, B, CHANGE_APART) * 1e9, 500 + 3500 * 0.2));
	assert_true(is(measured_changed_memory(p, B, CHANGE_ROWS) * 1e9, 4000));
	/* a trial's rows are priced alike */
	assert_true(is(measured_rows_memory(p, fight, 3, 0, 1) * 1e9, 4000));
}

/* The code may explain all of the time, but not what it takes on one CPU, where no line is fought over. */
static void a_fight_that_ends_on_one_cpu_is_measured(void **state)
{
	static const struct fixture_context contexts[] = { { NO_CONTEXT, R_PHASE }, { C_PHASE, R_LOOP } };
	static const struct mon_count_row fight[] = {
		{ .context = C_LOOP, .thread = 0, .object = B, .loads = 900, .load_miss = { 10 }, .contended = 90,
			.coherent_load = { 10 }, .false_sharing = { 10 } },
		{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .core_low = 8 * 100, .core_high = 8 * 6000,
			.statements = 10 },
	};
	struct measurements *p = *state;
	struct one_cpu_sums sums;
	struct tally t;

	p->costs.transfer = (struct cost){ 100, 100, 100 };
	assert_int_equal(fixture_counts(p, fight, 2, NULL, 0), 0);
	add_clean(p, 5000, 5000, 0);
	assert_true(measured_tally(p, C_LOOP, B, &t));
	assert_true(t.estimate.low == 0);
	assert_int_equal(measured_one_cpu(p, &sums), 0);
	assert_true(sums.time == 0 && sums.one_cpu == 0);

	p->one_cpu = fixture_measurements(&f, 0, 2, contexts, NCONTEXTS);
	add_clean(p->one_cpu, 500, 500, 0);
	add_clean(p->one_cpu, 500, 500, 0);
	add_clean(p->one_cpu, 9000, 9000, 0);
	add_clean(p, 5000, 5000, 0);    /* estimates anew */
	assert_true(measured_tally(p, C_LOOP, B, &t));
	assert_true(is(t.estimate.low * 1e9, 5000 - 550) && is(t.estimate.stall * 1e9, 5000 - 500));
	assert_int_equal(measured_one_cpu(p, &sums), 0);
	assert_true(is(sums.time, 5000) && is(sums.slow, 5000) && is(sums.one_cpu, 500));
}

/* Three executions in which threads pass one another, and one in which they meet. */
static void where_threads_contend_the_mean_time_counts(void **state)
{
	static const struct mon_count_row fight[] = {
		{ .context = C_LOOP, .thread = 0, .object = B, .loads = 900, .load_miss = { 10 }, .contended = 90,
			.coherent_load = { 10 }, .true_sharing = { 10 } },
		{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .core_low = 8 * 1000, .core_high = 8 * 1000,
			.statements = 10 },
	};
	struct measurements *p = *state;

	p->costs.transfer = (struct cost){ 100, 100, 100 };
	assert_int_equal(fixture_counts(p, fight, 2, NULL, 0), 0);
	for (int i = 0; i < 3; i++)
		add_clean(p, 2000, 2000, 0);
	add_clean(p, 6000, 6000, 0);
	assert_true(is(measured_phase_cpu(p) * 1e9, 3000));
	assert_true(is(stall(p, C_LOOP, B), 2000));
}

/* The call has no work of its own: its time is that of the loop and of the brief subroutine, which were measured together. */
static void the_time_of_a_brief_call_belongs_to_the_loop_around_it(void **state)
{
	enum { CALL = NCONTEXTS, SUB };
	static const struct fixture_context contexts[] = { { NO_CONTEXT, R_PHASE }, { C_PHASE, R_LOOP }, { C_LOOP, R_LOOP },
		{ CALL, R_LOOP } };
	static const struct mon_count_row counts[] = {
		{ .context = C_LOOP, .object = A, .loads = 900, .load_miss = { 80 } },
		{ .context = C_LOOP, .object = MON_OBJ_WORK, .core_low = 8 * 1000, .core_high = 8 * 1000, .statements = 10 },
		{ .context = SUB, .object = MON_OBJ_WORK, .core_low = 8 * 100, .core_high = 8 * 100, .statements = 10 },
	};
	static const struct mon_time_row times[] = {
		{ .context = C_PHASE, .wall_ns = 5000, .calls = 1 },
		{ .context = C_LOOP, .wall_ns = 5000, .calls = 1 },
		{ .context = CALL, .wall_ns = 3000, .calls = 9, .brief = true },
		{ .context = SUB, .wall_ns = 1, .calls = 9, .brief = true },
	};
	static const char *const names[NOBJECTS] = { [A] = "a", [B] = "b" };
	struct measurements *p = fixture_measurements(&f, 0, 1, contexts, 4);

	(void)state;
	fixture_objects(p, "s.c", names, NOBJECTS);
	p->modelled = false;
	assert_int_equal(fixture_times(p, 5000, times, 4), 0);
	assert_int_equal(fixture_counts(p, counts, 3, NULL, 0), 0);
	assert_true(is(stall(p, C_LOOP, A), 5000 - 1100));
	assert_true(is(measured_phase_cpu(p) * 1e9, 5000));
	measured_free(p);
}

/* M = 500, half of it streams, or not quite; C in [125, 2000]: of T = 800, C is 500 or more. */
static void what_the_work_may_explain_is_not_lost_to_streams(void **state)
{
	struct mon_count_row half[] = {
		{ .context = C_LOOP, .thread = 0, .object = A, .loads = 900, .load_miss = { 5 }, .stream_load = { 2 } },
		{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .core_low = 8 * 125, .core_high = 8 * 2000,
			.statements = 10 },
	};
	struct measurements *p = *state;

	assert_int_equal(fixture_counts(p, half, 2, NULL, 0), 0);
	add_clean(p, 800, 800, 0);
	assert_true(is(stall(p, C_LOOP, A), 800 - 500));
	half[0].stream_load[0] = 3;
	assert_int_equal(fixture_counts(p, half, 2, NULL, 0), 0);
	add_clean(p, 800, 800, 0);
	assert_true(is(stall(p, C_LOOP, A), 800 - sqrt(500 * 800)));
	half[1].unknown_calls = 1;
	assert_int_equal(fixture_counts(p, half, 2, NULL, 0), 0);
	add_clean(p, 800, 800, 0);
	assert_true(is(stall(p, C_LOOP, A), 800 - 500));
}

/* Thread 0: M = 8000 and 500, T = 5000 and 4000 where it was divided, C = 1000 together. */
static void a_brief_region_and_its_caller_have_one_estimate(void **state)
{
	struct measurements *p = *state;

	add_times(p, 9000, 5000, 4000, true);
	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof rows[0], NULL, 0), 0);
	/* Together they lose 8000 at most.  The loop has 5000, the phase misses for 500. */
	assert_true(is(stall(p, C_LOOP, MON_ANY), 5000 + 1100));
	assert_true(is(stall(p, C_PHASE, MON_ANY), 5500 + 1100));
	assert_true(is(stall(p, C_LOOP, A), 5000 * .25));
	assert_true(is(stall(p, C_PHASE, A), 5000 * .25 + 500));
	assert_true(is(measured_phase_cpu(p) * 1e9, 4000 + 5000 + 4000));
}

/* The misses of a brief call are as far apart as its caller's statements put them. */
static void misses_of_brief_calls_have_the_statements_of_their_caller_between_them(void **state)
{
	static const struct mon_count_row far[] = {
		{ .context = C_LOOP, .thread = 0, .object = A, .loads = 900, .load_miss = { 1 } },
		{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .statements = 1 },
		{ .context = C_PHASE, .thread = 0, .object = MON_OBJ_WORK, .statements = OVERLAP_WINDOW },
	};
	struct measurements *p = *state;
	double cost[2];

	p->costs.line[p->costs.nlevels][COST_CHASE] = (struct cost){ 1000, 1000, 1000 };
	for (int brief = 0; brief < 2; brief++) {
		add_times(p, 90000, 50000, 0, brief);
		assert_int_equal(fixture_counts(p, far, sizeof far / sizeof far[0], NULL, 0), 0);
		cost[brief] = stall(p, C_PHASE, A);
	}
	assert_true(cost[0] > 0);
	assert_true(cost[1] > cost[0] * 1.5);   /* hardly overlapped: a chase */
}

static void threads_in_one_context_work_at_once(void **state)
{
	static const struct mon_count_row lines[] = {
		{ .context = C_LOOP, .thread = 0, .object = A, .loads = 80, .fetched = { 10, 10, 10 } },
		{ .context = C_LOOP, .thread = 1, .object = A, .loads = 80, .fetched = { 10, 10, 10 } },
		{ .context = C_PHASE, .thread = 0, .object = A, .loads = 80, .fetched = { 10, 10, 10 } },
	};
	struct measurements *p = *state;
	double line = p->costs.line[p->costs.nlevels][COST_READ].value;
	struct tally loop, phase;

	p->costs.read_bandwidth[0] = 16e9;
	p->costs.read_bandwidth[1] = 20e9;
	add_times(p, 90000, 50000, 50000, false);
	assert_int_equal(fixture_counts(p, lines, 3, NULL, 0), 0);
	assert_true(measured_tally(p, C_LOOP, A, &loop));
	assert_true(measured_tally(p, C_PHASE, A, &phase));
	assert_true(is(loop.estimate.traffic * 1e9, 20 * line * 1.6));
	tally_sub(&phase, &loop);
	assert_true(is(phase.estimate.traffic * 1e9, 10 * line));
}

static void the_kind_is_tlb_where_page_walks_take_most(void **state)
{
	struct mon_count_row walking = { .context = C_LOOP, .thread = 0, .object = A, .loads = 900,
		.load_miss = { 20 }, .walks = { 20 } };
	struct measurements *p = *state;
	struct tally t, whole;

	add_times(p, 90000, 50000, 0, false);
	for (int dear = 0; dear < 2; dear++) {
		/* a gather's miss costs 100 */
		p->costs.walk[p->costs.nlevels][COST_WALK_GATHER] = dear ? (struct cost){ 150, 150, 150 }
			: (struct cost){ 50, 50, 50 };
		assert_int_equal(fixture_counts(p, &walking, 1, NULL, 0), 0);
		assert_true(measured_tally(p, C_LOOP, A, &t));
		assert_true(is(t.estimate.walks * 1e9, dear ? 20 * 150 : 20 * 50));
		assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), dear ? "tlb" : "gather");
	}
	/* The region around it has no walks but those. */
	assert_true(measured_tally(p, C_PHASE, A, &whole));
	tally_sub(&whole, &t);
	assert_true(whole.estimate.walks == 0);
}

/* 20 misses, of which some have a cause; page walks take two thirds of their time, or none. */
static void a_cause_is_the_kind_where_it_takes_most(void **state)
{
	static const struct {
		uint64_t conflict, capacity, strided, walks;
		const char *kind;
	} cases[] = {
		{ 11, 0, 0, 0, "conflict" }, { 9, 0, 0, 0, "gather" }, { 11, 0, 0, 20, "conflict" },
		{ 0, 11, 20, 0, "strided" }, { 0, 11, 20, 20, "strided" }, { 0, 0, 0, 20, "tlb" },
		{ 0, 11, 0, 0, "gather" },
	};
	struct measurements *p = *state;

	add_times(p, 90000, 50000, 0, false);
	p->costs.walk[p->costs.nlevels][COST_WALK_GATHER] = (struct cost){ 200, 200, 200 };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mon_count_row row = { .context = C_LOOP, .thread = 0, .object = A, .loads = 900,
			.load_miss = { 20 }, .strided_load = { cases[i].strided }, .walks = { cases[i].walks },
			.conflict = { cases[i].conflict }, .capacity = { cases[i].capacity } };
		double miss = cases[i].walks ? 300 : 100;
		struct tally t;

		assert_int_equal(fixture_counts(p, &row, 1, NULL, 0), 0);
		assert_true(measured_tally(p, C_LOOP, A, &t));
		assert_true(is(t.estimate.conflict * 1e9, (double)cases[i].conflict * miss));
		assert_true(is(t.estimate.capacity * 1e9, (double)cases[i].capacity * miss));
		assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), cases[i].kind);
	}
}

/* 20 misses of lines that another thread wrote: other bytes of them, or the same. */
static void sharing_is_false_or_true_where_most_of_it_is(void **state)
{
	static const struct {
		uint64_t is_false, is_true;
		const char *kind;
	} cases[] = {
		{ 20, 0, "false sharing" }, { 15, 5, "false sharing" }, { 14, 6, "sharing" }, { 6, 14, "sharing" },
		{ 5, 15, "true sharing" }, { 0, 20, "true sharing" },
	};
	struct measurements *p = *state;

	add_times(p, 90000, 50000, 0, false);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mon_count_row row = { .context = C_LOOP, .thread = 0, .object = A, .loads = 900, .load_miss = { 20 },
			.coherent_load = { 20 }, .false_sharing = { cases[i].is_false }, .true_sharing = { cases[i].is_true } };
		struct tally t;

		p->costs.transfer = (struct cost){ 100, 100, 100 };
		assert_int_equal(fixture_counts(p, &row, 1, NULL, 0), 0);
		assert_true(measured_tally(p, C_LOOP, A, &t));
		assert_int_equal(tally_memory_class(&t), MEMORY_SHARING);
		assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), cases[i].kind);
	}
}

/* Two levels of 8 and 64 KiB.  In the first, blocks save the capacity misses of both; in the second, those of
 * the second, which are all but a fifth of the time. */
static void blocks_are_of_the_largest_level_that_saves_enough(void **state)
{
	struct measurements *p = *state;
	struct mon_count_row row = { .context = C_LOOP, .thread = 0, .object = A, .loads = 900,
		.load_miss = { 100, 40 }, .stream_load = { 100, 40 }, .capacity = { 100, 40 },
		.reuse = { 1000, 0, 0, 10, 0, 30 } };
	struct machine_flat *m = &f.machine.flat;
	struct tally t;
	char text[200];

	m->nlevels = 2;
	m->level[0] = (struct machine_level){ .level = 1, .line = 64, .assoc = 8, .sets = 16, .latency = 0 };
	m->level[1] = (struct machine_level){ .level = 2, .line = 64, .assoc = 8, .sets = 128, .latency = 10 };
	fixture_costs(p);
	add_times(p, 90000, 50000, 0, false);
	assert_int_equal(fixture_counts(p, &row, 1, NULL, 0), 0);
	assert_true(measured_tally(p, C_LOOP, A, &t));
	assert_true(is(t.estimate.fit[0] * 1e9, 60 * 10 + 40 * 110));
	assert_true(is(t.estimate.fit[1] * 1e9, 40 * 100));
	assert_int_equal(blocking_level(p, &t), 1);
	assert_true(is(blocking_size(p, &t), 32768));
	/* 10 from 32 KiB on, 30 from 128 KiB on: the tenth of these is the median */
	assert_true(is(blocking_distance(p, &t), 131072 * exp2(1.0 / 3)));
	blocking_cause(p, &t, text, sizeof text);
	assert_string_equal(text, "its lines come again after 161 KiB of others (the median)");
	blocking_cure(p, &t, text, sizeof text);
	assert_string_equal(text, "work in blocks of less than 32 KiB (L2), or fuse the loops that use them");
	row.capacity[1] = 0;
	assert_int_equal(fixture_counts(p, &row, 1, NULL, 0), 0);
	assert_true(measured_tally(p, C_LOOP, A, &t));
	assert_int_equal(blocking_level(p, &t), 0);
	row.capacity[0] = 0;
	assert_int_equal(fixture_counts(p, &row, 1, NULL, 0), 0);
	assert_true(measured_tally(p, C_LOOP, A, &t));
	assert_int_equal(blocking_level(p, &t), 2);
	blocking_cause(p, &t, text, sizeof text);
	assert_string_equal(text, "");
	blocking_cure(p, &t, text, sizeof text);
	assert_string_equal(text, "");
}

static void a_row_is_the_step_that_all_conflicts_have(void **state)
{
	static const struct {
		uint64_t n, lines, squares;
		uint32_t row;
	} cases[] = {
		{ 0, 0, 0, 0 }, { 100, 6400, 409600, 4096 }, { 100, 6500, 422500, 4160 },
		{ 100, 6400, 600000, 0 },       /* several steps, of 64 lines on average */
		{ 100, 100, 100, 0 },           /* one line */
	};
	struct measurements *p = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct tally t = { .strides = (double)cases[i].n, .stride_lines = (double)cases[i].lines,
			.stride_squares = (double)cases[i].squares };

		assert_int_equal(blocking_row(p, &t), cases[i].row);
	}
}

static void another_machine_has_its_own_time(void **state)
{
	struct measurements *p = *state;

	p->modelled = true;
	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof rows[0], NULL, 0), 0);
	assert_true(is(stall(p, C_PHASE, MON_ANY), 95 * 100));
	assert_true(is(measured_phase_cpu(p) * 1e9, 95 * 100 + 2 * 1000));
}

static void the_range_on_another_machine_ends_at_its_time(void **state)
{
	const struct cost memory = { 100, 80, 300 };
	const struct estimate little = { 50, 40, 60 }, much = { 500, 400, 600 };
	struct estimate e = estimate_modelled(&memory, &little);

	(void)state;
	assert_true(is(e.value, 100) && is(e.low, 72) && is(e.high, 150));
	e = estimate_modelled(&memory, &much);
	assert_true(is(e.value, 100) && is(e.high, 330));
}

/* Jumps at the ends of rows and of pages cost most of a walk in order. */
static void few_misses_without_order_belong_to_a_walk(void **state)
{
	struct tally t = { .loads = 1e6 };

	(void)state;
	t.load_miss[0] = 6400;
	t.stream_load[0] = 6300;
	t.estimate.memory[MEMORY_STREAM] = 1;
	t.estimate.memory[MEMORY_GATHER] = 5;
	assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), "stream");
	t.stream_load[0] = 5700;
	assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), "gather");
	t.stream_load[0] = 1600;
	t.strided_load[0] = 2500;
	assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), "strided");
	t.strided_load[0] = 2300;
	assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), "gather");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_class_has_its_price),
		cmocka_unit_test(a_stream_of_few_accesses_a_line_hides_less),
		cmocka_unit_test(walks_through_small_page_tables_are_cheap),
		cmocka_unit_test(threads_share_the_bandwidth_of_memory),
		cmocka_unit_test(large_pages_save_the_measured_part_of_the_walks),
		cmocka_unit_test(copies_cost_what_they_take_and_their_part_of_the_misses),
		cmocka_unit_test(what_is_mostly_copied_is_a_copy),
		cmocka_unit_test(a_chain_that_walks_is_a_chain),
		cmocka_unit_test(split_records_are_streams_of_fewer_lines),
		cmocka_unit_test(misses_that_are_far_apart_do_not_overlap),
		cmocka_unit_test(short_chains_may_overlap_and_long_ones_do_not),
		cmocka_unit_test(the_work_of_a_row_is_in_nanoseconds),
		cmocka_unit_test(time_that_nothing_explains_is_divided_as_the_known_time_is),
		cmocka_unit_test(the_estimate_stays_within_its_range_and_the_time),
		cmocka_unit_test(time_that_refutes_the_code_leaves_misses_a_part),
		cmocka_unit_test(contended_loads_are_paid_for_by_what_nothing_else_explains),
		cmocka_unit_test_setup_teardown(contention_is_its_structures_and_padding_ends_it, set_up, tear_down),
		cmocka_unit_test(what_one_cpu_takes_limits_the_code_and_the_rest_is_lost),
		cmocka_unit_test(what_neither_code_nor_other_misses_explain_was_waited_for),
		cmocka_unit_test(what_a_lock_protects_goes_with_it),
		cmocka_unit_test_setup_teardown(where_threads_contend_the_mean_time_counts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_fight_that_ends_on_one_cpu_is_measured, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_time_of_a_brief_call_belongs_to_the_loop_around_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_the_work_may_explain_is_not_lost_to_streams, set_up, tear_down),
		cmocka_unit_test_setup_teardown(structures_sum_to_the_region_and_regions_to_the_phase,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_brief_region_and_its_caller_have_one_estimate, set_up, tear_down),
		cmocka_unit_test_setup_teardown(misses_of_brief_calls_have_the_statements_of_their_caller_between_them,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(threads_in_one_context_work_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_kind_is_tlb_where_page_walks_take_most, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_cause_is_the_kind_where_it_takes_most, set_up, tear_down),
		cmocka_unit_test_setup_teardown(sharing_is_false_or_true_where_most_of_it_is, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_row_is_the_step_that_all_conflicts_have, set_up, tear_down),
		cmocka_unit_test_setup_teardown(blocks_are_of_the_largest_level_that_saves_enough, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_machine_has_its_own_time, set_up, tear_down),
		cmocka_unit_test(the_range_on_another_machine_ends_at_its_time),
		cmocka_unit_test(few_misses_without_order_belong_to_a_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
