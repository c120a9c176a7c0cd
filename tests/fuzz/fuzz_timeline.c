/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as what an application writes of memory over time: logs of columns, rows of accesses by
 * address, of first touch and of the use of lines.  What the agent does not refuse becomes columns,
 * which are in order and in their tables, count nothing twice, and of which flows can be made. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/columns.h"
#include "analysis/measure/maps.h"
#include "analysis/measure/touches.h"
#include "analysis/measure/use_intervals.h"
#include "base/by_field.h"
#include "monitor/client/column_log.h"
#include "monitor/client/row_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int fuzz_accepted(void);

enum { A = MON_OBJ_FIRST, NOBJECTS = A + 2, NCONTEXTS = 3, LOGS = 8, ROWS_MOST = 64 };

static const char *const names[NOBJECTS - A] = { "a", "b" };
static bool accepted;

int fuzz_accepted(void)
{
	return accepted;
}

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "fuzz_timeline: %s\n", what);
	abort();
}

/* --- the input -------------------------------------------------------------------------------- */

struct input { const uint8_t *at, *end; };

/* The next n bytes as a number, the lowest first; 0s behind the end. */
static uint64_t take(struct input *in, int n)
{
	uint64_t v = 0;

	for (int i = 0; i < n && in->at < in->end; i++)
		v |= (uint64_t)*in->at++ << 8 * i;
	return v;
}

static struct rows {
	struct mon_columns log[LOGS];
	struct mon_map map[ROWS_MOST];
	struct mon_touch touch[ROWS_MOST];
	struct mon_locality locality[ROWS_MOST];
	struct mon_use use[ROWS_MOST];
} rows;

/* Keeps the row just read if there is room for the next one and the agent would take it. */
#define KEEP(n, most, ok) ((n) += (n) + 1 < (most) && (ok))

static void take_log(struct input *in, const struct row_limits *l, struct mon_result *r)
{
	struct mon_columns *c = &rows.log[r->ncolumns];

	memset(c, 0, offsetof(struct mon_columns, log));
	c->thread = (uint32_t)take(in, 1) % 16;
	c->number = (int32_t)(take(in, 1) % 16) - 1;
	c->width = take(in, 3);
	c->bytes = (uint32_t)take(in, 2);
	if (c->bytes > (size_t)(in->end - in->at))
		c->bytes = (uint32_t)(in->end - in->at);
	for (uint32_t i = 0; i < c->bytes && i < MON_COLUMN_BYTES; i++)
		c->log[i] = (uint8_t)take(in, 1);
	KEEP(r->ncolumns, LOGS, row_columns_ok(l, c));
}

static void take_map(struct input *in, const struct row_limits *l, struct mon_result *r)
{
	struct mon_map *m = &rows.map[r->nmaps];

	*m = (struct mon_map){ .object = (uint32_t)take(in, 1) };
	m->thread = (uint32_t)take(in, 1);
	m->from = take(in, 3);
	m->width = take(in, 3);
	m->lo = take(in, 6);
	m->bytes = take(in, 6);
	m->row = (uint32_t)take(in, 2);
	m->reads = (uint32_t)take(in, 4);
	m->writes = (uint32_t)take(in, 4);
	m->sampled = (uint32_t)take(in, 4);
	m->first_misses = (uint32_t)take(in, 2);
	m->last_misses = (uint32_t)take(in, 2);
	KEEP(r->nmaps, ROWS_MOST, row_maps_ok(l, m));
}

static void take_touch(struct input *in, const struct row_limits *l, struct mon_result *r)
{
	struct mon_touch *t = &rows.touch[r->ntouches];

	*t = (struct mon_touch){ .object = (uint32_t)take(in, 1) };
	t->thread = (uint32_t)take(in, 1);
	t->from = (uint32_t)take(in, 2);
	t->to = (uint32_t)take(in, 2);
	t->bytes = take(in, 6);
	KEEP(r->ntouches, ROWS_MOST, row_touches_ok(l, t));
}

static void take_locality(struct input *in, const struct row_limits *l, struct mon_result *r)
{
	struct mon_locality *p = &rows.locality[r->nlocalities];

	*p = (struct mon_locality){ .object = (uint32_t)take(in, 1) };
	p->toucher = (uint32_t)take(in, 4);
	p->users = take(in, 8);
	p->bytes = take(in, 6);
	KEEP(r->nlocalities, ROWS_MOST, row_localities_ok(l, p));
}

static void take_use(struct input *in, const struct row_limits *l, struct mon_result *r)
{
	struct mon_use *u = &rows.use[r->nuses];

	*u = (struct mon_use){ .object = (uint32_t)take(in, 1) };
	u->row = (uint32_t)take(in, 2);
	u->lo = take(in, 6);
	u->bytes = take(in, 6);
	for (int i = 0; i < MON_LINE_USES; i++)
		u->lines[i] = (uint32_t)take(in, 4);
	KEEP(r->nuses, ROWS_MOST, row_uses_ok(l, u));
}

static struct mon_result read_rows(struct input *in)
{
	static void (*const take_row[])(struct input *, const struct row_limits *,
		struct mon_result *) = { take_log, take_map, take_touch, take_locality, take_use };
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .columns = rows.log,
		.maps = rows.map, .touches = rows.touch, .localities = rows.locality,
		.uses = rows.use, .executions = 1 + (uint32_t)take(in, 1) % MON_EXECUTIONS };
	const struct row_limits limits = { .ncontexts = NCONTEXTS, .nobjects = NOBJECTS,
		.executions = r.executions };

	r.pages.sampled = take(in, 1) & 1;
	while (in->at < in->end)
		take_row[take(in, 1) % (sizeof take_row / sizeof *take_row)](in, &limits, &r);
	return r;
}

/* --- what must hold --------------------------------------------------------------------------- */

static int by_place(const struct column_count *x, const struct column_count *y)
{
	BY(thread);
	BY(context);
	BY(object);
	BY(line);
	BY(field);
	BY(column);
	return 0;
}

/* The reads in the items of all logs; UINT64_MAX: numbers that real counts do not reach. */
static uint64_t reads_logged(const struct mon_result *r)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < r->ncolumns; i += columns_parts(&r->columns[i], r->ncolumns - i)) {
		struct columns_reader *reader = columns_open(&r->columns[i],
			columns_parts(&r->columns[i], r->ncolumns - i));
		struct columns_item it;

		must(reader, "no memory");
		while (sum != UINT64_MAX && columns_next(reader, &it)) {
			const uint64_t n = it.kind == COLUMNS_CELL ? it.count[TIMELINE_READS] : 0;

			must(n >> COLUMNS_BITS == 0, "a number has too many bits");
			sum = n >> 40 ? UINT64_MAX : sum + n;
		}
		columns_close(reader);
	}
	return sum;
}

static void check_counts(const struct columns *c, uint64_t logged)
{
	uint64_t reads = 0;

	for (size_t i = 0; i < c->ncounts; i++) {
		const struct column_count *n = &c->count[i];

		must(n->thread < c->threads && n->context < NCONTEXTS && n->object < NOBJECTS &&
			n->column < c->n && n->field < COLUMNS_MODULES + TIMELINE_LOG_MODULES,
			"a count is beyond its tables");
		must(!i || by_place(n - 1, n) < 0, "counts are not in order");
		reads += n->field == TIMELINE_READS ? n->value : 0;
	}
	must(logged == UINT64_MAX || reads <= logged, "columns have more than the logs");
}

static void check_rows(const struct columns *c)
{
	for (size_t i = 0; i < c->nmaps; i++) {
		const struct measured_map *m = &c->map[i];

		must(m->object < NOBJECTS && m->thread < c->threads && m->column < c->n &&
			m->row < MON_MAP_ROWS && m->bytes, "a row is beyond its tables");
	}
	for (size_t i = 0; i < c->nmarks; i++)
		must(c->mark[i].thread < c->threads && c->mark[i].number < c->nmarks,
			"a mark is beyond its tables");
	for (size_t i = 0; i < c->ntouches; i++)
		must(c->touch[i].object < NOBJECTS, "a touch is beyond its tables");
}

static void check_flow(const struct measurements *p, uint32_t context, uint32_t object)
{
	struct flow *f = flow_new(p, context, object);

	for (uint32_t i = 0; f && i < f->nintervals; i++)
		must(f->interval[i].from < f->interval[i].to && f->interval[i].to <= FLOW_PARTS &&
			f->interval[i].thread < f->threads, "an interval is beyond the execution");
	flow_free(f);
}

/* --- the harness ------------------------------------------------------------------------------ */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct machine machine = { .flat = { .nlevels = 2, .ncpus = 2,
		.nodes = { .count = 2, .cpus = 1 } } };
	struct measured_context contexts[NCONTEXTS] = { { .parent = NO_CONTEXT }, { .parent = 0 },
		{ .parent = 1 } };
	struct measured_object objects[NOBJECTS] = { { .name = NULL } };
	uint32_t context_of[NCONTEXTS], object_of[NOBJECTS];
	struct measurements p = { .machine = &machine, .contexts = contexts,
		.ncontexts = NCONTEXTS, .objects = objects, .nobjects = NOBJECTS,
		.context_of = context_of, .ncontexts_of = NCONTEXTS, .object_of = object_of,
		.nobjects_of = NOBJECTS };
	struct input in = { data, data + size };
	struct mon_result r = read_rows(&in);

	for (uint32_t i = 0; i < NCONTEXTS; i++)
		context_of[i] = i;
	for (uint32_t i = 0; i < NOBJECTS; i++) {
		object_of[i] = i;
		objects[i].name = (char *)(uintptr_t)names[i % (NOBJECTS - A)];
	}
	must(columns_add(&p, &r) == 0, "no memory");
	accepted = p.columns && p.columns->ncounts && p.columns->nmaps;
	if (p.columns) {
		check_counts(p.columns, reads_logged(&r));
		check_rows(p.columns);
		check_flow(&p, 0, MON_ANY);
		for (uint32_t i = A; i < NOBJECTS; i++)
			check_flow(&p, i % NCONTEXTS, i);
	}
	columns_free(&p);
	return 0;
}
