/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops, played as they are recorded, against the same loops written out as single accesses:
 * the same counts in every cell, the same tags in every set of every level. */
#include <sys/mman.h>
#include <unistd.h>
#include "tests/simulate/records.h"
#include "simulate/loop/loop.h"

enum { MOST = 70, WORDS = 400000 };

static int cases = 1000;        /* of each test; four times as many by make check-long */

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
		if (single[i].s.length == n && !memcmp(single[i].d, copy, n * sizeof *d))
			break;
	if (i == nsingle) {
		assert_true(nsingle < 4096);
		single[nsingle++].s = (struct psc_segment){ 1, 1,
			(uint16_t)(many ? PSC_MANY_N(*d) : 1), (uint16_t)n, 0 };
		memcpy(single[i].d, copy, n * sizeof *d);
	}
	assert_true(x->at + 2 <= x->end);
	*x->at++ = (uintptr_t)&single[i].s;
	*x->at++ = address;
}

static struct sample sample;
static bool sampled;

/* --- one case ------------------------------------------------------------------------------------- */

static const int64_t steps[] = { 8, 8, 8, 8, 4, 0, 16, 24, 32, 40, 64, 200, 1, -8, -8, -24, 4096,
	100000, -4104, 72 };

/* Groups of one step, most of them at about one offset from a page; at most so many. */
static const int64_t recurring[] = { 8, 8, 8, 8, 16, 16, 4, 2, 1, 24, 40, 32, 64, 72, 96, -8, -8, -16,
	-24, -4, -64 };
static uint32_t recur;

static uint64_t *recurring_loop(struct desc *o, uint64_t *at, uint32_t largest)
{
	uint32_t n = 1 + (uint32_t)(rnd() % recur);
	uint64_t count = rnd() % 4 ? 100 + rnd() % 1500 : rnd() % 100, offset = rnd() % 4096;
	int64_t step[MOST], same = recurring[rnd() % (sizeof recurring / sizeof *recurring)];
	const uint32_t *d = o->d;

	for (uint32_t g = 0; g < n; g++)
		step[g] = same;
	desc_make(o, n, step, largest);
	if (count * o->s.naccess > WORDS / 16)
		count = WORDS / 16 / o->s.naccess;
	*at++ = (uintptr_t)&o->s | PSC_REC_LOOP;
	*at++ = count;
	for (uint32_t g = 0; g < o->s.ngroups; g++) {
		uint64_t where = (1 << 24) + (rnd() % 8 ? offset + rnd() % 150 + 4096 * (rnd() % 24) :
			rnd() % 100000);

		*at++ = where & -(rnd() % 4 ? UINT64_C(8) : 1);
		if (*d++ == (uint32_t)PSC_STEP_WORD)
			*at++ = o->step[g];
		d += *d & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*d) : 1;
	}
	return at;
}

/* Loops of few groups and no more accesses than a turn has. */
static bool brief;

static uint64_t *some_loop(struct desc *o, uint64_t *at, uint32_t largest)
{
	uint32_t n = 1 + (uint32_t)(rnd() % (brief ? rnd() % 8 ? 3 : 40 : rnd() % 4 ? 12 : MOST));
	uint64_t count = rnd() % (rnd() % 3 ? 60 : 600), where = 1 << 24, stagger;
	int64_t step[MOST], same = steps[rnd() % 20];
	bool alike = rnd() % 2;
	const uint32_t *d = o->d;

	for (uint32_t g = 0; g < n; g++)
		step[g] = alike ? same : steps[rnd() % 20];
	desc_make(o, n, step, largest);
	if (count * o->s.naccess > WORDS / 8)
		count = WORDS / 8 / o->s.naccess;
	if (brief && count * o->s.naccess > SHARE_TURN)
		count = SHARE_TURN / o->s.naccess;
	stagger = (uint64_t[]){ 4096, 4104, 8192, 1000, 64, 8 }[rnd() % 6];
	*at++ = (uintptr_t)&o->s | PSC_REC_LOOP;
	*at++ = count;
	for (uint32_t g = 0; g < o->s.ngroups; g++) {
		where += stagger;
		*at++ = rnd() % 4 ? where : where + rnd() % (brief ? 300 : 20000);
		if (*d++ == (uint32_t)PSC_STEP_WORD)
			*at++ = o->step[g];
		d += *d & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*d) : 1;
	}
	return at;
}

static int cell_order(const void *a, const void *b)
{
	const struct sim_cell *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static const struct pscm_whatif *whatif;        /* the variant that is played; NULL */

static size_t tag_bytes(const struct sim_lane *l, uint32_t nlevels)
{
	size_t n = 0;

	for (uint32_t i = 0; i < nlevels; i++)
		n += (size_t)l->level[i]->sets * l->level[i]->assoc;
	return n * (sim.wide ? 8 : 4);
}

/* The tags of all levels, without what pads the sets. */
static size_t copy_tags(const struct sim_lane *l, uint32_t nlevels, char *to)
{
	size_t used = 0, way = sim.wide ? 8 : 4;

	for (uint32_t i = 0; i < nlevels; i++) {
		const struct sim_cache *c = l->level[i];

		for (uint32_t set = 0; set < c->sets; set++, used += c->assoc * way)
			memcpy(to + used, (char *)c->tags + ((size_t)set << c->stride) * way, c->assoc * way);
	}
	return used;
}

/* Plays words; *cells and *tags are the caller's to free. */
static void play(const struct machine_flat *m, uint64_t *words, const uint64_t *end,
	uint64_t **ends, struct sim_cell **cells, uint32_t *ncells, void **tags, size_t *ntags)
{
	struct sim_thread *t = thread_make();

	memset((void *)(uintptr_t)marked, 0, sizeof marked);
	sim_arm(&sim, m, &env);
	sim.sample = sampled ? &sample : NULL;
	assert_int_equal(sim_lane_attach(&t->lane, &sim, 0), 0);
	t->asker = (void *)(uintptr_t)whatif;
	t->whole = whatif;
	for (; words < end; words = *ends++)
		assert_int_equal(sim_batch(t, words, *ends, true, true), 0);
	sim_lane_sum(&t->lane);
	qsort(t->lane.cells + 1, t->lane.ncells - 1, sizeof *t->lane.cells, cell_order);
	*cells = malloc(t->lane.ncells * sizeof **cells);
	*ncells = 0;
	for (uint32_t i = 1; i < t->lane.ncells; i++) {
		t->lane.cells[i].folded = 0;
		/* One may have been looked up for a second byte only. */
		if (t->lane.cells[i].refs[0] + t->lane.cells[i].refs[1])
			(*cells)[(*ncells)++] = t->lane.cells[i];
	}
	*tags = malloc(tag_bytes(&t->lane, m->nlevels));
	*ntags = copy_tags(&t->lane, m->nlevels, *tags);
	thread_free(t);
	blocks_free();
}

static void one_case(const struct machine_flat *m, uint32_t largest)
{
	static struct desc o[4];
	static uint64_t words[4096], out[WORDS];
	uint64_t *end = words, *ends[4], *outs[4];
	struct sim_cell *cells[2];
	uint32_t ncells[2], n = 1 + (uint32_t)(rnd() % 4);
	size_t ntags[2];
	void *tags[2];

	nsingle = 0;
	expansion = (struct expansion){ out, out + WORDS };
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t *from = end;

		ends[i] = end = recur ? recurring_loop(&o[i], end, largest) :
			some_loop(&o[i], end, largest);
		assert_ptr_equal(record_expand(from, write_out, &expansion), end);
		outs[i] = expansion.at;
	}
	play(m, words, end, ends, &cells[0], &ncells[0], &tags[0], &ntags[0]);
	play(m, out, expansion.at, outs, &cells[1], &ncells[1], &tags[1], &ntags[1]);
	assert_int_equal(ntags[0], ntags[1]);
	assert_int_equal(ncells[0], ncells[1]);
	assert_memory_equal(cells[0], cells[1], ncells[0] * sizeof *cells[0]);
	assert_memory_equal(tags[0], tags[1], ntags[0]);
	for (int i = 0; i < 2; i++) {
		free(cells[i]);
		free(tags[i]);
	}
}

/* --- the cases -------------------------------------------------------------------------------------- */

static const uint32_t geometries[][MACHINE_LEVELS][3] = {
	{ { 64, 8, 64 }, { 64, 8, 512 }, { 64, 16, 1024 } },
	{ { 64, 2, 32 }, { 64, 12, 100 } },
	{ { 64, 4, 16 }, { 128, 8, 64 } },
	{ { 64, 1, 64 }, { 64, 2, 64 } },
	{ { 64, 16, 1 }, { 64, 8, 64 } },
	{ { 128, 8, 64 }, { 64, 8, 256 } },
	{ { 64, 12, 64 }, { 64, 20, 100 } },
	{ { 64, 3, 48 } },
	{ { 32, 16, 1 }, { 64, 3, 37 } },
	{ { 256, 2, 8 }, { 256, 8, 32 } },
};

static struct machine_flat machine_of(const uint32_t geometry[MACHINE_LEVELS][3], uint32_t ncpus)
{
	struct machine_flat m = { .ncpus = ncpus, .page_size = 4096 };

	for (int l = 0; l < MACHINE_LEVELS && geometry[l][0]; l++)
		m.level[m.nlevels++] = level(geometry[l][0], geometry[l][1], geometry[l][2]);
	return m;
}

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
			one_case(&m, 64);
		}
	}
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

/* Loops that are played by periods; in part, of these, in step for the rest; iterations. */
static uint64_t wholly, partly, marched, turns;

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
	assert_true(4 * wholly > 3 * (uint64_t)cases && partly > (uint64_t)cases / 80 && marched > (uint64_t)cases / 200 &&
		turns > 500 * (uint64_t)cases);
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
			struct pscm_whatif x = { .number = 1, .line = line, .nodes = 1 };

			seed = 362436069362436069ull + g * 100000 + (uint64_t)i;
			rnd();
			x.object = MON_OBJ_FIRST + (uint32_t)(rnd() % 7);
			x.fix = MON_FIX_SHIFT + (uint32_t)(rnd() % 4);
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

/* --- several threads -------------------------------------------------------------------------------- */

enum { LANES = 3, BATCHES = 12, ROUNDS = 60, REPORTS = 512 };

struct batch {
	uint64_t *from;
	const uint64_t *to;
	uint32_t lane, stretch, number;
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

	*s = (struct psc_segment){ 0 };
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

/* Loops with several threads: all of which is a thread's by right; a part of which is. */
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

/* Loops of one turn that were told at once. */
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
	struct sim_cell *cells[LANES];
	uint32_t ncells[LANES], nreports;
	void *tags;
	size_t ntags;
	struct share_report report[REPORTS];
	uint64_t rights[LANES];         /* of all rights to pages, and when they were used */
};

static uint64_t right_sum(const struct share_lane *l, const struct share_rights *g, uint64_t sum)
{
	const uint64_t word[] = { g->page, g->read, g->write, g->whole, g->told, l->page[g - l->rights].first,
		g->last };

	for (uint32_t k = 0; g->page && k < sizeof word / sizeof *word; k++)
		sum = sum * UINT64_C(0x9e3779b97f4a7c15) + word[k];
	return sum;
}

/* Memory that was never touched is left out: reading it was four fifths of this test's time. */
static uint64_t rights_sum(const struct share_lane *l)
{
	static unsigned char resident[sizeof l->rights / 4096 + 1];
	const struct share_rights *g = l->rights, *end = g + SHARE_PAGES;
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *first = (char *)((uintptr_t)g & -size);
	uint64_t sum = 0;

	assert_int_equal(mincore(first, (size_t)((char *)end - first), resident), 0);
	for (char *page = first; g < end; page += size)
		for (; g < end && (char *)g < page + size; g++)
			if (resident[(size_t)(page - first) / size] & 1)
				sum = right_sum(l, g, sum);
			else
				g = (const struct share_rights *)(void *)(page + size) - 1;
	return sum;
}

/* How lines of equally many misses follow each other is not said. */
static int report_order(const void *a, const void *b)
{
	const struct share_report *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void outcome_of(const struct machine_flat *m, struct sim_thread **t, struct share *share,
	struct outcome *out)
{
	out->tags = malloc(LANES * tag_bytes(&t[0]->lane, m->nlevels));
	out->ntags = 0;
	for (uint32_t n = 0; n < LANES; n++) {
		struct sim_lane *l = &t[n]->lane;

		sim_lane_sum(l);
		share_settle(share, l);
		out->rights[n] = rights_sum(l->sharing);
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

static void play_shared(const struct machine_flat *m, const struct batch *b, uint32_t n,
	struct outcome *out)
{
	struct sim_thread *t[LANES];
	struct share *share;

	memset((void *)(uintptr_t)marked, 0, sizeof marked);
	sim_arm(&sim, m, &env);
	share = share_new(&env, m, 0);
	for (uint32_t i = 0; i < LANES; i++) {
		t[i] = thread_make();
		assert_int_equal(sim_lane_attach(&t[i]->lane, &sim, i), 0);
		assert_int_equal(share_attach(share, &t[i]->lane, i), 0);
	}
	for (; n--; b++) {
		struct sim_thread *v = t[b->lane];

		share_begin(v->lane.sharing, b->stretch);
		assert_int_equal(sim_batch(v, b->from, b->to, true, true), 0);
		share_end(v->lane.sharing);
	}
	outcome_of(m, t, share, out);
	for (uint32_t i = 0; i < LANES; i++)
		thread_free(t[i]);
	blocks_free();
}

static uint64_t met;    /* coherence misses of all cases: of either kind */

static void same_outcome(struct outcome *a, struct outcome *b)
{
	assert_int_equal(a->ntags, b->ntags);
	assert_memory_equal(a->tags, b->tags, a->ntags);
	assert_int_equal(a->nreports, b->nreports);
	assert_memory_equal(a->report, b->report, a->nreports * sizeof *a->report);
	assert_memory_equal(a->rights, b->rights, sizeof a->rights);
	for (uint32_t n = 0; n < LANES; n++) {
		assert_int_equal(a->ncells[n], b->ncells[n]);
		assert_memory_equal(a->cells[n], b->cells[n], a->ncells[n] * sizeof *a->cells[n]);
		for (uint32_t i = 0; i < a->ncells[n]; i++)
			met += a->cells[n][i].coherent[0][0] + a->cells[n][i].coherent[1][0];
		free(a->cells[n]);
		free(b->cells[n]);
	}
	free(a->tags);
	free(b->tags);
}

static void shared_case(const struct machine_flat *m)
{
	static struct desc o[BATCHES];
	static uint64_t words[4096], out[WORDS];
	static struct outcome record, written;
	struct batch a[BATCHES], b[BATCHES];
	uint64_t *at = words, *to = out;
	uint32_t n = 4 + (uint32_t)(rnd() % (BATCHES - 3));

	nbodies = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t context = (uint32_t)(rnd() % 3);
		uint64_t *from;

		a[i] = (struct batch){ .from = at, .lane = (uint32_t)(rnd() % LANES),
			.stretch = (uint32_t)(rnd() % 3) + 1 };
		b[i] = a[i];
		b[i].from = to;
		*at++ = *to++ = (uint64_t)context << 3 | PSC_REC_CONTEXT;
		from = at;
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
	play_shared(m, a, n, &record);
	play_shared(m, b, n, &written);
	same_outcome(&record, &written);
}

/* A case for each seed, on each geometry, with several lanes. */
static void between_threads(void (*a_case)(const struct machine_flat *), uint64_t first, int n)
{
	for (size_t g = 0; g < sizeof geometries / sizeof *geometries; g++) {
		struct machine_flat m = machine_of(geometries[g], LANES);
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

/* Coherence too: its misses by kind, who did what with which lines, which lines went. */
static void loops_equal_their_iterations_between_threads(void **state)
{
	(void)state;
	between_threads(shared_case, 123456789123456789ull, cases / 36);
	assert_true(met > 10 * (uint64_t)cases / 4);
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

/* A loop through arrays of one lane: loads, stores, pairs of loads.  shift: bytes from where it usually
 * begins. */
static uint64_t *private_loop(struct desc *o, uint64_t *at, uint32_t lane, uint64_t count, uint64_t shift)
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
		*at++ = (1 << 24) + ((uint64_t)lane << 19) + g * 9000 * 8 + shift +
			(by < 0 ? count * (uint64_t)-by : 0);
		o->s.naccess += 1 + (kind == 2);
	}
	o->s.ngroups = o->s.nwords = (uint16_t)n;
	o->s.length = (uint16_t)(d - o->d);
	return at;
}

/* Lanes go through their own arrays again and again; sometimes one touches a bit of another's. */
static void private_case(const struct machine_flat *m)
{
	enum { OWN = 3 * LANES };
	static struct desc o[ROUNDS];
	static uint64_t words[8192], out[WORDS];
	static struct outcome record, written;
	struct batch a[ROUNDS], b[ROUNDS];
	uint64_t *at = words, *to = out, stretches = rnd() % 4 ? 1 : 3;

	nbodies = 0;
	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t lane = i % LANES, context = (uint32_t)(rnd() % 3), of = lane;
		uint64_t *from, count = 4 + rnd() % 600, shift = 0;

		if (i >= OWN && rnd() % 5) {
			a[i] = a[rnd() % OWN];
			b[i] = b[a[i].number];
			continue;
		}
		if (i >= OWN) {
			of = (uint32_t)(rnd() % LANES);
			count = 1 + rnd() % 20;
			shift = rnd() % 600 * 8;
		}
		a[i] = (struct batch){ .from = at, .lane = lane, .number = i,
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
	play_shared(m, a, ROUNDS, &record);
	play_shared(m, b, ROUNDS, &written);
	same_outcome(&record, &written);
}

/* What a thread may do by right is not told, and nobody can tell. */
static void loops_by_right_equal_their_iterations(void **state)
{
	(void)state;
	free_loops = free_parts = 0;
	between_threads(private_case, 362436069362436069ull, cases / 100);
	assert_true(free_loops > (uint64_t)cases / 8);
	assert_true(free_parts > 3 * (uint64_t)cases / 40);
}

/* A thread among others, in the batch that it begins with. */
static struct sim_thread *begun(void)
{
	struct machine_flat m = machine_of(geometries[0], LANES);
	struct sim_thread *t = thread_make();

	m.pages = MACHINE_PAGES_FIRST_TOUCH;
	sim_arm(&sim, &m, &env);
	assert_int_equal(sim_lane_attach(&t->lane, &sim, 0), 0);
	assert_int_equal(share_attach(share_new(&env, &m, 0), &t->lane, 0), 0);
	share_begin(t->lane.sharing, 1);
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
	share_end(t->lane.sharing);
	sim_lane_sum(&t->lane);
	assert_int_equal(t->lane.sharing->clock, 1000);
	assert_int_equal(t->lane.sharing->turn, 1000 / SHARE_TURN + 1);
	assert_int_equal(t->lane.ncells, 2);
	assert_int_equal(t->lane.cells[1].refs[0], 1);
	assert_int_equal(t->lane.cells[1].folded, 999);
	ended(t);
}

/* A scribbled record may say anything. */
static void a_loop_of_nothing_ends_at_once(void **state)
{
	struct sim_thread *t = begun();
	static struct desc o;
	const uint64_t words[] = { (uintptr_t)&o.s | PSC_REC_LOOP, UINT64_C(1) << 36 };

	(void)state;
	alarm(10);
	assert_int_equal(sim_batch(t, words, words + 2, true, true), 0);
	alarm(0);
	share_end(t->lane.sharing);
	ended(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_equal_their_iterations),
		cmocka_unit_test(loops_that_recur_equal_their_iterations),
		cmocka_unit_test(loops_equal_their_iterations_in_variants),
		cmocka_unit_test(loops_equal_their_iterations_between_threads),
		cmocka_unit_test(brief_loops_equal_a_record_of_all_between_threads),
		cmocka_unit_test(loops_by_right_equal_their_iterations),
		cmocka_unit_test(a_loop_that_waits_takes_its_time),
		cmocka_unit_test(a_loop_of_nothing_ends_at_once),
	};

	if (getenv("PSC_LONG"))
		cases *= 4;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
