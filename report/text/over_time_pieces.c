/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what the views of memory over time share: claims, labels, the strip of
 * regions, the axis, lanes. */
#include "report/text/over_time.h"

#include <math.h>

#include "report/text/plot.h"

void over_time_claim(struct over_time *o, const struct buf *b)
{
	if (!b->len)
		return;
	page_bold(&o->page, true);
	page_wrap_buf(&o->page, 0, 0, b);
	page_bold(&o->page, false);
}

void over_time_reading(struct over_time *o, const struct buf *b)
{
	if (b->len)
		page_wrap_buf(&o->page, 0, 0, b);
}

void over_time_label(struct over_time *o, const char *label)
{
	page_cell(&o->page, label, o->label - 1, PAGE_RIGHT);
	page_spaces(&o->page, 1);
}

void over_time_label_buf(struct over_time *o, struct buf *b)
{
	o->page.out.failed |= b->failed;
	over_time_label(o, buf_str(b));
	buf_free(b);
}

static int char_of(const struct over_time *o, int column)
{
	return column * o->chars / o->f->columns;
}

/* A name that does not fit is shortened in the middle, or in few columns cut. */
static void put_name(struct over_time *o, struct buf *name, int columns)
{
	enum { FEW = 4 };
	size_t ascii = 0;

	while (ascii < name->len && (unsigned char)name->data[ascii] < 0x80)
		ascii++;
	if (columns <= FEW && ascii == name->len && name->len > (size_t)columns) {
		name->len = (size_t)columns;
		name->data[columns] = '\0';
	}
	page_cell(&o->page, buf_str(name), columns, PAGE_LEFT);
}

void over_time_strip(struct over_time *o)
{
	const struct time_facts *f = o->f;

	char whose[32] = "region";

	if (!f->ordered)
		snprintf(whose, sizeof whose, "in thread %d", f->strip_of);
	over_time_label(o, whose);
	for (int i = 0; i < f->nruns; i++) {
		const int from = char_of(o, f->run[i].from), to = char_of(o, f->run[i].to);
		struct buf label = BUF_INIT;

		if (to <= from)
			continue;
		timeline_run(&label, f, i);
		buf_puts(&o->page.out, o->style->unicode ? "│" : "|");
		put_name(o, &label, to - from - 1);
		o->page.out.failed |= label.failed;
		buf_free(&label);
	}
	page_end_line(&o->page);
}

void over_time_axis(struct over_time *o)
{
	struct buf middle = BUF_INIT, end = BUF_INIT;
	int columns;

	timeline_count(&middle, o->f->axis.span / 2);
	timeline_count(&end, o->f->axis.span);
	buf_puts(&end, " accesses");
	over_time_label(o, "");
	buf_puts(&o->page.out, "0");
	columns = page_columns(buf_str(&end));
	page_cell(&o->page, buf_str(&middle), o->chars / 2 + (int)middle.len / 2, PAGE_RIGHT);
	page_cell(&o->page, buf_str(&end), o->chars - 1 - o->chars / 2 - (int)middle.len / 2,
		PAGE_RIGHT);
	o->page.out.failed |= middle.failed || end.failed || !columns;
	page_end_line(&o->page);
	buf_free(&middle);
	buf_free(&end);
}

void over_time_heights(struct over_time *o, const double *value, double most)
{
	for (int i = 0; i < o->chars; i++)
		plot_height(&o->page.out, value[i] < 0.5 || most <= 0 ? 0 :
			fmax(value[i] / most, 1e-9), o->style->unicode);
}

double over_time_largest(const double *v, int n)
{
	double most = 0;

	for (int i = 0; i < n; i++)
		most = fmax(most, v[i]);
	return most;
}

double *over_time_lane(struct over_time *o)
{
	double *v = arena_array(o->f->arena, (size_t)o->chars, sizeof *v);

	if (!v)
		err_nomem(o->err);
	return v;
}

int over_time_unknown(struct over_time *o)
{
	enum { NAMED = 6 };
	const struct time_facts *f = o->f;
	struct buf b = BUF_INIT;
	int n = 0;

	for (int i = 0; i < f->t->nstructures && n < NAMED; i++)
		if (f->structure[f->order[i]].s->name[0])
			buf_printf(&b, "%s%s", n++ ? ", " : ": ",
				f->structure[f->order[i]].s->name);
	err_set(o->err, "the timeline has no structure \"%s\"; of those with most accesses%s",
		o->style->of, n ? buf_str(&b) : " none has a name");
	buf_free(&b);
	return -1;
}
