/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints lines from memory by channel: a lane for each structure with a place for each channel,
 * then a lane of time for each of the busiest channels. */
#include "report/text/over_time.h"

#include <math.h>
#include <string.h>

#include "report/text/plot.h"

enum { STRUCTURES = 10, LANES = 8 };

/* "zero    12.3 k" before a lane. */
static void label(struct over_time *o, const char *name, double n)
{
	enum { FIGURE = 6 };
	struct buf count = BUF_INIT;

	timeline_count(&count, n);
	page_cell(&o->page, name, o->label - 2 - FIGURE, PAGE_LEFT);
	page_spaces(&o->page, 1);
	page_cell(&o->page, buf_str(&count), FIGURE, PAGE_RIGHT);
	page_spaces(&o->page, 1);
	o->page.out.failed |= count.failed;
	buf_free(&count);
}

/* Modules of a place in a lane: several where a lane has fewer characters than there are
 * modules. */
static int each_place(const struct over_time *o, const struct time_modules *m)
{
	return (m->n + o->chars - 1) / o->chars;
}

static int places_of(const struct over_time *o, const struct time_modules *m)
{
	return (m->n + each_place(o, m) - 1) / each_place(o, m);
}

/* Characters of a place. */
static int width_of(const struct over_time *o, const struct time_modules *m)
{
	const int width = o->chars / places_of(o, m);

	return width > 4 ? 4 : width;
}

/* The busiest of the modules of a place. */
static double load_at(const struct over_time *o, const struct time_modules *m, const double *load,
	int place)
{
	const int each = each_place(o, m),
		end = (place + 1) * each < m->n ? (place + 1) * each : m->n;
	double most = 0;

	for (int k = place * each; k < end; k++)
		most = fmax(most, load[k]);
	return most;
}

static void put_modules(struct over_time *o, const struct time_modules *m, const double *load,
	double most)
{
	const int width = width_of(o, m);

	for (int k = 0; k < places_of(o, m); k++) {
		const double here = load_at(o, m, load, k);

		for (int i = 0; i < width; i++)
			plot_height(&o->page.out,
				here < 0.5 || most <= 0 ? 0 : fmax(here / most, 1e-9),
				o->style->unicode);
	}
	page_end_line(&o->page);
}

static double sum_of(const struct time_modules *m, const double *load)
{
	double sum = 0;

	for (int k = 0; k < m->n; k++)
		sum += load[k];
	return sum;
}

/* The numbers of the modules below the lanes: the first of each node, or each eighth. */
static void put_numbers(struct over_time *o, const struct time_modules *m)
{
	const int width = width_of(o, m), channels = o->f->t->channels, nodes = m->n / channels;
	const int step = nodes > 1 ? channels : m->n > 16 ? 8 : 1;
	char number[16];
	int at = 0;

	over_time_label(o, nodes > 1 ? "node" : "channel");
	for (int k = 0; k < m->n; k += step) {
		const int begin = k / each_place(o, m) * width;
		const int n = snprintf(number, sizeof number, "%d", k / (nodes > 1 ? channels : 1));

		/* A number without room is left out, and a space stands between two of them. */
		if ((at && begin <= at) || begin + n > o->chars)
			continue;
		page_spaces(&o->page, begin - at);
		buf_puts(&o->page.out, number);
		at = begin + n;
	}
	page_end_line(&o->page);
}

static const double *load_of(const struct time_modules *m, int structure)
{
	return m->load + (size_t)structure * (size_t)m->n;
}

/* Of the structures that are not taken yet, the one with most lines; -1: there is none. */
static int next_structure(const struct over_time *o, const struct time_modules *m,
	const bool *taken)
{
	double most = 0;
	int best = -1;

	for (int i = 0; i < o->f->t->nstructures; i++) {
		const double n = sum_of(m, load_of(m, i));

		if (!taken[i] && n > most) {
			most = n;
			best = i;
		}
	}
	return best;
}

static int by_structure(struct over_time *o, const struct time_modules *m)
{
	const int top = o->style->top > 0 ? o->style->top : STRUCTURES;
	bool *taken = arena_array(o->f->arena, (size_t)o->f->t->nstructures, sizeof *taken);
	double *others = arena_array(o->f->arena, (size_t)m->n, sizeof *others), most = 0;
	char name[32];
	int left = 0;

	if (!taken || !others)
		return err_nomem(o->err);
	for (int i = 0; i < o->f->t->nstructures * m->n; i++)
		most = fmax(most, m->load[i]);
	for (int i, n = 0; (i = next_structure(o, m, taken)) >= 0; n++) {
		taken[i] = true;
		if (n < top) {
			label(o, timeline_short_name(o->f->structure[i].s),
				sum_of(m, load_of(m, i)));
			put_modules(o, m, load_of(m, i), most);
			continue;
		}
		for (int k = 0; k < m->n; k++)
			others[k] += load_of(m, i)[k];
		left++;
	}
	if (left) {
		snprintf(name, sizeof name, "%d others", left);
		label(o, name, sum_of(m, others));
		put_modules(o, m, others, most);
	}
	label(o, "all", sum_of(m, m->all));
	put_modules(o, m, m->all, m->most);
	put_numbers(o, m);
	return 0;
}

/* The busiest modules over time, in the order of their numbers. */
static int over_time(struct over_time *o, const struct time_modules *m)
{
	double *lane[LANES] = { NULL }, most = 0;
	int module[LANES], n = 0;

	for (int k = 0; k < m->n; k++) {
		int busier = 0;

		for (int i = 0; i < m->n; i++)
			busier += m->all[i] > m->all[k] || (m->all[i] == m->all[k] && i < k);
		if (busier >= LANES || !(m->all[k] > 0))
			continue;
		lane[n] = over_time_lane(o);
		if (!lane[n])
			return -1;
		time_module_lane(o->f, -1, k, lane[n], o->chars);
		most = fmax(most, over_time_largest(lane[n], o->chars));
		module[n++] = k;
	}
	over_time_strip(o);
	for (int i = 0; i < n; i++) {
		struct buf name = BUF_INIT;

		if (o->f->t->nodes > 1)
			buf_printf(&name, "%d/%d", module[i] / o->f->t->channels,
				module[i] % o->f->t->channels);
		else
			timeline_module(&name, o->f->t, module[i]);
		over_time_label_buf(o, &name);
		over_time_heights(o, lane[i], most);
		page_end_line(&o->page);
	}
	over_time_axis(o);
	return 0;
}

static void head(struct over_time *o, const struct time_modules *m, bool behind)
{
	struct buf b = BUF_INIT;

	if (!behind) {
		timeline_claim(&b, o->f, VIEW_MODULES);
		over_time_claim(o, &b);
		buf_clear(&b);
		timeline_reading(&b, o->f, VIEW_MODULES);
		buf_puts(&b, " ");
	}
	buf_puts(&b, "First table: a lane is a structure, a place in it ");
	if (each_place(o, m) > 1)
		buf_printf(&b, "%d channels, a height the lines of the busiest of them. ",
			each_place(o, m));
	else
		buf_puts(&b, "a channel, a height its lines. ");
	buf_puts(&b, "Second: the channels that serve most, over time.");
	over_time_reading(o, &b);
	buf_free(&b);
	page_end_line(&o->page);
}

int over_time_channels(struct over_time *o, bool behind)
{
	struct time_modules m;

	if (!behind && o->style->sort && strcmp(o->style->sort, "all") != 0)
		return err_set(o->err, "--portal-sort: the table of channels has no column \"%s\"",
			o->style->sort);
	if (time_modules(o->f, &m))
		return err_nomem(o->err);
	if (behind)
		page_end_line(&o->page);
	head(o, &m, behind);
	if (!(m.mean > 0))
		return 0;
	if (by_structure(o, &m))
		return -1;
	page_end_line(&o->page);
	return over_time(o, &m);
}
