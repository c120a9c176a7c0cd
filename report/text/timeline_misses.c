/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints lanes of misses: by time, for each access; by address, how many. */
#include "report/text/over_time.h"

#include <math.h>

#define SCALE 1e6               /* a rate as a value of a lane, in which less than 0.5 is nothing */

static void add_misses(const struct over_time *o, int structure, int level, double *misses)
{
	for (int i = 0; i < o->f->t->ncells; i++) {
		const struct report_time_cell *c = &o->f->t->cells[i];
		const struct report_series *s = &c->misses[level];

		for (int k = 0; (structure < 0 || c->structure == structure + 1) && k < s->n; k++)
			time_axis_add(&o->f->axis, c->thread, (int)s->point[k].at,
				(double)s->point[k].value, misses, o->chars);
	}
}

/* "miss L1 ≤12%": what a full character is; "all L1 ≤12%": of all structures. */
static void put_label(struct over_time *o, int structure, int level, double most)
{
	struct buf label = BUF_INIT;
	const double percent = 100 * most / SCALE;

	buf_printf(&label, "%s L%d %s", structure < 0 ? "all" : "miss", level + 1,
		o->style->unicode ? "≤" : "<=");
	if (percent > 0 && percent < 1)
		buf_printf(&label, "%.1g%%", percent);
	else
		buf_printf(&label, "%.0f%%", ceil(percent));
	over_time_label_buf(o, &label);
}

int over_time_miss_lane(struct over_time *o, int structure, int level)
{
	double *n = over_time_lane(o), *misses = over_time_lane(o), most;

	if (!n || !misses)
		return -1;
	time_lane(o->f, structure, -1, n, n, o->chars);
	add_misses(o, structure, level, misses);
	for (int i = 0; i < o->chars; i++)
		misses[i] = n[i] >= 1 ? SCALE * fmin(1, misses[i] / n[i]) : 0;
	most = over_time_largest(misses, o->chars);
	put_label(o, structure, level, most);
	over_time_heights(o, misses, most);
	page_end_line(&o->page);
	return 0;
}

int over_time_misses(struct over_time *o, int structure)
{
	const struct time_sums *s = structure < 0 ? &o->f->all : &o->f->structure[structure].sums;

	for (int l = 0; l < TIMELINE_LEVELS; l++)
		if ((l == o->f->nearest || s->misses[l] > 0) &&
			over_time_miss_lane(o, structure, l))
			return -1;
	return 0;
}

int over_time_miss_rows(struct over_time *o, int structure, int from, int rows)
{
	double *misses = over_time_lane(o), most;
	struct buf label = BUF_INIT;

	if (!misses)
		return -1;
	for (int i = 0; i < o->f->t->nmaps; i++) {
		const struct report_series *s = &o->f->t->maps[i].first_misses;

		for (int k = 0; o->f->t->maps[i].structure == structure + 1 && k < s->n; k++) {
			const int row = (int)(s->point[k].at % (unsigned)o->f->t->rows) - from;

			/* A row that is wider than a character is several of them. */
			for (int x = row * o->chars / rows; row >= 0 && row < rows &&
					x <= ((row + 1) * o->chars - 1) / rows && x < o->chars; x++)
				misses[x] += (double)s->point[k].value / o->f->t->executions;
		}
	}
	most = over_time_largest(misses, o->chars);
	if (!(most >= 0.5))
		return 0;
	buf_printf(&label, "miss L%d", o->f->nearest + 1);
	over_time_label_buf(o, &label);
	over_time_heights(o, misses, most);
	page_end_line(&o->page);
	return 0;
}
