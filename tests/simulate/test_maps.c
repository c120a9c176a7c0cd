/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps: where and when accesses are drawn, how many, and that drawing changes no count. */
#include "simulate/simulate.h"
#include "tests/simulate/neighbours.h"

enum { LOAD8 = 8 << 2 | PSC_LOAD, STORE8 = 8 << 2 | PSC_STORE, OBJECT = 1 << 20, MOST = 400000 };
#define AT(object) ((uint64_t)OBJECT * (7 * 1024 + (object)))   /* the begin of an object */

static struct body { _Alignas(8) struct psc_segment s; uint32_t d[16]; } bodies[2];
static uint64_t words[MOST];
static size_t nwords;
static bool split;              /* the upper half of an object is a block of its own */

static bool range(void *asker, uint64_t address, uint64_t *lo, uint64_t *hi)
{
	const uint64_t bytes = split ? OBJECT / 2 : OBJECT;

	(void)asker;
	*lo = address / bytes * bytes;
	*hi = *lo + bytes;
	return true;
}

static const struct body *body_of(int i, const uint32_t *d, uint32_t n, uint32_t ngroups)
{
	bodies[i].s = (struct psc_segment){ .nwords = (uint16_t)ngroups, .ngroups = (uint16_t)ngroups,
		.naccess = (uint16_t)ngroups, .length = (uint16_t)n };
	memcpy(bodies[i].d, d, n * sizeof *d);
	return &bodies[i];
}

static void word(uint64_t w)
{
	assert_true(nwords < MOST);
	words[nwords++] = w;
}

static struct sim_thread *play(bool maps)
{
	static struct sim_env with;
	struct machine_flat m = { .nlevels = 2, .ncpus = 1, .page_size = 4096, .level[0] = level(64, 8, 64),
		.level[1] = level(64, 8, 1024) };
	struct sim_thread *t = thread_make();

	with = env;
	with.range = range;
	object_bytes = OBJECT;
	memset(&sim, 0, sizeof sim);
	sim_arm(&sim, &m, &with);
	sim.columns = true;
	sim.maps = maps;
	assert_int_equal(sim_core_attach(&t->core, &sim, 0), 0);
	t->context = 3;
	assert_int_equal(sim_batch(t, words, words + nwords, true, true), 0);
	sim_core_sum(&t->core);
	if (t->core.drawn)
		sim_maps_border(&t->core, 0);
	return t;
}

static void end(struct sim_thread *t)
{
	thread_free(t);
	blocks_free();
}

/* The sum of a field over an object's rows [from, to), and over columns. */
static uint64_t drawn(const struct sim_thread *t, uint64_t address, uint32_t rows[2], uint32_t columns[2], enum map_field field)
{
	const struct sim_maps *m = t->core.maps;
	const struct sim_map_table *table = &m->table[m->used];
	uint64_t sum = 0;

	for (uint32_t i = 0; i < table->room; i++) {
		const struct sim_map_count *c = &table->count[i];

		if (c->key && m->object[sim_map_object(c)].object == address / OBJECT % 7 + MON_OBJ_FIRST &&
		    sim_map_row(c) >= rows[0] && sim_map_row(c) < rows[1] && sim_map_column(c) >= columns[0] &&
		    sim_map_column(c) < columns[1])
			sum += c->n[field];
	}
	return sum;
}
#define ALL (uint32_t[]){ 0, MAP_COLUMNS }

static void a_loop_is_a_line(void **state)
{
	static const uint32_t d[] = { 8, LOAD8, (uint32_t)-8, STORE8 };
	const struct body *b = body_of(0, d, 4, 2);
	const uint64_t n = OBJECT / 8;
	struct sim_thread *t;
	uint64_t width;
	(void)state;

	nwords = 0;
	split = false;
	word((uint64_t)(uintptr_t)&b->s | PSC_REC_LOOP);
	word(n);
	word(AT(1));
	word(AT(2) + OBJECT - 8);
	t = play(true);
	assert_non_null(t->core.maps);
	width = t->core.maps->width;
	assert_int_equal(drawn(t, AT(1), ALL, ALL, MAP_READS), n);
	assert_int_equal(drawn(t, AT(1), ALL, ALL, MAP_WRITES), 0);
	assert_int_equal(drawn(t, AT(2), ALL, ALL, MAP_WRITES), n);
	/* A quarter of the execution is a quarter of the rows: from the first on, or from the last back. */
	for (uint32_t q = 0; q < 4; q++) {
		const uint32_t quarter = (uint32_t)(2 * n / width / 4);
		uint32_t columns[2] = { q * quarter + 1, (q + 1) * quarter - 1 }, rows[2] = { 64 * q, 64 * q + 64 };
		uint32_t back[2] = { 256 - 64 * q - 64, 256 - 64 * q };

		assert_int_equal(drawn(t, AT(1), rows, columns, MAP_READS), drawn(t, AT(1), ALL, columns, MAP_READS));
		assert_int_equal(drawn(t, AT(2), back, columns, MAP_WRITES), drawn(t, AT(2), ALL, columns, MAP_WRITES));
		assert_true(drawn(t, AT(1), rows, columns, MAP_READS) > n / 5);
	}
	end(t);
}

static void straight_code(bool together)
{
	static const uint32_t d[] = { LOAD8, STORE8 };
	const struct body *b = body_of(1, d, 2, 2);

	seed = 5;
	nwords = 0;
	for (uint64_t i = 0; i < 100000; i++) {
		word((uint64_t)(uintptr_t)&b->s | PSC_REC_SEGMENT);
		word(AT(1) + (together ? 0 : rnd() % (OBJECT / 8) * 8));
		word(AT(2));
	}
}

static void a_sample_stands_for_all(void **state)
{
	struct sim_thread *t;
	(void)state;

	split = false;
	straight_code(false);
	t = play(true);
	for (uint32_t q = 0; q < 4; q++) {
		uint32_t rows[2] = { 64 * q, 64 * q + 64 };
		uint64_t n = drawn(t, AT(1), rows, ALL, MAP_READS);

		if (n < 18000 || n > 32000)
			fail_msg("%llu of 25000 in a quarter", (unsigned long long)n);
	}
	assert_true(drawn(t, AT(2), (uint32_t[]){ 0, 1 }, ALL, MAP_WRITES) > 95000);
	assert_int_equal(drawn(t, AT(2), (uint32_t[]){ 1, 256 }, ALL, MAP_WRITES), 0);
	end(t);
}

/* The entry of an object. */
static const struct sim_map_object *entry(const struct sim_thread *t, uint64_t address)
{
	const struct sim_maps *m = t->core.maps;

	for (uint32_t i = 0; i < MAP_OBJECTS; i++)
		if (m->object[i].hi && m->object[i].object == address / OBJECT % 7 + MON_OBJ_FIRST)
			return &m->object[i];
	fail_msg("no entry");
	return NULL;
}

static void several_blocks_have_pieces(void **state)
{
	const struct sim_map_pieces *p;
	struct sim_thread *t;
	(void)state;

	split = true;
	straight_code(false);
	t = play(true);
	assert_null(entry(t, AT(2))->pieces);   /* it stays in its lower half */
	p = entry(t, AT(1))->pieces;
	assert_non_null(p);
	/* 1 MiB in pieces so long that the rows suffice; nothing of it is lost. */
	assert_true(p->n > MAP_ROWS / 4 && (uint64_t)p->n << p->shift == OBJECT);
	for (uint32_t r = 0; r < p->n; r++) {
		const uint64_t n = drawn(t, AT(1), (uint32_t[]){ r, r + 1 }, ALL, MAP_READS);

		assert_true(p->at[r] << p->shift >= AT(1) && p->at[r] << p->shift < AT(1) + OBJECT && n > 0);
	}
	assert_true(drawn(t, AT(1), (uint32_t[]){ 0, p->n }, ALL, MAP_READS) > 90000);
	end(t);
}

/* Random reads of an object larger than the caches miss everywhere alike; one that is read again and again does not. */
static void misses_have_rows(void **state)
{
	struct sim_thread *t;
	(void)state;

	split = false;
	straight_code(false);
	t = play(true);
	for (enum map_field f = MAP_FIRST; f <= MAP_LAST; f++) {
		uint64_t all = 0, half = drawn(t, AT(1), (uint32_t[]){ 0, 128 }, ALL, f);

		for (uint32_t i = 1; i < t->core.ncells; i++)
			all += t->core.cells[i].miss[f == MAP_FIRST ? 0 : 1][0];
		assert_true(all > 50000);
		if (2 * half < all * 9 / 10 || 2 * half > all * 11 / 10)
			fail_msg("%llu of %llu misses in one half", (unsigned long long)half, (unsigned long long)all);
		assert_true(drawn(t, AT(2), (uint32_t[]){ 0, 256 }, ALL, f) <= MAP_MISSES);
	}
	end(t);
}

/* A loop's misses lie where it is: those of a quarter of the execution in a quarter of the rows. */
static void misses_of_a_loop_move_with_it(void **state)
{
	static const uint32_t d[] = { 8, LOAD8 };
	const struct body *b = body_of(0, d, 2, 1);
	const uint64_t n = OBJECT / 8;
	struct sim_thread *t;
	(void)state;

	nwords = 0;
	split = false;
	word((uint64_t)(uintptr_t)&b->s | PSC_REC_LOOP);
	word(n);
	word(AT(1));
	t = play(true);
	for (uint32_t q = 0; q < 4; q++) {
		const uint32_t quarter = (uint32_t)(n / t->core.maps->width / 4);
		uint32_t columns[2] = { q * quarter + 1, (q + 1) * quarter - 1 }, rows[2] = { 64 * q, 64 * q + 64 };
		const uint64_t there = drawn(t, AT(1), rows, columns, MAP_FIRST);

		assert_int_equal(there, drawn(t, AT(1), (uint32_t[]){ 0, 256 }, columns, MAP_FIRST));
		assert_true(there > n / 8 / 4 / 2 && there < n / 8 / 4 * 2);
	}
	end(t);
}

static void drawing_changes_no_count(void **state)
{
	struct sim_thread *a, *b;
	(void)state;

	split = false;
	straight_code(false);
	a = play(false);
	b = play(true);
	assert_null(a->core.maps);
	assert_int_equal(a->core.ncells, b->core.ncells);
	for (uint32_t i = 1; i < a->core.ncells; i++)
		assert_memory_equal(a->core.cells[i].miss, b->core.cells[i].miss, sizeof a->core.cells[i].miss);
	thread_free(a);
	end(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop_is_a_line),
		cmocka_unit_test(a_sample_stands_for_all),
		cmocka_unit_test(several_blocks_have_pieces),
		cmocka_unit_test(misses_have_rows),
		cmocka_unit_test(misses_of_a_loop_move_with_it),
		cmocka_unit_test(drawing_changes_no_count),
	};

	return cmocka_run_group_tests_name("maps", tests, NULL, NULL);
}
