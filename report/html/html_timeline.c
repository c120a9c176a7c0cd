/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what the timeline has of each structure as a table: size, accesses, misses. */
#include "report/html/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/figures.h"
#include "report/words/timeline_words.h"

enum { ROWS = 40 };

struct row {
	const struct report_time_structure *s;
	double reads, writes, first, last;      /* an execution */
};

struct table {
	struct html *h;
	const struct time_facts *f;
	const struct report_timeline *t;
	struct row *row;                        /* owned */
	double accesses, first, last;           /* of all rows */
};

/* The last level that misses. */
static int last_level(const struct html *h, const struct report_timeline *t)
{
	int level = h->level;

	for (int k = 0; level < 0 && k < t->ncells; k++)
		for (int l = TIMELINE_LEVELS - 1; l >= 0 && level < 0; l--)
			level = t->cells[k].misses[l].n ? l : -1;
	return level < 0 ? 0 : level;
}

static void add(struct table *a, const struct report_time_cell *c, int last)
{
	const double n = a->t->executions;
	struct row *row = &a->row[c->structure - 1];

	row->reads += (double)series_sum(&c->reads) / n;
	row->writes += (double)series_sum(&c->writes) / n;
	row->first += (double)series_sum(&c->misses[a->f->nearest]) / n;
	row->last += (double)series_sum(&c->misses[last]) / n;
}

static int by_misses(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	if (a->first != b->first)
		return a->first < b->first ? 1 : -1;
	if (a->reads + a->writes != b->reads + b->writes)
		return a->reads + a->writes < b->reads + b->writes ? 1 : -1;
	return strcmp(a->s->name, b->s->name);
}

/* 0 / -1 (memory). */
static int begin(struct table *a)
{
	const struct report_timeline *t = a->t;

	a->row = calloc((size_t)t->nstructures + 1, sizeof *a->row);
	if (!a->row)
		return -1;
	for (int i = 0; i < t->nstructures; i++)
		a->row[i].s = &t->structures[i];
	for (int i = 0; i < t->ncells; i++)
		add(a, &t->cells[i], last_level(a->h, t));
	for (int i = 0; i < t->nstructures; i++) {
		a->accesses += a->row[i].reads + a->row[i].writes;
		a->first += a->row[i].first;
		a->last += a->row[i].last;
	}
	qsort(a->row, (size_t)t->nstructures, sizeof *a->row, by_misses);
	return 0;
}

static void figures(struct table *a, const struct row *row)
{
	struct html *h = a->h;
	char figure[PAGE_FIGURE];

	html_figure(h, page_count(figure, row->reads), row->reads, (row->reads + row->writes) /
		a->accesses);
	html_figure(h, page_count(figure, row->writes), row->writes, 0);
	html_figure(h, page_count(figure, row->first), row->first, row->first / a->first);
	html_bar(h, page_percent(figure, row->first / (row->reads + row->writes)), NAN);
	html_figure(h, page_count(figure, row->last), row->last, row->last / a->last);
}

static void structure(struct table *a, const struct row *row)
{
	struct html *h = a->h;
	const struct report_time_structure *s = row->s;

	buf_puts(&h->out, "<tr><th scope=row>");
	html_structure_name(h, a->f, (int)(s - a->t->structures));
	html_bytes(h, (double)s->bytes);
	html_bytes(h, s->used_from >= 0 ? (double)(s->used_to - s->used_from + 1) : 0);
	figures(a, row);
	buf_puts(&h->out, "</tr>\n");
}

static void process(struct html *h, struct time_facts *f)
{
	struct table a = { .h = h, .f = f, .t = f->t };
	int n = 0;

	if (begin(&a)) {
		h->out.failed = true;
		return;
	}
	html_table_begin(h, f, "Structures", true);
	buf_printf(&h->out,
		"<th>structure<th class=n>size<th class=n>used<th class=n>reads<th class=n>writes"
		"<th class=n>L%d misses<th class=n>of its accesses<th class=n>from memory</tr>"
		"</thead><tbody>\n", f->nearest + 1);
	for (; n < f->t->nstructures && n < ROWS; n++)
		structure(&a, &a.row[n]);
	html_table_end(h);
	if (n < f->t->nstructures)
		buf_printf(&h->out, "<p class=small>The first %d of %d.</p>\n", n,
			f->t->nstructures);
	free(a.row);
}

void html_timeline(struct html *h)
{
	struct buf words = BUF_INIT;

	html_heading(h, "timeline", "Timeline");
	html_by_process(h, process);
	buf_puts(&h->out,
		"<p class=small>Per phase execution. used: from the first byte to the last that is touched; "
		"from memory: misses of the last cache level. The picture over time needs the page's script. ");
	timeline_processes_without(&words, "", h->r->timelines_left_out);
	html_put_buf(h, &words);
	buf_free(&words);
	buf_puts(&h->out, "</p>\n");
}
