/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a thread does with memory over time, and which sections read what others wrote. */
#include "report/words/timeline_words.h"

#include <string.h>

enum { NAMED = 4 };
#define LEAST 0.02              /* of a thread's accesses, for a structure to be named */

static const struct time_sums *both(const struct time_facts *f, int structure, int thread)
{
	return &f->both[(size_t)structure * (size_t)f->t->threads + (size_t)thread];
}

void timeline_thread_claim(struct buf *b, const struct time_facts *f, int thread)
{
	const double all = (double)time_accesses(&f->thread[thread]);
	int said = 0;

	if (all <= 0)
		return;
	buf_printf(b, "thread %d: ", thread);
	for (int i = 0; i < f->t->nstructures && said < NAMED; i++) {
		const double n = (double)time_accesses(both(f, f->order[i], thread));

		if (n < LEAST * all)
			continue;
		buf_printf(b, "%s%s ", said++ ? ", " : "",
			timeline_name(&f->structure[f->order[i]]));
		timeline_share(b, n / all);
	}
	buf_puts(b, said ? " of its accesses" : "many structures, a little each");
}

void timeline_thread_reading(struct buf *b, const struct time_facts *f, int thread)
{
	const struct time_sums *s = &f->thread[thread];

	if (time_accesses(s) <= 0)
		return;
	timeline_count(b, (double)time_accesses(s) / f->t->executions);
	buf_puts(b, " accesses an execution, ");
	timeline_share(b, (double)time_accesses(s) / (double)time_accesses(&f->all));
	buf_puts(b, " of all; ");
	timeline_count(b, (double)s->memory / f->t->executions);
	buf_puts(b, " lines from memory");
	if (s->placed) {
		buf_puts(b, ", ");
		timeline_share(b, (double)s->far / (double)s->placed);
		buf_puts(b, " of them from another node");
	}
	buf_puts(b, ".");
}

/* --- dependences ------------------------------------------------------------------------------ */

static bool same_pair(const struct time_facts *f, const struct time_edge *a,
	const struct time_edge *b)
{
	return a->overwritten == b->overwritten &&
		timeline_sections_alike(f, a->writer, b->writer) &&
		timeline_sections_alike(f, a->reader, b->reader);
}

/* Is there one like it, from edge `from` on, before edge `at`? */
static bool said_before(const struct time_facts *f, int from, int at, bool of_structure)
{
	const struct time_edge *e = &f->edge[at];

	for (int i = from; i < at; i++)
		if ((!of_structure || f->edge[i].structure == e->structure) &&
		    same_pair(f, &f->edge[i], e))
			return true;
	return false;
}

static void put_edge(struct buf *b, const struct time_facts *f, int at)
{
	const struct time_edge *e = &f->edge[at];
	int n = 0;

	timeline_section(b, f, e->reader);
	buf_puts(b, e->overwritten ? " overwrites " : " reads ");
	for (int i = at; i < f->nedges; i++)
		if (same_pair(f, &f->edge[i], e) && !said_before(f, at, i, true))
			buf_printf(b, "%s%s", n++ ? ", " : "",
				timeline_name(&f->structure[f->edge[i].structure]));
	buf_puts(b, " that ");
	if (timeline_sections_alike(f, e->reader, e->writer))
		buf_puts(b, "it wrote before");
	else {
		timeline_section(b, f, e->writer);
		buf_puts(b, " wrote");
	}
	buf_puts(b, e->overwritten ? ", unread between" : "");
}

/* Does its name stand for it alone, of all sections with accesses? */
static bool named_alone(const struct time_facts *f, int region)
{
	for (int i = 1; i <= f->t->nregions; i++)
		if (f->section[i] != region && f->region_run[i] >= 0 &&
		    timeline_sections_alike(f, f->section[i], region))
			return false;
	return true;
}

/* "B and D use no memory that another of them writes: they could run side by side". */
static void put_beside(struct buf *b, const struct time_facts *f)
{
	int once[TIME_BESIDE], n = 0;

	for (int i = 0; i < f->nbeside; i++)
		if (named_alone(f, f->beside[i]))
			once[n++] = f->beside[i];
	if (n < 2)
		return;
	buf_puts(b, b->len ? " " : "");
	for (int i = 0; i < n; i++) {
		buf_puts(b, !i ? "" : i == n - 1 ? " and " : ", ");
		timeline_section(b, f, once[i]);
	}
	buf_puts(b, " use no memory that another of them writes: they could run side by side, "
		"unless one needs a value that another returns.");
}

void timeline_edges(struct buf *b, const struct time_facts *f)
{
	int n = 0;

	for (int i = 0; i < f->nedges; i++) {
		if (said_before(f, 0, i, false))
			continue;
		buf_puts(b, n++ ? "; " : "");
		put_edge(b, f, i);
	}
	if (n)
		buf_puts(b, ", as far as rows of addresses show.");
	put_beside(b, f);
}
