/* SPDX-License-Identifier: BSD-3-Clause */
/* What a source line does with structures, in words: "reads a and b, writes c
 * forwards, 64 bytes at a time". */
#include "report/words/timeline_words.h"

#include <string.h>

#include "report/model/figures.h"

#define ELEMENT 8       /* bytes: no longer accesses are no vectors' */

static bool same_place(const struct report_line_walk *a, const struct report_line_walk *b)
{
	return a->line == b->line && strcmp(a->file, b->file) == 0;
}

int line_walks_end(const struct report_timeline *t, int first)
{
	int end = first + 1;

	while (end < t->nline_walks && same_place(&t->line_walks[first], &t->line_walks[end]))
		end++;
	return end;
}

static const char *name_of(const struct report_timeline *t, const struct report_line_walk *w)
{
	return timeline_structure_name(&t->structures[w->structure - 1]);
}

/* Is what this walk says said already by one before it? */
static bool repeated(const struct report_timeline *t, int first, int i)
{
	const struct report_line_walk *w = &t->line_walks[i];

	for (int k = first; k < i; k++) {
		const struct report_line_walk *o = &t->line_walks[k];

		if (o->structure == w->structure && o->writes == w->writes &&
		    line_walk_kind(o) == line_walk_kind(w))
			return true;
	}
	return false;
}

/* What a line does with some structures; within pieces: it goes another way than the region
 * walks through the whole structure, as in columns of which the last comes first. */
struct way { bool writes; enum line_walk_kind kind; bool within_pieces; };

static int sign(int64_t n)
{
	return (n > 0) - (n < 0);
}

static bool within_pieces(const struct time_facts *f, const struct report_line_walk *w)
{
	const struct time_structure *s = &f->structure[w->structure - 1];
	int whole = 0;

	for (int i = 0; i < s->nsteps; i++)
		if (s->step[i].run == f->region_run[w->region])
			whole = s->step[i].walk == WALK_UP ? 1 : -(s->step[i].walk == WALK_DOWN);
	switch (line_walk_kind(w)) {
	case LINE_WALK_UP:
	case LINE_WALK_DOWN: return whole && whole != sign(w->step);
	case LINE_WALK_IRREGULAR: return whole;
	default: return false;
	}
}

static bool said(const struct time_facts *f, int first, int i, struct way way)
{
	const struct report_line_walk *w = &f->t->line_walks[i];

	return w->writes == way.writes && line_walk_kind(w) == way.kind &&
		within_pieces(f, w) == way.within_pieces && !repeated(f->t, first, i);
}

static int count(const struct time_facts *f, int first, int end, struct way way)
{
	int n = 0;

	for (int i = first; i < end; i++)
		n += said(f, first, i, way);
	return n;
}

/* " every 40 B", " in 3 streams 16 MiB apart". */
static void stride(struct buf *b, const struct time_facts *f, const struct report_line_walk *w)
{
	const struct time_structure *s = &f->structure[w->structure - 1];
	const int64_t step = w->step < 0 ? -w->step : w->step;
	int streams = 0;

	for (int i = 0; i < s->nsteps; i++)
		if (s->step[i].run == f->region_run[w->region] && s->step[i].stride == step)
			streams = s->step[i].streams;
	if (streams)
		buf_printf(b, " in %d streams ", streams);
	else
		buf_puts(b, " every ");
	timeline_bytes(b, (double)step);
	buf_puts(b, streams ? " apart" : "");
}

/* "a, b and c"; the steps of strided ones stand behind their names. */
static void names(struct buf *b, const struct time_facts *f, int first, int end, struct way way)
{
	const struct report_timeline *t = f->t;
	const int n = count(f, first, end, way);
	int k = 0;

	for (int i = first; i < end; i++) {
		const struct report_line_walk *w = &t->line_walks[i];

		if (!said(f, first, i, way))
			continue;
		buf_puts(b, !k ? "" : k + 1 < n ? ", " : " and ");
		buf_puts(b, name_of(t, w));
		if (way.kind == LINE_WALK_STRIDED)
			stride(b, f, w);
		k++;
	}
}

static const char *how(enum line_walk_kind kind)
{
	switch (kind) {
	case LINE_WALK_UP: return " forwards";
	case LINE_WALK_DOWN: return " backwards";
	case LINE_WALK_STILL: return " at one place";
	case LINE_WALK_IRREGULAR: return " in no order";
	default: return "";
	}
}

/* "reads a and b forwards, x in no order". */
static void accesses(struct buf *b, const struct time_facts *f, int first, int end, bool writes)
{
	static const enum line_walk_kind kinds[] = { LINE_WALK_UP, LINE_WALK_DOWN,
		LINE_WALK_STRIDED, LINE_WALK_IRREGULAR, LINE_WALK_STILL };
	enum { KINDS = sizeof kinds / sizeof *kinds };
	bool any = false;

	for (int k = 0; k < 2 * KINDS; k++) {
		const struct way way = { writes, kinds[k / 2], k % 2 };

		if (!count(f, first, end, way))
			continue;
		buf_puts(b, b->len ? ", " : "");
		buf_puts(b, any ? "" : writes ? "writes " : "reads ");
		names(b, f, first, end, way);
		buf_puts(b, how(way.kind));
		buf_puts(b, way.within_pieces ? " within pieces" : "");
		any = true;
	}
}

static double block_length(const struct report_timeline *t, int first, int end)
{
	double most = 0;

	for (int i = first; i < end; i++)
		if (!t->line_walks[i].size && t->line_walks[i].length > most)
			most = t->line_walks[i].length;
	return most;
}

/* "copies a to c, 7.6 MiB at a time (a memcpy)". */
static void blocks(struct buf *b, const struct time_facts *f, int first, int end)
{
	const struct way reads = { false, LINE_WALK_BLOCK, false },
		writes = { true, LINE_WALK_BLOCK, false };
	const bool from = count(f, first, end, reads), to = count(f, first, end, writes);

	if (!from && !to)
		return;
	buf_puts(b, from ? "copies " : "sets ");
	names(b, f, first, end, from ? reads : writes);
	if (from && to) {
		buf_puts(b, " to ");
		names(b, f, first, end, writes);
	}
	buf_puts(b, ", ");
	timeline_bytes(b, block_length(f->t, first, end));
	buf_puts(b, from ? " at a time (memcpy)" : " at a time (memset)");
}

/* The largest and the smallest access of what is walked up or down. */
static void sizes(const struct report_timeline *t, int first, int end, int *least, int *most)
{
	*least = 0;
	*most = 0;
	for (int i = first; i < end; i++) {
		const struct report_line_walk *w = &t->line_walks[i];
		const enum line_walk_kind kind = line_walk_kind(w);

		if (kind != LINE_WALK_UP && kind != LINE_WALK_DOWN)
			continue;
		*most = w->size > *most ? w->size : *most;
		*least = !*least || w->size < *least ? w->size : *least;
	}
}

void line_walk_words(struct buf *b, const struct time_facts *f, int first)
{
	const int end = line_walks_end(f->t, first);
	int least, most;

	blocks(b, f, first, end);
	accesses(b, f, first, end, false);
	accesses(b, f, first, end, true);
	sizes(f->t, first, end, &least, &most);
	if (most > ELEMENT)
		buf_printf(b, "; vectors of %d bytes", most);
	else if (most)
		buf_printf(b, "; %d bytes at a time, no vectors", most);
}
