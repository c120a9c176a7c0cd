/* SPDX-License-Identifier: BSD-3-Clause */
/* The rare cases of classifying a miss: its page is new, or its line may not be. */
#include "simulate/cache/pattern.h"
#include "simulate/cache/frames.h"

#ifdef __SSE2__
#define TAGS(set) { { (set) * UINT32_C(0x01010101), (set) * UINT32_C(0x01010101), UINT32_MAX, UINT32_MAX } }
#define TAGS4(set) TAGS(set), TAGS((set) + 1), TAGS((set) + 2), TAGS((set) + 3)
#define TAGS16(set) TAGS4(set), TAGS4((set) + 4), TAGS4((set) + 8), TAGS4((set) + 12)
const struct pattern_tags pattern_set_tags[PATTERN_SETS] = { TAGS16(0), TAGS16(16), TAGS16(32),
	TAGS16(48) };
#endif

/* The last miss in the page before or behind this one by virtual address, if it is at most
 * PATTERN_NEAR lines away: as if both pages had adjacent numbers.  Else none. */
static struct pattern_page by_address(const struct pattern *p, uint32_t set, uint32_t line,
	uint32_t in_page)
{
	const uint32_t lines = 1u << in_page, at = line & (lines - 1);
	const bool up = at < lines / 2;
	const uint32_t beside = (up ? set - 1 : set + 1) % PAGE_SETS;
	const struct pattern_entry *e = &p->page[p->by_set[beside % PATTERN_BY_SET]];
	const uint32_t was = e->miss.last & (lines - 1);
	const int32_t step = up ? (int32_t)(at + lines - was) : -(int32_t)(was + lines - at);

	if (e->set != beside || step > PATTERN_NEAR || step < -PATTERN_NEAR)
		return (struct pattern_page){ line, 0 };
	return (struct pattern_page){ line - (uint32_t)step, e->miss.step };
}

void pattern_page_new(struct pattern *p, const struct page_sets *sets, uint32_t line,
	uint32_t in_page)
{
	const uint32_t page = line >> in_page, lines = 1u << in_page, at = line & (lines - 1);
	const uint32_t slot = pattern_slot(page), set = page_sets_of(sets, page);
	const struct pattern_entry *near = &p->page[pattern_slot(at < lines / 2 ? page - 1 :
		page + 1)];
	struct pattern_page miss = { line, 0 }, piece = { line, 0 };

	if (line - near->miss.last + PATTERN_NEAR <= 2 * PATTERN_NEAR) {
		miss = near->miss;
		piece = near->piece;
	} else if (at < PATTERN_NEAR || at >= lines - PATTERN_NEAR) {
		miss = piece = by_address(p, set, line, in_page);
	}
	p->page[slot] = (struct pattern_entry){ .tag = pattern_tags_of(line), .miss = miss,
		.piece = piece, .frame = frames_scatter(page), .set = set };
	p->by_set[set % PATTERN_BY_SET] = (uint8_t)slot;
}

uint32_t pattern_find_tagged(const struct pattern *p, uint32_t line, uint32_t tags)
{
	const uint32_t set = line % PATTERN_SETS;

	for (; tags; tags &= tags - 1) {
		const uint32_t at = (p->newest[set] - (uint32_t)__builtin_ctz(tags)) % PATTERN_WAYS;

		if (p->ring[set][at] && p->ring[set][at] >> 3 == line / PATTERN_SETS)
			return at;
	}
	return PATTERN_WAYS;
}
