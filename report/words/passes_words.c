/* SPDX-License-Identifier: BSD-3-Clause */
/* Words for a problem of several loops that stream over the same structures. */
#include "report/words/problem_words.h"

#include "base/text_same.h"
#include "report/model/figures.h"

enum { PLACES = 6, STRUCTURES = 4 };

/* "passes.c:18, 20, 22": each file once. */
static void put_places(struct buf *b, const struct report_problem *p)
{
	const char *file = NULL;

	for (int i = 0; i < p->npasses && i < PLACES; i++) {
		const struct report_pass *at = &p->passes[i];

		buf_puts(b, i ? ", " : "");
		if (!text_same(at->file, file))
			buf_printf(b, "%s:", text_some(at->file) ? at->file : "?");
		buf_printf(b, "%d", at->line);
		file = at->file;
	}
	if (p->npasses > PLACES)
		buf_puts(b, ", ..");
}

void passes_why(struct buf *b, const struct report_problem *p)
{
	buf_printf(b, "%d loops (", p->npasses);
	put_places(b, p);
	buf_puts(b, ") stream over ");
	problem_structures(b, p, STRUCTURES);
	buf_puts(b,
		" one after the other: what one fetched has left the cache when the next needs it");
}

const char *passes_doing(void)
{
	return "fuse these loops, or let them work one after the other on blocks that stay in the cache";
}

const char *passes_change(void)
{
	return "one pass fetches them once";
}
