/* SPDX-License-Identifier: BSD-3-Clause */
/* Classifies misses by the lines that missed before. */
#include "simulate/cache/pattern.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* 30 bits of the line: lines that differ by 64 GiB or more are taken for one. */
static uint32_t tag_of(uint64_t line)
{
	return (uint32_t)(line + 1) << 2;
}

/* --- lines that miss again -------------------------------------------------------------------- */

/* Returns the way that holds the tag; PATTERN_WAYS: none. */
static inline __attribute__((always_inline)) uint32_t way_of(const uint32_t *set, uint32_t tag)
{
#ifdef __SSE2__
	const __m128i *at = (const __m128i *)(const void *)set, t = _mm_set1_epi32((int)(tag >> 2));
	__m128i found[4];
	uint32_t mask;

	for (uint32_t i = 0; i < 4; i++)
		found[i] = _mm_cmpeq_epi32(_mm_srli_epi32(_mm_load_si128(at + i), 2), t);
	mask = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(found[0], found[1]),
		_mm_packs_epi32(found[2], found[3])));
	return mask ? (uint32_t)__builtin_ctz(mask) : PATTERN_WAYS;
#else
	uint32_t way = 0;

	while (way < PATTERN_WAYS && (set[way] ^ tag) > PATTERN_KIND)
		way++;
	return way;
#endif
}

uint32_t pattern_known(const struct pattern *p, uint64_t line)
{
	const uint32_t *set = p->known[line % PATTERN_SETS];
	uint32_t way = way_of(set, tag_of(line));

	return way < PATTERN_WAYS ? set[way] & PATTERN_KIND : PATTERN_KIND;
}

bool pattern_victim(const struct pattern *p, uint64_t line, uint32_t *victim)
{
	const uint32_t *set = p->known[line % PATTERN_SETS], tag = set[p->oldest[line % PATTERN_SETS]];

	*victim = (tag >> 2) - 1;
	return tag && way_of(set, tag_of(line)) == PATTERN_WAYS;
}

/* --- new lines -------------------------------------------------------------------------------- */

/* The first miss of a page, or of one whose entry another page has taken.  It continues the adjacent
 * page, if that one's last miss is at most two lines away. */
static __attribute__((noinline)) struct pattern_page page_new(const struct pattern *p, uint32_t line,
	uint32_t in_page)
{
	const uint32_t page = line >> in_page, lines = 1u << in_page, at = line & (lines - 1);
	const struct pattern_page *near = &p->page[(at < lines / 2 ? page - 1 : page + 1) % PATTERN_PAGES];

	if (near->last && line + 1 - near->last + 2 <= 4)
		return *near;
	return (struct pattern_page){ line + 1, 0 };
}

/* repeats: the step before was the same. */
static inline enum pattern_kind kind_of_step(int32_t step, bool repeats)
{
	if (step && (uint32_t)step + 2 <= 4)
		return repeats && (step & 1) == 0 ? PATTERN_STRIDED : PATTERN_STREAM;
	return repeats && step ? PATTERN_STRIDED : PATTERN_IRREGULAR;
}

static inline enum pattern_kind in_page_of(struct pattern *p, uint32_t line, uint32_t in_page)
{
	const uint32_t page = line >> in_page;
	struct pattern_page *e = &p->page[page % PATTERN_PAGES], was = *e;
	int32_t step;

	if (!was.last || (was.last - 1) >> in_page != page)
		was = page_new(p, line, in_page);
	step = (int32_t)(line + 1 - was.last);
	e->last = line + 1;
	e->step = step ? step : was.step;
	return kind_of_step(step, step == was.step);
}

static inline uint32_t walks(struct pattern *p, uint32_t page)
{
	uint32_t *entry = &p->walked[page * UINT32_C(0x9e3779b1) >> 21];
	bool is_new = *entry != page + 1;

	*entry = page + 1;
	return is_new ? PATTERN_WALKS : 0;
}

uint32_t pattern_miss(struct pattern *p, uint64_t whole, uint32_t in_page, struct pattern_page *last)
{
	const uint32_t line = (uint32_t)whole, set = line % PATTERN_SETS, tag = tag_of(line);
	uint32_t way = way_of(p->known[set], tag), kind;
	int32_t by;

	if (way < PATTERN_WAYS)
		return p->known[set][way] & PATTERN_KIND;
	by = (int32_t)(line + 1 - last->last);
	kind = in_page_of(p, line, in_page);
	if (kind != PATTERN_STREAM && by == last->step)
		kind = kind_of_step(by, true);
	last->last = line + 1;
	last->step = by;
	way = p->oldest[set];
	p->known[set][way] = tag | kind;
	p->oldest[set] = (uint8_t)((way + 1) % PATTERN_WAYS);
	return kind | walks(p, line >> in_page);
}
