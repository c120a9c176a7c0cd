/* SPDX-License-Identifier: BSD-3-Clause */
/* What a source line does with structures, in words: "reads a and b, writes c
 * upwards, 64 bytes at a time". */
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
	const struct report_time_structure *s = &t->structures[w->structure - 1];

	return *s->name ? s->name : s->joined ? "small ones" : "other memory";
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

static bool said(const struct report_timeline *t, int first, int i, bool writes,
	enum line_walk_kind kind)
{
	const struct report_line_walk *w = &t->line_walks[i];

	return w->writes == writes && line_walk_kind(w) == kind && !repeated(t, first, i);
}

static int count(const struct report_timeline *t, int first, int end, bool writes,
	enum line_walk_kind kind)
{
	int n = 0;

	for (int i = first; i < end; i++)
		n += said(t, first, i, writes, kind);
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
static void names(struct buf *b, const struct time_facts *f, int first, int end, bool writes,
	enum line_walk_kind kind)
{
	const struct report_timeline *t = f->t;
	const int n = count(t, first, end, writes, kind);
	int k = 0;

	for (int i = first; i < end; i++) {
		const struct report_line_walk *w = &t->line_walks[i];

		if (!said(t, first, i, writes, kind))
			continue;
		buf_puts(b, !k ? "" : k + 1 < n ? ", " : " and ");
		buf_puts(b, name_of(t, w));
		if (kind == LINE_WALK_STRIDED)
			stride(b, f, w);
		k++;
	}
}

static const char *how(enum line_walk_kind kind)
{
	switch (kind) {
	case LINE_WALK_UP: return " upwards";
	case LINE_WALK_DOWN: return " downwards";
	case LINE_WALK_STILL: return " at one place";
	case LINE_WALK_IRREGULAR: return " in no order";
	default: return "";
	}
}

/* "reads a and b upwards, x in no order". */
static void accesses(struct buf *b, const struct time_facts *f, int first, int end, bool writes)
{
	static const enum line_walk_kind kinds[] = { LINE_WALK_UP, LINE_WALK_DOWN,
		LINE_WALK_STRIDED, LINE_WALK_IRREGULAR, LINE_WALK_STILL };
	bool any = false;

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		if (!count(f->t, first, end, writes, kinds[k]))
			continue;
		buf_puts(b, any ? ", " : b->len ? ", " : "");
		buf_puts(b, any ? "" : writes ? "writes " : "reads ");
		names(b, f, first, end, writes, kinds[k]);
		buf_puts(b, how(kinds[k]));
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
	const bool from = count(f->t, first, end, false, LINE_WALK_BLOCK),
		to = count(f->t, first, end, true, LINE_WALK_BLOCK);

	if (!from && !to)
		return;
	buf_puts(b, from ? "copies " : "sets ");
	names(b, f, first, end, !from, LINE_WALK_BLOCK);
	if (from && to) {
		buf_puts(b, " to ");
		names(b, f, first, end, true, LINE_WALK_BLOCK);
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
