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

static size_t scarce;           /* there are no blocks of so many bytes */

static void *get(size_t bytes)
{
	return scarce && bytes == scarce ? NULL : block_get(bytes);
}

/* What is beyond `far_from` has numbers that are higher by `far_by`. */
static uint64_t page_bytes = 4096, far_from, far_by;

static bool place_pages(void *asker, uint64_t address, struct sim_place *out)
{
	const uint64_t page = address & ~(page_bytes - 1), unit = page_bytes < 4096 ? page_bytes : 4096;

	if (!place(asker, address, out))
		return false;
	out->lo = page_bytes > 4096 && address > page + 64 ? page + 64 : page;  /* it begins within a page */
	out->hi = page + page_bytes;
	if (far_by && address >= far_from)
		out->delta += far_by;
	/* Small pages in another order: two neighbours have changed places. */
	if (unit < 4096)
		out->delta = ((page ^ unit) - page) + (out->delta & ~UINT64_C(4095));
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
	struct machine_flat m = { .nlevels = 2, .ncpus = 1, .page_size = page_bytes < 4096 ? (uint32_t)page_bytes : 4096, .level[0] = level(64, 8, 64),
		.level[1] = level(64, 8, 1024) };
	struct sim_thread *t = thread_make();

	with = env;
	with.range = range;
	with.get = get;
	with.place = place_pages;
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

/* Between long loops, each of which is drawn, stand a few accesses: they are drawn as often as they should be. */
static void short_stretches_between_loops_are_drawn(void **state)
{
	static const uint32_t loop[] = { 8, LOAD8 }, straight[] = { STORE8 };
	const struct body *l = body_of(0, loop, 2, 1), *s = body_of(1, straight, 1, 1);
	struct sim_thread *t;
	uint64_t n;
	(void)state;

	split = false;
	nwords = 0;
	for (uint64_t i = 0; i < 2000; i++) {
		word((uint64_t)(uintptr_t)&l->s | PSC_REC_LOOP);
		word(600);
		word(AT(1));
		for (uint64_t k = 0; k < 50; k++) {
			word((uint64_t)(uintptr_t)&s->s | PSC_REC_SEGMENT);
			word(AT(2) + k * 4096);
		}
	}
	t = play(true);
	assert_int_equal(drawn(t, AT(1), ALL, ALL, MAP_READS), 2000 * 600);
	n = drawn(t, AT(2), ALL, ALL, MAP_WRITES);
	if (n < 80000 || n > 120000)
		fail_msg("%llu of 100000 are drawn", (unsigned long long)n);
	end(t);
}

/* Loops shorter than the distance between two drawn records stand for others of their kind. */
static void short_loops_stand_for_others(void **state)
{
	static const uint32_t loop[] = { 8, LOAD8, 8, STORE8 };
	const struct body *l = body_of(0, loop, 4, 2);
	struct sim_thread *t;
	uint64_t n;
	(void)state;

	split = false;
	nwords = 0;
	for (uint64_t i = 0; i < 8000; i++) {
		word((uint64_t)(uintptr_t)&l->s | PSC_REC_LOOP);
		word(i % 2 ? 100 : 20);
		word(AT(i % 2 ? 1 : 3));
		word(AT(2));
	}
	t = play(true);
	n = drawn(t, AT(1), ALL, ALL, MAP_READS);
	if (n < 360000 || n > 440000)
		fail_msg("%llu of 400000 are drawn", (unsigned long long)n);
	n = drawn(t, AT(3), ALL, ALL, MAP_READS);
	if (n < 65000 || n > 95000)
		fail_msg("%llu of 80000 are drawn", (unsigned long long)n);
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

/* Pages of 1 KiB with numbers of their own: a page of 4 KiB has four distances to its normalised pages. */
static void misses_of_small_pages_have_rows(void **state)
{
	struct sim_thread *t;
	(void)state;

	split = false;
	straight_code(false);
	page_bytes = 1024;
	t = play(true);
	page_bytes = 4096;
	for (uint32_t q = 0; q < 4; q++) {
		const uint64_t n = drawn(t, AT(1), (uint32_t[]){ 64 * q, 64 * q + 64 }, ALL, MAP_FIRST);

		if (n < 20000 || n > 30000)
			fail_msg("%llu of about 25000 misses in a quarter", (unsigned long long)n);
	}
	assert_int_equal(t->core.maps->left_out, 0);
	end(t);
}

/* Pages far apart in normalised space, as if the program had 256 GiB between them, are not taken for one another. */
static void misses_beyond_the_table_of_pages_are_left_out(void **state)
{
	const uint64_t beyond = (uint64_t)MAP_PAGES * MAP_PAGE_BLOCKS * 4096;
	struct sim_thread *t;
	(void)state;

	split = false;
	straight_code(false);
	far_from = AT(1) + OBJECT / 2;
	far_by = beyond - OBJECT / 2;           /* the upper half would be where the lower half is */
	t = play(true);
	far_by = 0;
	assert_true(drawn(t, AT(1), (uint32_t[]){ 0, 128 }, ALL, MAP_FIRST) < 60000);
	assert_int_equal(drawn(t, AT(1), (uint32_t[]){ 128, 256 }, ALL, MAP_FIRST), 0);
	assert_true(t->core.maps->left_out > 1000);
	end(t);
}

/* One part of the stack may be translated at once, all its pages are known then. */
static void misses_of_a_long_translation_have_rows(void **state)
{
	static const uint32_t d[] = { LOAD8, STORE8 };
	const struct body *b = body_of(1, d, 2, 2);
	struct sim_thread *t;
	(void)state;

	split = false;
	seed = 7;
	nwords = 0;
	for (uint64_t i = 0; i < 100000; i++) {
		word((uint64_t)(uintptr_t)&b->s | PSC_REC_SEGMENT);
		word(AT(1) + 64 + (i ? rnd() % 4 << 18 : 0) + rnd() % 500 * 8);
		word(AT(2) + 4096 + rnd() % (60 * 512) * 8);
	}
	page_bytes = OBJECT;
	t = play(true);
	page_bytes = 4096;
	assert_int_equal(t->core.maps->left_out, 0);
	for (uint32_t q = 0; q < 4; q++)
		assert_true(drawn(t, AT(1), (uint32_t[]){ 64 * q, 64 * q + 1 }, ALL, MAP_FIRST) > 2000);
	end(t);
}

/* Without memory for more counts, or for pieces, what is drawn says so. */
static void what_finds_no_memory_is_counted(void **state)
{
	(void)state;
	for (int pieces = 0; pieces < 2; pieces++) {
		struct sim_thread *t;
		uint64_t in;

		split = pieces;
		straight_code(false);
		scarce = pieces ? sizeof(struct sim_map_pieces) : MAP_GROWTH * MAP_COUNTS_FIRST * sizeof(struct sim_map_count);
		t = play(true);
		scarce = 0;
		in = drawn(t, AT(1), (uint32_t[]){ 0, 256 }, ALL, MAP_FIRST);
		/* Of 100000 reads one of some 256 is drawn, of as many misses one in twelve. */
		if (pieces)
			assert_in_range(t->core.maps->left_out, 100000 / MAP_MISSES * 6 / 10,
				100000 / MAP_MISSES * 24 / 10);
		else
			assert_in_range(in / MAP_MISSES + t->core.maps->left_out, 100000 / MAP_MISSES * 9 / 10,
				100000 / MAP_MISSES * 3);
		assert_true(t->core.maps->left_out > 0);
		end(t);
	}
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
		cmocka_unit_test(short_stretches_between_loops_are_drawn),
		cmocka_unit_test(short_loops_stand_for_others),
		cmocka_unit_test(several_blocks_have_pieces),
		cmocka_unit_test(misses_have_rows),
		cmocka_unit_test(misses_of_a_loop_move_with_it),
		cmocka_unit_test(misses_of_small_pages_have_rows),
		cmocka_unit_test(misses_beyond_the_table_of_pages_are_left_out),
		cmocka_unit_test(misses_of_a_long_translation_have_rows),
		cmocka_unit_test(what_finds_no_memory_is_counted),
		cmocka_unit_test(drawing_changes_no_count),
	};

	return cmocka_run_group_tests_name("maps", tests, NULL, NULL);
}
