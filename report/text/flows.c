/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws who uses a structure when, or what a thread uses when: lanes of reads and writes,
 * and the table of intervals. */
#include "report/text/over_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8, ROWS = 16 };
#define LEAST_LANE 0.01         /* of the accesses of the flow, for a lane */

/* A flow: of a structure by thread, or of a thread by structure. */
struct flow {
	int structure, thread;          /* one of them is -1: the lanes are those */
};

static const struct time_sums *sums_of(const struct over_time *o, const struct flow *w, int lane)
{
	const int structure = w->structure >= 0 ? w->structure : lane, thread = w->structure >= 0 ?
		lane : w->thread;

	return &o->f->both[(size_t)structure * (size_t)o->f->t->threads + (size_t)thread];
}

static const struct time_sums *all_of(const struct over_time *o, const struct flow *w)
{
	return w->structure >= 0 ? &o->f->structure[w->structure].sums : &o->f->thread[w->thread];
}

/* --- lanes ------------------------------------------------------------------------------------ */

/* The lanes, most used first, or by number of the thread; their number. */
static int choose(const struct over_time *o, const struct flow *w, int lane[LANES])
{
	const int n = w->structure >= 0 ? o->f->t->threads : o->f->t->nstructures;
	const double all = (double)time_accesses(all_of(o, w));
	int chosen = 0;

	for (int i = 0; i < n && chosen < LANES; i++) {
		const int at = w->structure >= 0 ? i : o->f->order[i];

		if ((double)time_accesses(sums_of(o, w, at)) >= LEAST_LANE * all && all > 0)
			lane[chosen++] = at;
	}
	return chosen;
}

static void lane_label(struct over_time *o, const struct flow *w, int lane, const char *what)
{
	struct buf b = BUF_INIT;

	if (w->structure >= 0) {
		buf_printf(&b, "thread %d", lane);
		if (o->f->node[lane] >= 0 && o->f->t->nodes > 1)
			buf_printf(&b, " n%d", o->f->node[lane]);
	} else {
		buf_puts(&b, timeline_name(&o->f->structure[lane]));
	}
	page_cell(&o->page, buf_str(&b), o->label - 3, PAGE_RIGHT);
	buf_printf(&o->page.out, " %s ", what);
	o->page.out.failed |= b.failed;
	buf_free(&b);
}

static int put_lanes(struct over_time *o, const struct flow *w)
{
	int lane[LANES];
	const int n = choose(o, w, lane);
	double *value[LANES][2], most = 0;

	for (int i = 0; i < n; i++) {
		value[i][0] = over_time_lane(o);
		value[i][1] = over_time_lane(o);
		if (!value[i][0] || !value[i][1])
			return -1;
		time_lane(o->f, w->structure >= 0 ? w->structure : lane[i], w->structure >= 0 ?
			lane[i] : w->thread, value[i][0], value[i][1], o->chars);
		most = fmax(most, fmax(over_time_largest(value[i][0], o->chars),
			over_time_largest(value[i][1], o->chars)));
	}
	for (int i = 0; i < n; i++)
		for (int k = 0; k < 2; k++) {
			if (over_time_largest(value[i][k], o->chars) < 0.5)
				continue;
			lane_label(o, w, lane[i], k ? "W" : "R");
			over_time_heights(o, value[i][k], most);
			page_end_line(&o->page);
		}
	return 0;
}

/* --- the table -------------------------------------------------------------------------------- */

/* 80 columns. */
enum { AT = 9, GAP = 2, THREAD = 6, NODE = 5, STRUCTURE = THREAD + NODE, REGION = 13, COUNT = 9,
	FAR = 7 };

static void put_count(struct over_time *o, double n, int width)
{
	struct buf b = BUF_INIT;

	if (n < 0.5)
		buf_puts(&b, "-");
	else
		timeline_count(&b, n);
	page_cell(&o->page, buf_str(&b), width, PAGE_RIGHT);
	o->page.out.failed |= b.failed;
	buf_free(&b);
}

static void put_at(struct over_time *o, int column)
{
	struct buf b = BUF_INIT;

	timeline_count(&b, column * o->f->axis.span / o->f->columns);
	page_cell(&o->page, buf_str(&b), AT, PAGE_RIGHT);
	o->page.out.failed |= b.failed;
	buf_free(&b);
}

static void put_who(struct over_time *o, const struct flow *w, const struct time_interval *v)
{
	char text[16];

	page_spaces(&o->page, GAP);
	if (w->structure >= 0) {
		snprintf(text, sizeof text, "%d", v->thread);
		page_cell(&o->page, text, THREAD, PAGE_RIGHT);
		snprintf(text, sizeof text, o->f->node[v->thread] >= 0 ? "%d" : "-",
			o->f->node[v->thread]);
		page_cell(&o->page, text, NODE, PAGE_RIGHT);
	} else {
		page_cell(&o->page, timeline_name(&o->f->structure[v->structure]), STRUCTURE,
			PAGE_LEFT);
	}
}

static void put_interval(struct over_time *o, const struct flow *w, const struct time_interval *v)
{
	const double per = o->f->t->executions;
	struct buf label = BUF_INIT, far = BUF_INIT;

	put_at(o, v->from);
	put_at(o, v->to);
	put_who(o, w, v);
	timeline_run(&label, o->f, v->run);
	page_spaces(&o->page, GAP);
	page_cell(&o->page, buf_str(&label), REGION, PAGE_LEFT);
	put_count(o, (double)v->sums.reads / per, COUNT);
	put_count(o, (double)v->sums.writes / per, COUNT);
	put_count(o, (double)v->sums.memory / per, COUNT);
	if (v->sums.placed)
		timeline_share(&far, fmin(1, (double)v->sums.far / (double)v->sums.placed));
	else
		buf_puts(&far, "-");
	page_cell(&o->page, buf_str(&far), FAR, PAGE_RIGHT);
	o->page.out.failed |= label.failed || far.failed;
	buf_free(&label);
	buf_free(&far);
	page_end_line(&o->page);
}

static void put_heads(struct over_time *o, const struct flow *w)
{
	page_cell(&o->page, "from", AT, PAGE_RIGHT);
	page_cell(&o->page, "to", AT, PAGE_RIGHT);
	page_spaces(&o->page, GAP);
	if (w->structure >= 0) {
		page_cell(&o->page, "thread", THREAD, PAGE_RIGHT);
		page_cell(&o->page, "node", NODE, PAGE_RIGHT);
	} else {
		page_cell(&o->page, "structure", STRUCTURE, PAGE_LEFT);
	}
	page_spaces(&o->page, GAP);
	page_cell(&o->page, "region", REGION, PAGE_LEFT);
	page_cell(&o->page, "reads", COUNT, PAGE_RIGHT);
	page_cell(&o->page, "writes", COUNT, PAGE_RIGHT);
	page_cell(&o->page, "memory", COUNT, PAGE_RIGHT);
	page_cell(&o->page, "remote", FAR, PAGE_RIGHT);
	page_end_line(&o->page);
}

static int put_table(struct over_time *o, const struct flow *w)
{
	const int most = o->style->top > 0 ? o->style->top : ROWS;
	const struct time_interval *v;
	const int n = time_intervals(o->f, w->structure, w->thread, &v);

	if (n < 0)
		return err_nomem(o->err);
	page_end_line(&o->page);
	put_heads(o, w);
	for (int i = 0; i < n && i < most; i++)
		put_interval(o, w, &v[i]);
	if (n > most)
		buf_printf(&o->page.out, "... %d more intervals (--top)\n", n - most);
	return 0;
}

/* --- all -------------------------------------------------------------------------------------- */

static void head(struct over_time *o, const struct flow *w)
{
	struct buf b = BUF_INIT;

	if (w->structure >= 0) {
		timeline_pattern(&b, o->f, w->structure);
		over_time_claim(o, &b);
		buf_clear(&b);
		timeline_allocation(&b, o->f, w->structure);
		if (buf_str(&b)[0])
			buf_puts(&b, " ");
		timeline_advice(&b, o->f, w->structure);
	} else {
		timeline_thread_claim(&b, o->f, w->thread);
		over_time_claim(o, &b);
		buf_clear(&b);
		timeline_thread_reading(&b, o->f, w->thread);
	}
	over_time_reading(o, &b);
	buf_free(&b);
}

/* "thread:N"; a structure of that name comes first. */
static int parse(struct over_time *o, struct flow *w)
{
	const char *of = o->style->of;
	char *end;
	long n;

	*w = (struct flow){ time_facts_find(o->f, of), -1 };
	if (w->structure >= 0)
		return 0;
	if (strncmp(of, "thread:", strlen("thread:")) != 0)
		return over_time_unknown(o);
	n = strtol(of + strlen("thread:"), &end, 10);
	if (*end || end == of + strlen("thread:") || n < 0 || n >= o->f->t->threads)
		return err_set(o->err, "the timeline has no %s: its threads are 0 to %d", of,
			o->f->t->threads - 1);
	w->thread = (int)n;
	return 0;
}

int over_time_flows(struct over_time *o)
{
	struct flow w;

	if (parse(o, &w))
		return -1;
	o->label += 3;                  /* "thread 12 n1 R" */
	o->chars -= 3;
	head(o, &w);
	page_end_line(&o->page);
	over_time_strip(o);
	if (put_lanes(o, &w))
		return -1;
	over_time_axis(o);
	return put_table(o, &w);
}
