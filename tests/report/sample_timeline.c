/* SPDX-License-Identifier: BSD-3-Clause */
/* Made-up timelines: in each of two processes, two threads fill `table` together, a half each, then
 * gather from all of it and write `out` from end to end. */
#include <math.h>
#include <string.h>

#include "tests/report/sample.h"

enum { COLUMNS = 32, ROWS = 16, WIDTH = 1000, FILL = 8, PROCESSES = 2, THREADS = 2, LINE = 8 };

static struct report_series series(struct report *r, const int64_t *value, int n)
{
	struct report_point *p = arena_array(r->arena, (size_t)n, sizeof *p);
	struct report_series s = { p, 0 };

	for (int i = 0; i < n; i++)
		if (value[i])
			p[s.n++] = (struct report_point){ (uint32_t)i, value[i] };
	return s;
}

/* The same value in the columns [from, to). */
static struct report_series flat(struct report *r, int from, int to, int64_t value)
{
	int64_t v[COLUMNS] = { 0 };

	for (int c = from; c < to; c++)
		v[c] = value;
	return series(r, v, COLUMNS);
}

/* By `per` numbers in each column, of which one is the value. */
static struct report_series one_of(struct report *r, int from, int to, int per, int which, int64_t value)
{
	int64_t v[COLUMNS * 8] = { 0 };

	for (int c = from; c < to; c++)
		v[c * per + which] = value;
	return series(r, v, COLUMNS * per);
}

enum { FIRST_TO_LAST, ALL_ROWS };

static struct report_series rows(struct report *r, int how, int from, int to, int first, int last, int64_t value)
{
	int64_t v[COLUMNS * ROWS] = { 0 };

	for (int c = from; c < to; c++)
		for (int k = first; k < last; k++)
			if (how == ALL_ROWS)
				v[c * ROWS + k] = value / (last - first);
			else if (k == first + (c - from) * (last - first) / (to - from))
				v[c * ROWS + k] = value;
	return series(r, v, COLUMNS * ROWS);
}

static struct report_time_cell cell(struct report *r, int region, int structure, int thread)
{
	struct report_time_cell c = { .region = region, .structure = structure, .thread = thread };
	const bool fill = region == 2, table = structure == 1;
	const int from = fill ? 0 : FILL, to = fill ? FILL : COLUMNS;
	const int64_t refs = fill ? WIDTH : WIDTH / 2, misses = !fill && table ? refs * 8 / 10 : refs / LINE;
	struct report_series count = flat(r, from, to, refs), miss = flat(r, from, to, misses);

	*(fill || !table ? &c.writes : &c.reads) = count;
	c.bytes = flat(r, from, to, refs * 8);
	for (int k = 0; k < 3; k++)
		c.misses[k] = miss;
	c.kinds = one_of(r, from, to, TIMELINE_CLASSES, !fill && table ? 0 : 1, misses);
	c.served = one_of(r, from, to, 2, fill ? thread : 0, misses);
	c.channels = one_of(r, from, to, 4, fill ? 2 * thread + 1 : 1, misses);
	return c;
}

static struct report_time_map map(struct report *r, int structure, int thread)
{
	struct report_time_map m = { .structure = structure, .thread = thread };
	const int first = thread * ROWS / 2, last = first + ROWS / 2;

	if (structure == 1) {
		m.writes = rows(r, FIRST_TO_LAST, 0, FILL, first, last, WIDTH);
		m.reads = rows(r, ALL_ROWS, FILL, COLUMNS, 0, ROWS, WIDTH / 2);
		m.first_misses = m.last_misses = rows(r, ALL_ROWS, FILL, COLUMNS, 0, ROWS, 400);
	} else {
		m.writes = rows(r, FIRST_TO_LAST, FILL, COLUMNS, first, last, WIDTH / 2);
		m.first_misses = m.last_misses =
			rows(r, FIRST_TO_LAST, FILL, COLUMNS, first, last, WIDTH / 2 / LINE);
	}
	return m;
}

static struct report_series halves(struct report *r)
{
	int64_t v[ROWS];

	for (int k = 0; k < ROWS; k++)
		v[k] = 1 + k / (ROWS / 2);
	return series(r, v, ROWS);
}

/* 1 + the number itself. */
static struct report_series numbers(struct report *r, int n)
{
	int64_t v[ROWS];

	for (int k = 0; k < n; k++)
		v[k] = 1 + k;
	return series(r, v, n);
}

/* All lines of all rows are read by several threads. */
static struct report_series read_lines(struct report *r)
{
	int64_t v[ROWS * LINE_USES] = { 0 };

	for (int k = 0; k < ROWS; k++)
		v[k * LINE_USES + LINE_READ] = 1024;
	return series(r, v, ROWS * LINE_USES);
}

#define KEEP(to, count, array) do { \
	t->to = arena_array(r->arena, sizeof array / sizeof *array, sizeof *array); \
	memcpy(t->to, array, sizeof array); \
	t->count = sizeof array / sizeof *array; \
} while (0)

static void timeline(struct report *r, struct report_timeline *t, int process)
{
	static const struct report_point reuse[] = { { 3, 400 }, { 8, 1600 } };
	const struct report_time_region regions[] = {
		{ REGION_LOOP, "gather.c:step/loop 1", "gather.c", 10, 0, 0.001 },
		{ REGION_LOOP, "gather.c:step/loop 1/loop 1", "gather.c", 12, 1, 0.01 },
		{ REGION_LOOP, "gather.c:step/loop 1/loop 2", "gather.c", 15, 1, 0.05 },
	};
	const struct report_time_structure structures[] = {
		{ "table", NULL, "gather.c:5", 1 << 20, 1, 0, 0, 0, (1 << 20) - 1, halves(r), TOUCH_BEGIN, read_lines(r),
			"gather.c:30", 0, NAN, NAN, { reuse, 2 }, false, LEDGER_UNKNOWN },
		{ "out", NULL, "gather.c:6", 1 << 20, 1, 0, 0, 0, (1 << 20) - 1, halves(r), TOUCH_COUNTED, { NULL, 0 },
			NULL, -1, 1, 0.5, { NULL, 0 }, false, LEDGER_UNKNOWN },
	};
	const struct report_time_cell cells[] = {
		cell(r, 2, 1, 0), cell(r, 2, 1, 1), cell(r, 3, 1, 0), cell(r, 3, 1, 1), cell(r, 3, 2, 0), cell(r, 3, 2, 1),
	};
	const struct report_time_line lines[] = {
		{ "gather.c", 13, 2, 1, 0, cells[0].misses[0], cells[0].misses[2] },
		{ "gather.c", 16, 3, 1, 0, cells[2].misses[0], cells[2].misses[2] },
	};
	const struct report_time_map maps[] = { map(r, 1, 0), map(r, 1, 1), map(r, 2, 0), map(r, 2, 1) };
	const struct report_line_walk line_walks[] = {
		{ "gather.c", 13, 2, 1, true, 32, 1, 32, 8000, 32, 1, NAN },
		{ "gather.c", 16, 3, 1, false, 8, 1, 8, 9000, 8, 0.01, NAN },
		{ "gather.c", 16, 3, 2, true, 8, 1, 8, 9000, 8, 1, NAN },
		{ "gather.c", 18, 3, 2, true, 0, 1, 0, 1, 0, NAN, 8192 },
	};
	const struct report_time_mark marks[] = { { 0, 0, FILL * WIDTH }, { 1, 0, FILL * WIDTH - 40 } };

	*t = (struct report_timeline){ .process = process, .columns = COLUMNS, .rows = ROWS, .threads = THREADS, .nodes = 2,
		.cpus = 8, .node_cpus = 4, .cache_cpus = 4, .line = 64, .cache_bytes = 1 << 18, .spread = true,
		.channels = 2, .node_channels = 2, .interleave = 256,
		.executions = 1, .thread_nodes = numbers(r, THREADS), .width = WIDTH, .references = COLUMNS * WIDTH, .time = 0.061, .sample_share = NAN };
	KEEP(regions, nregions, regions);
	KEEP(structures, nstructures, structures);
	KEEP(cells, ncells, cells);
	KEEP(lines, nlines, lines);
	KEEP(line_walks, nline_walks, line_walks);
	KEEP(maps, nmaps, maps);
	KEEP(marks, nmarks, marks);
}

void sample_timelines(struct report *r)
{
	r->timelines = arena_array(r->arena, PROCESSES, sizeof *r->timelines);
	r->ntimelines = PROCESSES;
	for (int i = 0; i < PROCESSES; i++)
		timeline(r, &r->timelines[i], i);
}
