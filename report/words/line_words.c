/* SPDX-License-Identifier: BSD-3-Clause */
/* Words which bytes of a cache line the threads use that take it from each other. */
#include "report/words/words.h"

#include <string.h>

#include "base/text_same.h"

enum { RUNS = 2 };              /* of consecutive bytes that are named of a thread */

/* The end of the rows of the thread that use[from] is of. */
static int thread_end(const struct report_line_use *use, int n, int from)
{
	int end = from + 1;

	while (end < n && use[end].line == use[from].line && use[end].thread == use[from].thread &&
	    use[end].writes == use[from].writes)
		end++;
	return end;
}

static void note(struct buf *b, int *n, const char *text)
{
	if (text_some(text))
		buf_printf(b, "%s%s", (*n)++ ? ", " : " (", text);
}

/* " (hits, lock, of the line)" */
static void notes(struct buf *b, const struct report_line_use *use)
{
	int n = 0;

	note(b, &n, use->other);
	note(b, &n, use->members);
	note(b, &n, use->lock ? "lock" : NULL);
	note(b, &n, use->of_line ? "of the line" : use->other_block ? "another block" : NULL);
	if (n)
		buf_puts(b, ")");
}

/* "thread 0 writes 64-71+80-87 (hits)" */
static void thread_words(struct buf *b, const struct report_line_use *use, int n)
{
	buf_printf(b, "thread %d %s ", use->thread, use->writes ? "writes" : "reads");
	for (int i = 0; i < n && i < RUNS; i++)
		buf_printf(b, "%s%lld-%lld", i ? "+" : "", (long long)use[i].first,
			(long long)use[i].last);
	if (n > RUNS)
		buf_puts(b, "+..");
	notes(b, use);
}

void words_line_uses(struct buf *b, const struct report_finding *f)
{
	const struct report_line_use *use = f->uses;

	for (int i = 0, end, named = 0; i < f->nuses; i = end) {
		bool begins = i == 0 || use[i].line != use[i - 1].line;

		end = thread_end(use, f->nuses, i);
		named = begins ? 1 : named + 1;
		buf_puts(b, i == 0 ? "bytes: " : begins ? "; " : ", ");
		thread_words(b, &use[i], end - i);
		if ((end == f->nuses || use[end].line != use[i].line) && use[i].threads > 2)
			buf_printf(b, ", %d more", use[i].threads - 2);
	}
}
