/* SPDX-License-Identifier: BSD-3-Clause */
/* Bursts of a made-up recorder: records, counts, objects and times are as known. */
#define _GNU_SOURCE     /* CPUs of a thread */
#include "tests/foreign/made_up.h"

#include <sched.h>
#include <unistd.h>

#include "base/abi.h"
#include "foreign/result_rows.h"
#include "samples/event_source.h"

/* Two levels: 8 sets of 2 ways, 64 sets of 4 ways, lines of 64 bytes. */
static const struct machine_flat machine = { .nlevels = 2, .ncpus = 4, .page_size = 4096, .ghz = 1, .memory_latency = 200, .level = {
	{ .level = 1, .line = 64, .assoc = 2, .sets = 8, .cpus = 1, .latency = 4, .size = 1024 },
	{ .level = 2, .line = 64, .assoc = 4, .sets = 64, .cpus = 1, .latency = 14, .size = 16384 } } };

static struct play_bursts play;

static int set_up(void **state)
{
	struct err err;

	made_up_begin(state);
	recorder_begin();
	assert_int_equal(play_bursts_begin(&play, &machine, &objects, &err), 0);
	return 0;
}

static int tear_down(void **state)
{
	play_bursts_end(&play);
	recorder_free(&recorder);
	return made_up_end(state);
}

static struct burst_access load(uint64_t at)
{
	return (struct burst_access){ .ip = BASE + at, .size = 8, .kind = BURST_WORD, .does = BURST_LOAD, .words = 1 };
}

/* Runs the words of the slots that have some as one burst. */
static void run(uint64_t burst)
{
	for (uint32_t i = 0; i < recorder_slots(&recorder); i++) {
		struct burst_thread *s = recorder_slot(&recorder, i);
		struct burst_thread_play *t = play_bursts_thread(&play, &places, i, s->tid);

		if (s->burst == burst)
			play_bursts_add(t, s);
	}
	play_bursts_run(&play, burst);
	for (uint32_t i = 0; i < recorder_slots(&recorder); i++)
		atomic_store(&recorder_slot(&recorder, i)->offset, BURST_WORDS_AT);
}

/* Sums of all cells of a context. */
static struct sim_cell sum_of(uint32_t context)
{
	struct sim_cell sum = { 0 };

	play_bursts_settle(&play);
	for (uint32_t i = 0; i < play.nthreads; i++)
		for (uint32_t k = 1; play.thread[i].sim && k < play.thread[i].sim->core.ncells; k++) {
			const struct sim_cell *c = &play.thread[i].sim->core.cells[k];

			if (sim_cell_context(c) != context)
				continue;
			for (int s = 0; s < 2; s++) {
				sum.refs[s] += c->refs[s];
				sum.miss[0][s] += c->miss[0][s];
				sum.coherent[0][s] += c->coherent[0][s];
				sum.coherent[1][s] += c->coherent[1][s];
			}
			sum.statements += c->statements;
		}
	return sum;
}

static void every_kind_of_access_becomes_its_addresses(void **state)
{
	struct burst_thread *t = thread_begin(0);
	const struct burst_access a[] = {
		{ .ip = BASE + WORK_AT, .size = 4, .kind = BURST_WORD_FS, .does = BURST_LOAD | BURST_STORE, .words = 1 },
		{ .ip = BASE + WORK_AT, .address = 0x5000, .size = 8, .kind = BURST_FIXED, .does = BURST_STORE },
		{ .ip = BASE + WORK_AT, .size = 8, .kind = BURST_STRING, .does = BURST_STORE, .words = 2 },
		{ .ip = BASE + WORK_AT, .size = 8, .kind = BURST_LANES, .does = BURST_LOAD, .words = 4, .lanes = 4, .scale = 8,
			.index_bytes = 4, .mask_bytes = 0 },
		{ .ip = BASE + WORK_AT, .size = 8, .kind = BURST_UNKNOWN, .does = BURST_LOAD },
	};
	const uint64_t words[] = { 16, 0x7000, 0x7020, 0x9000, 5, 1 | UINT64_C(2) << 32, 3 | UINT64_C(0xffffffff) << 32 };
	uint64_t out[BLOCK_CODE_WORDS], *end = out;
	struct block_code code;
	const struct code_block *b;
	uint32_t context = 0;

	(void)state;
	block_code_begin(&code, &places);
	b = block_code_at(&code, t, block_add(t, BASE + WORK_AT, a, 5));
	assert_non_null(b);
	assert_int_equal(b->npieces, 1);
	block_code_records(b, words, 0x100000, &context, &end);
	assert_int_equal(PSC_REC_TAG(out[0]), PSC_REC_CONTEXT);
	assert_int_equal(out[0] >> 3, context);
	/* The descriptor; a load and a store; the fixed address; begin and length; lanes 0 and 2 are on. */
	const uint64_t wanted[] = { 0x100010, 0x100010, 0x5000, 0x7000, 0x20, 0x9008, 0, 0x9018, 0 };

	assert_int_equal(end - out, 2 + sizeof wanted / sizeof *wanted);
	assert_memory_equal(out + 2, wanted, sizeof wanted);
	assert_int_equal(code.unknown, 1);
	block_code_end(&code);
}

static void impossible_tables_are_refused(void **state)
{
	struct burst_thread *t = thread_begin(0);
	struct burst_access bad = load(WORK_AT);
	struct block_code code;

	(void)state;
	block_code_begin(&code, &places);
	assert_null(block_code_at(&code, t, 0));
	assert_null(block_code_at(&code, t, UINT64_MAX));
	bad.words = 2;
	assert_null(block_code_at(&code, t, block_add(t, BASE + WORK_AT, &bad, 1)));
	bad = load(WORK_AT);
	bad.kind = 99;
	assert_null(block_code_at(&code, t, block_add(t, BASE + WORK_AT, &bad, 1)));
	block_code_end(&code);
	/* Words that name no block end the burst, and are counted. */
	word_add(t, 12345);
	burst_end(t, 1);
	run(1);
	assert_int_equal(play.words_invalid, 1);
}

static void walk_over_many_lines_misses_and_small_table_does_not(void **state)
{
	struct burst_thread *t = thread_begin(0);
	const struct burst_access a[] = { load(LOOP_AT), load(WORK_AT) };
	const uint32_t walk = block_add(t, BASE + LOOP_AT, a, 1), small = block_add(t, BASE + WORK_AT, a + 1, 1);
	struct sim_cell loop, rest;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		word_add(t, walk);
		word_add(t, 0x10000000 + 256 * i);
		word_add(t, small);
		word_add(t, BASE + 0x10000 + 8 * (i % 8));
	}
	burst_end(t, 1);
	run(1);
	loop = sum_of(places_at(&places, BASE + LOOP_AT).context);
	rest = sum_of(places_at(&places, BASE + WORK_AT).context);
	/* A quarter of the words only warms the caches. */
	assert_in_range(loop.refs[0], 740, 760);
	assert_int_equal(loop.miss[0][0], loop.refs[0]);
	assert_int_equal(loop.statements, 8 * loop.refs[0]);
	assert_in_range(rest.refs[0], 740, 760);
	assert_int_equal(rest.miss[0][0], 0);
	/* The table has its name, and what has none is one structure. */
	assert_int_equal(shm->objects[MON_OBJ_FIRST].kind, MON_KIND_UNNAMED);
	assert_string_equal(shm->strings + shm->objects[MON_OBJ_FIRST + 1].name, "table");
}

static void neighbours_in_a_line_share_it_falsely(void **state)
{
	struct burst_access a = { .ip = BASE + LOOP_AT, .size = 8, .kind = BURST_WORD, .does = BURST_LOAD | BURST_STORE, .words = 1 };
	struct sim_cell sum;

	(void)state;
	for (uint32_t slot = 0; slot < 2; slot++) {
		struct burst_thread *t = thread_begin(slot);
		const uint32_t block = block_add(t, BASE + LOOP_AT, &a, 1);

		for (int i = 0; i < 4000; i++) {
			word_add(t, block);
			word_add(t, BASE + 0x10000 + 8 * slot);
		}
		burst_end(t, 1);
	}
	run(1);
	sum = sum_of(places_at(&places, BASE + LOOP_AT).context);
	assert_true(sum.coherent[0][0] + sum.coherent[0][1] > 50);
	assert_int_equal(sum.coherent[1][0] + sum.coherent[1][1], 0);
}

static void blocks_have_names_while_they_live(void **state)
{
	const struct burst_heap_event born = { .kind = BURST_ALLOC, .address = 0x10001000, .size = 8192, .callers = { BASE + WORK_AT + 5 } };
	const struct burst_heap_event dead = { .kind = BURST_FREE, .address = 0x10001000 };
	struct memory_span s;
	uint32_t object;

	(void)state;
	memory_objects_event(&objects, &born);
	memory_objects_find(&objects, 0x10001010, &s);
	object = s.object;
	assert_true(object >= MON_OBJ_FIRST);
	assert_int_equal(s.hi - s.lo, 8192);
	assert_string_equal(shm->strings + shm->objects[object].name, "block");
	assert_int_equal(shm->objects[object].size, 8192);
	memory_objects_event(&objects, &dead);
	memory_objects_find(&objects, 0x10001010, &s);
	assert_true(s.object >= MON_OBJ_FIRST && s.object != object);
	assert_int_equal(shm->objects[s.object].kind, MON_KIND_UNNAMED);
	memory_objects_stack(&objects, 0x10001020);
	memory_objects_find(&objects, 0x10001010, &s);
	assert_int_equal(s.object, MON_OBJ_STACK);
	objects.nstacks = 0;
	/* The next block of the same place is the same structure. */
	memory_objects_event(&objects, &born);
	memory_objects_find(&objects, 0x10001010, &s);
	assert_int_equal(s.object, object);
	memory_objects_find(&objects, 0x7fff8000, &s);
	assert_int_equal(s.object, MON_OBJ_STACK);
	memory_objects_find(&objects, BASE + 0x18000, &s);
	assert_int_equal(s.object, MON_OBJ_IMAGE);
}

static void small_blocks_have_the_name_of_their_site(void **state)
{
	static struct burst_small small;
	const uint64_t at = 0x10001000;
	struct memory_span s;
	uint32_t object;

	(void)state;
	small.site[3].callers[0] = small.site[4].callers[0] = BASE + WORK_AT + 5;
	for (uint64_t a = at + 32; a < at + 96; a += BURST_GRANULE)
		small.granule[burst_granule_at(a)] = burst_granule(a, a < at + 80 ? 3 : 4);
	memory_objects_small(&objects, &small);
	memory_objects_find(&objects, at + 50, &s);
	object = s.object;
	assert_string_equal(shm->strings + shm->objects[object].name, "block");
	assert_true(s.lo == at + 32 && s.hi == at + 80);
	/* Sites with one name are one structure. */
	memory_objects_find(&objects, at + 95, &s);
	assert_true(s.object == object && s.lo == at + 80 && s.hi == at + 96);
	memory_objects_find(&objects, at, &s);
	assert_int_equal(shm->objects[s.object].kind, MON_KIND_UNNAMED);
	assert_true(s.hi == at + 32);
	/* Another heap has used the entry since. */
	small.granule[burst_granule_at(at + 48)] += BURST_SITES;
	memory_objects_find(&objects, at + 50, &s);
	assert_int_equal(shm->objects[s.object].kind, MON_KIND_UNNAMED);
	objects.small = NULL;
}

static void part_of_a_mapping_may_go(void **state)
{
	const struct burst_heap_event born = { .kind = BURST_MAP, .address = 0x10100000, .size = 0x10000, .callers = { BASE + WORK_AT } };
	const struct burst_heap_event part = { .kind = BURST_UNMAP, .address = 0x10104000, .size = 0x3001 };
	struct memory_span s;
	uint32_t object;

	(void)state;
	memory_objects_event(&objects, &born);
	memory_objects_find(&objects, 0x10100000, &s);
	object = s.object;
	memory_objects_event(&objects, &part);
	memory_objects_find(&objects, 0x10103fff, &s);
	assert_int_equal(s.object, object);
	assert_int_equal(s.hi, 0x10104000);
	memory_objects_find(&objects, 0x10107fff, &s);  /* a mapping consists of pages */
	assert_int_not_equal(s.object, object);
	memory_objects_find(&objects, 0x10108000, &s);
	assert_int_equal(s.object, object);
}

static void library_that_is_loaded_again_has_its_variables_there(void **state)
{
	struct memory_span s;

	(void)state;
	memory_objects_find(&objects, BASE + 0x10000, &s);
	assert_true(s.object >= MON_OBJ_FIRST);
	made_file.base = BASE + 0x1000;
	objects.changes++;
	memory_objects_find(&objects, BASE + 0x11000, &s);
	assert_true(s.object >= MON_OBJ_FIRST && s.lo == BASE + 0x11000);
	made_file.base = BASE;
	made_file.variables_known = false;
}

/* A branch that goes on behind its block, or not, at random. */
static void mispredicted_branches_are_work_of_their_block(void **state)
{
	struct burst_thread *t = thread_begin(0);
	const struct burst_access a = load(WORK_AT);
	const uint32_t number = block_add(t, BASE + WORK_AT, &a, 1);
	const struct code_block *b;
	struct block_code code;
	uint32_t random = 1;

	(void)state;
	block_code_begin(&code, &places);
	b = block_code_at(&code, t, number);
	assert_non_null(b);
	block_code_branch(&code, number, b->next);      /* it does not end in a branch */
	assert_int_equal(b->branches, 0);
	code.block[number].flow.end = FLOW_CONDITIONAL;
	for (int i = 0; i < 1000; i++) {
		random = random * 1664525 + 1013904223;
		block_code_branch(&code, number, b->next + (random >> 31) * 64);
	}
	assert_int_equal(b->branches, 1000);
	block_code_tell_branches(&code);
	assert_in_range(((const struct psc_segment *)(uintptr_t)b->piece[0].word)->work.mispredicts, 6, 10);
	block_code_branch(&code, UINT64_MAX, 0);        /* no block before */
	block_code_end(&code);
}

static void time_counts_to_samples_and_recording_does_not(void **state)
{
	struct thread_times t = { 0 };
	struct burst_sample s = { .ip = BASE + LOOP_AT };
	const uint32_t context = places_at(&places, BASE + LOOP_AT).context;

	(void)state;
	for (int i = 1; i <= 10; i++) {
		s.cpu = (uint64_t)i * 1000000;
		assert_int_equal(sample_times_add(&t, &places, &s), context);
	}
	assert_int_equal(t.own[context], 10000000);
	s.cpu += 1000000;
	s.burst = 1;            /* a burst begins there, and lasts for two samples and more */
	sample_times_add(&t, &places, &s);
	s.cpu += 50000000;
	sample_times_add(&t, &places, &s);
	s.burst = 0;
	s.cpu += 50000000;
	sample_times_add(&t, &places, &s);
	assert_int_equal(t.own[context], 12000000);
	/* Code of a library belongs to the function that called it. */
	s = (struct burst_sample){ .ip = 0x999, .cpu = s.cpu + 1000000, .callers = { 0x998, BASE + MAIN_AT + 1 } };
	assert_int_equal(sample_times_add(&t, &places, &s), 0);
	assert_int_equal(t.own[0], 1000000);
	sample_times_free(&t);
}

/* Two loops with equal counts in bursts, of which samples give one ten times the time of the other: what counts stand
 * for is not for the proxy to say. */
static void counts_are_of_bursts_and_times_of_samples(void **state)
{
	struct burst_thread *t = thread_begin(0);
	const struct burst_access a[] = { load(LOOP_AT), load(MAIN_AT) };
	const uint32_t one = block_add(t, BASE + LOOP_AT, a, 1), other = block_add(t, BASE + MAIN_AT, a + 1, 1);
	struct thread_times times = { 0 };
	struct measured_run measured = { .shm = shm, .play = &play, .times = &times, .wall_ns = 22000000 };
	struct mon_request *r = &shm->request[1];
	uint64_t loads[2] = { 0, 0 }, samples = 0;

	(void)state;
	play_bursts_of(&play, 10000);
	for (int i = 0; i < 4000; i++) {
		word_add(t, i % 2 ? one : other);
		word_add(t, BASE + 0x10000);
	}
	burst_end(t, 1);
	run(1);
	play_bursts_settle(&play);
	for (uint64_t i = 1; i <= 22; i++)
		sample_times_add(&times, &places, &(struct burst_sample){ .cpu = 1000000 * i, .ip = BASE + (i % 11 ? LOOP_AT : MAIN_AT) });
	r->kind = MON_SIM;
	atomic_store(&r->state, MON_READY);
	assert_true(answers_write(&measured));
	assert_int_equal(atomic_load(&r->state), MON_DONE);
	for (uint32_t i = 0; i < r->rows.counts; i++)
		loads[shm->counts[1][i].context != 0] += shm->counts[1][i].loads;
	assert_int_equal(loads[0], 1500);
	assert_int_equal(loads[1], 1500);
	assert_int_equal(r->records, 3000);
	/* What the burst holds: it has 8000 of 10000 words, of which a quarter is not counted. */
	assert_int_equal(r->rows.burst_words, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct mon_burst_words *held = &shm->burst_words[1][i];

		assert_int_equal(held->begins, 0);
		assert_int_equal(held->words, held->context == MON_ANY ? 1500 : 3000);
		assert_int_equal(held->bursts, held->context != MON_ANY);
	}
	/* Time of the loop is its function's and the phase's, too. */
	assert_int_equal(shm->times[1][0].context, 0);
	assert_int_equal(shm->times[1][0].cpu_ns, 22000000);
	for (uint32_t i = 0; i < r->rows.times; i++) {
		samples += shm->times[1][i].pieces;
		assert_int_equal(shm->times[1][i].counted, shm->times[1][i].pieces);
	}
	assert_int_equal(samples, 22);
	sample_times_free(&times);
}

/* The machine's nodes are this host's: the second one is that on which the thread runs, the first
 * does not exist. */
static void rows_have_the_node_where_bursts_of_the_thread_were(void **state)
{
	struct burst_thread *t = thread_begin(0);
	const struct burst_access a = load(LOOP_AT);
	const uint32_t block = block_add(t, BASE + LOOP_AT, &a, 1);
	struct thread_times times = { 0 };
	struct measured_run measured = { .shm = shm, .play = &play, .times = &times, .wall_ns = 1 };
	struct mon_request *r = &shm->request[1];
	const int cpu = sched_getcpu(), node = cpu < 0 ? -1 : sample_source.cpu_node((uint32_t)cpu);
	cpu_set_t one;

	(void)state;
	if (node < 0)
		skip();         /* a kernel without memory nodes */
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	t->tid = (uint32_t)gettid();
	play.sim.machine.nodes = (struct machine_nodes){ .count = 2, .cpus = 2, .real = 1,
		.number = { (uint32_t)node + 1, (uint32_t)node } };
	shm->machine = play.sim.machine;
	for (int i = 0; i < 4000; i++) {
		word_add(t, block);
		word_add(t, BASE + 0x10000);
	}
	burst_end(t, 1);
	run(1);
	play_bursts_settle(&play);
	r->kind = MON_SIM;
	atomic_store(&r->state, MON_READY);
	assert_true(answers_write(&measured));
	assert_true(r->rows.counts > 0);
	for (uint32_t i = 0; i < r->rows.counts; i++)
		assert_int_equal(shm->counts[1][i].node, 1);
	shm->machine = machine;
	sample_times_free(&times);
}

static void what_bursts_do_not_give_is_dropped(void **state)
{
	struct thread_times times = { 0 };
	struct measured_run measured = { .shm = shm, .play = &play, .times = &times, .wall_ns = 1,
		.bursts = { .refusal = MON_BURSTS_GS } };

	(void)state;
	shm->request[0].kind = MON_VERIFY;
	shm->request[1].kind = MON_SIM;
	for (int i = 0; i < 2; i++)
		atomic_store(&shm->request[i].state, MON_READY);
	assert_true(answers_write(&measured));
	assert_int_equal(atomic_load(&shm->request[0].state), MON_DROPPED);
	assert_int_equal(shm->request[0].reason, MON_DROP_REQUEST);
	assert_int_equal(shm->request[1].reason, MON_DROP_BURSTS);
	assert_int_equal(shm->request[1].bursts.refusal, MON_BURSTS_GS);
	assert_true(answers_waiting(shm));
	assert_false(answers_write(&measured));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(every_kind_of_access_becomes_its_addresses),
		CASE(impossible_tables_are_refused),
		CASE(walk_over_many_lines_misses_and_small_table_does_not),
		CASE(neighbours_in_a_line_share_it_falsely),
		CASE(blocks_have_names_while_they_live),
		CASE(small_blocks_have_the_name_of_their_site),
		CASE(part_of_a_mapping_may_go), CASE(library_that_is_loaded_again_has_its_variables_there),
		CASE(mispredicted_branches_are_work_of_their_block),
		CASE(time_counts_to_samples_and_recording_does_not),
		CASE(counts_are_of_bursts_and_times_of_samples),
		CASE(rows_have_the_node_where_bursts_of_the_thread_were),
		CASE(what_bursts_do_not_give_is_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
