/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the working sets of a calibration and the orders in which their lines are visited. */
#include "machine/working_sets.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "machine/cores.h"
#include "machine/line_costs.h"
#include "machine/huge_pages.h"

#define MIB ((uint64_t)1 << 20)
#define SEED 88172645463325252u

enum {
	MEMORY_MIB = 512,       /* most of the set that only memory holds */
	MEMORY_TIMES = 2,       /* the least: so many times the last cache level */
	TIMES_NEARER = 8,       /* a cache's set is so many times the nearer level, if it has
				 * room; */
	TIMES_SHARED = 4,       /* of a last level beyond the second, which others use too, so many
				 * times */
	BLOCK_PAGES = 256,      /* TLB entries that any server has in its second level */
	WIDE_PAGES = 16384,     /* pages of a set that is spread over more pages than it fills */
	MEMORY_PAGES = 16384,   /* pages of memory that one use of BY_BLOCK visits */
	MEMORY_ROUNDS = 4,      /* lines of each page that one use of OVER_PAGES visits */
	LEAST_LINE = 32,        /* bytes: room for two chains and a stored word */
};

/* --- numbers --------------------------------------------------------------------------------- */

/* xorshift: the same orders in each calibration. */
static uint32_t random_below(uint64_t *state, uint32_t n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)((*state >> 32) * n >> 32);
}

static void shuffle(uint64_t *state, uint32_t *v, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = random_below(state, (uint32_t)i);
		uint32_t swap = v[i - 1];

		v[i - 1] = v[k];
		v[k] = swap;
	}
}

static uint32_t *numbers(uint64_t *state, size_t n)
{
	uint32_t *v = malloc(n * sizeof *v);

	for (size_t i = 0; v && i < n; i++)
		v[i] = (uint32_t)i;
	if (v)
		shuffle(state, v, n);
	return v;
}

/* --- orders ---------------------------------------------------------------------------------- */

/* What lines of a region are visited: `used` neighbouring lines of each of `pages` pages. */
struct layout {
	uint64_t *base;
	size_t line, page;      /* bytes */
	uint32_t pages, used;
};

/* The first word of the i-th used line of a page.  Pages begin with different lines, so that all
 * sets of a cache are used alike. */
static uint32_t word_of(const struct layout *l, uint32_t page, uint32_t i)
{
	const uint32_t lines = (uint32_t)(l->page / l->line);
	const uint32_t first = page * l->used;

	return (uint32_t)(page * (l->page / 8) + (first + i) % lines * (l->line / 8));
}

/* Visits pages[0..n-1] block by block, the used lines of a block in random order. */
static int order_by_block(struct order *o, const struct layout *l, const uint32_t *pages,
	uint32_t n, uint64_t *random)
{
	size_t at = 0;

	o->base = l->base;
	o->n = (size_t)n * l->used;
	o->word = malloc(o->n * sizeof *o->word);
	if (!o->word)
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < l->used; k++)
			o->word[at++] = word_of(l, pages[i], k);
		if ((i + 1) % BLOCK_PAGES == 0 || i + 1 == n) {
			size_t lines = (i % BLOCK_PAGES + 1) * (size_t)l->used;

			shuffle(random, o->word + at - lines, lines);
		}
	}
	return 0;
}

/* Visits all pages, a line of each, as often as `rounds`; no line twice. `first` makes the lines of
 * several orders differ. */
static int order_over_pages(struct order *o, const struct layout *l, const uint32_t *pages,
	uint32_t rounds, uint32_t first)
{
	size_t at = 0;

	o->base = l->base;
	o->n = (size_t)l->pages * rounds;
	o->word = malloc(o->n * sizeof *o->word);
	if (!o->word)
		return -1;
	for (uint32_t r = 0; r < rounds; r++)
		for (uint32_t i = 0; i < l->pages; i++)
			o->word[at++] = word_of(l, pages[i], (first + r + pages[i] * 7) % l->used);
	return 0;
}

/* Links the lines in their order: pointers in a word of each line. */
static void link_chain(struct order *o, unsigned word)
{
	for (size_t i = 0; i < o->n; i++)
		*(void **)&o->base[o->word[i] + word] = &o->base[o->word[(i + 1) % o->n] + word];
	o->at = &o->base[o->word[0] + word];
}

/* Stores go to the last word of a line, behind the chains. */
static void move_to_last_word(struct order *o, size_t line)
{
	for (size_t i = 0; i < o->n; i++)
		o->word[i] += (uint32_t)(line / 8 - 1);
}

/* --- sets ------------------------------------------------------------------------------------ */

/* Allocates and touches.  NULL: no memory. */
static char *region(uint64_t size)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	cores_touch(p, size);
	return p;
}

static int order_memory(struct working_set *s, const struct working_sets *all, uint64_t *random)
{
	const struct layout l = { (uint64_t *)(void *)s->memory, all->line, all->page,
		(uint32_t)((s->size - s->scratch_size) / all->page),
		(uint32_t)(all->page / all->line) };
	uint32_t *pages = numbers(random, l.pages);
	uint32_t each = l.pages / ORDER_USES < MEMORY_PAGES ? l.pages / ORDER_USES : MEMORY_PAGES;
	uint32_t rounds = l.used / ORDER_USES < MEMORY_ROUNDS ? l.used / ORDER_USES : MEMORY_ROUNDS;
	int ret = pages ? 0 : -1;

	for (uint32_t i = 0; ret == 0 && i < ORDER_USES; i++)
		if (order_by_block(&s->order[BY_BLOCK][i], &l, pages + i * each, each, random) < 0
		    || order_over_pages(&s->order[OVER_PAGES][i], &l, pages, rounds, i * rounds) <
		    0)
			ret = -1;
	free(pages);
	if (ret < 0)
		return -1;
	for (int k = BY_BLOCK; k <= OVER_PAGES; k++) {
		link_chain(&s->order[k][ORDER_CHASE], (unsigned)k);
		move_to_last_word(&s->order[k][ORDER_STORE], all->line);
	}
	s->pages = l.pages;
	s->walks = l.pages > COST_WALK_PAGES ? 1 - (double)COST_WALK_PAGES / l.pages : 0;
	/* Every page is visited before one is visited again: with more pages than any second-level
	 * TLB has entries, all accesses need a walk. */
	if (l.pages >= 2 * COST_WALK_PAGES)
		s->walks = 1;
	return 0;
}

int working_sets_chain(const struct working_sets *s, char *at, size_t bytes, struct order *o)
{
	const struct layout l = { (uint64_t *)(void *)at, s->line, s->page,
		(uint32_t)(bytes / s->page), (uint32_t)(s->page / s->line) };
	uint64_t random = SEED;
	uint32_t *pages = numbers(&random, l.pages);
	int ret = -1;

	*o = (struct order){ 0 };
	if (pages && l.pages && order_by_block(o, &l, pages, l.pages, &random) == 0) {
		link_chain(o, 0);
		ret = 0;
	}
	free(pages);
	return ret;
}

/* Makes the orders of the other uses from that of the chain. */
static int share_order(struct working_set *s, int kind, const struct working_sets *all)
{
	struct order *load = &s->order[kind][ORDER_LOAD], *store = &s->order[kind][ORDER_STORE];
	struct order *chase = &s->order[kind][ORDER_CHASE];
	const size_t bytes = chase->n * sizeof *chase->word;

	link_chain(chase, 0);
	*load = *store = *chase;
	load->word = malloc(bytes);
	store->word = malloc(bytes);
	if (!load->word || !store->word)
		return -1;
	memcpy(load->word, chase->word, bytes);
	memcpy(store->word, chase->word, bytes);
	move_to_last_word(store, all->line);
	return 0;
}

/* The same number of lines, but spread over so many pages that each access needs a page walk. */
static int order_wide(struct working_set *s, const struct working_sets *all, uint64_t *random)
{
	const uint32_t lines = (uint32_t)(s->size / all->line);
	struct layout l = { .line = all->line, .page = all->page, .used = 1 };
	uint32_t *pages;
	int ret = -1;

	while (l.used < all->page / all->line && lines / l.used > WIDE_PAGES)
		l.used *= 2;
	l.pages = lines / l.used < WIDE_PAGES ? lines / l.used : WIDE_PAGES;
	if (l.pages < 2 * COST_WALK_PAGES)
		return 0;
	s->wide_size = l.pages * all->page;
	s->wide = region(s->wide_size);
	l.base = (uint64_t *)(void *)s->wide;
	pages = numbers(random, l.pages);
	if (s->wide && pages
	    && order_over_pages(&s->order[OVER_PAGES][ORDER_CHASE], &l, pages, l.used, 0) == 0)
		ret = share_order(s, OVER_PAGES, all);
	free(pages);
	s->pages = l.pages;
	s->walks = 1;
	return ret;
}

static int order_cache(struct working_set *s, const struct working_sets *all, bool nearest,
	uint64_t *random)
{
	struct layout l = { (uint64_t *)(void *)s->memory, all->line, all->page,
		(uint32_t)(s->size / all->page), (uint32_t)(all->page / all->line) };
	uint32_t *pages;
	int ret;

	if (!l.pages) {         /* a set that is smaller than a page */
		l.pages = 1;
		l.used = (uint32_t)(s->size / all->line);
	}
	pages = numbers(random, l.pages);
	ret = pages ? order_by_block(&s->order[BY_BLOCK][ORDER_CHASE], &l, pages, l.pages, random) :
		-1;
	free(pages);
	if (ret < 0 || share_order(s, BY_BLOCK, all) < 0)
		return -1;
	return nearest ? 0 : order_wide(s, all, random);
}

/* Visits the lines of OVER_PAGES in huge pages, as far apart.  Without huge
 * pages there is no such order. */
static int order_huge(struct working_set *s, size_t size)
{
	char *at = s->walks > 0 ? huge_pages(size, &s->huge, &s->huge_size) : NULL;

	for (int i = 0; at && i < ORDER_USES; i++) {
		const struct order *from = &s->order[OVER_PAGES][i];
		struct order *to = &s->order[OVER_HUGE][i];

		*to = (struct order){ .base = (uint64_t *)(void *)at, .n = from->n };
		to->word = malloc(from->n * sizeof *to->word);
		if (!to->word)
			return -1;
		memcpy(to->word, from->word, from->n * sizeof *to->word);
	}
	if (at)
		link_chain(&s->order[OVER_HUGE][ORDER_CHASE], 0);
	return 0;
}

/* Well above the nearer level, and far below this one: a virtual machine
 * may have an eighth of it. */
static uint64_t size_of(const struct machine_flat *f, uint32_t level, size_t page)
{
	const uint64_t own = f->level[level].size, near = level ? f->level[level - 1].size : 0;
	const bool shared = level > 1 && level + 1 == f->nlevels;
	uint64_t size = (uint64_t)(shared ? TIMES_SHARED : TIMES_NEARER) * near;

	if (!near || size > own / 2)
		size = 3 * near < own / 2 || !near ? own / 2 : (near + own) / 2;
	return size >= page ? size / page * page : size / 64 * 64;
}

/* Memory's set, as large as there is room for.  others: bytes of the other sets.  0: not enough. */
static uint64_t memory_size(const struct working_sets *s, uint64_t others, uint64_t last,
	uint64_t pages, uint64_t room)
{
	uint64_t size = MEMORY_MIB * MIB;

	if (pages && size + others > pages * s->page)
		size = pages * s->page > others ? pages * s->page - others : 0;
	size = size < MEMORY_TIMES * last ? MEMORY_TIMES * last : size;
	if (room < others + size)
		size = room < others ? 0 : room - others;
	return size < MEMORY_TIMES * last ? 0 : size / s->page * s->page;
}

static int make_set(struct working_set *set, const struct working_sets *all, uint32_t level,
	bool huge, uint64_t *random)
{
	const bool cache = level < all->nlevels;

	set->memory = region(set->size);
	if (cache) {
		set->scratch_size = set->size;
		set->scratch = region(set->size);
	} else if (set->memory) {
		set->scratch_size = set->size / all->page / 4 * all->page;
		set->scratch = set->memory + set->size - set->scratch_size;
	}
	if (!set->memory || !set->scratch)
		return -1;
	if ((cache ? order_cache(set, all, level == 0, random) : order_memory(set, all, random)) <
	    0)
		return -1;
	return huge ? order_huge(set, cache ? set->wide_size : set->size) : 0;
}

int working_sets_make(const struct machine *m, uint64_t pages, struct working_sets *out,
	struct err *err)
{
	const struct machine_flat *f = &m->flat;
	struct working_sets s = { .nlevels = f->nlevels, .line = f->level[0].line,
		.page = f->page_size };
	const uint64_t last = f->level[f->nlevels - 1].size, room = memory_room();
	uint64_t others = 64 * MIB, random = SEED;
	bool huge;

	if (s.line < LEAST_LINE)
		return err_set(err, "lines of %zu bytes are too short to be measured", s.line);
	for (uint32_t i = 0; i < s.nlevels; i++) {
		s.set[i].size = size_of(f, i, s.page);
		others += 2 * s.set[i].size + (i ? WIDE_PAGES * s.page : 0);
	}
	s.set[s.nlevels].size = memory_size(&s, others, last, pages, room);
	if (!s.set[s.nlevels].size)
		return err_set(err,
			"not enough memory: the caches are measured with %" PRIu64 " MiB, "
			"%" PRIu64 " may be used", (others + MEMORY_TIMES * last) / MIB,
			room / MIB);
	/* As much again. */
	huge = room / 2 >= others + s.set[s.nlevels].size;
	for (uint32_t i = 0; i <= s.nlevels; i++)
		if (make_set(&s.set[i], &s, i, huge, &random) < 0) {
			working_sets_free(&s);
			return err_set(err, "out of memory");
		}
	*out = s;
	return 0;
}

void working_sets_free(struct working_sets *s)
{
	for (uint32_t i = 0; i <= s->nlevels; i++) {
		struct working_set *set = &s->set[i];

		if (i < s->nlevels && set->scratch)
			munmap(set->scratch, set->scratch_size);
		if (set->memory)
			munmap(set->memory, set->size);
		if (set->wide)
			munmap(set->wide, set->wide_size);
		huge_pages_free(set->huge, set->huge_size);
		for (int k = 0; k < ORDERS; k++)
			for (int u = 0; u < ORDER_USES; u++)
				free(set->order[k][u].word);
		*set = (struct working_set){ 0 };
	}
}
