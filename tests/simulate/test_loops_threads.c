/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares loop records of several threads with the same loops written out: counts, tags,
 * permissions and reports of contended lines must be equal. */
#include "simulate/cache/unread_bytes.h"
#include "tests/simulate/column_sums.h"
#include "tests/simulate/loops.h"

enum { CORES = 3, BATCHES = 12, ROUNDS = 60, REPORTS = 512 };

struct batch {
	uint64_t *from;
	const uint64_t *to;
	uint32_t core, stretch, number;
};

/* What a group is in a descriptor of its own: its words. */
static uint32_t copy_group(uint32_t *to, const uint32_t *d)
{
	uint32_t n = *d & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*d) : 1;

	memcpy(to, d, n * sizeof *d);
	to[0] &= ~PSC_GROUP_TAIL;
	return n;
}

static struct { _Alignas(8) struct psc_segment s; uint32_t d[DESC_WORDS]; } body[2 * ROUNDS];
static uint32_t nbodies;

/* The groups of the first `to` iterations of so many. */
static const struct psc_segment *body_make(const struct desc *o, uint64_t to, uint64_t count)
{
	struct psc_segment *s = &body[nbodies].s;
	uint32_t *words = body[nbodies++].d;

	*s = (struct psc_segment){ .line = o->s.line };
	for (uint64_t i = 0; i < to; i++) {
		const uint32_t *d = o->d;

		for (uint32_t g = 0; g < o->s.ngroups; g++) {
			uint32_t n = *++d & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*d) : 1;

			if (!(*d & PSC_GROUP_TAIL && i + 1 == count)) {
				s->naccess = (uint16_t)(s->naccess + (*d & PSC_GROUP_MANY ?
					PSC_MANY_N(*d) : 1));
				s->length = (uint16_t)(s->length + copy_group(words + s->length, d));
				s->ngroups++;
				s->nwords++;
				assert_true(s->length < DESC_WORDS - 100);
			}
			d += n;
		}
	}
	return s;
}

/* The addresses of one iteration. */
static uint64_t *write_addresses(const struct desc *o, const uint64_t *word, uint64_t i, uint64_t count,
	uint64_t *to)
{
	const uint32_t *d = o->d;

	for (uint32_t g = 0; g < o->s.ngroups; g++) {
		int64_t step = (int32_t)*d++;
		uint64_t address = *word++;

		if (step == PSC_STEP_WORD)
			step = (int64_t)*word++;
		if (!(*d & PSC_GROUP_TAIL && i + 1 == count))
			*to++ = address + i * (uint64_t)step;
		d += *d & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*d) : 1;
	}
	return to;
}

/* A loop's record as a record of each iteration; as one of all, when they are of one turn. */
static uint64_t *write_iterations(const struct desc *o, const uint64_t *at, uint64_t *to)
{
	const struct psc_segment *whole, *last;
	uint64_t count = at[1];

	if (count * o->s.naccess <= SHARE_TURN) {
		*to++ = (uintptr_t)body_make(o, count, count);
		for (uint64_t i = 0; i < count; i++)
			to = write_addresses(o, at + 2, i, count, to);
		return to;
	}
	whole = body_make(o, 1, count);
	last = body_make(o, 1, 1);
	for (uint64_t i = 0; i < count; i++) {
		*to++ = (uintptr_t)(i + 1 < count ? whole : last);
		to = write_addresses(o, at + 2, i, count, to);
	}
	return to;
}

/* Counts loops with several threads that permission covers completely, or in part. */
static uint64_t free_loops, free_parts;

static uint64_t told_parts;     /* of the present one */

void __real_loop_part(struct work *w, struct loop *l, uint32_t engine, uint64_t from, uint64_t to);
void __wrap_loop_part(struct work *w, struct loop *l, uint32_t engine, uint64_t from, uint64_t to);
void __wrap_loop_part(struct work *w, struct loop *l, uint32_t engine, uint64_t from, uint64_t to)
{
	told_parts += from < to && l->facts & FACT_TOLD;
	__real_loop_part(w, l, engine, from, to);
}

uint64_t __real_split_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t __wrap_split_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t __wrap_split_play(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	uint64_t i;

	told_parts = 0;
	i = __real_split_play(w, l, from, to);
	free_loops += i > from && !told_parts && l->count > 1;
	free_parts += i > from && told_parts;
	return i;
}

/* Loops of one turn that were reported at once. */
static uint64_t told_loops;

uint64_t __real_one_turn_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t __wrap_one_turn_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t __wrap_one_turn_play(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	uint64_t i = __real_one_turn_play(w, l, from, to);

	told_loops += i > from && l->count > 1;
	return i;
}

static bool waits(const struct desc *o)
{
	const uint32_t *d = o->d;

	for (uint32_t g = 0; g < o->s.ngroups; g++, d += *d & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*d) : 1)
		if (*++d & PSC_GROUP_SPIN)
			return true;
	return false;
}

/* All that is known in the end. */
struct outcome {
	struct sim_cell *cells[CORES];
	struct line_misses *lines[CORES];
	uint32_t ncells[CORES], nlines[CORES], nreports;
	void *tags;
	size_t ntags;
	struct share_report report[REPORTS];
	uint64_t permissions[CORES];         /* of all permissions to pages, and when they were used */
};

static uint64_t right_sum(const struct share_core *l, const struct share_permission *g, uint64_t sum)
{
	const uint64_t word[] = { g->page, g->read, g->write, g->whole, g->told, l->page[g - l->permissions].first,
		g->last };

	for (uint32_t k = 0; g->page && k < sizeof word / sizeof *word; k++)
		sum = sum * UINT64_C(0x9e3779b97f4a7c15) + word[k];
	return sum;
}

/* Memory that was never touched is left out: reading it was four fifths of this test's time. */
static uint64_t permission_sum(const struct share_core *l)
{
	static unsigned char resident[sizeof l->permissions / 4096 + 1];
	const struct share_permission *g = l->permissions, *end = g + SHARE_PAGES;
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *first = (char *)((uintptr_t)g & -size);
	uint64_t sum = 0;

	assert_int_equal(mincore(first, (size_t)((char *)end - first), resident), 0);
	for (char *page = first; g < end; page += size)
		for (; g < end && (char *)g < page + size; g++)
			if (resident[(size_t)(page - first) / size] & 1)
				sum = right_sum(l, g, sum);
			else
				g = (const struct share_permission *)(void *)(page + size) - 1;
	return sum;
}

/* The order of lines with equally many misses is unspecified. */
static int report_order(const void *a, const void *b)
{
	const struct share_report *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void outcome_of(const struct machine_flat *m, struct sim_thread **t, struct share *share,
	struct outcome *out)
{
	out->tags = malloc(CORES * tag_bytes(&t[0]->core, m->nlevels));
	out->ntags = 0;
	share_finish(share);
	for (uint32_t n = 0; n < CORES; n++) {
		struct sim_core *l = &t[n]->core;

		sim_core_sum(l);
		share_settle(l);
		if (sim.columns)
			assert_columns_sum(l);
		out->permissions[n] = permission_sum(l->sharing);
		out->lines[n] = copy_lines(l, &out->nlines[n]);
		qsort(l->cells + 1, l->ncells - 1, sizeof *l->cells, cell_order);
		out->cells[n] = malloc(l->ncells * sizeof *l->cells);
		out->ncells[n] = 0;
		for (uint32_t i = 1; i < l->ncells; i++)
			if (l->cells[i].refs[0] + l->cells[i].refs[1])
				out->cells[n][out->ncells[n]++] = l->cells[i];
		out->ntags += copy_tags(l, m->nlevels, (char *)out->tags + out->ntags);
	}
	assert_int_equal(share_lost(share), 0);
	memset(out->report, 0, sizeof out->report);
	out->nreports = share_worst(share, out->report, REPORTS, REPORTS);
	qsort(out->report, out->nreports, sizeof *out->report, report_order);
}

static uint64_t drawn;  /* counts of maps, of all cases */

static bool block_range(void *asker, uint64_t address, uint64_t *lo, uint64_t *hi)
{
	(void)asker;
	*lo = address / object_bytes * object_bytes;
	*hi = *lo + object_bytes;
	return true;
}

/* columns: a timeline's columns cut loop records.  looked: maps are drawn, walks and stores unread
 * looked at. */
static void play_shared(const struct machine_flat *m, const struct batch *b, uint32_t n,
	bool columns, bool looked, struct outcome *out)
{
	struct sim_env with = env;
	struct sim_thread *t[CORES];
	struct share *share;

	with.range = block_range;
	memset((void *)(uintptr_t)marked, 0, sizeof marked);
	sim_arm(&sim, m, &with);
	sim.columns = columns;
	sim.maps = looked;
	sim.unread = looked ? unread_bytes_new(&with, NULL) : NULL;
	sim.longest = 1 + rnd() % 20000;
	share = share_new(&env, m, 0);
	for (uint32_t i = 0; i < CORES; i++) {
		t[i] = thread_make();
		t[i]->walked = looked;
		assert_int_equal(sim_core_attach(&t[i]->core, &sim, i), 0);
		assert_int_equal(share_attach(share, &t[i]->core, i), 0);
	}
	for (; n--; b++) {
		struct sim_thread *v = t[b->core];

		share_begin(v->core.sharing, b->stretch);
		assert_int_equal(sim_batch(v, b->from, b->to, true, true), 0);
		share_end(v->core.sharing);
	}
	outcome_of(m, t, share, out);
	for (uint32_t i = 0; i < CORES; i++) {
		drawn += t[i]->core.maps ? t[i]->core.maps->ncounts : 0;
		thread_free(t[i]);
	}
	blocks_free();
}

static uint64_t met;    /* coherence misses of all cases: of either kind */
static uint64_t contended[2];   /* loads behind them, of both outcomes */

static void outcome_free(struct outcome *a)
{
	for (uint32_t n = 0; n < CORES; n++) {
		free(a->cells[n]);
		free(a->lines[n]);
	}
	free(a->tags);
}

/* All but misses: where a loop is cut, another block of it begins to be reported. */
static void same_references(struct outcome *a, struct outcome *b)
{
	for (uint32_t n = 0; n < CORES; n++) {
		assert_int_equal(a->ncells[n], b->ncells[n]);
		for (uint32_t i = 0; i < a->ncells[n]; i++) {
			assert_int_equal(a->cells[n][i].key, b->cells[n][i].key);
			assert_memory_equal(a->cells[n][i].refs, b->cells[n][i].refs, sizeof a->cells[n][i].refs);
			assert_int_equal(a->cells[n][i].bytes, b->cells[n][i].bytes);
		}
	}
}

static void same_outcome(struct outcome *a, struct outcome *b)
{
	assert_int_equal(a->ntags, b->ntags);
	assert_memory_equal(a->tags, b->tags, a->ntags);
	assert_int_equal(a->nreports, b->nreports);
	assert_memory_equal(a->report, b->report, a->nreports * sizeof *a->report);
	assert_memory_equal(a->permissions, b->permissions, sizeof a->permissions);
	for (uint32_t n = 0; n < CORES; n++) {
		assert_int_equal(a->ncells[n], b->ncells[n]);
		/* Of a loop that is reported at once, the loads of each line are a mean. */
		for (uint32_t i = 0; i < a->ncells[n]; i++) {
			uint64_t *x = &a->cells[n][i].contended, *y = &b->cells[n][i].contended;

			contended[0] += *x;
			contended[1] += *y;
			*x = *y = 0;
		}
		assert_memory_equal(a->cells[n], b->cells[n], a->ncells[n] * sizeof *a->cells[n]);
		for (uint32_t i = 0; i < a->ncells[n]; i++)
			met += a->cells[n][i].coherent[0][0] + a->cells[n][i].coherent[1][0];
		assert_same_lines(a->lines[n], a->nlines[n], b->lines[n], b->nlines[n]);
	}
}

static uint64_t overwritten;    /* bytes that were overwritten unread, of all cases */

/* Clears what only stores unread count. */
static void clear_unread(struct outcome *a)
{
	for (uint32_t n = 0; n < CORES; n++)
		for (uint32_t i = 0; i < a->ncells[n]; i++) {
			struct sim_cell *c = &a->cells[n][i];

			overwritten += c->overwritten;
			c->stored = c->overwritten = c->overwritten_first = 0;
		}
}

/* What is compared with record loops: the same written out, also where columns cut the loops; or
 * the same records that are looked at beside the counts. */
static enum { WRITTEN, CUT, LOOKED } other;

static void compare(const struct machine_flat *m, const struct batch *record,
	const struct batch *written, uint32_t n)
{
	static struct outcome a, b;
	const uint64_t begun = seed;

	play_shared(m, record, n, other != WRITTEN, false, &a);
	if (other == LOOKED) {
		seed = begun;
		play_shared(m, record, n, true, true, &b);
		clear_unread(&b);
	} else {
		play_shared(m, written, n, false, false, &b);
	}
	if (other == CUT)
		same_references(&a, &b);
	else
		same_outcome(&a, &b);
	outcome_free(&a);
	outcome_free(&b);
}

static void shared_case(const struct machine_flat *m)
{
	static struct desc o[BATCHES];
	static uint64_t words[4096], out[WORDS];
	struct batch a[BATCHES], b[BATCHES];
	uint64_t *at = words, *to = out;
	uint32_t n = 4 + (uint32_t)(rnd() % (BATCHES - 3));

	nbodies = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t context = (uint32_t)(rnd() % 3);
		uint64_t *from;

		a[i] = (struct batch){ .from = at, .core = (uint32_t)(rnd() % CORES),
			.stretch = (uint32_t)(rnd() % 3) + 1 };
		b[i] = a[i];
		b[i].from = to;
		*at++ = *to++ = (uint64_t)context << 3 | PSC_REC_CONTEXT;
		from = at;
		only_line = 20 + i;
		do {
			at = some_loop(&o[i], from, 64);
			if (from[1] * o[i].s.naccess > 3000)
				from[1] = 3000 / o[i].s.naccess;
		} while (waits(&o[i]) || !from[1]);
		to = write_iterations(&o[i], from, to);
		a[i].to = at;
		b[i].to = to;
		assert_true(at < words + 4096 - 200 && to < out + WORDS);
	}
	compare(m, a, b, n);
}

/* A case for each seed, on each geometry, with several cores. */
static void between_threads(void (*a_case)(const struct machine_flat *), uint64_t first, int n)
{
	for (size_t g = 0; g < sizeof geometries / sizeof *geometries; g++) {
		struct machine_flat m = machine_of(geometries[g], CORES);
		for (int i = 0; i < n; i++) {
			seed = first + g * 100000 + (uint64_t)i;
			rnd();
			permute = rnd() % 2 ? 0x10155 : 0;
			m.pages = rnd() % 4 ? MACHINE_PAGES_FIRST_TOUCH : MACHINE_PAGES_VIRTUAL;
			m.level[m.nlevels - 1].shared = m.nlevels > 1 && rnd() % 2 ?
				MACHINE_SHARED_ALL : MACHINE_SHARED_CPU;
			a_case(&m);
		}
	}
}

/* Compares coherence too: misses by kind, the 64ths that each thread used, invalidated lines. */
static void loops_equal_their_iterations_between_threads(void **state)
{
	(void)state;
	between_threads(shared_case, 123456789123456789ull, cases / 36);
	assert_true(met > 10 * (uint64_t)cases / 4);
	assert_true(contended[0] > 0 && contended[1] > 0);
	assert_in_range(contended[0], contended[1] * 9 / 10, contended[1] * 11 / 10);
}

/* All of such a loop is of one turn. */
static void brief_loops_equal_a_record_of_all_between_threads(void **state)
{
	(void)state;
	brief = true;
met = told_loops = 0;
	between_threads(shared_case, 88172645463325252ull, cases / 36);
	brief = false;
	assert_true(met > (uint64_t)cases / 8);
	assert_true(told_loops > (uint64_t)cases / 4);
}

/* A loop through arrays of one core: loads, stores, pairs of loads.  shift: bytes from where it
 * usually begins. */
static uint64_t *private_loop(struct desc *o, uint64_t *at, uint32_t core, uint64_t count, uint64_t shift)
{
	static const int32_t step[] = { 8, 8, 8, 16, 40, -8, -24 };
	uint32_t n = 1 + (uint32_t)(rnd() % 6), *d = o->d;

	memset(o, 0, sizeof *o);
	*at++ = (uintptr_t)&o->s | PSC_REC_LOOP;
	*at++ = count;
	for (uint32_t g = 0; g < n; g++) {
		int32_t by = step[rnd() % (sizeof step / sizeof *step)];
		uint32_t kind = rnd() % 3;

		*d++ = (uint32_t)by;
		if (kind == 2) {
			const uint32_t pair[] = { PSC_GROUP_MANY | 16 << 8 | 2, 2 << 16 | 16, 0,
				8 << 2, 8 << 16 | 8 << 2 };

			memcpy(d, pair, sizeof pair);
			d += 5;
		} else {
			*d++ = 8 << 2 | (kind ? PSC_STORE : PSC_LOAD);
		}
		*at++ = (1 << 24) + ((uint64_t)core << 19) + g * 9000 * 8 + shift +
			(by < 0 ? count * (uint64_t)-by : 0);
		o->s.naccess += 1 + (kind == 2);
	}
	o->s.ngroups = o->s.nwords = (uint16_t)n;
	o->s.length = (uint16_t)(d - o->d);
	return at;
}

/* Cores go through their own arrays again and again; sometimes one touches a bit of another's. */
static void private_case(const struct machine_flat *m)
{
	enum { OWN = 3 * CORES };
	static struct desc o[ROUNDS];
	static uint64_t words[8192], out[WORDS];
	struct batch a[ROUNDS], b[ROUNDS];
	uint64_t *at = words, *to = out, stretches = rnd() % 4 ? 1 : 3;

	nbodies = 0;
	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t core = i % CORES, context = (uint32_t)(rnd() % 3), of = core;
		uint64_t *from, count = 4 + rnd() % 600, shift = 0;

		if (i >= OWN && rnd() % 5) {
			a[i] = a[rnd() % OWN];
			b[i] = b[a[i].number];
			continue;
		}
		if (i >= OWN) {
			of = (uint32_t)(rnd() % CORES);
			count = 1 + rnd() % 20;
			shift = rnd() % 600 * 8;
		}
		a[i] = (struct batch){ .from = at, .core = core, .number = i,
			.stretch = (uint32_t)(rnd() % stretches) + 1 };
		b[i] = a[i];
		b[i].from = to;
		*at++ = *to++ = (uint64_t)context << 3 | PSC_REC_CONTEXT;
		from = at;
		at = private_loop(&o[i], from, of, count, shift);
		to = write_iterations(&o[i], from, to);
		a[i].to = at;
		b[i].to = to;
		assert_true(at < words + 8192 - 200 && to < out + WORDS);
	}
	compare(m, a, b, ROUNDS);
}

/* Accesses by permission are not reported, and the results do not show it. */
static void loops_by_right_equal_their_iterations(void **state)
{
	(void)state;
	free_loops = free_parts = 0;
	between_threads(private_case, 362436069362436069ull, cases / 100);
	assert_true(free_loops > (uint64_t)cases / 8);
	assert_true(free_parts > 3 * (uint64_t)cases / 40);
}

static void columns_of_several_threads_sum_to_the_counts(void **state)
{
	(void)state;
	other = CUT;
	between_threads(shared_case, 521288629546311ull, cases / 60);
	between_threads(private_case, 88675123886751ull, cases / 150);
	other = WRITTEN;
}

/* With the turns of the threads in one order. */
static void what_is_looked_at_changes_no_count(void **state)
{
	(void)state;
	other = LOOKED;
	drawn = overwritten = 0;
	between_threads(shared_case, 2463534242ull, cases / 200);
	between_threads(private_case, 1597334677ull, 1 + cases / 400);
	other = WRITTEN;
	assert_true(drawn > (uint64_t)cases);
	assert_true(overwritten > (uint64_t)cases);
}

/* A loop of one core whose groups begin at these addresses. */
struct case_loop { uint32_t core, stretch; const struct desc *o; uint64_t count, at[2]; };

/* Plays the loops, then their iterations; the outcomes must be equal, with so many loads that are
 * coherence misses. */
static void loops_equal(const uint32_t geometry[MACHINE_LEVELS][3], const struct case_loop *c, uint32_t n,
	uint64_t misses)
{
	static uint64_t words[BATCHES * 5], out[4 * 64 * SHARE_BLOCK];
	struct machine_flat m = machine_of(geometry, CORES);
	struct batch a[BATCHES], b[BATCHES];
	uint64_t *at = words, *to = out;

	m.pages = MACHINE_PAGES_VIRTUAL;
	permute = 0;
	nbodies = 0;
	for (uint32_t i = 0; i < n; i++, c++) {
		uint64_t *from = at;

		*at++ = (uintptr_t)&c->o->s | PSC_REC_LOOP;
		*at++ = c->count;
		memcpy(at, c->at, c->o->s.nwords * sizeof *at);
		at += c->o->s.nwords;
		a[i] = (struct batch){ .from = from, .to = at, .core = c->core, .stretch = c->stretch };
		b[i] = (struct batch){ .from = to, .core = c->core, .stretch = c->stretch };
		b[i].to = to = write_iterations(c->o, from, to);
	}
	met = 0;
	compare(&m, a, b, n);
	assert_int_equal(met, misses);
}

static const struct desc load = { .s = { 1, 1, 1, 2, 0 }, .d = { 8, 8 << 2 | PSC_LOAD } };
static const struct desc store = { .s = { 1, 1, 1, 2, 0 }, .d = { 8, 8 << 2 | PSC_STORE } };
static const struct desc wait = { .s = { 1, 1, 1, 2, 0 }, .d = { 0, 8 << 2 | PSC_LOAD } };
enum { AT = 1 << 24 };

/* Core 1's line is evicted by the same iteration, before it is touched: no coherence miss. */
static void a_contended_line_may_be_evicted_by_its_loop(void **state)
{
	static const uint32_t geometry[MACHINE_LEVELS][3] = { { 64, 1, 64 } };
	static const struct desc both = { .s = { 2, 2, 2, 4, 0 }, .d = { 0, 8 << 2 | PSC_STORE, 0, 8 << 2 | PSC_LOAD } };
	const struct case_loop c[] = {
		{ 1, 1, &store, 1, { AT + 64 } },
		{ 0, 1, &store, 1, { AT + 72 } },
		{ 1, 2, &both, 1, { AT + 4096 + 64, AT + 64 } },
	};

	(void)state;
	loops_equal(geometry, c, sizeof c / sizeof *c, 0);
}

/* Of the line, core 1 wrote only what core 0 reads in the next block of turns. */
static void a_loop_reports_each_block_what_it_touches_there(void **state)
{
	static const uint32_t geometry[MACHINE_LEVELS][3] = { { 64, 8, 64 } };
	const struct case_loop c[] = {
		{ 0, 1, &load, 64, { AT } },
		{ 1, 2, &store, 2, { AT + 48 } },
		{ 0, 3, &wait, SHARE_TURN * SHARE_BLOCK - 4, { AT + 8192 } },
		{ 0, 3, &load, 2 * SHARE_TURN, { AT } },
	};

	(void)state;
	loops_equal(geometry, c, sizeof c / sizeof *c, 1);
}

/* Without sets, groups have no plans.  Core 0 has permission to read the line that it writes. */
static void groups_without_plans_report_the_same(void **state)
{
	static const uint32_t geometry[MACHINE_LEVELS][3] = { { 64, 16, 1 } };
	static const struct desc mixed = { .s = { 1, 1, 2, 6, 0 }, .d = { 0, PSC_GROUP_MANY | 16 << 8 | 2,
		1 << 16 | 8, 1 << 16 | 8, 8 << 2 | PSC_STORE, 8 << 16 | 8 << 2 } };
	const struct case_loop c[] = {
		{ 1, 1, &store, 1, { AT + 32 } },
		{ 0, 2, &load, 1, { AT + 48 } },
		{ 0, 3, &mixed, 1, { AT } },
		{ 1, 4, &load, 1, { AT } },
	};

	(void)state;
	loops_equal(geometry, c, sizeof c / sizeof *c, 1);
}

/* A thread among others, in the batch that it begins with. */
static struct sim_thread *begun(void)
{
	struct machine_flat m = machine_of(geometries[0], CORES);
	struct sim_thread *t = thread_make();

	m.pages = MACHINE_PAGES_FIRST_TOUCH;
	sim_arm(&sim, &m, &env);
	assert_int_equal(sim_core_attach(&t->core, &sim, 0), 0);
	assert_int_equal(share_attach(share_new(&env, &m, 0), &t->core, 0), 0);
	share_begin(t->core.sharing, 1);
	return t;
}

static void ended(struct sim_thread *t)
{
	thread_free(t);
	blocks_free();
}

/* One load, but the other threads go on. */
static void a_loop_that_waits_takes_its_time(void **state)
{
	struct sim_thread *t = begun();
	static struct desc o = { .s = { 1, 1, 1, 2, 0 },
		.d = { 0, PSC_GROUP_SPIN | 8 << 2 | PSC_LOAD } };
	const uint64_t words[] = { (uintptr_t)&o.s | PSC_REC_LOOP, 1000, 1 << 24 };

	(void)state;
	assert_int_equal(sim_batch(t, words, words + 3, true, true), 0);
	share_end(t->core.sharing);
	sim_core_sum(&t->core);
	assert_int_equal(t->core.sharing->clock, 1000);
	assert_int_equal(t->core.sharing->turn, 1000 / SHARE_TURN + 1);
	assert_int_equal(t->core.ncells, 2);
	assert_int_equal(t->core.cells[1].refs[0], 1);
	assert_int_equal(t->core.cells[1].folded, 999);
	ended(t);
}

/* Two threads lock and unlock locks of their own, side by side in a line: each call is a load and a store. */
static void calls_that_lock_write_the_lines_of_the_locks(void **state)
{
	enum { TIMES = 2000, PAIR = 1 << 24 };
	static struct desc o = { .s = { 1, 1, 2, 5, 0 }, .d = { PSC_GROUP_LOCK | PSC_GROUP_MANY | 16 << 8 | 2,
		1 << 16 | 16, 1 << 16 | 16, 16 << 2 | PSC_LOAD, 16 << 2 | PSC_STORE } };
	struct machine_flat m = machine_of(geometries[0], CORES);
	struct sim_thread *t[2] = { thread_make(), thread_make() };
	struct share_report r;
	struct share *s;

	(void)state;
	m.pages = MACHINE_PAGES_FIRST_TOUCH;
	sim_arm(&sim, &m, &env);
	s = share_new(&env, &m, 0);
	for (uint32_t k = 0; k < 2; k++) {
		assert_int_equal(sim_core_attach(&t[k]->core, &sim, k), 0);
		assert_int_equal(share_attach(s, &t[k]->core, k), 0);
	}
	for (uint32_t k = 0; k < 2; k++) {
		uint64_t words[2 * TIMES];

		for (int i = 0; i < TIMES; i++) {
			words[2 * i] = (uintptr_t)&o.s;
			words[2 * i + 1] = PAIR + 40 * k;
		}
		share_begin(t[k]->core.sharing, 1);
		assert_int_equal(sim_batch(t[k], words, words + 2 * TIMES, true, true), 0);
		share_end(t[k]->core.sharing);
	}
	share_finish(s);
	assert_int_equal(share_worst(s, &r, 1, 1), 1);
	assert_int_equal(r.nlocks, 2);
	assert_true(r.locks == (UINT64_C(0xffff) | UINT64_C(0xffff) << 40));
	assert_true(r.miss[0] > 0);
	assert_int_equal(r.miss[1], 0);
	for (uint32_t k = 0; k < 2; k++) {
		sim_core_sum(&t[k]->core);
		assert_int_equal(t[k]->core.cells[1].refs[0], TIMES);
		assert_int_equal(t[k]->core.cells[1].refs[1], TIMES);
		thread_free(t[k]);
	}
	blocks_free();
}

/* An overwritten record may hold anything. */
static void a_loop_of_nothing_ends_at_once(void **state)
{
	struct sim_thread *t = begun();
	static struct desc o;
	const uint64_t words[] = { (uintptr_t)&o.s | PSC_REC_LOOP, UINT64_C(1) << 36 };

	(void)state;
	alarm(10);
	assert_int_equal(sim_batch(t, words, words + 2, true, true), 0);
	alarm(0);
	share_end(t->core.sharing);
	ended(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_equal_their_iterations_between_threads),
		cmocka_unit_test(brief_loops_equal_a_record_of_all_between_threads),
		cmocka_unit_test(loops_by_right_equal_their_iterations),
		cmocka_unit_test(columns_of_several_threads_sum_to_the_counts),
		cmocka_unit_test(what_is_looked_at_changes_no_count),
		cmocka_unit_test(a_contended_line_may_be_evicted_by_its_loop),
		cmocka_unit_test(a_loop_reports_each_block_what_it_touches_there),
		cmocka_unit_test(groups_without_plans_report_the_same),
		cmocka_unit_test(a_loop_that_waits_takes_its_time),
		cmocka_unit_test(calls_that_lock_write_the_lines_of_the_locks),
		cmocka_unit_test(a_loop_of_nothing_ends_at_once),
	};

	cases = random_cases(cases);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
