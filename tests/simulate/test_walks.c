/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks: what the sample says of records whose moves are known, and that looking changes no count. */
#include "simulate/simulate.h"
#include "simulate/cache/walk_table.h"
#include "tests/simulate/neighbours.h"

enum { LOAD8 = 8 << 2 | PSC_LOAD, STORE8 = 8 << 2 | PSC_STORE, OBJECT = 1 << 24, MOST = 40000 };
#define AT(object) ((uint64_t)OBJECT * (7 * 16 + (object)))     /* the begin of an object */

static struct body { _Alignas(8) struct psc_segment s; uint32_t d[16]; } bodies[4];
static uint64_t words[MOST];
static size_t nwords;

/* A descriptor with n words of groups, and a line for each of its ngroups groups, which loops' records say that there is. */
static struct body *body_of(int i, const uint32_t *d, uint32_t n, uint32_t ngroups, uint32_t record_words)
{
	struct body *b = &bodies[i];

	b->s = (struct psc_segment){ .nwords = (uint16_t)record_words, .ngroups = (uint16_t)ngroups,
		.naccess = (uint16_t)ngroups, .length = (uint16_t)n, .line = 10 };
	memcpy(b->d, d, n * sizeof *d);
	for (uint32_t g = 0; g < ngroups; g++)
		b->d[n + g] = 10 + g;
	return b;
}

static void word(uint64_t w)
{
	assert_true(nwords < MOST);
	words[nwords++] = w;
}

static void record(const struct body *b, uint32_t tag)
{
	word((uint64_t)(uintptr_t)&b->s | (tag == PSC_REC_LOOP ? tag | PSC_REC_LINES : tag));
}

static struct sim_thread *play(bool walked)
{
	struct machine_flat m = { .nlevels = 2, .ncpus = 1, .page_size = 4096, .level[0] = level(64, 8, 64),
		.level[1] = level(64, 8, 1024) };
	struct sim_thread *t = thread_make();

	object_bytes = OBJECT;
	sim_arm(&sim, &m, &env);
	assert_int_equal(sim_core_attach(&t->core, &sim, 0), 0);
	t->walked = walked;
	t->context = 3;
	assert_int_equal(sim_batch(t, words, words + nwords, true, true), 0);
	sim_core_sum(&t->core);
	return t;
}

/* The walk through the object of an address; each test has one. */
static const struct sim_walk *walk(const struct sim_thread *t, uint64_t address)
{
	for (uint32_t i = 0; t->core.walks && i < WALKS; i++) {
		const struct sim_walk *k = &t->core.walks->walk[i];

		if (k->used && k->object == address / OBJECT % 7 + MON_OBJ_FIRST)
			return k;
	}
	return NULL;
}

static uint64_t moves(const struct sim_walk *k, int64_t step)
{
	for (int i = 0; i < WALK_STEPS; i++)
		if (k->step[i].n && k->step[i].step == step)
			return k->step[i].n;
	return 0;
}

static void a_long_loop_says_its_steps(void **state)
{
	static const uint32_t d[] = { 8, LOAD8, (uint32_t)-64, STORE8 };
	const struct body *b = body_of(0, d, 4, 2, 2);
	struct sim_thread *t;
	const struct sim_walk *k;
	(void)state;

	nwords = 0;
	record(b, PSC_REC_LOOP);
	word(5000);
	word(AT(1));
	word(AT(2) + 64 * 5000);
	t = play(true);
	k = walk(t, AT(1));
	assert_non_null(k);
	assert_true(k->context == 3 && k->line == 10 && !k->store && k->size == 8 && k->per == 1 && k->seen == 4999 && moves(k, 8) == 4999);
	k = walk(t, AT(2));
	assert_non_null(k);
	assert_true(k->line == 11 && k->store && moves(k, -64) == 4999);
	thread_free(t);
	blocks_free();
}

/* As the compiler unrolls an index: the groups leave nothing out together. */
static void groups_of_an_unrolled_loop_touch_a_step_together(void **state)
{
	enum { LOAD4 = 4 << 2 | PSC_LOAD };
	static const uint32_t d[] = { 16, LOAD4, 16, LOAD4, 16, LOAD4, 24, LOAD8, 24, LOAD8 };
	const struct body *b = body_of(0, d, 10, 5, 5);
	struct sim_thread *t;
	const struct sim_walk *k;
	(void)state;

	for (int i = 0; i < 5; i++)
		bodies[0].d[10 + i] = 10;       /* all of one line */
	nwords = 0;
	record(b, PSC_REC_LOOP);
	word(5000);
	word(AT(1) + 8);
	word(AT(1) + 12);
	word(AT(1));
	word(AT(2) + 8);
	word(AT(2));
	t = play(true);
	k = walk(t, AT(1));
	assert_non_null(k);
	assert_true(k->size == 4 && k->per == 1 && k->bytes == 12 && moves(k, 16) == k->seen);
	k = walk(t, AT(2));
	assert_non_null(k);
	assert_true(k->size == 8 && k->bytes == 16 && moves(k, 24) == k->seen);
	thread_free(t);
	blocks_free();
}

/* Of long batches one in about eight is looked at, and of a loop that is in none of these the first
 * record. */
static void a_loop_of_one_batch_has_a_walk(void **state)
{
	static const uint32_t straight[] = { LOAD8 },
		loops[][2] = { { 8, LOAD8 }, { 16, LOAD8 }, { 24, LOAD8 } };
	const struct body *b = body_of(0, straight, 1, 1, 1);
	struct sim_thread *t;
	(void)state;

	nwords = 0;
	t = play(true);
	for (int i = 0; i < 3; i++) {
		nwords = 0;
		for (int k = 0; k < 1000; k++) {
			record(b, PSC_REC_SEGMENT);
			word(AT(6) + 8 * (uint64_t)k);
		}
		record(body_of(1 + i, loops[i], 2, 1, 1), PSC_REC_LOOP);
		word(50);
		word(AT(i));
		assert_int_equal(sim_batch(t, words, words + nwords, true, true), 0);
	}
	for (int i = 0; i < 3; i++) {
		const struct sim_walk *k = walk(t, AT(i));

		assert_non_null(k);
		assert_true(k->seen >= 49 && moves(k, 8 * (i + 1)) == k->seen);
	}
	thread_free(t);
	blocks_free();
}

static void straight_code_is_compared_with_its_execution_before(void **state)
{
	static const uint32_t d[] = { LOAD8, LOAD8 };
	const struct body *b = body_of(1, d, 2, 2, 2);
	struct sim_thread *t;
	const struct sim_walk *k;
	(void)state;

	seed = 7;
	nwords = 0;
	for (uint64_t i = 0; i < 10000; i++) {
		record(b, PSC_REC_SEGMENT);
		word(AT(1) + 24 * i);
		word(AT(2) + rnd() % (OBJECT / 8) * 8);
	}
	t = play(true);
	k = walk(t, AT(1));
	assert_non_null(k);
	assert_true(k->seen > 300 && k->seen < 1300 && moves(k, 24) == k->seen);
	k = walk(t, AT(2));
	assert_non_null(k);
	for (int i = 0; i < WALK_STEPS; i++)
		assert_true(2 * k->step[i].n < k->seen);
	thread_free(t);
	blocks_free();
}

static void blocks_have_a_length(void **state)
{
	static const uint32_t d[] = { PSC_LOAD_RANGE | PSC_GROUP_COPY, PSC_STORE_RANGE };
	const struct body *b = body_of(2, d, 2, 2, 4);
	struct sim_thread *t;
	const struct sim_walk *k;
	(void)state;

	nwords = 0;
	record(b, PSC_REC_SEGMENT);
	word(AT(1));
	word(100000);
	word(AT(2));
	word(100000);
	t = play(true);
	k = walk(t, AT(1));
	assert_non_null(k);
	assert_true(!k->store && k->size == 0 && k->seen == 1 && k->length == 100000);
	k = walk(t, AT(2));
	assert_non_null(k);
	assert_true(k->store && k->size == 0 && k->length == 100000);
	thread_free(t);
	blocks_free();
}

/* A block is there once, in a batch that is not looked at. */
static void a_long_block_is_always_seen(void **state)
{
	static const uint32_t straight[] = { LOAD8 }, set[] = { PSC_STORE_RANGE };
	const struct body *s = body_of(0, straight, 1, 1, 1), *b = body_of(1, set, 1, 1, 2);
	struct sim_thread *t;
	uint64_t seen = 0;
	(void)state;

	nwords = 0;
	t = play(true);
	for (int i = 0; i < 20; i++) {
		nwords = 0;
		for (int k = 0; k < 1000; k++) {
			record(s, PSC_REC_SEGMENT);
			word(AT(6) + 8 * (uint64_t)k);
		}
		record(b, PSC_REC_SEGMENT);
		word(AT(1));
		word(100000);
		assert_int_equal(sim_batch(t, words, words + nwords, true, true), 0);
		assert_non_null(walk(t, AT(1)));
		seen = walk(t, AT(1))->seen;
		assert_int_equal(seen, i + 1);
	}
	assert_int_equal(walk(t, AT(1))->length, seen * 100000);
	thread_free(t);
	blocks_free();
}

static void looking_changes_no_count(void **state)
{
	static const uint32_t straight[] = { LOAD8, STORE8 }, loop[] = { 8, LOAD8, 4096, STORE8 };
	const struct body *s = body_of(1, straight, 2, 2, 2), *l = body_of(0, loop, 4, 2, 2);
	struct sim_thread *a, *b;
	(void)state;

	seed = 3;
	nwords = 0;
	for (int i = 0; i < 3000; i++) {
		record(i % 5 ? s : l, i % 5 ? PSC_REC_SEGMENT : PSC_REC_LOOP);
		if (i % 5 == 0)
			word(i % 50 ? rnd() % 40 : 4096 + rnd() % 100);
		word(AT(rnd() % 5) + rnd() % (OBJECT / 16) * 8);
		word(AT(rnd() % 5) + rnd() % (OBJECT / 16) * 8);
	}
	a = play(false);
	b = play(true);
	assert_null(a->core.walks);
	assert_true(b->core.walks && b->core.walks->n > 4);
	assert_int_equal(a->core.ncells, b->core.ncells);
	for (uint32_t i = 1; i < a->core.ncells; i++) {
		assert_memory_equal(a->core.cells[i].miss, b->core.cells[i].miss, sizeof a->core.cells[i].miss);
		assert_memory_equal(a->core.cells[i].refs, b->core.cells[i].refs, sizeof a->core.cells[i].refs);
		assert_memory_equal(a->core.cells[i].class, b->core.cells[i].class, sizeof a->core.cells[i].class);
	}
	thread_free(a);
	thread_free(b);
	blocks_free();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_loop_says_its_steps),
		cmocka_unit_test(a_loop_of_one_batch_has_a_walk),
		cmocka_unit_test(straight_code_is_compared_with_its_execution_before),
		cmocka_unit_test(groups_of_an_unrolled_loop_touch_a_step_together),
		cmocka_unit_test(blocks_have_a_length),
		cmocka_unit_test(a_long_block_is_always_seen),
		cmocka_unit_test(looking_changes_no_count),
	};

	return cmocka_run_group_tests_name("walks of a sample", tests, NULL, NULL);
}
