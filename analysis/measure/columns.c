/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the timelines of a result, and sums executions in the same columns. */
#include "analysis/measure/columns.h"
#include "analysis/measure/flow_counts.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/measure/maps.h"
#include "analysis/measure/monitor_tables.h"
#include "analysis/measure/line_uses.h"
#include "analysis/measure/locality.h"
#include "analysis/measure/touches.h"
#include "base/by_field.h"

/* Limits of what an application can make its agent keep.  With more counts, neighbouring columns
 * are merged. */
enum { COUNTS_MOST = 1 << 22, MARKS_MOST = 1 << 16 };

struct log {                    /* of a thread */
	const struct mon_columns *part;
	uint32_t n;
	uint32_t thread;        /* our number */
	uint64_t length[MON_EXECUTIONS];        /* of its executions, in their order */
	uint32_t execution[MON_EXECUTIONS];
	uint32_t nlengths;
};

struct reading {
	const struct measurements *p;
	struct columns *c;
	struct log *log;        /* owned */
	uint32_t nlogs;
	uint32_t first;         /* the number of the first execution */
	size_t cap, mark_cap;
	size_t most;            /* counts that may be kept */
	bool full;              /* there are more, even in one column */
};

/* --- threads and lengths ---------------------------------------------------------------------- */

/* Finds the logs; 0 / -1 (memory). */
static int find_logs(struct reading *g, const struct mon_result *r)
{
	g->log = calloc(r->ncolumns + (size_t)1, sizeof *g->log);
	if (!g->log)
		return -1;
	for (uint32_t i = 0, n; i < r->ncolumns; i += n) {
		n = columns_parts(r->columns + i, r->ncolumns - i);
		g->log[g->nlogs++] = (struct log){ .part = r->columns + i, .n = n,
			.thread = UINT32_MAX };
		g->c->left_out += r->columns[i].left_out;
	}
	return 0;
}

static bool is_taken(const struct reading *g, uint32_t thread)
{
	for (uint32_t i = 0; i < g->nlogs; i++)
		if (g->log[i].thread == thread)
			return true;
	return false;
}

/* The numbers of the team first; those that were in none, or have another's number, behind them. */
static void number_threads(struct reading *g)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < g->nlogs; i++) {
		const int32_t number = g->log[i].part->number;

		if (number >= 0 && !is_taken(g, (uint32_t)number))
			g->log[i].thread = (uint32_t)number;
		if (number >= (int32_t)next)
			next = (uint32_t)number + 1;
	}
	for (uint32_t i = 0; i < g->nlogs; i++)
		if (g->log[i].thread == UINT32_MAX)
			g->log[i].thread = next++;
	g->c->threads = next ? next : 1;
}

/* Keeps which thread has which number; 0 / -1 (memory). */
static int keep_team(struct reading *g)
{
	g->c->team = calloc(g->nlogs + (size_t)1, sizeof *g->c->team);
	for (uint32_t i = 0; g->c->team && i < g->nlogs; i++) {
		g->c->team[i].thread = g->log[i].part->thread;
		g->c->team[i].number = g->log[i].thread;
		g->c->team[i].node = g->log[i].part->node;
		g->c->nteam++;
	}
	return g->c->team ? 0 : -1;
}

/* Reads how long the executions are; 0 / -1 (memory). */
static int read_lengths(struct log *log)
{
	struct columns_reader *reader = columns_open(log->part, log->n);
	struct columns_item it;

	while (reader && columns_next(reader, &it))
		if (it.kind == COLUMNS_END && log->nlengths < MON_EXECUTIONS) {
			log->execution[log->nlengths] = it.execution;
			log->length[log->nlengths++] = it.to;
		}
	columns_close(reader);
	return reader ? 0 : -1;
}

/* The longest thread's length of an execution; 0: there is none. */
static uint64_t longest(const struct reading *g, uint32_t execution)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < g->nlogs; i++)
		for (uint32_t k = 0; k < g->log[i].nlengths; k++)
			if (g->log[i].execution[k] == execution && g->log[i].length[k] > most)
				most = g->log[i].length[k];
	return most;
}

/* Chooses the first execution, and the columns: those of the log where they are enough. */
static void choose_columns(struct reading *g)
{
	struct columns *c = g->c;
	uint64_t width = g->nlogs ? g->log[0].part->width : 1;

	g->first = UINT32_MAX;
	for (uint32_t i = 0; i < g->nlogs; i++)
		for (uint32_t k = 0; k < g->log[i].nlengths; k++)
			if (g->log[i].execution[k] < g->first && g->log[i].length[k])
				g->first = g->log[i].execution[k];
	c->references = longest(g, g->first);
	if (c->references / TIMELINE_PARTS > width)     /* up to one column more is in the last
							 * one */
		width = c->references / TIMELINE_PARTS + 1;
	c->width = width;
	c->n = (uint32_t)((c->references + width - 1) / width);
	if (c->n > TIMELINE_PARTS)
		c->n = TIMELINE_PARTS;
	if (!c->n)
		c->n = 1;
}

/* --- counts ----------------------------------------------------------------------------------- */

static int add_count(struct reading *g, const struct column_count *count)
{
	struct columns *c = g->c;

	if (c->ncounts == g->cap) {
		const size_t cap = g->cap ? 2 * g->cap : 4096;
		struct column_count *grown = realloc(c->count, cap * sizeof *grown);

		if (!grown)
			return -1;
		c->count = grown;
		g->cap = cap;
	}
	c->count[c->ncounts++] = *count;
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct column_count *x = a, *y = b;

	BY(thread);
	BY(context);
	BY(object);
	BY(line);
	BY(field);
	BY(column);
	return 0;
}

static void sort_and_merge(struct columns *c)
{
	size_t n = 0;

	if (c->ncounts)
		qsort(c->count, c->ncounts, sizeof *c->count, by_place);
	for (size_t i = 0; i < c->ncounts; i++)
		if (n && !by_place(&c->count[n - 1], &c->count[i]))
			c->count[n - 1].value += c->count[i].value;
		else
			c->count[n++] = c->count[i];
	c->ncounts = n;
}

/* Makes columns twice as wide. */
static void merge_columns(struct columns *c)
{
	c->width *= 2;
	c->n = (c->n + 1) / 2;
	c->merged *= 2;
	for (size_t i = 0; i < c->ncounts; i++)
		c->count[i].column /= 2;
	sort_and_merge(c);
}

/* Makes room for more counts, by sums of executions and threads, then by wider columns. */
static void make_room(struct reading *g)
{
	struct columns *c = g->c;

	sort_and_merge(c);
	while (c->ncounts > g->most / 2 && c->n > 1)
		merge_columns(c);
	g->full = c->ncounts > g->most / 4 * 3;         /* else it would soon be called again */
}

/* A range of positions, in columns. */
struct place {
	double from, to;
	uint32_t first, last;   /* columns */
};

static struct place place_of(const struct columns *c, uint64_t from, uint64_t to, uint64_t length)
{
	const double ratio = length ? (double)c->references / (double)length : 0;
	struct place p = { .from = (double)from * ratio / (double)c->width };

	if (to > length)        /* the last column of an execution */
		to = length;
	p.to = (double)to * ratio / (double)c->width;
	p.first = p.from < c->n - 1 ? (uint32_t)p.from : c->n - 1;
	p.last = p.to < c->n - 1 ? (uint32_t)p.to : c->n - 1;
	if (p.last > p.first && (double)p.last >= p.to)         /* it ends where the column
								 * begins */
		p.last--;
	return p;
}

/* Divides a value among the columns of its place. */
static int add_value(struct reading *g, const struct place *at, struct column_count count)
{
	const uint64_t all = count.value;
	uint64_t before = 0;

	for (uint32_t i = at->first; i <= at->last && all; i++) {
		const uint64_t upto = i == at->last ? all :
			(uint64_t)((double)all * ((double)(i + 1) - at->from) /
				(at->to - at->from));

		count.column = (uint16_t)i;
		count.value = upto > before ? upto - before : 0;
		if (count.value && add_count(g, &count))
			return -1;
		before = upto > before ? upto : before;
	}
	return 0;
}

static int add_item(struct reading *g, const struct log *log, const struct columns_item *it,
	uint64_t length)
{
	struct place at;
	struct column_count count = { .context = tables_context(g->p, it->context),
		.object = tables_object(g->p, it->object), .thread = log->thread };

	if (count.context >= g->p->ncontexts || count.object >= g->p->nobjects)
		return 0;
	if (g->c->ncounts >= g->most)
		make_room(g);
	if (g->full)
		return 0;
	at = place_of(g->c, it->from, it->to, length);
	for (uint16_t f = 0; it->kind == COLUMNS_CELL && f < TIMELINE_FIELDS; f++) {
		count.field = f;
		count.value = it->count[f];
		if (add_value(g, &at, count))
			return -1;
	}
	if (it->kind == COLUMNS_MODULE) {
		count.field = (uint16_t)(COLUMNS_MODULES + it->module);
		count.value = it->last;
		return add_value(g, &at, count);
	}
	for (uint16_t f = COLUMNS_FIRST; it->kind == COLUMNS_SITE && f <= COLUMNS_LAST; f++) {
		count.line = it->line;
		count.field = f;
		count.value = f == COLUMNS_FIRST ? it->first : it->last;
		if (add_value(g, &at, count))
			return -1;
	}
	return 0;
}

static int add_mark(struct reading *g, const struct log *log, const struct columns_item *it)
{
	struct columns *c = g->c;

	if (c->nmarks == g->mark_cap) {
		const size_t cap = g->mark_cap ? 2 * g->mark_cap : 64;
		struct column_mark *grown = cap <= MARKS_MOST ? realloc(c->mark,
			cap * sizeof *grown) : NULL;

		if (!grown)
			return cap > MARKS_MOST ? 0 : -1;
		c->mark = grown;
		g->mark_cap = cap;
	}
	c->mark[c->nmarks++] = (struct column_mark){ log->thread, it->mark, it->from };
	return 0;
}

static int read_log(struct reading *g, const struct log *log)
{
	struct columns_reader *reader = columns_open(log->part, log->n);
	struct columns_item it;
	uint32_t k = 0;
	uint64_t length = log->nlengths ? longest(g, log->execution[0]) : 0;
	int rc = reader ? 0 : -1;

	while (!rc && k < log->nlengths && columns_next(reader, &it)) {
		if (it.kind == COLUMNS_END)
			length = ++k < log->nlengths ? longest(g, log->execution[k]) : 0;
		else if (it.kind != COLUMNS_MARK)
			rc = add_item(g, log, &it, length);
		else if (log->execution[k] == g->first)
			rc = add_mark(g, log, &it);
	}
	columns_close(reader);
	return rc;
}

/* --- marks ------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x != *y ? (*x > *y ? 1 : -1) : 0;
}

/* The monitor's number of a mark has the team in its upper half and the meetings of the team in its
 * lower one, 0 at its begin.  A thread that has come to a later meeting was there at the begin,
 * too, which its log may lack: nothing was counted of it yet.  It had come no further than to its
 * mark before.  0 / -1 (memory). */
static int add_begins(struct columns *c)
{
	struct column_mark *all = malloc((2 * c->nmarks + 1) * sizeof *all);
	const struct column_mark *before = NULL;
	size_t n = 0;

	if (!all)
		return -1;
	for (size_t i = 0; i < c->nmarks; i++) {
		const struct column_mark *m = &c->mark[i];
		const uint64_t begin = m->number & ~(uint64_t)UINT32_MAX;

		if (before && before->thread != m->thread)
			before = NULL;
		if (m->number != begin && (!before || before->number < begin))
			all[n++] = (struct column_mark){ m->thread, begin, before ? before->at :
				0 };
		all[n++] = *m;
		before = m;
	}
	free(c->mark);
	c->mark = all;
	c->nmarks = n;
	return 0;
}

/* The monitor's marks grow with time, with gaps: numbers them from 0 on.  0 / -1 (memory). */
static int number_marks(struct columns *c)
{
	uint64_t *value = malloc((c->nmarks + 1) * sizeof *value);
	size_t n = 0;

	if (!value)
		return -1;
	for (size_t i = 0; i < c->nmarks; i++)
		value[i] = c->mark[i].number;
	qsort(value, c->nmarks, sizeof *value, by_value);
	for (size_t i = 0; i < c->nmarks; i++)
		if (!n || value[n - 1] != value[i])
			value[n++] = value[i];
	for (size_t i = 0; i < c->nmarks; i++)
		c->mark[i].number = (uint64_t)((uint64_t *)bsearch(&c->mark[i].number, value, n,
			sizeof *value, by_value) - value);
	free(value);
	return 0;
}

/* 0 / -1 (memory). */
static int read_all(struct reading *g, const struct mon_result *r)
{
	if (find_logs(g, r))
		return -1;
	number_threads(g);
	for (uint32_t i = 0; i < g->nlogs; i++)
		if (read_lengths(&g->log[i]))
			return -1;
	choose_columns(g);
	for (uint32_t i = 0; i < g->nlogs; i++)
		if (read_log(g, &g->log[i]))
			return -1;
	sort_and_merge(g->c);
	return add_begins(g->c) || number_marks(g->c) || keep_team(g) || maps_add(g->p, g->c, r) ||
		touches_add(g->p, g->c, r) || locality_add(g->p, g->c, r) ||
		line_uses_add(g->p, g->c, r) ? -1 : 0;
}

/* Each state of columns has a number of its own: a further run of the program may have its
 * measurements where those of the run before were. */
static uint32_t next_number(void)
{
	static uint32_t last;

	return ++last;
}

int columns_add_most(struct measurements *p, const struct mon_result *r, size_t most)
{
	struct reading g = { .p = p, .most = most };
	int rc;

	columns_free(p);
	p->columns_number = next_number();
	if (!r->ncolumns)
		return 0;
	p->columns = g.c = calloc(1, sizeof *g.c);
	if (!g.c)
		return -1;
	g.c->merged = 1;
	g.c->executions = r->executions;
	g.c->left_out = r->left_out;
	g.c->undrawn = r->undrawn;
	g.c->pages = r->pages.sampled;
	rc = read_all(&g, r);
	free(g.log);
	p->columns_full = g.full;
	if (rc || g.full)
		columns_free(p);
	return rc;
}

int columns_add(struct measurements *p, const struct mon_result *r)
{
	return columns_add_most(p, r, COUNTS_MOST);
}

void columns_free(struct measurements *p)
{
	if (p->columns) {
		free(p->columns->count);
		free(p->columns->mark);
		free(p->columns->team);
		maps_free(p->columns);
		touches_free(p->columns);
		locality_free(p->columns);
		line_uses_free(p->columns);
		flow_counts_free(p->columns->flows);
	}
	free(p->columns);
	p->columns = NULL;
}
