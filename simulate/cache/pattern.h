/* SPDX-License-Identifier: BSD-3-Clause */
/* The pattern of a core's misses: what a prefetcher would make of them, and which need a page walk.
 * Private to the simulator.
 *
 * A miss of the nearest level is, by the lines that missed before it,
 *   stream:  the next line or the one before, or, once only, a step of two lines;
 *   strided: a constant step;
 * since its 4 KiB page's last miss (or the adjacent page's, where it continues it), or twice since
 * its cell's last miss (or, for steps of one line, where that was at the edge of another page).  A
 * constant step of two lines is strided: prefetchers that fetch the adjacent line gain nothing from
 * it.
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
/* Of pattern_miss()'s result: its kind; PATTERN_MEETS: when the line was new, one of the last
 * PATTERN_RECENT misses was in the same set of PATTERN_SETS; unless it is a stream's, that it walks,
 * and, shifted left by PATTERN_CROWD, the number of these misses.
 * Caches fill lines of one set one after the other.  PATTERN_NEW: the line does not keep its class.
 * PATTERN_OTHER: pattern_common() does not take this miss. */
enum { PATTERN_KIND = 3, PATTERN_MEETS = 4, PATTERN_WALKS = 8, PATTERN_CROWD = 4, PATTERN_NEW = 256,
	PATTERN_OTHER = 512 };

/* Lines by the lower half of their number; steps in lines. */
struct pattern_page {
	uint32_t last;
	int32_t step;
};
/* A page: its last miss; frames_scatter(); pattern_tag() of its lines; its set in `walked`. */
struct pattern_entry {
	struct pattern_page miss;
	uint32_t frame, tag;
	uint32_t walk_set;
};
/* The last PATTERN_WAYS new lines of a set. */
struct pattern_set {
	_Alignas(128) uint8_t tag[PATTERN_WAYS];        /* bytes of pattern_tag(); newest first */
	uint32_t line[PATTERN_WAYS];    /* a ring */
	uint8_t kind[PATTERN_WAYS];     /* of these lines, and PATTERN_MEETS */
	uint8_t newest;                 /* its index in the ring */
};
struct pattern {
	struct pattern_set known[PATTERN_SETS];
	struct pattern_entry page[PATTERN_PAGES];
	uint64_t recent;        /* sets of the last misses, a byte each */
	_Alignas(64) uint32_t walked[PATTERN_WALK_SETS][PATTERN_WALK_WAYS];     /* most recent first */
};

/* Four copies of a byte made of the line's page: pages a power of two apart differ in it. */
static inline uint32_t pattern_tag(uint32_t line)
{
	return (line / PATTERN_SETS ^ line / PATTERN_SETS >> 8) % 256 * UINT32_C(0x01010101);
}

/* Where the set has this tag: a mask, newest first. */
static inline uint32_t pattern_tags(const struct pattern_set *s, uint32_t tag)
{
#ifdef __SSE2__
	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(*(const __m128i *)s->tag, _mm_set1_epi32((int)tag)));
#else
	uint32_t mask = 0;

	for (uint32_t i = 0; i < PATTERN_WAYS; i++)
		mask |= (uint32_t)(s->tag[i] == (uint8_t)tag) << i;
	return mask;
#endif
}

/* pattern_find(), of the lines with these tags. */
uint32_t pattern_find_tagged(const struct pattern_set *s, uint32_t line, uint32_t tags);

/* The line's index in its set's ring; PATTERN_WAYS: none. */
static inline uint32_t pattern_find(const struct pattern_set *s, uint32_t line)
{
	const uint32_t tags = pattern_tags(s, pattern_tag(line));

	return __builtin_expect(tags == 0, 1) ? PATTERN_WAYS : pattern_find_tagged(s, line, tags);
}

/* Adds a new line.  All tags move with the vector: a load of a vector would wait for the store of a
 * single tag in it. */
static inline void pattern_add(struct pattern_set *s, uint32_t line, uint32_t tag, uint32_t kind)
{
#ifdef __SSE2__
	__m128i *at = (__m128i *)s->tag;

	*at = _mm_or_si128(_mm_slli_si128(*at, 1), _mm_srli_si128(_mm_set1_epi32((int)tag), 15));
#else
	for (uint32_t i = PATTERN_WAYS - 1; i; i--)
		s->tag[i] = s->tag[i - 1];
	s->tag[0] = (uint8_t)tag;
#endif
	s->newest = (s->newest + 1) % PATTERN_WAYS;
	s->line[s->newest] = line;
	s->kind[s->newest] = (uint8_t)kind;
}

/* The kind and PATTERN_MEETS of a line that would keep its class; PATTERN_KIND: it would not. */
static inline uint32_t pattern_known(const struct pattern *p, uint64_t line)
{
	const struct pattern_set *s = &p->known[line % PATTERN_SETS];
	const uint32_t at = pattern_find(s, (uint32_t)line);

	return at < PATTERN_WAYS ? s->kind[at] : PATTERN_KIND;
}

/* The line that would no longer keep its class if this one missed now and were new. */
static inline uint32_t pattern_oldest(const struct pattern *p, uint64_t line)
{
	const struct pattern_set *s = &p->known[line % PATTERN_SETS];

	return s->line[(s->newest + 1) % PATTERN_WAYS];
}

/* Gives the line's page an entry: it continues the adjacent page, if that one's last miss is at most two
 * lines away. */
void pattern_page_new(struct pattern *p, const struct page_sets *sets, uint32_t line, uint32_t in_page);

/* repeats: the step before was the same. */
static inline uint32_t pattern_step(int32_t step, bool repeats)
{
	if (step == 1 || step == -1)
		return PATTERN_STREAM;
	if (repeats)
		return step ? PATTERN_STRIDED : PATTERN_IRREGULAR;
	return step == 2 || step == -2 ? PATTERN_STREAM : PATTERN_IRREGULAR;
}

/* The line goes on at the edge of another page where its cell's last miss left one: pages have numbers
 * in the order of their first use, so the pages of arrays that are used side by side alternate. */
static inline bool pattern_continues(const struct pattern_page *last, uint32_t line, uint32_t in_page)
{
	const uint32_t lines = 1u << in_page, at = line & (lines - 1), was = last->last & (lines - 1);

	return (last->step == 1 && at == 0 && was == lines - 1) || (last->step == -1 && at == lines - 1 && was == 0);
}

/* PATTERN_WALKS if the page was not in this set of the filter; it is now the set's most recent one. */
static inline uint32_t pattern_walks(struct pattern *p, uint32_t set, uint32_t page)
{
	return lru_find32(p->walked[set], PATTERN_WALK_WAYS, page) ? PATTERN_WALKS : 0;
}

/* The highest bit of each byte: that one of the last misses was not in this set of PATTERN_SETS. */
static inline uint64_t pattern_others(uint64_t recent, uint32_t set)
{
	const uint64_t ones = UINT64_MAX / 255;

	/* Sets are less than 128, so no byte carries into the next. */
	return ((recent ^ set * ones) + 0x7f * ones) & ones << 7;
}

static inline uint32_t pattern_meets(uint64_t others)
{
	return others == UINT64_MAX / 255 << 7 ? 0 : PATTERN_MEETS;
}

/* How many of them were. */
static inline uint32_t pattern_crowd(uint64_t others)
{
	/* The product's highest byte is the number of bits. */
	return PATTERN_RECENT - (uint32_t)((others >> 7) * (UINT64_MAX / 255) >> 56);
}

/* Takes a miss as pattern_miss() does, with the same result but PATTERN_NEW; *entry: its page's.  The rare
 * cases, where page, set or filter need a search, change nothing and give PATTERN_OTHER.  Inlined, as the
 * next function: every miss passes. */
static inline __attribute__((always_inline)) uint32_t pattern_common(struct pattern *p, uint32_t line,
	uint32_t in_page, struct pattern_page *last, const struct pattern_entry **entry)
{
	const uint32_t set = line % PATTERN_SETS, page = line >> in_page;
	struct pattern_entry *e = &p->page[page % PATTERN_PAGES];
	const int32_t step = (int32_t)(line - e->miss.last), cell_step = (int32_t)(line - last->last);
	uint64_t others;
	uint32_t kind, meets;

	if (e->miss.last >> in_page != page || !step || pattern_tags(&p->known[set], e->tag) ||
	    p->walked[e->walk_set][0] != page)
		return PATTERN_OTHER;
	kind = pattern_step(step, step == e->miss.step);
	if (kind == PATTERN_IRREGULAR) {
		if (cell_step == last->step)
			kind = pattern_step(cell_step, true);
		else if (pattern_continues(last, line, in_page))
			return PATTERN_OTHER;
	}
	e->miss = (struct pattern_page){ line, step };
	*last = (struct pattern_page){ line, cell_step };
	others = pattern_others(p->recent, set);
	meets = pattern_meets(others);
	pattern_add(&p->known[set], line, e->tag, kind | meets);
	p->recent = p->recent << 8 | set;
	*entry = e;
	return kind == PATTERN_STREAM ? kind | meets : kind | meets | pattern_crowd(others) << PATTERN_CROWD;
}

/* Takes a miss of a line; in_page: log2 of the lines in 4 KiB; last: of its cell. */
static inline __attribute__((always_inline)) uint32_t pattern_miss(struct pattern *p, const struct page_sets *sets,
	uint32_t line, uint32_t in_page, struct pattern_page *last)
{
	const uint32_t set = line % PATTERN_SETS, page = line >> in_page;
	const uint32_t at = pattern_find(&p->known[set], line);
	const uint64_t recent = p->recent;
	struct pattern_entry *e = &p->page[page % PATTERN_PAGES];
	struct pattern_page was;
	uint64_t others;
	uint32_t kind, walks, meets;
	int32_t step;

	if (__builtin_expect(at < PATTERN_WAYS, 0))
		return p->known[set].kind[at];
	if (__builtin_expect(e->miss.last >> in_page != page, 0))
		pattern_page_new(p, sets, line, in_page);
	was = e->miss;
	step = (int32_t)(line - was.last);
	kind = pattern_step(step, step == was.step);
	e->miss = (struct pattern_page){ line, step ? step : was.step };
	step = (int32_t)(line - last->last);
	if (!kind && step == last->step)
		kind = pattern_step(step, true);
	if (__builtin_expect(!kind && pattern_continues(last, line, in_page), 0)) {
		kind = PATTERN_STREAM;
		step = last->step;
	}
	*last = (struct pattern_page){ line, step };
	others = pattern_others(recent, set);
	meets = pattern_meets(others);
	pattern_add(&p->known[set], line, e->tag, kind | meets);
	p->recent = recent << 8 | set;
	walks = pattern_walks(p, e->walk_set, page);
	if (kind == PATTERN_STREAM)
		return PATTERN_NEW | PATTERN_STREAM | meets;
	return PATTERN_NEW | kind | meets | walks | pattern_crowd(others) << PATTERN_CROWD;
}

#endif
