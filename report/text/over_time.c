/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a view of memory over time: chooses the process, and says what is not in the picture. */
#include "report/text/over_time.h"

#include <math.h>

enum { WIDTH = 80, LEAST_WIDTH = 60, LABEL = 14 };

const char *const portal_names[PORTALS + 1] = {
	[PORTAL_VARIABLES] = "variables",
	[PORTAL_THREADS] = "threads",
	[PORTAL_MODULES] = "modules",
};
const char *const portal_count_names[PORTAL_COUNTS + 1] = {
	[PORTAL_ACCESSES] = "accesses",
	[PORTAL_READS] = "reads",
	[PORTAL_WRITES] = "writes",
	[PORTAL_BYTES] = "bytes",
	[PORTAL_MISSES] = "misses",
	[PORTAL_MEMORY] = "memory",
};

/* --- the process ------------------------------------------------------------------------------ */

static int64_t accesses_of(const struct report_timeline *t)
{
	int64_t n = 0;

	for (int i = 0; i < t->ncells; i++)
		n += series_sum(&t->cells[i].reads) + series_sum(&t->cells[i].writes);
	return n;
}

static const struct report_timeline *choose(const struct report *r, int process)
{
	const struct report_timeline *best = NULL;
	int64_t most = -1;

	for (int i = 0; i < r->ntimelines; i++) {
		const int64_t n = accesses_of(&r->timelines[i]);

		if (process >= 0 ? r->timelines[i].process == process : n > most) {
			best = &r->timelines[i];
			most = n;
		}
	}
	return best;
}

static void say_process(struct over_time *o)
{
	struct buf b = BUF_INIT;

	if (o->r->ntimelines < 2 || (o->style->view == OVER_PORTAL && o->style->process < 0))
		return;
	buf_printf(&b, "Process %d of %d (--process).", o->f->t->process,
		o->r->ntimelines + o->r->timelines_left_out);
	over_time_reading(o, &b);
	buf_free(&b);
}

/* What is not in the picture. */
static void say_left_out(struct over_time *o)
{
	struct buf b = BUF_INIT;

	timeline_missing(&b, o->f);
	over_time_reading(o, &b);
	buf_free(&b);
}

static enum timeline_view view_of(const struct over_time_style *style)
{
	switch (style->view) {
	case OVER_CARTOGRAPHY: return VIEW_CARTOGRAPHY;
	case OVER_FLOWS: return VIEW_FLOWS;
	case OVER_PREDICTION: return VIEW_PREDICTION;
	case OVER_PORTAL:
		return style->portal == PORTAL_MODULES ? VIEW_MODULES : style->portal ==
			PORTAL_THREADS ? VIEW_THREADS : VIEW_VARIABLES;
	default: return VIEW_TIMELINE;
	}
}

static int draw(struct over_time *o)
{
	static int (*const views[])(struct over_time *) = {
		[OVER_TIMELINE] = over_time_timeline,
		[OVER_CARTOGRAPHY] = over_time_cartography,
		[OVER_PORTAL] = over_time_portal,
		[OVER_FLOWS] = over_time_flows,
		[OVER_PREDICTION] = over_time_prediction,
	};
	const char *absent = time_view_absent(o->f, view_of(o->style));

	if (absent)
		return err_set(o->err, "nothing to show: %s", absent);
	say_process(o);
	if (views[o->style->view](o))
		return -1;
	say_left_out(o);
	return 0;
}

int over_time_text(const struct report *r, const struct over_time_style *style, struct buf *out,
	struct err *err)
{
	const struct report_timeline *t = choose(r, style->process);
	struct over_time o = {
		.page = { .out = BUF_INIT, .color = style->color, .unicode = style->unicode },
		.r = r,
		.style = style,
		.label = LABEL,
		.err = err
	};
	int rc;

	if (!r->ntimelines)
		return err_set(err, "the report has no timeline: %s",
			time_view_absent(NULL, view_of(style)));
	if (!t)
		return err_set(err, "the report has no timeline of process %d", style->process);
	o.f = time_facts_new(t);
	if (!o.f)
		return err_nomem(err);
	o.page.width = style->width >= LEAST_WIDTH ? style->width : WIDTH;
	o.chars = o.page.width - LABEL;
	rc = draw(&o);
	if (!rc)
		buf_add_buf(out, &o.page.out);
	buf_free(&o.page.out);
	time_facts_free(o.f);
	return rc;
}
