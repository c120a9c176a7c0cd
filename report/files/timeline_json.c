/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what JSON says of a timeline beside its rows: the axis that threads have in common,
 * whose rows are, the strip of regions, structures used together, and the sentences that the
 * views show. */
#include "report/files/json.h"

#include <math.h>

#include "base/json_text.h"
#include "report/words/timeline_words.h"

typedef void writer(struct buf *b, const struct time_facts *f, int at);

/* A text, or null where there is none. */
static void member(struct buf *out, const char *name, const struct time_facts *f, int at,
	writer *write)
{
	struct buf text = BUF_INIT;

	write(&text, f, at);
	buf_printf(out, "\"%s\": ", name);
	text_json(out, text.len ? buf_str(&text) : NULL);
	out->failed |= text.failed;
	buf_free(&text);
}

static void view_claim(struct buf *b, const struct time_facts *f, int view)
{
	timeline_claim(b, f, (enum timeline_view)view);
}

static void view_reading(struct buf *b, const struct time_facts *f, int view)
{
	timeline_reading(b, f, (enum timeline_view)view);
}

static void walk(struct buf *b, const struct time_facts *f, int structure)
{
	timeline_walk(b, f, structure, true);
}

static void edges(struct buf *b, const struct time_facts *f, int at)
{
	(void)at;
	timeline_edges(b, f);
}

static void missing(struct buf *b, const struct time_facts *f, int at)
{
	(void)at;
	timeline_missing(b, f);
}

static void untimed(struct buf *b, const struct time_facts *f, int at)
{
	(void)at;
	timeline_untimed(b, f);
}

static void view_words(struct buf *out, const struct time_facts *f)
{
	buf_puts(out, ",\n     \"words\": {");
	for (int k = 0; k < TIMELINE_VIEWS; k++) {
		buf_printf(out, "%s\"%s\": {", k ? ",\n      " : "", timeline_view_names[k]);
		member(out, "claim", f, k, view_claim);
		buf_puts(out, ", ");
		member(out, "read", f, k, view_reading);
		buf_puts(out, "}");
	}
	buf_puts(out, "},\n     ");
	member(out, "dependences", f, 0, edges);
	buf_puts(out, ", ");
	member(out, "missing", f, 0, missing);
	buf_puts(out, ", ");
	member(out, "untimed", f, 0, untimed);
}

static void structure_words(struct buf *out, const struct time_facts *f)
{
	static const struct {
		const char *name;
		writer *write;
	} members[] = {
		{ "claim", timeline_structure_claim },
		{ "read", timeline_structure_reading },
		{ "walk", walk },
		{ "sharing", timeline_sharing },
		{ "pattern", timeline_pattern },
		{ "allocation", timeline_allocation },
		{ "advice", timeline_advice },
	};

	buf_puts(out, ",\n     \"structure_words\": [");
	for (int i = 0; i < f->t->nstructures; i++) {
		buf_puts(out, i ? ",\n      {" : "{");
		for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
			buf_puts(out, k ? ", " : "");
			member(out, members[k].name, f, i, members[k].write);
		}
		buf_puts(out, "}");
	}
	buf_puts(out, "],\n     \"order\": [");
	for (int i = 0; i < f->t->nstructures; i++)
		buf_printf(out, "%s%d", i ? ", " : "", f->shown[i] + 1);
	buf_puts(out, "],\n     \"groups\": [");
	for (int i = 0; i < f->t->nstructures; i++)
		buf_printf(out, "%s%d", i ? ", " : "", f->structure[i].leader + 1);
	buf_puts(out, "]");
}

static void thread_words(struct buf *out, const struct time_facts *f)
{
	buf_puts(out, ",\n     \"thread_words\": [");
	for (int i = 0; i < f->t->threads; i++) {
		buf_printf(out, "%s{", i ? ", " : "");
		member(out, "claim", f, i, timeline_thread_claim);
		buf_puts(out, ", ");
		member(out, "read", f, i, timeline_thread_reading);
		buf_puts(out, "}");
	}
	buf_puts(out, "]");
}

static void line_words(struct buf *out, const struct time_facts *f)
{
	const struct report_timeline *t = f->t;

	buf_puts(out, ",\n     \"line_words\": [");
	for (int i = 0; i < t->nline_walks; i = line_walks_end(t, i)) {
		struct buf says = BUF_INIT;

		buf_puts(out, i ? ",\n      {\"file\": " : "{\"file\": ");
		text_json(out, t->line_walks[i].file);
		buf_printf(out, ", \"line\": %d, \"says\": ", t->line_walks[i].line);
		line_walk_words(&says, f, i);
		text_json(out, buf_str(&says));
		out->failed |= says.failed;
		buf_free(&says);
		buf_puts(out, "}");
	}
	buf_puts(out, "]");
}

enum row_value { ROW_SHARING, ROW_PARTS, ROW_FIRST };

static int row_value(const struct time_structure *s, enum row_value which, int at)
{
	switch (which) {
	case ROW_SHARING: return s->row[at];
	case ROW_PARTS: return s->row_parts[at] < 100 ? s->row_parts[at] : 0;
	default: return s->first[at] + 1;
	}
}

/* Values by number, as those of a series; none of 0. */
static void put_values(struct buf *out, const struct time_structure *s, enum row_value which,
	int values)
{
	int before = 0, n = 0;

	buf_puts(out, "\"");
	for (int r = 0; s->row && r < values; r++) {
		const int value = row_value(s, which, r);

		if (value <= 0)
			continue;
		buf_printf(out, "%s%d %d", n++ ? " " : "", r - before, value);
		before = r;
	}
	buf_puts(out, "\"");
}

static void structure_rows(struct buf *out, const struct time_facts *f)
{
	buf_puts(out, ",\n     \"structure_rows\": [");
	for (int i = 0; i < f->t->nstructures; i++) {
		buf_printf(out, "%s{\"sharing\": ", i ? ",\n      " : "");
		put_values(out, &f->structure[i], ROW_SHARING, f->t->rows);
		buf_puts(out, ", \"parts\": ");
		put_values(out, &f->structure[i], ROW_PARTS, f->t->rows * SHARINGS);
		buf_puts(out, ", \"first\": ");
		put_values(out, &f->structure[i], ROW_FIRST, f->t->rows);
		buf_puts(out, "}");
	}
	buf_puts(out, "]");
}

/* Where the columns of a thread lie on the axis, as "GAP LENGTH GAP LENGTH ..": GAP is from the
 * end of the column before to the begin of this one, as where the thread waits at a barrier. */
static void put_columns(struct buf *out, const struct time_facts *f, int thread)
{
	long long end = 0;

	buf_puts(out, "\"");
	for (int c = 0; c < time_axis_used(&f->axis, thread); c++) {
		double from, to;
		long long a, b;

		time_axis_column(&f->axis, thread, c, &from, &to);
		a = llround(from * f->axis.span);
		b = llround(to * f->axis.span);
		buf_printf(out, "%s%lld %lld", c ? " " : "", a - end, b - a);
		end = b;
	}
	buf_puts(out, "\"");
}

static void axis(struct buf *out, const struct time_facts *f)
{
	buf_printf(out,
		",\n     \"ordered\": %s, \"axis\": {\"length\": %.0f, \"by_time\": %s, "
		"\"threads\": [",
		f->ordered ? "true" : "false", f->axis.span,
		time_pace_uneven(&f->pace) ? "true" : "false");
	for (int i = 0; i < f->t->threads; i++) {
		buf_puts(out, i ? ", " : "");
		put_columns(out, f, i);
	}
	buf_puts(out, "], \"times\": [");
	for (int i = 1; i <= f->t->nregions; i++)
		buf_printf(out, "%s%.9g", i > 1 ? ", " : "", f->pace.of_region[i]);
	buf_puts(out, "]}");
}

static void region_runs(struct buf *out, const struct time_facts *f)
{
	if (f->strip_of >= 0)
		buf_printf(out, ",\n     \"strip_thread\": %d, \"region_runs\": [", f->strip_of);
	else
		buf_puts(out, ",\n     \"strip_thread\": null, \"region_runs\": [");
	for (int i = 1; i <= f->t->nregions; i++)
		buf_printf(out, "%s%d", i > 1 ? ", " : "", f->region_run[i] + 1);
	buf_puts(out, "]");
}

/* Lines: [value, low, high]. */
static void put_range(struct buf *out, const struct more_range *r)
{
	buf_printf(out, "[%.0f, %.0f, %.0f]", r->value, r->low, r->high);
}

static void put_ranges(struct buf *out, const char *name, const struct more_range *r, int n)
{
	buf_printf(out, ",\n       \"%s\": [", name);
	for (int i = 0; i < n; i++) {
		buf_puts(out, i ? ", " : "");
		put_range(out, &r[i]);
	}
	buf_puts(out, "]");
}

static void prediction(struct buf *out, const struct time_facts *f, const struct time_prediction *p)
{
	struct buf claim = BUF_INIT, reading = BUF_INIT;

	timeline_prediction_claim(&claim, f, p);
	timeline_prediction_reading(&reading, f, p);
	buf_printf(out, "{\"threads\": %d, \"claim\": ", p->lines.threads);
	text_json(out, buf_str(&claim));
	buf_puts(out, ", \"read\": ");
	text_json(out, buf_str(&reading));
	json_next_real(out, "time", p->time.value);
	json_next_real(out, "time_low", p->time.low);
	json_next_real(out, "time_high", p->time.high);
	buf_puts(out, ",\n       \"lines\": ");
	put_range(out, &p->lines.all);
	put_ranges(out, "nodes", p->lines.node,
		p->lines.placed && f->t->nodes > 1 ? f->t->nodes : 0);
	put_ranges(out, "structures", p->lines.structure, f->t->nstructures);
	buf_puts(out, "}");
	out->failed |= claim.failed || reading.failed;
	buf_free(&claim);
	buf_free(&reading);
}

static void predictions(struct buf *out, const struct time_facts *f)
{
	int threads[TIME_PREDICTIONS];
	const int n = time_predicted_threads(f->t, threads);
	struct time_prediction p;
	struct err err;

	buf_puts(out, ",\n     \"predictions\": [");
	for (int i = 0; i < n; i++) {
		if (time_predict(f, threads[i], &p, &err)) {
			out->failed = true;
			break;
		}
		buf_puts(out, i ? ",\n      " : "");
		prediction(out, f, &p);
	}
	buf_puts(out, "]");
}

static void strip(struct buf *out, const struct time_facts *f)
{
	buf_puts(out, ",\n     \"strip\": [");
	for (int i = 0; i < f->nruns; i++) {
		buf_printf(out, "%s{\"from\": %d, \"to\": %d, ", i ? ", " : "", f->run[i].from,
			f->run[i].to);
		member(out, "label", f, i, timeline_run);
		buf_puts(out, "}");
	}
	buf_puts(out, "]");
}

void json_timeline_extra(struct buf *out, const struct report_timeline *t)
{
	struct time_facts *f = time_facts_new(t);

	if (!f) {
		out->failed = true;
		return;
	}
	view_words(out, f);
	structure_words(out, f);
	thread_words(out, f);
	line_words(out, f);
	axis(out, f);
	structure_rows(out, f);
	strip(out, f);
	region_runs(out, f);
	predictions(out, f);
	time_facts_free(f);
}
