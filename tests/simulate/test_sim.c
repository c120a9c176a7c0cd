/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests caches and records against a simulator that is as plain as possible. */
#include "tests/random_cases.h"
#include "tests/simulate/records.h"

/* --- the plain simulator ------------------------------------------------------------------------------ */

struct plain {
	uint64_t line[MACHINE_LEVELS][1 << 14][24];
	uint64_t refs[2], bytes, miss[MACHINE_LEVELS][2], fetched[MACHINE_LEVELS];
};
static struct plain plain;

static int plain_line(const struct machine_level *l, int level, uint64_t line)
{
	uint64_t *set = plain.line[level][line % l->sets];
	uint32_t way = 0;
	int missing;

	while (way < l->assoc - 1 && set[way] != line)
		way++;
	missing = set[way] != line;
	memmove(set + 1, set, way * sizeof *set);
	set[0] = line;
	return missing;
}

static void plain_access(const struct machine_flat *m, uint64_t address, uint32_t size, int store)
{
	uint64_t flip = m->pages == MACHINE_PAGES_VIRTUAL ? 0 : permute << 12;

	plain.refs[store]++;
	plain.bytes += size;
	for (uint32_t i = 0; i < m->nlevels; i++) {
		uint64_t a = (address ^ flip) / m->level[i].line;
		uint64_t b = ((address + size - 1) ^ flip) / m->level[i].line;
		int n = plain_line(&m->level[i], (int)i, a);

		if (b != a)
			n += plain_line(&m->level[i], (int)i, b);
		if (!n)
			return;
		plain.miss[i][store]++;
		plain.fetched[i] += (uint64_t)n;
	}
}

/* --- random programs ------------------------------------------------------------------------------------ */

enum { DESCS = 60, MOST = 12 };

static int batches = 8;         /* of a case, by random_cases() */
static struct desc descs[DESCS];

/* The second half are loops. */
static void make_descs(uint32_t largest)
{
	for (int i = 0; i < DESCS; i++) {
		int64_t step[MOST];

		for (int g = 0; g < MOST; g++)
			step[g] = (int64_t[]){ 0, 8, -8, 32, 136, 4, -40, 4096 }[rnd() % 8];
		desc_make(&descs[i], (uint32_t)(rnd() % MOST), i < DESCS / 2 ? NULL : step, largest);
	}
}

static uint64_t walk[4];
static uint64_t some_address(uint64_t span)
{
	switch (rnd() % 4) {
	case 0: return 1048576 + rnd() % span;
	case 1: return 1048576 + (walk[0] += 8) % span;
	case 2: return 1048576 + (walk[1] += 136) % span;
	default: return 1048576 + (span / 2 + (walk[2] += 3)) % span;
	}
}

static void plain_range(const struct machine_flat *m, uint64_t address, uint64_t length, int store)
{
	for (uint64_t done = 0; done < length; done += 8)
		plain_access(m, address + done, length - done < 8 ? (uint32_t)(length - done) : 8,
			store);
}

static void plain_group(void *arg, const uint32_t *d, uint64_t address, uint64_t length)
{
	const struct machine_flat *m = arg;

	if (*d & PSC_GROUP_MANY)
		for (uint32_t i = 0; i < PSC_MANY_N(*d); i++)
			plain_access(m, address + PSC_MEMBER_OFFSET(d[3 + i]),
				PSC_MEMBER_SIZE(d[3 + i]), d[3 + i] & 1);
	else if (*d & 2)
		plain_range(m, address, length, *d & 1);
	else
		plain_access(m, address, (uint32_t)length, *d & 1);
}

/* Fills words with records and simulates them plainly; returns their end. */
static uint64_t *make_words(struct machine_flat *m, uint64_t *at, const uint64_t *end,
	uint64_t span)
{
	while (at + 3 * MOST + 2 < end) {
		int i = (int)(rnd() % DESCS);
		bool loop = i >= DESCS / 2;
		const uint64_t *record = at;
		const uint32_t *d = descs[i].d;

		*at++ = (uintptr_t)&descs[i].s | (loop ? PSC_REC_LOOP : 0);
		if (loop)
			*at++ = rnd() % (rnd() % 8 ? 10 : 100);
		for (uint32_t g = 0; g < descs[i].s.ngroups; g++) {
			*at++ = loop || rnd() % 16 ? some_address(span) : 0;
			if (loop && *d++ == (uint32_t)PSC_STEP_WORD)
				*at++ = descs[i].step[g];
			if ((*d & ~PSC_GROUP_FLAGS) == PSC_LOAD_RANGE ||
			    (*d & ~PSC_GROUP_FLAGS) == PSC_STORE_RANGE)
				*at++ = rnd() % 300;
			d += *d & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*d) : 1;
		}
		record_expand(record, plain_group, m);
	}
	return at;
}

static void compare(const struct machine_flat *m, const struct sim_thread *t)
{
	struct sim_cell sum = { 0 };

	for (uint32_t i = 1; i < t->core.ncells; i++) {
		const struct sim_cell *c = &t->core.cells[i];

		sum.bytes += c->bytes;
		for (int s = 0; s < 2; s++) {
			sum.refs[s] += c->refs[s];
			for (uint32_t l = 0; l < m->nlevels; l++)
				sum.miss[l][s] += c->miss[l][s];
		}
		for (uint32_t l = 0; l < m->nlevels; l++)
			sum.fetched[l] += c->fetched[l];
	}
	assert_int_equal(sum.bytes, plain.bytes);
	for (int s = 0; s < 2; s++) {
		assert_int_equal(sum.refs[s], plain.refs[s]);
		for (uint32_t l = 0; l < m->nlevels; l++)
			assert_int_equal(sum.miss[l][s], plain.miss[l][s]);
	}
	for (uint32_t l = 0; l < m->nlevels; l++)
		assert_int_equal(sum.fetched[l], plain.fetched[l]);
}

static void agree(struct machine_flat *m, uint64_t span)
{
	static uint64_t words[20000];
	struct sim_thread *t = thread_make();
	uint32_t smallest = UINT32_MAX;

	memset(&plain, 0, sizeof plain);
	memset(walk, 0, sizeof walk);
	assert_true(sim_machine_ok(m));
	sim_arm(&sim, m, &env);
	assert_int_equal(sim_core_attach(&t->core, &sim, 0), 0);
	for (uint32_t i = 0; i < m->nlevels; i++)
		if (m->level[i].line < smallest)
			smallest = m->level[i].line;
	make_descs(smallest < 64 ? smallest : 64);
	for (int batch = 0; batch < batches; batch++) {
		uint64_t *end = make_words(m, words, words + 20000, span);

		assert_int_equal(sim_batch(t, words, end, true, true), 0);
	}
	sim_core_sum(&t->core);
	compare(m, t);
	thread_free(t);
	blocks_free();
}

static const uint32_t geometries[][MACHINE_LEVELS][3] = {
	{ { 64, 8, 64 }, { 64, 8, 512 } },
	{ { 64, 8, 64 }, { 64, 16, 1024 }, { 64, 20, 1000 } },
	{ { 64, 12, 64 }, { 64, 10, 96 } },
	{ { 128, 8, 16 }, { 128, 12, 200 } },
	{ { 32, 1, 64 }, { 64, 2, 100 }, { 128, 3, 37 }, { 128, 24, 64 } },
	{ { 128, 4, 8 }, { 64, 5, 48 }, { 32, 6, 1 } },
	{ { 64, 9, 1 } },
	{ { 64, 8, 3 }, { 64, 16, 7 } },
};

static void every_geometry(enum machine_pages pages)
{
	for (size_t g = 0; g < sizeof geometries / sizeof *geometries; g++) {
		struct machine_flat m = { .ncpus = 1, .pages = pages, .page_size = 4096 };

		for (int l = 0; l < MACHINE_LEVELS && geometries[g][l][0]; l++)
			m.level[m.nlevels++] = level(geometries[g][l][0], geometries[g][l][1],
				geometries[g][l][2]);
		seed = 88172645463325252ull + g;
		agree(&m, 60000);
		agree(&m, 4000000);
	}
}

static void normalised_addresses_agree_with_a_plain_simulator(void **state)
{
	(void)state;
	permute = 0;
	every_geometry(MACHINE_PAGES_FIRST_TOUCH);
	permute = 0x10155;       /* never line 0, which means empty */
	every_geometry(MACHINE_PAGES_FIRST_TOUCH);
}

static void virtual_addresses_agree_with_a_plain_simulator(void **state)
{
	(void)state;
	permute = 0;
	every_geometry(MACHINE_PAGES_VIRTUAL);
}

static void ranges_larger_than_a_counter_field_are_whole(void **state)
{
	static const struct { _Alignas(8) struct psc_segment s; uint32_t d[1]; } set = {
		{ 2, 1, 1, 1, 0, { 0 } }, { PSC_STORE_RANGE } };
	struct machine_flat m = { .nlevels = 1, .ncpus = 1, .page_size = 4096 };
	struct sim_thread *t = thread_make();
	uint64_t words[3] = { (uintptr_t)&set, 8192, 160 << 20 }, refs = 0;

	(void)state;
	m.level[0] = level(64, 8, 64);
	sim_arm(&sim, &m, &env);
	sim_core_attach(&t->core, &sim, 0);
	permute = 0;
	assert_int_equal(sim_batch(t, words, words + 3, true, true), 0);
	sim_core_sum(&t->core);
	for (uint32_t i = 1; i < t->core.ncells; i++)
		refs += t->core.cells[i].refs[1];
	assert_int_equal(refs, (160 << 20) / 8);
	thread_free(t);
	blocks_free();
}

/* The copy's halves as the record has them: constant lengths or words. */
struct copy { _Alignas(8) struct psc_segment s; uint32_t d[2]; };

static uint64_t *copy_write(struct copy *c, uint64_t *at, uint64_t from, uint64_t read, uint64_t to,
	uint64_t written)
{
	bool fixed = rnd() % 2;

	*c = (struct copy){ { fixed ? 2 : 4, 2, 2, 2, 0, { 0 } },
		{ PSC_GROUP_COPY | PSC_LOAD_RANGE, PSC_STORE_RANGE } };
	*at++ = (uintptr_t)&c->s;
	*at++ = from;
	if (fixed)
		c->d[0] |= (uint32_t)read << 2;
	else
		*at++ = read;
	*at++ = to;
	if (fixed)
		c->d[1] |= (uint32_t)written << 2;
	else
		*at++ = written;
	return at;
}

/* Pieces of the shortest line's length; the last piece first where the copy goes down. */
static void plain_copy(const struct machine_flat *m, uint64_t from, uint64_t read, uint64_t to,
	uint64_t written, uint64_t piece)
{
	uint64_t both = read < written ? read : written, pieces = (both + piece - 1) / piece;
	bool down = to > from && to < from + both;

	for (uint64_t i = 0; i < pieces; i++) {
		uint64_t lo = (down ? pieces - 1 - i : i) * piece;
		uint64_t hi = lo + piece < both ? lo + piece : both;

		plain_range(m, from + lo, hi - lo, 0);
		plain_range(m, to + lo, hi - lo, 1);
	}
	plain_range(m, from + both, read - both, 0);
	plain_range(m, to + both, written - both, 1);
}

static void copies_read_and_write_by_turns(void **state)
{
	static struct copy copies[2000];
	static uint64_t words[5 * 2000];
	struct machine_flat m = { .nlevels = 2, .ncpus = 1, .page_size = 4096 };
	struct sim_thread *t = thread_make();
	uint64_t *at = words;

	(void)state;
	permute = 0;
	m.level[0] = level(64, 2, 8);
	m.level[1] = level(32, 4, 64);
	memset(&plain, 0, sizeof plain);
	sim_arm(&sim, &m, &env);
	sim_core_attach(&t->core, &sim, 0);
	for (uint32_t i = 0; i < 2000; i++) {
		uint64_t from = 1048576 + rnd() % 20000, read = 1 + rnd() % 3000, written = read;
		uint64_t to = rnd() % 2 ? 1048576 + rnd() % 20000 : from + rnd() % 200 - 100;

		if (rnd() % 4 == 0)
			written = 1 + rnd() % 3000;
		at = copy_write(&copies[i], at, from, read, to, written);
		plain_copy(&m, from, read, to, written, 32);
	}
	assert_int_equal(sim_batch(t, words, at, true, true), 0);
	sim_core_sum(&t->core);
	compare(&m, t);
	thread_free(t);
	blocks_free();
}

/* A cache of two lines: what is moved within itself has each line fetched once, by the read. */
static void a_move_stores_where_it_has_read(void **state)
{
	static struct copy copies[2];
	struct machine_flat m = { .nlevels = 1, .ncpus = 1, .page_size = 4096 };

	(void)state;
	permute = 0;
	m.level[0] = level(64, 3, 1);
	for (int up = 0; up < 2; up++) {
		struct sim_thread *t = thread_make();
		uint64_t words[5], *end, miss[2] = { 0, 0 };

		end = copy_write(&copies[up], words, up ? 8192 : 8200, 4096 - 8, up ? 8200 : 8192,
			4096 - 8);
		sim_arm(&sim, &m, &env);
		sim_core_attach(&t->core, &sim, 0);
		assert_int_equal(sim_batch(t, words, end, true, true), 0);
		sim_core_sum(&t->core);
		for (uint32_t i = 1; i < t->core.ncells; i++)
			for (int s = 0; s < 2; s++)
				miss[s] += t->core.cells[i].miss[0][s];
		assert_int_equal(miss[0], 64);
		assert_int_equal(miss[1], 0);
		thread_free(t);
		blocks_free();
	}
}

/* Sums over the cells. */
static struct sim_cell copied(const struct sim_thread *t)
{
	struct sim_cell sum = { .copied = 0 };

	for (uint32_t i = 1; i < t->core.ncells; i++) {
		sum.copied += t->core.cells[i].copied;
		sum.copy_work += t->core.cells[i].copy_work;
		sum.core[0] += t->core.cells[i].core[0];
		sum.statements += t->core.cells[i].statements;
		sum.bytes += t->core.cells[i].bytes;
	}
	return sum;
}

static struct sim_cell copied_by(const uint64_t *words, const uint64_t *end)
{
	struct machine_flat m = { .nlevels = 1, .ncpus = 1, .page_size = 4096 };
	struct sim_thread *t = thread_make();
	struct sim_cell sum;

	permute = 0;
	m.level[0] = level(64, 8, 8);
	sim_arm(&sim, &m, &env);
	sim_core_attach(&t->core, &sim, 0);
	assert_int_equal(sim_batch(t, words, end, true, true), 0);
	sim_core_sum(&t->core);
	sum = copied(t);
	thread_free(t);
	blocks_free();
	return sum;
}

/* Both halves are copied bytes; the work is that of the half that is read.  Address 0: where an argument goes is not known. */
static void copies_are_counted_with_their_work(void **state)
{
	static struct copy block, small, passed;
	uint64_t words[15], *end = copy_write(&block, words, 8192, 640, 16384, 640);
	struct sim_cell sum = copied_by(words, end);

	(void)state;
	assert_int_equal(sum.copied, 2 * 640);
	assert_int_equal(sum.copy_work, 640 / 32 * PSC_WORK_UNIT);
	assert_int_equal(sum.bytes, 2 * 640);
	end = copy_write(&small, words, 8192, PSC_COPY_LEAST - 1, 16384, PSC_COPY_LEAST - 1);
	assert_int_equal(copied_by(words, end).copied, 0);
	end = copy_write(&passed, words, 8192, 640, 0, 640);
	sum = copied_by(words, end);
	assert_int_equal(sum.copied, 640);
	assert_int_equal(sum.bytes, 640);
	assert_int_equal(sum.copy_work, 640 / 32 * PSC_WORK_UNIT);
}

struct copy_loop { _Alignas(8) struct psc_segment s; uint32_t d[8]; };

/* Ten iterations that load two elements of 8 bytes and store them as one of 16. */
static void the_work_of_a_loop_that_copies_belongs_to_what_it_loads(void **state)
{
	static struct copy_loop copies = { { 2, 2, 3, 8, 0, { .statements = 4, .throughput = 12 } }, {
		16, PSC_GROUP_COPY | PSC_GROUP_MANY | 16 << 8 | 2, 2 << 16 | 16, 0, 8 << 2 | PSC_LOAD,
			8 << 16 | 8 << 2 | PSC_LOAD,
		16, PSC_GROUP_COPY | 16 << 2 | PSC_STORE } };
	static struct copy_loop computes;
	uint64_t words[4] = { (uintptr_t)&copies.s | PSC_REC_LOOP, 10, 8192, 16384 };
	struct sim_cell sum = copied_by(words, words + 4);

	(void)state;
	assert_int_equal(sum.copied, 10 * 32);
	assert_int_equal(sum.copy_work, 10 * 12);
	assert_int_equal(sum.core[0], 0);
	assert_int_equal(sum.statements, 10 * 4);
	computes = copies;
	computes.d[1] &= ~PSC_GROUP_COPY;
	computes.d[7] &= ~PSC_GROUP_COPY;
	words[0] = (uintptr_t)&computes.s | PSC_REC_LOOP;
	sum = copied_by(words, words + 4);
	assert_int_equal(sum.copied, 0);
	assert_int_equal(sum.copy_work, 0);
	assert_int_equal(sum.core[0], 10 * 12);
}

static void half_a_copy_is_no_record(void **state)
{
	static const uint32_t bad[][2] = {
		{ PSC_STORE_RANGE | 64 << 2, PSC_GROUP_COPY | PSC_LOAD_RANGE | 64 << 2 },
		{ PSC_GROUP_COPY | PSC_LOAD_RANGE | 64 << 2, PSC_LOAD_RANGE | 64 << 2 },
		{ PSC_GROUP_COPY | PSC_LOAD_RANGE | 64 << 2, PSC_STORE | 8 << 2 },
		{ PSC_GROUP_COPY | PSC_LOAD | 8 << 2, PSC_STORE_RANGE | 64 << 2 },
		{ PSC_GROUP_COPY | PSC_STORE_RANGE | 64 << 2, PSC_STORE_RANGE | 64 << 2 },
	};
	static struct copy copies[5];
	struct machine_flat m = { .nlevels = 1, .ncpus = 1, .page_size = 4096 };
	struct sim_thread *t = thread_make();

	(void)state;
	m.level[0] = level(64, 2, 4);
	sim_arm(&sim, &m, &env);
	sim_core_attach(&t->core, &sim, 0);
	for (uint32_t i = 0; i < 5; i++) {
		uint64_t words[3] = { (uintptr_t)&copies[i].s, 8192, 16384 };

		copies[i] = (struct copy){ { 2, 2, 2, 2, 0, { 0 } }, { bad[i][0], bad[i][1] } };
		assert_int_equal(sim_batch(t, words, words + 3, true, true), 3);
	}
	thread_free(t);
	blocks_free();
}

static void uncounted_batches_only_warm(void **state)
{
	static const struct { _Alignas(8) struct psc_segment s; uint32_t d[1]; } load = {
		{ 1, 1, 1, 1, 0, { 0 } }, { 8 << 2 | PSC_LOAD } };
	struct machine_flat m = { .nlevels = 1, .ncpus = 1, .page_size = 4096 };
	struct sim_thread *t = thread_make();
	uint64_t words[4] = { (uintptr_t)&load, 8192, (uintptr_t)&load, 8192 + 64 };

	(void)state;
	m.level[0] = level(64, 2, 1);
	sim_arm(&sim, &m, &env);
	sim_core_attach(&t->core, &sim, 0);
	memset((void *)(uintptr_t)marked, 0, sizeof marked);
	sim.warming = true;
	assert_int_equal(sim_batch(t, words, words + 2, false, true), 0);
	assert_int_equal(t->core.ncells, 1);
	assert_int_equal(t->core.records, 0);
	sim.warming = false;
	assert_int_equal(sim_batch(t, words, words + 4, true, true), 0);
	sim_core_sum(&t->core);
	assert_int_equal(t->core.records, 2);
	assert_int_equal(t->core.cells[1].refs[0], 2);
	assert_int_equal(t->core.cells[1].miss[0][0], 1);
	assert_int_equal(t->core.cells[1].unwarmed, 1);
	thread_free(t);
	blocks_free();
}

static void what_is_no_record_stops_the_decoder(void **state)
{
	static const struct { _Alignas(8) struct psc_segment s; uint32_t d[1]; } load = {
		{ 1, 1, 1, 1, 0, { 0 } }, { 8 << 2 | PSC_LOAD } };
	struct machine_flat m = { .nlevels = 1, .ncpus = 1, .page_size = 4096 };
	struct sim_thread *t = thread_make();
	uint64_t null[3] = { 0, 1, 2 }, tag[2] = { 7, 7 }, cut[1] = { (uintptr_t)&load };
	uint64_t mixed[4] = { 3 << 3 | PSC_REC_CONTEXT, (uintptr_t)&load, 8192, 5 };

	(void)state;
	m.level[0] = level(64, 2, 4);
	sim_arm(&sim, &m, &env);
	sim_core_attach(&t->core, &sim, 0);
	assert_int_equal(sim_batch(t, null, null + 3, true, true), 3);
	assert_int_equal(sim_batch(t, tag, tag + 2, true, true), 2);
	assert_int_equal(sim_batch(t, cut, cut + 1, true, true), 1);
	assert_int_equal(sim_batch(t, mixed, mixed + 4, true, true), 1);
	assert_int_equal(t->context, 3);
	thread_free(t);
	blocks_free();
}

/* The misses of all cells by a line. */
static uint64_t misses_of_line(const struct sim_core *core, uint32_t line)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < SIM_SITES; i++)
		n += core->sites->site[i].cell && core->sites->site[i].line == line ? core->sites->site[i].first : 0;
	return n;
}

static void code_without_a_context_has_the_line_of_its_call(void **state)
{
	static const struct { _Alignas(8) struct psc_segment s; uint32_t d[1]; }
		own = { { 1, 1, 1, 1, 20, { 0 } }, { 8 << 2 | PSC_LOAD } },
		callee = { { 1, 1, 1, 1, PSC_LINE_OF_CALLEE | 5, { 0 } }, { 8 << 2 | PSC_LOAD } };
	const uint64_t of_own = (uintptr_t)&own, of_callee = (uintptr_t)&callee, context = 3 << 3 | PSC_REC_CONTEXT;
	struct machine_flat m = { .nlevels = 1, .ncpus = 1, .page_size = 4096 };
	struct sim_thread *t = thread_make();
	uint64_t words[] = { context, of_callee, 1 << 12,               /* no call: line 5 */
		of_own, 2 << 12, PSC_REC_CALL(17), of_callee, 3 << 12, of_callee, 4 << 12, of_own, 5 << 12,
		PSC_REC_CALL(18), of_callee, 6 << 12, PSC_REC_CALL(0), of_callee, 7 << 12,
		PSC_REC_CALL(19), 4 << 3 | PSC_REC_CONTEXT, of_callee, 8 << 12, /* a call of another context */
		context, of_callee, 9 << 12 };

	(void)state;
	m.level[0] = level(64, 2, 4);
	sim_arm(&sim, &m, &env);
	sim_core_attach(&t->core, &sim, 0);
	assert_int_equal(sim_batch(t, words, words + sizeof words / sizeof *words, true, true), 0);
	assert_int_equal(misses_of_line(&t->core, 5), 3);
	assert_int_equal(misses_of_line(&t->core, 20), 2);
	assert_int_equal(misses_of_line(&t->core, 17), 2);
	assert_int_equal(misses_of_line(&t->core, 18), 1);
	assert_int_equal(misses_of_line(&t->core, 19), 1);
	thread_free(t);
	blocks_free();
}

static void impossible_machines_are_refused(void **state)
{
	struct machine_flat m = { .nlevels = 1, .ncpus = 1, .page_size = 4096 };

	(void)state;
	m.level[0] = level(64, 8, 64);
	assert_true(sim_machine_ok(&m));
	m.level[0].line = 48;
	assert_false(sim_machine_ok(&m));
	m.level[0] = level(64, 0, 64);
	assert_false(sim_machine_ok(&m));
	m.level[0] = level(64, 8, 0);
	assert_false(sim_machine_ok(&m));
	m.level[0] = level(64, 1 << 16, 1 << 16);
	assert_false(sim_machine_ok(&m));
	m.level[0] = level(64, 8, 64);
	m.page_size = 1000;
	assert_false(sim_machine_ok(&m));
	m.page_size = 4096;
	m.nlevels = 0;
	assert_false(sim_machine_ok(&m));
}

static void two_processors_share_only_what_the_model_shares(void **state)
{
	struct machine_flat m = { .nlevels = 3, .ncpus = 4, .page_size = 4096 };
	struct sim_thread *a = thread_make(), *b = thread_make();

	(void)state;
	for (int i = 0; i < 3; i++)
		m.level[i] = level(64, 8, 64u << i);
	m.level[1].shared = MACHINE_SHARED_CORE;
	m.level[1].cpus = 2;
	m.level[2].shared = MACHINE_SHARED_ALL;
	sim_arm(&sim, &m, &env);
	sim_core_attach(&a->core, &sim, 0);
	sim_core_attach(&b->core, &sim, 1);
	assert_ptr_not_equal(a->core.level[0], b->core.level[0]);
	assert_ptr_equal(a->core.level[1], b->core.level[1]);
	assert_ptr_equal(a->core.level[2], b->core.level[2]);
	sim_core_attach(&b->core, &sim, 6);   /* 6 mod 4 */
	assert_ptr_not_equal(a->core.level[1], b->core.level[1]);
	assert_ptr_equal(a->core.level[2], b->core.level[2]);
	thread_free(a);
	thread_free(b);
	blocks_free();
}

static void misses_classified_together_have_the_classes_of_single_ones(void **state)
{
	enum { MISSES = 20000, CELLS = 3, ASK = 37 };
	static const uint8_t dependence[] = { MISS_GATHER, MISS_CHAINED };
	struct machine_flat m = { .nlevels = 2, .ncpus = 2, .page_size = 4096 };
	struct sim_thread *t[2] = { thread_make(), thread_make() };
	uint64_t line = 1 << 12, streams = 0;

	(void)state;
	m.level[0] = level(64, 8, 64);
	m.level[1] = level(64, 8, 256);
	m.level[1].physical = true;
	sim_arm(&sim, &m, &env);
	for (uint32_t n = 0; n < 2; n++)
		sim_core_attach(&t[n]->core, &sim, n);
	for (uint32_t i = 0; i < MISSES; i++) {
		const uint32_t store = rnd() % 2, cell = 1 + (uint32_t)(rnd() % CELLS);

		line = rnd() % 8 ? line + (uint64_t)(int64_t[]){ 1, 1, -1, 2, 3, 64, 0, -64 }[rnd() % 8] :
			(1 << 12) + rnd() % (1 << 16);
		for (uint32_t n = 0; n < 2; n++) {
			struct sim_core *c = &t[n]->core;
			struct sim_cell *at = sim_core_cell(c, 7, cell);

			c->irregular = dependence[store];
			if (n && (i / 1000 % 2 || i % ASK))
				sim_queue(c, line << 6, (line << 6) + 7, sim_site(c, 0, at), store);
			else
				sim_queue_classified(c, line << 6, (line << 6) + 7, sim_site(c, 0, at), store);
			if (i % ASK == 1)
				sim_touch(c, line, sim_site(c, 0, at));
		}
		if (i % (ASK * ASK) == 5)
			assert_memory_equal(sim_pattern(&t[0]->core), sim_pattern(&t[1]->core), sizeof(struct pattern));
	}
	for (uint32_t n = 0; n < 2; n++)
		sim_drain(&t[n]->core);
	assert_memory_equal(&t[0]->core.pattern, &t[1]->core.pattern, sizeof(struct pattern));
	assert_memory_equal(t[0]->core.cells, t[1]->core.cells, (CELLS + 1) * sizeof(struct sim_cell));
	for (uint32_t i = 1; i <= CELLS; i++)
		streams += t[1]->core.cells[i].class[0][MISS_STREAM][0];
	assert_in_range(streams, MISSES / 8, MISSES);
	for (uint32_t n = 0; n < 2; n++)
		thread_free(t[n]);
	blocks_free();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normalised_addresses_agree_with_a_plain_simulator),
		cmocka_unit_test(virtual_addresses_agree_with_a_plain_simulator),
		cmocka_unit_test(ranges_larger_than_a_counter_field_are_whole),
		cmocka_unit_test(copies_read_and_write_by_turns),
		cmocka_unit_test(a_move_stores_where_it_has_read),
		cmocka_unit_test(copies_are_counted_with_their_work),
		cmocka_unit_test(the_work_of_a_loop_that_copies_belongs_to_what_it_loads),
		cmocka_unit_test(half_a_copy_is_no_record),
		cmocka_unit_test(uncounted_batches_only_warm),
		cmocka_unit_test(what_is_no_record_stops_the_decoder),
		cmocka_unit_test(code_without_a_context_has_the_line_of_its_call),
		cmocka_unit_test(impossible_machines_are_refused),
		cmocka_unit_test(two_processors_share_only_what_the_model_shares),
		cmocka_unit_test(misses_classified_together_have_the_classes_of_single_ones),
	};

	batches = random_cases(batches);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
