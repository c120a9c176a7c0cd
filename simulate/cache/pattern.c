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

void pattern_page_new(struct pattern *p, const struct page_sets *sets, uint32_t line,
	uint32_t in_page)
{
	const uint32_t page = line >> in_page, lines = 1u << in_page, at = line & (lines - 1);
	const struct pattern_entry *near = &p->page[pattern_slot(at < lines / 2 ? page - 1 :
		page + 1)];

	p->page[pattern_slot(page)] = (struct pattern_entry){ .tag = pattern_tags_of(line),
		.miss = line - near->miss.last + PATTERN_NEAR <= 2 * PATTERN_NEAR ? near->miss :
		(struct pattern_page){ line, 0 }, .frame = frames_scatter(page),
		.set = page_sets_of(sets, page) };
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
