/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares loop records with the same loops written out as single accesses: all cells must have the
 * same counts, and all sets of all levels the same tags. */
#include "tests/simulate/column_sums.h"
#include "tests/simulate/loops.h"

static struct { _Alignas(8) struct psc_segment s; uint32_t d[80]; } single[4096];
static uint32_t nsingle;

static struct expansion {
	uint64_t *at;
	const uint64_t *end;
} expansion;

/* One group as a segment of its own; equal ones share their descriptor. */
static void write_out(void *arg, const uint32_t *d, uint64_t address, uint64_t length)
{
	struct expansion *x = arg;
	bool many = *d & PSC_GROUP_MANY;
	uint32_t n = many ? 3 + PSC_MANY_N(*d) : 1, i;
	uint32_t copy[80];

	(void)length;
	memcpy(copy, d, n * sizeof *d);
	copy[0] &= ~(PSC_GROUP_TAIL | PSC_GROUP_SPIN);
	for (i = 0; i < nsingle; i++)
		if (single[i].s.length == n && single[i].s.line == expanded_line && !memcmp(single[i].d, copy, n * sizeof *d))
			break;
	if (i == nsingle) {
		assert_true(nsingle < 4096);
		single[nsingle++].s = (struct psc_segment){ 1, 1,
			(uint16_t)(many ? PSC_MANY_N(*d) : 1), (uint16_t)n, expanded_line, { 0 } };
		memcpy(single[i].d, copy, n * sizeof *d);
	}
	assert_true(x->at + 2 <= x->end);
	*x->at++ = (uintptr_t)&single[i].s;
	*x->at++ = address;
}

static struct sample sample;
static bool sampled;

static const struct pscm_whatif *whatif;        /* the simulated variant; NULL */

/* The state after a simulation.  The owner frees the arrays. */
struct outcome {
	struct sim_cell *cells;
	struct line_misses *lines;
	void *tags;
	uint32_t ncells, nlines;
	size_t ntags;
};

static bool columned;           /* loop records are cut by a timeline's columns */
static uint64_t columns;        /* that had counts */

static void play(const struct machine_flat *m, uint64_t *words, const uint64_t *end, uint64_t **ends, bool cut,
	struct outcome *out)
{
	struct sim_thread *t = thread_make();

	memset((void *)(uintptr_t)marked, 0, sizeof marked);
	sim_arm(&sim, m, &env);
	sim.sample = sampled ? &sample : NULL;
	sim.columns = columned && cut;
	sim.longest = 1 + rnd() % 100000;
	assert_int_equal(sim_core_attach(&t->core, &sim, 0), 0);
	reuse_begin(t->core.reuse, 0);  /* of every line */
	t->asker = (void *)(uintptr_t)whatif;
	t->whole = whatif;
	for (; words < end; words = *ends++)
		assert_int_equal(sim_batch(t, words, *ends, true, true), 0);
	sim_core_sum(&t->core);
	columns += sim.columns ? assert_columns_sum(&t->core) : 0;
	out->lines = copy_lines(&t->core, &out->nlines);
	qsort(t->core.cells + 1, t->core.ncells - 1, sizeof *t->core.cells, cell_order);
	out->cells = malloc(t->core.ncells * sizeof *out->cells);
	out->ncells = 0;
	for (uint32_t i = 1; i < t->core.ncells; i++) {
		t->core.cells[i].folded = 0;
		/* One may have been looked up for a second byte only. */
		if (t->core.cells[i].refs[0] + t->core.cells[i].refs[1])
			out->cells[out->ncells++] = t->core.cells[i];
	}
	out->tags = malloc(tag_bytes(&t->core, m->nlevels));
	out->ntags = copy_tags(&t->core, m->nlevels, out->tags);
	thread_free(t);
	blocks_free();
}

static void assert_equal_and_free(struct outcome is[2])
{
	assert_int_equal(is[0].ntags, is[1].ntags);
	assert_int_equal(is[0].ncells, is[1].ncells);
	assert_memory_equal(is[0].cells, is[1].cells, is[0].ncells * sizeof *is[0].cells);
	assert_memory_equal(is[0].tags, is[1].tags, is[0].ntags);
	assert_same_lines(is[0].lines, is[0].nlines, is[1].lines, is[1].nlines);
	for (int i = 0; i < 2; i++) {
		free(is[i].cells);
		free(is[i].lines);
		free(is[i].tags);
	}
}

/* Makes all groups of a loop begin at an address that was loaded. */
static void chain(struct desc *o)
{
	uint32_t *d = o->d;

	for (uint32_t g = 0; g < o->s.ngroups; g++) {
		*++d |= PSC_DEP_CHAINED << PSC_GROUP_DEPENDENCE_SHIFT;
		d += *d & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*d) : 1;
	}
}

static bool chained;

static void one_case(const struct machine_flat *m, uint32_t largest)
{
	static struct desc o[4];
	static uint64_t words[4096], out[WORDS];
	uint64_t *end = words, *ends[4], *outs[4];
	uint32_t n = 1 + (uint32_t)(rnd() % 4);
	struct outcome is[2];

	nsingle = 0;
	expansion = (struct expansion){ out, out + WORDS };
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t *from = end;

		ends[i] = end = recur ? recurring_loop(&o[i], end, largest) :
			some_loop(&o[i], end, largest);
		if (chained)
			chain(&o[i]);
		assert_ptr_equal(record_expand(from, write_out, &expansion), end);
		outs[i] = expansion.at;
	}
	play(m, words, end, ends, true, &is[0]);
	play(m, out, expansion.at, outs, false, &is[1]);
	assert_equal_and_free(is);
}

/* --- the cases -------------------------------------------------------------------------------------- */

static void loops_equal_their_iterations(void **state)
{
	(void)state;
	for (size_t g = 0; g < sizeof geometries / sizeof *geometries; g++) {
		struct machine_flat m = machine_of(geometries[g], 1);
		for (int i = 0; i < cases / 9; i++) {
			seed = 88172645463325252ull + g * 100000 + (uint64_t)i;
			rnd();
			permute = rnd() % 2 ? 0x10155 : 0;
			m.pages = rnd() % 4 ? MACHINE_PAGES_FIRST_TOUCH : MACHINE_PAGES_VIRTUAL;
			sampled = rnd() % 4 == 0 && sample_make(&sample, &m, 1 + rnd() % 8, rnd());
			chained = i % 4 == 0;
			one_case(&m, 64);
		}
	}
	chained = false;
}

/* Engines do not know that a loop is cut. */
static void loops_cut_by_columns_equal_their_iterations(void **state)
{
	columned = true;
	loops_equal_their_iterations(state);
	assert_true(columns > 20 * (uint64_t)cases);
	columned = false;
}

/* --- loops that repeat themselves ------------------------------------------------------------------- */

/* Ways, in sets enough that streams are apart from each other in some. */
static const uint32_t roomy[][MACHINE_LEVELS][3] = {
	{ { 128, 8, 256 }, { 128, 12, 512 } },
	{ { 64, 8, 64 }, { 64, 8, 512 }, { 64, 16, 1024 } },
	{ { 128, 4, 32 }, { 64, 8, 256 } },
	{ { 64, 2, 128 }, { 64, 3, 100 } },
	{ { 64, 1, 256 } },
	{ { 64, 2, 512 }, { 64, 8, 256 } },
	{ { 64, 3, 4 }, { 128, 8, 64 } },
	{ { 32, 12, 64 }, { 32, 16, 512 } },
};

/* Loops simulated by periods; in part; of these, the rest in step, or one by one; iterations. */
static uint64_t wholly, partly, marched, expanded, turns;

uint64_t __real_periods_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t __wrap_periods_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t __wrap_periods_play(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	uint64_t i = __real_periods_play(w, l, from, to) - from;

	wholly += i == to - from;
	partly += i > 1 && i < to - from;
	turns += i;
	return from + i;
}

uint64_t __real_step_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t __wrap_step_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t __wrap_step_play(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	marched += from > 1;
	return __real_step_play(w, l, from, to);
}

uint64_t __real_iterations_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t __wrap_iterations_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t __wrap_iterations_play(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	expanded += from > 1;
	return __real_iterations_play(w, l, from, to);
}

/* Streams come near to others, too many of them sometimes, and part again. */
static void loops_that_recur_equal_their_iterations(void **state)
{
	(void)state;
	sampled = false;
	no_blocks = true;
	for (size_t g = 0; g < sizeof roomy / sizeof *roomy; g++) {
		struct machine_flat m = machine_of(roomy[g], 1);
		for (int i = 0; i < cases / 8; i++) {
			seed = 521288629521288629ull + g * 100000 + (uint64_t)i;
			rnd();
			permute = rnd() % 2 ? 0x10155 : 0;
			m.pages = rnd() % 4 ? MACHINE_PAGES_FIRST_TOUCH : MACHINE_PAGES_VIRTUAL;
			scatter = rnd() % 3 ? 1 + rnd() % 3 : 63;
			object_bytes = (uint64_t[]){ 1000, 3000, 10000, 1 << 20 }[rnd() % 4];
			recur = 1 + (uint32_t)(rnd() % (rnd() % 3 ? roomy[g][0][1] * (1 + m.level[0].sets *
				m.level[0].line / 4096) : 30)) % 40;
			one_case(&m, roomy[g][0][0]);
		}
	}
	object_bytes = 1000;
	recur = 0;
	scatter = 63;
	no_blocks = false;
	assert_true(4 * wholly > 3 * (uint64_t)cases && partly > (uint64_t)cases / 80 && turns > 500 * (uint64_t)cases);
	assert_true(marched > (uint64_t)cases / 400 && marched + expanded > (uint64_t)cases / 200);
}

static void loops_that_recur_and_are_cut_equal_their_iterations(void **state)
{
	(void)state;
	columned = true;
	no_blocks = true;
	object_bytes = 10000;
	for (size_t g = 0; g < sizeof roomy / sizeof *roomy; g++) {
		struct machine_flat m = machine_of(roomy[g], 1);

		m.pages = MACHINE_PAGES_FIRST_TOUCH;
		for (int i = 0; i < cases / 16; i++) {
			seed = 88675123886751238ull + g * 100000 + (uint64_t)i;
			recur = 1 + (uint32_t)(rnd() % 30);
			one_case(&m, roomy[g][0][0]);
		}
	}
	object_bytes = 1000;
	recur = 0;
	no_blocks = columned = false;
}

/* Whatever is changed about a structure, its lines, rows and elements end where they end. */
static void loops_equal_their_iterations_in_variants(void **state)
{
	(void)state;
	for (size_t g = 0; g < sizeof geometries / sizeof *geometries; g++) {
		struct machine_flat m = machine_of(geometries[g], 1);
		uint32_t line = 0;

		for (uint32_t l = 0; l < m.nlevels; l++)
			line = m.level[l].line > line ? m.level[l].line : line;
		for (int i = 0; i < cases / 9; i++) {
			static const uint32_t fixes[] = { MON_FIX_SHIFT, MON_FIX_ROWS, MON_FIX_SPREAD, MON_FIX_ABSENT };
			struct pscm_whatif x = { .number = 1, .line = line, .nodes = 1 };

			seed = 362436069362436069ull + g * 100000 + (uint64_t)i;
			rnd();
			x.object = MON_OBJ_FIRST + (uint32_t)(rnd() % 7);
			x.fix = fixes[rnd() % 4];
			x.parameter = x.fix == MON_FIX_SHIFT ? line * (1 + rnd() % 5) : 1 + rnd() %
				(x.fix == MON_FIX_ROWS ? 1500 : 200);
			whatif = &x;
			recur = rnd() % 2 ? 12 : 0;
			permute = rnd() % 2 ? 0x10155 : 0;
			m.pages = rnd() % 4 ? MACHINE_PAGES_FIRST_TOUCH : MACHINE_PAGES_VIRTUAL;
			one_case(&m, 64);
			whatif = NULL;
			recur = 0;
		}
	}
}

/* An overwritten record may hold anything, for every engine and every shape of the level. */
static void a_loop_of_nothing_ends_at_once(void **state)
{
	static struct desc before = { .s = { 4, 4, 4, 8, 0 }, .d = { 128, 8 << 2 | PSC_LOAD, 0, 8 << 2 | PSC_LOAD,
		0, 8 << 2 | PSC_LOAD, 0, 8 << 2 | PSC_LOAD } };
	static struct desc nothing;
	const uint64_t words[] = { (uintptr_t)&before.s | PSC_REC_LOOP, 20, 1 << 24, 2 << 24, 3 << 24, 4 << 24,
		(uintptr_t)&nothing.s | PSC_REC_LOOP, 20, (uintptr_t)&nothing.s | PSC_REC_LOOP, UINT64_C(1) << 36 };

	(void)state;
	alarm(20);
	for (size_t g = 0; g < sizeof geometries / sizeof *geometries; g++) {
		struct machine_flat m = machine_of(geometries[g], 1);
		struct sim_thread *t = thread_make();

		m.pages = MACHINE_PAGES_FIRST_TOUCH;
		sim_arm(&sim, &m, &env);
		assert_int_equal(sim_core_attach(&t->core, &sim, 0), 0);
		assert_int_equal(sim_batch(t, words, words + sizeof words / sizeof *words, true, true), 0);
		sim_core_sum(&t->core);
		assert_int_equal(t->core.records, 80);
		thread_free(t);
		blocks_free();
	}
	alarm(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_equal_their_iterations),
		cmocka_unit_test(loops_cut_by_columns_equal_their_iterations),
		cmocka_unit_test(loops_that_recur_equal_their_iterations),
		cmocka_unit_test(loops_that_recur_and_are_cut_equal_their_iterations),
		cmocka_unit_test(loops_equal_their_iterations_in_variants),
		cmocka_unit_test(a_loop_of_nothing_ends_at_once),
	};

	cases = random_cases(cases);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
