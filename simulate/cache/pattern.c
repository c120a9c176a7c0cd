/* SPDX-License-Identifier: BSD-3-Clause */
/* The rare case of classifying a miss: its page is new. */
#include "simulate/cache/pattern.h"

struct pattern_page pattern_page_new(const struct pattern *p, uint32_t line, uint32_t in_page)
{
	const uint32_t page = line >> in_page, lines = 1u << in_page, at = line & (lines - 1);
	const struct pattern_page *near = &p->page[(at < lines / 2 ? page - 1 : page + 1) % PATTERN_PAGES];

	return line - near->last + 2 <= 4 ? *near : (struct pattern_page){ line, 0 };
}
