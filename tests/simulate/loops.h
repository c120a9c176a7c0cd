/* SPDX-License-Identifier: BSD-3-Clause */
/* Random loops, machines for them, and the state to compare after a simulation: for the tests of
 * loops. */
#ifndef TESTS_SIMULATE_LOOPS_H
#define TESTS_SIMULATE_LOOPS_H

#include <unistd.h>
#include "tests/random_cases.h"
#include "tests/simulate/records.h"
#include "simulate/loop/loop.h"

enum { MOST = 70, WORDS = 400000 };

static int cases = 1000;        /* of each test, by random_cases() */

static const int64_t steps[] = { 8, 8, 8, 8, 4, 0, 16, 24, 32, 40, 64, 200, 1, -8, -8, -24, 4096,
	100000, -4104, 72 };

/* Loops whose groups all have one of these steps; at most `recur` groups, most of them near one
 * offset into a page. */
static const int64_t recurring[] = { 8, 8, 8, 8, 16, 16, 4, 2, 1, 24, 40, 32, 64, 72, 96, -8, -8, -16,
	-24, -4, -64 };
static uint32_t recur;

static inline uint64_t *recurring_loop(struct desc *o, uint64_t *at, uint32_t largest)
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
	*at++ = (uintptr_t)&o->s | PSC_REC_LOOP | PSC_REC_LINES;
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

/* Makes loops of few groups, with no more accesses than a turn. */
static bool brief;

static inline uint64_t *some_loop(struct desc *o, uint64_t *at, uint32_t largest)
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
	*at++ = (uintptr_t)&o->s | PSC_REC_LOOP | PSC_REC_LINES;
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

static inline int cell_order(const void *a, const void *b)
{
	const struct sim_cell *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* The misses of a cell by line, of a line that is known or not. */
struct line_misses {
	uint64_t key, first, last;
	uint32_t line;
};

static inline int line_order(const void *a, const void *b)
{
	const struct line_misses *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Sorted.  The sums of each cell are all its misses, but for those by coherence.  The caller frees. */
static inline struct line_misses *copy_lines(const struct sim_core *l, uint32_t *n)
{
	struct line_misses *out = malloc((l->ncells + l->sites->nsites) * sizeof *out);

	*n = 0;
	for (uint32_t i = 1; i < l->ncells; i++) {
		const struct sim_cell *c = &l->cells[i];
		const struct sim_site *s = &l->sites->rest[i];
		uint64_t first = 0, last = 0;

		while (s) {
			first += s->first;
			last += s->last;
			if (s->first | s->last)
				out[(*n)++] = (struct line_misses){ c->key, s->first, s->last, s->line };
			s = s->next ? &l->sites->site[s->next - 1] : NULL;
		}
		assert_in_range(c->miss[0][0] + c->miss[0][1], first, l->sharing ? UINT64_MAX : first);
		assert_in_range(c->miss[l->nlevels - 1][0] + c->miss[l->nlevels - 1][1], last,
			l->sharing ? UINT64_MAX : last);
	}
	qsort(out, *n, sizeof *out, line_order);
	return out;
}

static inline void assert_same_lines(const struct line_misses *x, uint32_t nx, const struct line_misses *y, uint32_t ny)
{
	assert_int_equal(nx, ny);
	for (uint32_t i = 0; i < nx; i++)
		assert_true(!line_order(&x[i], &y[i]) && x[i].first == y[i].first && x[i].last == y[i].last);
}

static inline size_t tag_bytes(const struct sim_core *l, uint32_t nlevels)
{
	size_t n = 0;

	for (uint32_t i = 0; i < nlevels; i++)
		n += (size_t)l->level[i]->sets * l->level[i]->assoc;
	return n * (sim.wide ? 8 : 4);
}

/* The tags of all levels, without the padding of sets. */
static inline size_t copy_tags(const struct sim_core *l, uint32_t nlevels, char *to)
{
	size_t used = 0, way = sim.wide ? 8 : 4;

	for (uint32_t i = 0; i < nlevels; i++) {
		const struct sim_cache *c = l->level[i];

		for (uint32_t set = 0; set < c->sets; set++, used += c->assoc * way)
			memcpy(to + used, (char *)c->tags + ((size_t)set << c->stride) * way, c->assoc * way);
	}
	return used;
}

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

#endif
