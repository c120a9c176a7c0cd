/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the model of what memory costs: prices of each class, and bounds. */
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
	assert_true(eq(price(&stream, &dense, MEMORY_STREAM), (6 * 1 + 4 * 8) / 2.));
	/* each line is stored to: it goes back as well */
	assert_true(eq(price(&copy, &dense, MEMORY_STREAM), (6 * 2 + 4 * 12) / 2.));
	assert_true(eq(price(&stores, &dense, MEMORY_STREAM), (6 * 2 + 4 * 12) / 2.));
	/* near each other; in another page each time; as a gather that walks, if that is dearer */
	assert_true(eq(price(&strided, &dense, MEMORY_STRIDED), 10 * 20 / 2.));
	assert_true(eq(price(&half, &dense, MEMORY_STRIDED), 10 * 25 / 2.));
	assert_true(eq(price(&far, &dense, MEMORY_STRIDED), 10 * 30 / 2.));
	assert_true(eq(price(&far_stores, &dense, MEMORY_STRIDED), 10 * (28 + 20) / 2.));
	/* half of them walk */
	assert_true(eq(price(&gather, &dense, MEMORY_GATHER), 10 * (16 + 5) / 2.));
	assert_true(eq(price(&scatter, &dense, MEMORY_GATHER), 10 * (28 + 10) / 2.));
	assert_true(eq(price(&branch, &dense, MEMORY_GUESSED), 10 * sqrt(16 * 100) / 2));
	assert_true(eq(price(&control, &dense, MEMORY_GUESSED), 10 * 50 / 2.));
	assert_true(eq(price(&chained, &dense, MEMORY_CHAINED), 10 * 100 / 2.));
	/* a coherence miss is paid once, by the transfer */
	assert_true(eq(price(&shared, &dense, MEMORY_SHARING), 10 * 100 / 2.));
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
	assert_true(eq(m.class[MEMORY_STREAM].value, 10 * (9 - 1)));
	row.loads = 20;
	memory_time_of_row(&m, &row, 1, &dense, &c, &no_records);
	assert_true(eq(m.class[MEMORY_STREAM].value, 10 * (9 - 0.5)));
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
	assert_true(eq(gather_of(&c, 4096), 10 * (16 + 5)));    /* not known with how many pages */
	c.walk_pages[1] = 4096;
	c.walk_pages[2] = 65536;
	assert_true(eq(gather_of(&c, 0), 10 * (16 + 5)));
	assert_true(eq(gather_of(&c, 1e6), 10 * (16 + 5)));
	assert_true(eq(gather_of(&c, 16384), 10 * (16 + 0.5 * 6)));
	assert_true(eq(gather_of(&c, 4096), 10 * (16 + 0.5 * 2)));
	assert_true(eq(gather_of(&c, 1), 10 * (16 + 0.5 * 2)));
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
	assert_true(eq(m.walks, 10 * 10) && eq(m.changed[CHANGE_PAGES], 10 * (16 + 4)));
	m = on_pages(&chained, &most);
	assert_true(eq(m.walks, 10 * 100) && eq(m.changed[CHANGE_PAGES], 10 * (100 + 25)));
	/* a step of a page costs 10 more than one within it, and that is paid to 4 / 10 */
	m = on_pages(&strided, &most);
	assert_true(eq(m.walks, 10 * 10) && eq(m.changed[CHANGE_PAGES], 10 * (20 + 4)));
	/* where the ranges overlap, no difference was measured */
	none.walk[2][COST_WALK_GATHER].low = 8;
	none.walk[2][COST_WALK_CHASE].low = 90;
	m = on_pages(&gather, &none);
	assert_true(eq(m.walks, 10 * 10) && eq(m.changed[CHANGE_PAGES], 10 * (16 + 10)));
	m = on_pages(&chained, &none);
	assert_true(eq(m.changed[CHANGE_PAGES], 10 * 200));
	/* where nothing was measured nothing is promised; on another machine's model there are no walks then */
	m = on_pages(&chained, &unknown);
	assert_true(eq(m.walks, 10 * 100) && eq(m.changed[CHANGE_PAGES], 10 * 200));
	model.source = COST_MODEL;
	m = on_pages(&chained, &model);
	assert_true(eq(m.changed[CHANGE_PAGES], 10 * 100));
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
	assert_true(eq(m.class[MEMORY_COPY].value, 20));
	assert_true(eq(m.class[MEMORY_COPY].low, 10));
	assert_true(eq(m.class[MEMORY_COPY].high, 40));
	assert_true(eq(m.class[MEMORY_STREAM].value, plain.class[MEMORY_STREAM].value));
	assert_true(eq(m.changed[CHANGE_UNCOPIED], plain.class[MEMORY_STREAM].value / 4));
	/* Other changes leave the copies. */
	assert_true(eq(m.changed[CHANGE_PAGES], plain.changed[CHANGE_PAGES] + 20));
	assert_true(eq(plain.changed[CHANGE_UNCOPIED], plain.class[MEMORY_STREAM].value));
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
	assert_true(eq(m.changed[CHANGE_SPLIT], 0.25 * 16 * 8 / 2));
	memory_time_of_row(&m, &walked, 0.5, &dense, &c, &no_records);
	assert_true(eq(m.changed[CHANGE_SPLIT], (6 * 8 + 10 * 20) / 2.));
	memory_time_of_row(&m, &gather, 0.5, &dense, &c, &split);
	assert_true(eq(m.changed[CHANGE_SPLIT], 0.5 * 10 * 16 / 2));
}

static void misses_that_are_far_apart_do_not_overlap(void **state)
{
	const struct mon_count_row gather = { .load_miss = { 10, 10 } };
	const struct thread_work rare = { .statements = OVERLAP_WINDOW / 2 * 1000., .irregular = 1000 };
	const struct thread_work alone = { .statements = 1e6, .irregular = 1000 };

	(void)state;
	assert_true(eq(price(&gather, &rare, MEMORY_GATHER), 10 * 50 / 2.));
	assert_true(eq(price(&gather, &alone, MEMORY_GATHER), 10 * 100 / 2.));
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
	assert_true(eq(together(&stream, 0).class[MEMORY_STREAM].value, 6 * 1 + 4 * 8));
	assert_true(eq(together(&stream, 1).class[MEMORY_STREAM].value, 6 * 1 + 4 * 8));
	assert_true(eq(together(&stream, 2).class[MEMORY_STREAM].value, 6 * 1 + 4 * (more * 9 - 1)));
	/* three lines read; one read and written back */
	assert_true(eq(together(&stream, 1).traffic, 3 * 9 + 13));
	assert_true(eq(together(&stream, 2).traffic, more * (3 * 9 + 13)));
	/* dearer than a stream's lines with two threads, limited by bandwidth with four */
	assert_true(eq(together(&gather, 2).class[MEMORY_GATHER].value, 10 * 16));
	assert_true(eq(together(&gather, 4).class[MEMORY_GATHER].value, 10 * (2 * more * 9 - 1)));
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
	assert_true(eq(price(&chained, &shorter, MEMORY_CHAINED), 10 * 100 / 2.));
	assert_true(eq(price(&chained, &shortest, MEMORY_CHAINED), 10 * 100 / 2.));
	assert_true(eq(price(&chained, &one, MEMORY_CHAINED), 10 * 100 / 2.));
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
	assert_true(eq(c.low, 20));
	assert_true(eq(c.high, 100 + 15));
	/* of the mispredicted branches half are expected */
	assert_true(eq(c.value, 50 + 7.5));
	assert_true(eq(work_branch_time(&w, &costs), 7.5));
	/* additions take two of this host's cycles, not the plugin's three */
	costs.addition = 2 * costs.cycle;
	assert_true(eq(work_core_time(&w, &costs, 1000).low, 25 * 2. / 3));
	costs.addition = 4 * costs.cycle;
	assert_true(eq(work_core_time(&w, &costs, 1000).low, 20));
	/* whose clock is not known either, where nothing was measured */
	costs.source = COST_ASSUMED;
	assert_true(eq(work_core_time(&w, &costs, 1000).low, 25 * 0.45));
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
	assert_true(eq(estimate_stall(&m, &core, 300, 300).value, 240));
	assert_true(eq(estimate_stall(&m, &core, 150, 150).value, 120));
	assert_true(eq(estimate_stall(&m, &core, 100, 100).value, 70));
	/* the code may have taken it */
	assert_true(eq(estimate_stall(&m, &perhaps, 300, 300).value, 120));
	assert_true(eq(estimate_stall(&m, &unknown, 300, 300).value, 120));
	assert_true(eq(estimate_stall(&sure, &core, 300, 300).value, 1.1 * 120));
	/* Misses may cost more than the model knows, up to all that is left. */
	assert_true(eq(estimate_stall(&sure, &core, 300, 300).high, 2 * 1.1 * 120));
	assert_true(eq(estimate_stall(&sure, &core, 3000, 3000).high, 20 * 1.1 * 120));
	assert_true(eq(estimate_stall(&m, &core, 300, 300).high, 300 - 30));
	assert_true(eq(estimate_stall(&sure, &core, 150, 150).high, 150 - 30));
}

/* C is 200, at least 50: half of that range is a factor of 2. */
static void time_that_refutes_the_code_leaves_misses_a_part(void **state)
{
	const struct cost m = { 120, 100, 400 };
	const struct estimate core = { 200, 50, 800 }, sure = { 200, 200, 200 };
	struct estimate e = estimate_stall(&m, &core, 40, 40);

	(void)state;
	assert_true(e.low == 0 && e.value == 0 && eq(e.high, 20));
	assert_true(eq(estimate_stall(&m, &core, 60, 60).high, 30));
	assert_true(eq(estimate_stall(&m, &core, 200, 200).high, 150));
	assert_true(estimate_stall(&m, &sure, 150, 150).high == 0);
	/* other executions took more */
	assert_true(eq(estimate_stall(&m, &sure, 150, 200).high, 37.5));        /* of 200, 50 are lost */
	assert_true(eq(estimate_stall(&m, &sure, 150, 1500).high, 135));
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
	assert_true(eq(sum.value, 1000) && eq(m.contended.value, 2000) && m.true_part == 0);
	assert_true(m.changed[CHANGE_APART] == 0);
	assert_true(estimate_contended(&sum, &m.contended, &known, &core, 1200) == 0);
	assert_true(eq(estimate_contended(&sum, &m.contended, &known, &core, 2300), 0.5));
	assert_true(eq(estimate_contended(&sum, &m.contended, &known, &core, 9000), 1));
	assert_true(estimate_contended(&sum, &m.contended, &calls, &core, 9000) == 0);
	assert_true(estimate_contended(&sum, &m.contended, &unknown, &core, 9000) == 0);
	/* C has an upper end of 1600, but all took 1200; of 3000, it may be so */
	assert_true(eq(estimate_contended(&sum, &m.contended, &known, &perhaps, 3000), 0.8));
	assert_true(perhaps.value == 400);
	assert_true(estimate_contended(&sum, &m.contended, &known, &perhaps, 1200) == 0);
	assert_true(eq(perhaps.value, 400 * sqrt(0.75)));
	/* whatever is paid for, the range has all of them */
	memory_time_contend(&m, 0.5);
	sum = memory_time_sum(&m);
	assert_true(eq(sum.low, 900) && eq(sum.value, 2000) && eq(sum.high, 10 * 120 + 20 * 120));
	assert_true(eq(estimate_stall(&sum, &core, 2300, 2300).value, 2000));
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
	assert_true(eq(e.low, 1450) && eq(e.value, 1450) && e.high == 1900);
	/* what M cannot be is not memory's */
	e = (struct estimate){ 100, 0, 220 };
	estimate_stall_on_one_cpu(&e, &little, 2000, one);
	assert_true(eq(e.low, 180) && eq(e.value, 180));
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
		cmocka_unit_test(what_one_cpu_takes_limits_the_code_and_the_rest_is_lost),
		cmocka_unit_test(what_neither_code_nor_other_misses_explain_was_waited_for),
		cmocka_unit_test(what_a_lock_protects_goes_with_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
