/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what is predicted for more threads: lines from memory by structure, then by node. */
#include "report/text/over_time.h"

#include <math.h>
#include <stdlib.h>

#include "report/text/plot.h"

enum { NAME = 16, COUNT = 9, RANGE = 20, ROWS = 10 };

static void put(struct over_time *o, double n, int width)
{
	struct buf b = BUF_INIT;

	timeline_count(&b, n);
	page_cell(&o->page, buf_str(&b), width, PAGE_RIGHT);
	o->page.out.failed |= b.failed;
	buf_free(&b);
}

static void put_range(struct over_time *o, const struct more_range *r)
{
	struct buf b = BUF_INIT;

	timeline_count(&b, r->low);
	buf_puts(&b, " to ");
	timeline_count(&b, r->high);
	page_cell(&o->page, buf_str(&b), RANGE, PAGE_RIGHT);
	o->page.out.failed |= b.failed;
	buf_free(&b);
}

static void put_bar(struct over_time *o, double n, double most)
{
	page_spaces(&o->page, 2);
	plot_bar(&o->page.out, most > 0 ? n / most : 0, o->page.width - NAME - COUNT * 2 - RANGE -
		2, o->style->unicode);
	page_end_line(&o->page);
}

static void heads(struct over_time *o, const char *what, const char *first)
{
	page_cell(&o->page, what, NAME, PAGE_LEFT);
	page_cell(&o->page, first, COUNT, PAGE_RIGHT);
	page_cell(&o->page, "then", COUNT, PAGE_RIGHT);
	page_cell(&o->page, "range", RANGE, PAGE_RIGHT);
	page_end_line(&o->page);
}

struct ranked { double lines; int structure; };

static int most_first(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return x->lines != y->lines ? (x->lines < y->lines ? 1 : -1) : x->structure - y->structure;
}

static int by_structure(struct over_time *o, const struct time_prediction *p)
{
	const int n = o->f->t->nstructures, top = o->style->top > 0 ? o->style->top : ROWS;
	struct ranked *r = arena_array(o->f->arena, (size_t)n, sizeof *r);
	double now = 0, most = 0;

	if (!r)
		return err_nomem(o->err);
	for (int i = 0; i < n; i++) {
		const double before = (double)o->f->structure[i].sums.memory / o->f->t->executions;

		r[i] = (struct ranked){ fmax(p->lines.structure[i].high, before), i };
		most = fmax(most, p->lines.structure[i].value);
		now += before;
	}
	qsort(r, (size_t)n, sizeof *r, most_first);
	heads(o, "variable", "now");
	for (int i = 0; i < n && i < top && r[i].lines > 0; i++) {
		const int s = r[i].structure;

		page_cell(&o->page, timeline_name(&o->f->structure[s]), NAME, PAGE_LEFT);
		put(o, (double)o->f->structure[s].sums.memory / o->f->t->executions, COUNT);
		put(o, p->lines.structure[s].value, COUNT);
		put_range(o, &p->lines.structure[s]);
		put_bar(o, p->lines.structure[s].value, most);
	}
	page_cell(&o->page, "all", NAME, PAGE_LEFT);
	put(o, now, COUNT);
	put(o, p->lines.all.value, COUNT);
	put_range(o, &p->lines.all);
	page_end_line(&o->page);
	return 0;
}

static void by_node(struct over_time *o, const struct time_prediction *p)
{
	char name[32];

	page_end_line(&o->page);
	heads(o, "node", "now");
	for (int k = 0; k < o->f->t->nodes; k++) {
		snprintf(name, sizeof name, "node %d", k);
		page_cell(&o->page, name, NAME, PAGE_LEFT);
		put(o, (double)timeline_node(o->f, k) / o->f->t->executions, COUNT);
		put(o, p->lines.node[k].value, COUNT);
		put_range(o, &p->lines.node[k]);
		put_bar(o, p->lines.node[k].value, p->lines.node[p->lines.busiest].value);
	}
}

int over_time_prediction(struct over_time *o)
{
	struct time_prediction p;
	struct buf b = BUF_INIT;

	if (time_predict(o->f, o->style->threads, &p, o->err))
		return -1;
	timeline_prediction_claim(&b, o->f, &p);
	over_time_claim(o, &b);
	buf_clear(&b);
	timeline_prediction_reading(&b, o->f, &p);
	over_time_reading(o, &b);
	buf_free(&b);
	page_end_line(&o->page);
	if (by_structure(o, &p))
		return -1;
	if (p.lines.placed && o->f->t->nodes > 1)
		by_node(o, &p);
	return 0;
}
