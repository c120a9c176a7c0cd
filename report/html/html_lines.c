/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the bytes of cache lines that threads take from each other, and which thread uses them. */
#include "report/html/html.h"

enum { LINES = 4, MOST_BYTES = 512, CELL = 14, ROW = 22, LABEL = 130 };

/* The rows of one line of a finding. */
struct shared_line {
	const struct report_line_use *use;
	int n;
	int64_t first, last;    /* bytes that are drawn */
};

static struct shared_line line_at(const struct report_finding *f, int from)
{
	struct shared_line l = { &f->uses[from], 0, f->uses[from].first, f->uses[from].last };

	for (; from + l.n < f->nuses && l.use[l.n].line == l.use->line; l.n++) {
		l.first = l.use[l.n].first < l.first ? l.use[l.n].first : l.first;
		l.last = l.use[l.n].last > l.last ? l.use[l.n].last : l.last;
	}
	return l;
}

static bool of_thread(const struct report_line_use *a, const struct report_line_use *b)
{
	return a->thread == b->thread && a->writes == b->writes;
}

static bool uses(const struct shared_line *l, const struct report_line_use *thread,
	int64_t byte)
{
	for (int i = 0; i < l->n; i++)
		if (of_thread(&l->use[i], thread) && byte >= l->use[i].first &&
		    byte <= l->use[i].last)
			return true;
	return false;
}

static void draw_thread(struct html *h, const struct shared_line *l,
	const struct report_line_use *thread, int k)
{
	int y = (k + 1) * ROW;

	buf_printf(&h->out, "\n<text x=0 y=%d>thread %d %s</text>", y + 14, thread->thread,
		thread->writes ? "writes" : "reads");
	for (int64_t b = l->first; b <= l->last; b++)
		buf_printf(&h->out, "<rect x=%d y=%d width=%d height=%d class=%s />",
			LABEL + (int)(b - l->first) * CELL, y + 1, CELL - 1, ROW - 3,
			!uses(l, thread, b) ? "t" : k == 0 ? "ta" : "tb");
}

static void draw(struct html *h, const struct shared_line *l)
{
	int n = (int)(l->last - l->first + 1), threads = 0;

	for (int i = 0; i < l->n; i++)
		threads += i == 0 || !of_thread(&l->use[i], &l->use[i - 1]);
	buf_printf(&h->out, "<div class='wide line' tabindex=0 role=group aria-label='Shared line'>"
		"<svg width=%d height=%d role=img aria-label='Bytes %lld to %lld of the structure'>\n",
		LABEL + n * CELL, (threads + 1) * ROW, (long long)l->first, (long long)l->last);
	for (int b = 0; b < n; b += 8)
		buf_printf(&h->out, "<text x=%d y=%d class=byte>%lld</text>", LABEL + b * CELL,
			ROW - 7, (long long)l->first + b);
	for (int i = 0, k = 0; i < l->n; i++)
		if (i == 0 || !of_thread(&l->use[i], &l->use[i - 1]))
			draw_thread(h, l, &l->use[i], k++);
	buf_puts(&h->out, "</svg></div>\n");
}

void html_lines(struct html *h, const struct report_problem *p)
{
	const struct report_finding *f = p->lead;
	int shown = 0;

	for (int i = 0; i < p->nmembers && !f->nuses; i++)
		f = p->members[i];
	for (int i = 0; i < f->nuses && shown < LINES; ) {
		struct shared_line l = line_at(f, i);

		i += l.n;
		if (l.last - l.first >= MOST_BYTES)
			continue;
		if (!shown++)
			buf_puts(&h->out,
				"<p class=small>Bytes of the structure in one cache line, and "
				"who uses them:</p>\n");
		draw(h, &l);
	}
}
