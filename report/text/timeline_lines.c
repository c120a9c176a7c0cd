/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the source lines that miss, and what each does with structures. */
#include "report/text/over_time.h"

#include <string.h>

enum { LINES = 4 };

/* A source line, and its misses of the first level. */
struct place {
	const char *file;
	int line;
	int64_t misses;
};

static bool same(const struct place *p, const char *file, int line)
{
	return p->line == line && strcmp(p->file, file) == 0;
}

/* Joins the lines of regions and threads; returns their number. */
static int join(const struct report_timeline *t, int structure, struct place *place)
{
	int n = 0;

	for (int i = 0; i < t->nlines; i++) {
		const struct report_time_line *l = &t->lines[i];
		int k = 0;

		if (l->line <= 0 || (structure >= 0 && l->structure != structure + 1))
			continue;
		while (k < n && !same(&place[k], l->file, l->line))
			k++;
		if (k == n)
			place[n++] = (struct place){ l->file, l->line, 0 };
		place[k].misses += series_sum(&l->first_misses);
	}
	return n;
}

static int worst(const struct place *place, int n)
{
	int best = -1;

	for (int i = 0; i < n; i++)
		if (place[i].misses > 0 && (best < 0 || place[i].misses > place[best].misses))
			best = i;
	return best;
}

static void put_walks(struct buf *b, const struct time_facts *f, const struct place *p)
{
	const struct report_timeline *t = f->t;
	struct buf says = BUF_INIT;

	for (int i = 0; i < t->nline_walks && !says.len; i = line_walks_end(t, i))
		if (same(p, t->line_walks[i].file, t->line_walks[i].line))
			line_walk_words(&says, f, i);
	if (says.len)
		buf_printf(b, "; %s", buf_str(&says));
	b->failed |= says.failed;
	buf_free(&says);
}

static void put_place(struct over_time *o, const struct place *p, int64_t all, bool of_one)
{
	struct buf label = BUF_INIT, says = BUF_INIT;

	buf_printf(&label, "%s:%d", p->file, p->line);
	over_time_label_buf(o, &label);
	timeline_share(&says, p->misses < all ? (double)p->misses / (double)all : 1);
	buf_puts(&says, of_one ? " of its misses" : " of the misses");
	put_walks(&says, o->f, p);
	page_wrap_buf(&o->page, o->label, o->label, &says);
	buf_free(&says);
}

int over_time_lines(struct over_time *o, int structure)
{
	const struct time_sums *sums = structure >= 0 ? &o->f->structure[structure].sums :
		&o->f->all;
	const int64_t all = sums->misses[o->f->nearest];
	struct place *place = arena_array(o->f->arena, (size_t)o->f->t->nlines, sizeof *place);
	int n, best;

	if (!place)
		return err_nomem(o->err);
	n = join(o->f->t, structure, place);
	for (int i = 0; i < LINES && (best = worst(place, n)) >= 0 && all > 0; i++) {
		if (i == 0)
			page_end_line(&o->page);
		put_place(o, &place[best], all, structure >= 0);
		place[best].misses = 0;
	}
	return 0;
}
