/* SPDX-License-Identifier: BSD-3-Clause */
/* The pattern of a core's misses: what a prefetcher would make of them, and which need a page walk.
 * Private to the simulator.
 *
 * A miss of the nearest level is, by the lines that missed before it,
 *   stream:  the next line or the one before;
 *   strided: a constant step, a step of two lines, or one of up to PATTERN_NEAR lines in the
 *            direction of the step before;
 * since its 4 KiB page's last miss (or that of the page before or behind it, by its number or by
 * its virtual address, where it continues it), or since the first miss of the page's last piece, or
 * twice since its cell's last miss (or, for steps of one line, where that was at the edge of
 * another page).  A *piece* is misses with steps of one line: blocks of several lines may be walked
 * through backwards, each block forwards, or the lines of each in another order.
 * There, steps of more than PATTERN_NEAR lines may differ by one: rows are seldom a whole number of
 * lines.  A cell's steps are those of virtual addresses (page_sets.h): the numbers of pages do not
 * show the rows of an array whose pages were first touched in another order, or in turn with those
 * of other arrays.
 *
 * Prefetchers follow such steps, constant or not, and fetch the lines between: measured on a Zen 3
 * (docs/truth.md), a walk with steps of 1 to 5 lines costs the same as one with a constant step,
 * and no latency; of steps beyond that each costs the latency that the code cannot hide.
 *
 * A line that misses again while it is among the last PATTERN_WAYS new lines of its set (an affine
 * loop whose lines compete for a cache set misses in every iteration) keeps its class and changes
 * nothing: line_events.c counts such misses without a lookup. */
#ifndef PSC_SIMULATE_PATTERN_H
#define PSC_SIMULATE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>
#include "simulate/cache/lru_set.h"
#include "simulate/cache/page_sets.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* PATTERN_WALK_SETS x PATTERN_WALK_WAYS: a filter of 4 KiB pages, least recently used, as the
 * second levels of translation caches of today hold them.  Sets are chosen by virtual pages
 * (page_sets.h). A miss whose page is not there walks.
 * PATTERN_RECENT: last misses whose sets a miss is compared with. */
enum { PATTERN_PAGES_LOG2 = 6, PATTERN_PAGES = 1 << PATTERN_PAGES_LOG2, PATTERN_SETS = 64,
	PATTERN_WAYS = 16, PATTERN_WALK_SETS = 128, PATTERN_WALK_WAYS = 16, PATTERN_RECENT = 8,
	PATTERN_NEAR = 4, PATTERN_BY_SET = 256 };

enum pattern_kind { PATTERN_IRREGULAR, PATTERN_STREAM, PATTERN_STRIDED };
/* Of pattern_miss()'s result: its kind; PATTERN_MEETS: when the line was new, one of the last
 * PATTERN_RECENT misses was in the same set of PATTERN_SETS; unless it is a stream's, that it
 * walks, and, shifted left by PATTERN_CROWD, the number of these misses.
 * Caches fill lines of one set one after the other.  PATTERN_NEW: the line
 * does not keep its class. */
enum { PATTERN_KIND = 3, PATTERN_MEETS = 4, PATTERN_WALKS = 8, PATTERN_CROWD = 4,
	PATTERN_NEW = 256 };

/* Lines by the lower half of their number, of a cell by pattern_place(); steps in lines. */
struct pattern_page {
	uint32_t last;
	int32_t step;
};
/* Tags of PATTERN_WAYS lines, which are compared at once. */
struct pattern_tags {
	_Alignas(16) uint32_t four[PATTERN_WAYS / 4];
};
/* A page: pattern_tag() of its lines, in all places; its last miss; the first miss of its last
 * piece, and the step to it from that of the piece before; frames_scatter(); page_sets_of(). */
struct pattern_entry {
	struct pattern_tags tag;
	struct pattern_page miss, piece;
	uint32_t frame, set;
};
struct pattern {
	/* The last PATTERN_WAYS new lines of each set: tags, newest first; a ring of line /
	 * PATTERN_SETS << 3 | PATTERN_MEETS | kind + 1, or 0; the newest
	 * one's index in the ring. */
	_Alignas(64) struct pattern_tags tag[PATTERN_SETS];
	uint32_t ring[PATTERN_SETS][PATTERN_WAYS];
	uint8_t newest[PATTERN_SETS];
	struct pattern_entry page[PATTERN_PAGES];
	/* The page that was new last of those whose sets (page_sets_of()) have these lower bits. */
	uint8_t by_set[PATTERN_BY_SET];
	uint64_t recent;        /* sets of the last misses, a byte each */
	/* most recent first */
	_Alignas(64) uint32_t walked[PATTERN_WALK_SETS][PATTERN_WALK_WAYS];
};

/* The entry of a page: a multiplicative hash, as planes of a power of two
 * would meet in a few entries. */
static inline uint32_t pattern_slot(uint32_t page)
{
	return page * UINT32_C(0x9e3779b1) >> (32 - PATTERN_PAGES_LOG2);
}

/* Four copies of a byte made of the line's page: arrays that are used side by side differ in it. */
static inline uint32_t pattern_tag(uint32_t line)
{
	return (line / PATTERN_SETS * UINT32_C(0x9e3779b1) >> 24) * UINT32_C(0x01010101);
}

static inline struct pattern_tags pattern_tags_of(uint32_t line)
{
	const uint32_t tag = pattern_tag(line);
	struct pattern_tags tags;

#ifdef __SSE2__
	*(__m128i *)&tags = _mm_set1_epi32((int)tag);
#else
	tags = (struct pattern_tags){ { tag, tag, tag, tag } };
#endif
	return tags;
}

/* Where a set has this tag: a mask, newest first. */
static inline uint32_t pattern_find_tag(const struct pattern_tags *set,
	const struct pattern_tags *tag)
{
#ifdef __SSE2__
	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(*(const __m128i *)set,
		*(const __m128i *)tag));
#else
	uint32_t mask = 0;

	for (uint32_t i = 0; i < PATTERN_WAYS; i++)
		mask |= (uint32_t)(((const uint8_t *)set)[i] == *(const uint8_t *)tag) << i;
	return mask;
#endif
}

/* pattern_find(), of the lines with these tags. */
uint32_t pattern_find_tagged(const struct pattern *p, uint32_t line, uint32_t tags);

/* The line's index in its set's ring; PATTERN_WAYS: none. */
static inline uint32_t pattern_find(const struct pattern *p, uint32_t line)
{
	const struct pattern_tags tag = pattern_tags_of(line);
	const uint32_t tags = pattern_find_tag(&p->tag[line % PATTERN_SETS], &tag);

	return __builtin_expect(tags == 0, 1) ? PATTERN_WAYS : pattern_find_tagged(p, line, tags);
}

/* Adds a new line.  All tags move with the vector: a load of a vector would wait for the store of a
 * single tag in it. */
static inline void pattern_add(struct pattern *p, uint32_t line, const struct pattern_tags *tag,
	uint32_t kind)
{
	const uint32_t set = line % PATTERN_SETS, newest = (p->newest[set] + 1u) % PATTERN_WAYS;
#ifdef __SSE2__
	__m128i *at = (__m128i *)&p->tag[set];

	*at = _mm_or_si128(_mm_slli_si128(*at, 1), _mm_srli_si128(*(const __m128i *)tag, 15));
#else
	uint8_t *at = (uint8_t *)&p->tag[set];

	for (uint32_t i = PATTERN_WAYS - 1; i; i--)
		at[i] = at[i - 1];
	at[0] = *(const uint8_t *)tag;
#endif
	p->newest[set] = (uint8_t)newest;
	p->ring[set][newest] = line / PATTERN_SETS << 3 | (kind + 1);
}

/* The kind and PATTERN_MEETS of a line in the ring. */
static inline uint32_t pattern_kind_at(const struct pattern *p, uint32_t line, uint32_t at)
{
	return (p->ring[line % PATTERN_SETS][at] & 7) - 1;
}

/* The kind and PATTERN_MEETS of a line that would keep its class; PATTERN_KIND: it would not. */
static inline uint32_t pattern_known(const struct pattern *p, uint64_t line)
{
	const uint32_t at = pattern_find(p, (uint32_t)line);

	return at < PATTERN_WAYS ? pattern_kind_at(p, (uint32_t)line, at) : PATTERN_KIND;
}

/* The line that would no longer keep its class if this one missed now and were new; less than
 * PATTERN_SETS: none. */
static inline uint32_t pattern_oldest(const struct pattern *p, uint64_t line)
{
	const uint32_t set = line % PATTERN_SETS;

	return (p->ring[set][(p->newest[set] + 1u) % PATTERN_WAYS] >> 3) * PATTERN_SETS + set;
}

/* Gives the line's page an entry: it continues the adjacent page, if that one's last miss is at
 * most PATTERN_NEAR lines away.  Pages have numbers in the order of their first use, so those of
 * one array may alternate with others, as where several rows of a matrix are read at once: then it
 * continues the page that is adjacent by its virtual address. */
void pattern_page_new(struct pattern *p, const struct page_sets *sets, uint32_t line,
	uint32_t in_page);

/* A step of 1 or -1. */
static inline bool pattern_is_next(int32_t step)
{
	return (((uint32_t)step + 1) & ~UINT32_C(2)) == 0;
}

static inline bool pattern_near(int32_t step, int32_t before)
{
	return step == 2 || step == -2 || (before && (step ^ before) >= 0 &&
		step >= -PATTERN_NEAR && step <= PATTERN_NEAR);
}

/* before: the step before this one; 0: none. */
static inline uint32_t pattern_step(int32_t step, int32_t before)
{
	if (pattern_is_next(step))
		return PATTERN_STREAM;
	return step && (step == before || pattern_near(step, before)) ? PATTERN_STRIDED :
		PATTERN_IRREGULAR;
}

/* A miss that is no stream's begins a piece: its kind by the step from the piece before, where that
 * tells more. */
static inline uint32_t pattern_piece(struct pattern_entry *e, uint32_t line, uint32_t kind)
{
	const int32_t step = (int32_t)(line - e->piece.last);
	const uint32_t by_piece = pattern_step(step, e->piece.step);

	e->piece = (struct pattern_page){ line, step ? step : e->piece.step };
	return by_piece == PATTERN_STREAM || !kind ? by_piece : kind;
}

/* Steps of a cell that are one step in bytes. */
static inline bool pattern_same_step(int32_t step, int32_t before)
{
	const bool far = (uint32_t)step + PATTERN_NEAR > 2 * PATTERN_NEAR;

	return far ? (uint32_t)step - (uint32_t)before + 1 <= 2 : step == before;
}

/* The line goes on at the edge of another page where its cell's last miss left one: pages have
 * numbers in the order of their first use, so the pages of arrays that are
 * used side by side alternate. */
static inline bool pattern_continues(const struct pattern_page *last, uint32_t line,
	uint32_t in_page)
{
	const uint32_t lines = 1u << in_page, at = line & (lines - 1),
		was = last->last & (lines - 1);

	return (last->step == 1 && at == 0 && was == lines - 1) ||
		(last->step == -1 && at == lines - 1 && was == 0);
}

/* The place of a cell's miss: the lower bits are its virtual line modulo a turn of PAGE_SETS pages,
 * the upper ones the lowest bits of its page's number. */
static inline uint32_t pattern_place(const struct pattern_entry *e, uint32_t line, uint32_t in_page)
{
	return line >> in_page << (PAGE_SETS_LOG2 + in_page) | e->set << in_page |
		(line & ((1u << in_page) - 1));
}

/* The lines from one place to another, the shorter way round; a turn, where only
 * the pages' numbers differ. */
static inline int32_t pattern_cell_step(uint32_t to, uint32_t from, uint32_t in_page)
{
	const uint32_t above = 32 - PAGE_SETS_LOG2 - in_page;
	const int32_t step = (int32_t)((to - from) << above) >> above;

	return step || to == from ? step : (int32_t)1 << (PAGE_SETS_LOG2 + in_page);
}

/* PATTERN_WALKS if the page was not in this set of the filter; it is now
 * the set's most recent one. */
static inline uint32_t pattern_walks(struct pattern *p, uint32_t set, uint32_t page)
{
	return lru_find32(p->walked[set], PATTERN_WALK_WAYS, page) ? PATTERN_WALKS : 0;
}

#ifdef __SSE2__
/* By set: its number in the lower eight bytes, 255 in the others. */
extern const struct pattern_tags pattern_set_tags[PATTERN_SETS];
#endif

/* Which of the last misses were in this set of PATTERN_SETS: a mask. */
static inline uint32_t pattern_same_set(uint64_t recent, uint32_t set)
{
#ifdef __SSE2__
	/* The upper eight bytes are 0 in `recent` and 255 in the tags. */
	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_cvtsi64_si128((long long)recent),
		*(const __m128i *)&pattern_set_tags[set]));
#else
	uint32_t mask = 0;

	for (uint32_t i = 0; i < PATTERN_RECENT; i++)
		mask |= (uint32_t)((recent >> 8 * i & 0xff) == set) << i;
	return mask;
#endif
}

static inline uint32_t pattern_meets(uint32_t same)
{
	return same ? PATTERN_MEETS : 0;
}

/* How many of them were, shifted left by PATTERN_CROWD. */
static inline uint32_t pattern_crowd(uint32_t same)
{
	uint32_t n = 0;

	for (; same; same &= same - 1)
		n++;
	return n << PATTERN_CROWD;
}

/* Takes a miss as pattern_miss() does, if it is new, the next line or the one before in its page,
 * and the page is the most recent one of its set in the filter: nothing needs a search.  Its kind
 * is PATTERN_STREAM; *meets: PATTERN_MEETS or 0.  Returns the page's entry; NULL: another miss,
 * nothing is changed.  Inlined, as most misses of most programs are such. */
static inline __attribute__((always_inline)) const struct pattern_entry *pattern_next(struct pattern *p,
	uint32_t line, uint32_t in_page, struct pattern_page *last, uint32_t *meets)
{
	const uint32_t set = line % PATTERN_SETS, page = line >> in_page;
	struct pattern_entry *e = &p->page[pattern_slot(page)];
	const int32_t step = (int32_t)(line - e->miss.last);
	uint32_t place;

	if (!pattern_is_next(step) || (line ^ e->miss.last) >> in_page ||
	    pattern_find_tag(&p->tag[set], &e->tag) ||
	    p->walked[e->set % PATTERN_WALK_SETS][0] != page)
		return NULL;
	e->miss = (struct pattern_page){ line, step };
	place = pattern_place(e, line, in_page);
	*last = (struct pattern_page){ place, pattern_cell_step(place, last->last, in_page) };
	*meets = pattern_meets(pattern_same_set(p->recent, set));
	p->recent = p->recent << 8 | set;
	pattern_add(p, line, &e->tag, PATTERN_STREAM | *meets);
	return e;
}

/* Takes a miss of a line; in_page: log2 of the lines in 4 KiB; last: of its cell. */
static inline __attribute__((always_inline)) uint32_t pattern_miss(struct pattern *p,
	const struct page_sets *sets, uint32_t line, uint32_t in_page, struct pattern_page *last)
{
	const uint32_t set = line % PATTERN_SETS, page = line >> in_page;
	const uint32_t at = pattern_find(p, line);
	struct pattern_entry *e = &p->page[pattern_slot(page)];
	struct pattern_page was;
	uint32_t kind, walks, same, meets, place;
	int32_t step;

	if (__builtin_expect(at < PATTERN_WAYS, 0))
		return pattern_kind_at(p, line, at);
	if (__builtin_expect(e->miss.last >> in_page != page, 0))
		pattern_page_new(p, sets, line, in_page);
	was = e->miss;
	step = (int32_t)(line - was.last);
	kind = pattern_step(step, was.step);
	e->miss = (struct pattern_page){ line, step ? step : was.step };
	if (kind != PATTERN_STREAM)
		kind = pattern_piece(e, line, kind);
	place = pattern_place(e, line, in_page);
	step = pattern_cell_step(place, last->last, in_page);
	if (!kind && pattern_same_step(step, last->step))
		kind = pattern_step(step, step);
	if (__builtin_expect(!kind && pattern_continues(last, line, in_page), 0)) {
		kind = PATTERN_STREAM;
		step = last->step;
	}
	same = pattern_same_set(p->recent, set);
	meets = pattern_meets(same);
	*last = (struct pattern_page){ place, step };
	pattern_add(p, line, &e->tag, kind | meets);
	p->recent = p->recent << 8 | set;
	walks = pattern_walks(p, e->set % PATTERN_WALK_SETS, page);
	if (kind == PATTERN_STREAM)
		return PATTERN_NEW | PATTERN_STREAM | meets;
	return PATTERN_NEW | kind | meets | walks | pattern_crowd(same);
}

#endif
