/* SPDX-License-Identifier: BSD-3-Clause */
/* The pattern of a core's misses: what a prefetcher would make of them, and which need a page walk.
 * Private to the simulator.
 *
 * A miss of the nearest level is, by the lines that missed before it,
 *   stream:  the next line or the one before, or, once only, a step of two lines;
 *   strided: a constant step;
 * since its 4 KiB page's last miss (or the adjacent page's, where it continues it), or twice since
 * its cell's last miss (or, for steps of one line, where that was at the edge of another page).  A constant step of two lines is strided: prefetchers that fetch the
 * adjacent line gain nothing from it.
 *
 * A line that misses again while it is among the last PATTERN_WAYS new lines of its set (an affine
 * loop whose lines compete for a cache set misses in every iteration) keeps its class and changes
 * nothing: events.c counts such misses without a lookup. */
#ifndef PSC_SIMULATE_PATTERN_H
#define PSC_SIMULATE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>
#include "simulate/cache/lru_set.h"
#include "simulate/cache/page_sets.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* PATTERN_WALK_SETS x PATTERN_WALK_WAYS: a filter of 4 KiB pages, least recently used, as the second
 * levels of translation caches of today hold them.  Sets are chosen by virtual pages (page_sets.h).
 * A miss whose page is not there walks.
 * PATTERN_RECENT: last misses whose sets a miss is compared with. */
enum { PATTERN_PAGES = 64, PATTERN_SETS = 64, PATTERN_WAYS = 16,
	PATTERN_WALK_SETS = 128, PATTERN_WALK_WAYS = 16, PATTERN_RECENT = 8 };

enum pattern_kind { PATTERN_IRREGULAR, PATTERN_STREAM, PATTERN_STRIDED };
/* Of pattern_miss()'s result: its kind; that it walks; shifted left by PATTERN_CROWD, of the last
 * PATTERN_RECENT misses the number in the same set of PATTERN_SETS.  Caches fill lines of one set
 * one after the other.  PATTERN_NEW: the line does not keep its class. */
enum { PATTERN_KIND = 3, PATTERN_WALKS = 4, PATTERN_CROWD = 3, PATTERN_NEW = 128 };

/* Lines by the lower half of their number; steps in lines. */
struct pattern_page {
	uint32_t last;
	int32_t step;
};
struct pattern {
	_Alignas(64) uint32_t known[PATTERN_SETS][PATTERN_WAYS];        /* lines */
	uint8_t kind[PATTERN_SETS][PATTERN_WAYS];
	uint8_t oldest[PATTERN_SETS];
	struct pattern_page page[PATTERN_PAGES];
	uint64_t recent;        /* sets of the last misses, a byte each */
	_Alignas(64) uint32_t walked[PATTERN_WALK_SETS][PATTERN_WALK_WAYS];     /* most recent first */
};

/* The way that holds the line, in its set; PATTERN_WAYS: none. */
static inline uint32_t pattern_way(const struct pattern *p, uint32_t line)
{
	const uint32_t *set = p->known[line % PATTERN_SETS];
	uint32_t way = 0;

#ifdef __SSE2__
	const __m128i *at = (const __m128i *)(const void *)set, t = _mm_set1_epi32((int)line);
	const __m128i a = _mm_packs_epi32(_mm_cmpeq_epi32(at[0], t), _mm_cmpeq_epi32(at[1], t));
	const __m128i b = _mm_packs_epi32(_mm_cmpeq_epi32(at[2], t), _mm_cmpeq_epi32(at[3], t));

	way = (uint32_t)__builtin_ctz((uint32_t)_mm_movemask_epi8(_mm_packs_epi16(a, b)) | 1u << PATTERN_WAYS);
#else
	while (way < PATTERN_WAYS && set[way] != line)
		way++;
#endif
	return way;
}

/* The kind of a line that would keep its class; PATTERN_KIND: it would not. */
static inline uint32_t pattern_known(const struct pattern *p, uint64_t line)
{
	uint32_t way = pattern_way(p, (uint32_t)line);

	return way < PATTERN_WAYS ? p->kind[line % PATTERN_SETS][way] : PATTERN_KIND;
}

/* The line that would no longer keep its class if this one missed now.  false: none. */
static inline bool pattern_victim(const struct pattern *p, uint64_t line, uint32_t *victim)
{
	*victim = p->known[line % PATTERN_SETS][p->oldest[line % PATTERN_SETS]];
	return pattern_way(p, (uint32_t)line) == PATTERN_WAYS;
}

/* A line whose page has no entry continues the adjacent page, if that one's last miss is at most two
 * lines away. */
struct pattern_page pattern_page_new(const struct pattern *p, uint32_t line, uint32_t in_page);

/* repeats: the step before was the same. */
static inline uint32_t pattern_step(int32_t step, bool repeats)
{
	static const uint8_t kinds[2][8] = { { PATTERN_STREAM, PATTERN_STREAM, 0, PATTERN_STREAM, PATTERN_STREAM },
		{ PATTERN_STRIDED, PATTERN_STREAM, 0, PATTERN_STREAM, PATTERN_STRIDED, PATTERN_STRIDED } };
	uint32_t i = (uint32_t)step + 2;

	return kinds[repeats][i < 5 ? i : 5];
}

/* The line goes on at the edge of another page where its cell's last miss left one: pages have numbers
 * in the order of their first use, so the pages of arrays that are used side by side alternate. */
static inline bool pattern_continues(const struct pattern_page *last, uint32_t line, uint32_t in_page)
{
	const uint32_t lines = 1u << in_page, at = line & (lines - 1), was = last->last & (lines - 1);

	return (last->step == 1 && at == 0 && was == lines - 1) || (last->step == -1 && at == lines - 1 && was == 0);
}

/* PATTERN_WALKS if the page was not in the filter; it is now the most recent one of its set. */
static inline uint32_t pattern_walks(struct pattern *p, const struct page_sets *sets, uint32_t page)
{
	uint32_t *set = p->walked[page_sets_of(sets, page) % PATTERN_WALK_SETS];

	return lru_find32(set, PATTERN_WALK_WAYS, page) ? PATTERN_WALKS : 0;
}

/* How many of the last misses were in this set of PATTERN_SETS; it is now the last one. */
static inline uint32_t pattern_crowd(struct pattern *p, uint32_t set)
{
	const uint64_t ones = UINT64_MAX / 255, others = (p->recent ^ set * ones) + 0x7f * ones;

	p->recent = p->recent << 8 | set;
	/* A byte's highest bit is set if it differs; the product's highest byte is their number. */
	return PATTERN_RECENT - (uint32_t)(((others & ones << 7) >> 7) * ones >> 56);
}

/* Takes a miss of a line; in_page: log2 of the lines in 4 KiB; last: of its cell.  Inlined: every
 * miss passes. */
static inline __attribute__((always_inline)) uint32_t pattern_miss(struct pattern *p, const struct page_sets *sets,
	uint32_t line, uint32_t in_page, struct pattern_page *last)
{
	const uint32_t set = line % PATTERN_SETS, way = pattern_way(p, line), oldest = p->oldest[set],
		page = line >> in_page;
	struct pattern_page *e = &p->page[page % PATTERN_PAGES], was = *e;
	uint32_t kind;
	int32_t step;

	if (way < PATTERN_WAYS)
		return p->kind[set][way];
	if (__builtin_expect(was.last >> in_page != page, 0))
		was = pattern_page_new(p, line, in_page);
	step = (int32_t)(line - was.last);
	kind = pattern_step(step, step == was.step);
	e->last = line;
	e->step = step ? step : was.step;
	step = (int32_t)(line - last->last);
	if (!kind && step == last->step)
		kind = pattern_step(step, true);
	if (__builtin_expect(!kind && pattern_continues(last, line, in_page), 0)) {
		kind = PATTERN_STREAM;
		step = last->step;
	}
	last->last = line;
	last->step = step;
	p->known[set][oldest] = line;
	p->kind[set][oldest] = (uint8_t)kind;
	p->oldest[set] = (uint8_t)((oldest + 1) % PATTERN_WAYS);
	return PATTERN_NEW | kind | pattern_walks(p, sets, page) | pattern_crowd(p, set) << PATTERN_CROWD;
}

#endif
