/* SPDX-License-Identifier: BSD-3-Clause */
/* The timelines as CSV: a row for each column, region, structure and thread in
 * which something is counted. */
#include <math.h>
#include <stdlib.h>

#include "base/csv_text.h"
#include "base/user_file.h"
#include "report/model/timeline_lanes.h"
#include "report/model/report.h"

/* The last misses by enum miss_class (simulate/cache/sim.h), in its order. */
static const char *const class_names[TIMELINE_CLASSES] = { "gather", "stream", "strided", "branch",
	"control", "chained" };

enum { READS, WRITES, BYTES, MISSES, COHERENT = MISSES + TIMELINE_LEVELS, KINDS,
	NODES = KINDS + TIMELINE_CLASSES };

/* What is a row in all timelines, and the counts of a cell: [column * width + count]. */
struct table {
	struct buf *out;
	int levels, nodes, width;
	int channels, modules;          /* of a node, in all: behind the nodes */
	int64_t *count;
};

static void spread(const struct table *t, const struct report_series *s, int first, uint32_t per)
{
	for (int i = 0; i < s->n; i++)
		t->count[(size_t)(s->point[i].at / per) * (size_t)t->width + (size_t)first +
			s->point[i].at % per] = s->point[i].value;
}

static void take_cell(const struct table *t, const struct report_timeline *l,
	const struct report_time_cell *c)
{
	for (size_t i = 0; i < (size_t)l->columns * (size_t)t->width; i++)
		t->count[i] = 0;
	spread(t, &c->reads, READS, 1);
	spread(t, &c->writes, WRITES, 1);
	spread(t, &c->bytes, BYTES, 1);
	for (int k = 0; k < TIMELINE_LEVELS; k++)
		spread(t, &c->misses[k], MISSES + k, 1);
	spread(t, &c->coherent, COHERENT, 1);
	spread(t, &c->kinds, KINDS, TIMELINE_CLASSES);
	if (l->nodes)
		spread(t, &c->served, NODES, (uint32_t)l->nodes);
	if (timeline_modules(l))
		spread(t, &c->channels, NODES + t->nodes, (uint32_t)timeline_modules(l));
}

static void place(struct buf *out, const struct report_timeline *l,
	const struct report_time_cell *c)
{
	const struct report_time_region *r = &l->regions[c->region - 1];
	const struct report_time_structure *s = &l->structures[c->structure - 1];

	csv_next_text(out, r->name);
	csv_next_text(out, region_type_name((int)r->type));
	csv_next_text(out, r->file);
	buf_printf(out, ",%d", r->line);
	csv_next_text(out, s->name);
	csv_next_text(out, s->scope);
	csv_next_text(out, s->declared);
	buf_printf(out, ",%d", c->thread);
}

/* Nodes and channels that the process's machine does not have are empty cells. */
static void counts(const struct table *t, const struct report_timeline *l, int column)
{
	const int64_t *count = &t->count[(size_t)column * (size_t)t->width];

	for (int k = 0; k < t->width; k++) {
		if (k >= MISSES + t->levels && k < COHERENT)
			continue;
		buf_puts(t->out, ",");
		if (k < NODES + l->nodes ||
		    (k >= NODES + t->nodes && k < NODES + t->nodes + timeline_modules(l)))
			buf_printf(t->out, "%lld", (long long)count[k]);
	}
}

static bool any(const struct table *t, int column)
{
	for (int k = 0; k < t->width; k++)
		if (t->count[(size_t)column * (size_t)t->width + (size_t)k])
			return true;
	return false;
}

static void cell(const struct table *t, const struct report_timeline *l,
	const struct timeline_lanes *lanes, const struct report_time_cell *c)
{
	take_cell(t, l, c);
	for (int column = 0; column < l->columns; column++) {
		if (!any(t, column))
			continue;
		buf_printf(t->out, "%d,%d,%lld", l->process, column,
			(long long)(column * l->width));
		csv_next_real(t->out, lanes->is_time ? timeline_lanes_at(lanes, c->thread, column) /
			1e9 : NAN);
		place(t->out, l, c);
		counts(t, l, column);
		csv_end(t->out);
	}
}

static void heading(const struct table *t)
{
	buf_puts(t->out,
		"process,column,position,time,region,type,file,line,structure,scope,declared,thread,loads,stores,bytes");
	for (int k = 1; k <= t->levels; k++)
		buf_printf(t->out, ",l%d_miss", k);
	buf_puts(t->out, ",coherent");
	for (int k = 0; k < TIMELINE_CLASSES; k++)
		buf_printf(t->out, ",%s", class_names[k]);
	for (int k = 0; k < t->nodes; k++)
		buf_printf(t->out, ",node%d", k);
	for (int k = 0; k < t->modules; k++)
		buf_printf(t->out, ",node%d_channel%d", k / t->channels, k % t->channels);
	csv_end(t->out);
}

static int timeline(struct table *t, const struct report_timeline *l, struct err *err)
{
	struct timeline_lanes lanes;

	if (timeline_lanes_make(l, &lanes, err) < 0)
		return -1;
	t->count = calloc((size_t)l->columns * (size_t)t->width, sizeof *t->count);
	for (int i = 0; i < l->ncells && t->count; i++)
		cell(t, l, &lanes, &l->cells[i]);
	timeline_lanes_free(&lanes);
	if (!t->count)
		return err_nomem(err);
	free(t->count);
	return 0;
}

int report_timeline_csv_write(const struct report *r, const char *path, struct err *err)
{
	struct buf out = BUF_INIT;
	struct table t = { .out = &out, .levels = report_timeline_levels(r) };
	int rc = 0;

	for (int i = 0; i < r->ntimelines; i++) {
		const struct report_timeline *l = &r->timelines[i];

		t.nodes = l->nodes > t.nodes ? l->nodes : t.nodes;
		t.channels = timeline_modules(l) > t.modules ? l->channels : t.channels;
		t.modules = timeline_modules(l) > t.modules ? timeline_modules(l) : t.modules;
	}
	t.width = NODES + t.nodes + t.modules;
	heading(&t);
	for (int i = 0; i < r->ntimelines && !rc; i++)
		rc = timeline(&t, &r->timelines[i], err);
	rc = rc ? rc : output_write(path, &out, err);
	buf_free(&out);
	return rc;
}
