/* SPDX-License-Identifier: BSD-3-Clause */
/* The rare cases of classifying a miss: its page is new, or its line may not be. */
#include "simulate/cache/pattern.h"
#include "simulate/cache/frames.h"

void pattern_page_new(struct pattern *p, const struct page_sets *sets, uint32_t line, uint32_t in_page)
{
	const uint32_t page = line >> in_page, lines = 1u << in_page, at = line & (lines - 1);
	const struct pattern_entry *near = &p->page[(at < lines / 2 ? page - 1 : page + 1) % PATTERN_PAGES];

	p->page[page % PATTERN_PAGES] = (struct pattern_entry){
		.miss = line - near->miss.last + 2 <= 4 ? near->miss : (struct pattern_page){ line, 0 },
		.frame = frames_scatter(page), .tag = pattern_tag(line),
		.walk_set = page_sets_of(sets, page) % PATTERN_WALK_SETS };
}

uint32_t pattern_find_tagged(const struct pattern_set *s, uint32_t line, uint32_t tags)
{
	for (; tags; tags &= tags - 1) {
		const uint32_t at = (s->newest - (uint32_t)__builtin_ctz(tags)) % PATTERN_WAYS;

		if (s->line[at] == line)
			return at;
	}
	return PATTERN_WAYS;
}
