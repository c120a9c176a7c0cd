/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of the timeline: its fields and rows, and what is wrong with one. */
#include "base/reuse_classes.h"
#include "report/model/field_tables.h"

#define SERIES(type, name) F(type, SERIES, name)
#define LEVEL(name, type, array, i) NAMED(name, SERIES, type, array[i], DESCRIBE)

static const char *const touch_names[TOUCHES + 1] = {
	[TOUCH_UNKNOWN] = "",
	[TOUCH_COUNTED] = "counted",
	[TOUCH_BEGIN] = "begin",
};

static const struct field time_region_fields[] = {
	F(report_time_region, REGION, type),
	F(report_time_region, TEXT, name),
	F(report_time_region, TEXT, file),
	F(report_time_region, INT, line),
	F(report_time_region, INT, parent),
	F(report_time_region, REAL, time),
	END
};

static const struct field time_structure_fields[] = {
	F(report_time_structure, TEXT, name),
	N(report_time_structure, cause, ledger_names),
	F(report_time_structure, OPTIONAL, scope),
	F(report_time_structure, OPTIONAL, declared),
	F(report_time_structure, INT64, bytes),
	F(report_time_structure, INT, blocks),
	F(report_time_structure, INT, pieces),
	F(report_time_structure, INT64, piece_bytes),
	F(report_time_structure, INT64, used_from),
	F(report_time_structure, INT64, used_to),
	SERIES(report_time_structure, toucher),
	N(report_time_structure, touched, touch_names),
	SERIES(report_time_structure, lines),
	F(report_time_structure, OPTIONAL, allocated_at),
	F(report_time_structure, INT, allocated_by),
	F(report_time_structure, REAL, allocations),
	F(report_time_structure, REAL, releases),
	SERIES(report_time_structure, reuse),
	F(report_time_structure, BOOL, joined),
	END
};

static const struct field time_cell_fields[] = {
	F(report_time_cell, INT, region),
	F(report_time_cell, INT, structure),
	F(report_time_cell, INT, thread),
	SERIES(report_time_cell, reads),
	SERIES(report_time_cell, writes),
	SERIES(report_time_cell, bytes),
	LEVEL("l1_misses", report_time_cell, misses, 0),
	LEVEL("l2_misses", report_time_cell, misses, 1),
	LEVEL("l3_misses", report_time_cell, misses, 2),
	LEVEL("l4_misses", report_time_cell, misses, 3),
	SERIES(report_time_cell, coherent),
	SERIES(report_time_cell, kinds),
	SERIES(report_time_cell, served),
	SERIES(report_time_cell, channels),
	END
};

static const struct field time_line_fields[] = {
	F(report_time_line, TEXT, file),
	F(report_time_line, INT, line),
	F(report_time_line, INT, region),
	F(report_time_line, INT, structure),
	F(report_time_line, INT, thread),
	SERIES(report_time_line, first_misses),
	SERIES(report_time_line, last_misses),
	END
};

static const struct field time_map_fields[] = {
	F(report_time_map, INT, structure),
	F(report_time_map, INT, thread),
	SERIES(report_time_map, reads),
	SERIES(report_time_map, writes),
	SERIES(report_time_map, first_misses),
	SERIES(report_time_map, last_misses),
	END
};

static const struct field line_walk_fields[] = {
	F(report_line_walk, TEXT, file),
	F(report_line_walk, INT, line),
	F(report_line_walk, INT, region),
	F(report_line_walk, INT, structure),
	F(report_line_walk, BOOL, writes),
	F(report_line_walk, INT, size),
	F(report_line_walk, INT, per),
	F(report_line_walk, INT, span),
	F(report_line_walk, INT64, seen),
	F(report_line_walk, INT64, step),
	F(report_line_walk, REAL, share),
	F(report_line_walk, REAL, length),
	END
};

static const struct field time_mark_fields[] = {
	F(report_time_mark, INT, thread),
	F(report_time_mark, INT, number),
	F(report_time_mark, INT64, at),
	END
};

const struct field timeline_fields[] = {
	F(report_timeline, INT, process),
	F(report_timeline, INT, columns),
	F(report_timeline, INT, rows),
	F(report_timeline, INT, threads),
	F(report_timeline, INT, nodes),
	F(report_timeline, INT, channels),
	F(report_timeline, INT, node_channels),
	F(report_timeline, INT, interleave),
	F(report_timeline, INT, cpus),
	F(report_timeline, INT, node_cpus),
	F(report_timeline, INT, cache_cpus),
	F(report_timeline, INT, line),
	F(report_timeline, INT64, cache_bytes),
	F(report_timeline, BOOL, spread),
	F(report_timeline, INT, sockets),
	SERIES(report_timeline, bandwidth),
	SERIES(report_timeline, thread_nodes),
	F(report_timeline, INT, executions),
	F(report_timeline, INT64, width),
	F(report_timeline, INT64, references),
	F(report_timeline, REAL, time),
	F(report_timeline, INT, pages),
	F(report_timeline, INT64, left_out),
	F(report_timeline, INT64, undrawn),
	F(report_timeline, REAL, sample_share),
	END
};

/* More than any run counts in a column, or has bytes in a structure: sums of such
 * figures are numbers, too. */
#define COUNT_MOST (INT64_C(1) << 38)
#define BYTES_MOST (INT64_C(1) << 50)
#define REFERENCES_MOST (INT64_C(1) << 50)
#define TIME_MOST 1e9   /* s */
enum { STRUCTURES_MOST = 1 << 14, LINE_WALKS_MOST = 1 << 14 };

static bool series_good(const struct report_series *s, int64_t most)
{
	for (int i = 0; i < s->n; i++)
		if (s->point[i].at >= most || s->point[i].value <= 0 ||
		    s->point[i].value > COUNT_MOST || (i && s->point[i].at <= s->point[i - 1].at))
			return false;
	return true;
}

static bool in(int v, int most)
{
	return v >= 1 && v <= most;
}

static bool cell_good(const struct report_timeline *t, const struct report_time_cell *c)
{
	const struct report_series *by_column[] = { &c->reads, &c->writes, &c->bytes,
		&c->coherent };
	bool good = in(c->region, t->nregions) && in(c->structure, t->nstructures) &&
		c->thread >= 0 && c->thread < t->threads &&
		series_good(&c->kinds, (int64_t)t->columns * TIMELINE_CLASSES) &&
		series_good(&c->served, (int64_t)t->columns * t->nodes) &&
		series_good(&c->channels, (int64_t)t->columns * timeline_modules(t));

	for (size_t i = 0; i < sizeof by_column / sizeof *by_column; i++)
		good = good && series_good(by_column[i], t->columns);
	for (int k = 0; k < TIMELINE_LEVELS; k++)
		good = good && series_good(&c->misses[k], t->columns);
	return good;
}

static bool line_good(const struct report_timeline *t, const struct report_time_line *l)
{
	return in(l->region, t->nregions) && in(l->structure, t->nstructures) && l->thread >= 0 &&
		l->thread < t->threads && series_good(&l->first_misses, t->columns) &&
		series_good(&l->last_misses, t->columns);
}

static bool map_good(const struct report_timeline *t, const struct report_time_map *m)
{
	const int64_t most = (int64_t)t->columns * t->rows;

	return in(m->structure, t->nstructures) && m->thread >= 0 && m->thread < t->threads &&
		series_good(&m->reads, most) && series_good(&m->writes, most) &&
		series_good(&m->first_misses, most) && series_good(&m->last_misses, most);
}

static bool structure_good(const struct report_timeline *t, const struct report_time_structure *s)
{
	return series_good(&s->toucher, t->rows) &&
		series_good(&s->lines, (int64_t)t->rows * LINE_USES) &&
		series_good(&s->reuse, REUSE_CLASSES) && s->bytes >= 0 &&
		s->bytes <= BYTES_MOST && s->used_from >= -1 && s->pieces >= 0 &&
		s->pieces <= t->rows && s->piece_bytes >= 0 && s->piece_bytes <= BYTES_MOST &&
		s->used_from <= BYTES_MOST && s->used_to >= -1 && s->used_to <= BYTES_MOST;
}

static bool line_walk_good(const struct report_timeline *t, const struct report_line_walk *w)
{
	return in(w->region, t->nregions) && in(w->structure, t->nstructures) && w->size >= 0 &&
		w->per >= 0 && w->span >= 0 && w->seen >= 0 && w->seen <= COUNT_MOST &&
		w->step >= -BYTES_MOST && w->step <= BYTES_MOST;
}

static const char *wrong_rows(const struct report_timeline *t)
{
	for (int i = 0; i < t->nregions; i++)   /* a parent comes before its regions: no cycles */
		if (t->regions[i].parent < 0 || t->regions[i].parent > i)
			return "a region's parent does not come before it";
		else if (t->regions[i].time < 0 || t->regions[i].time > TIME_MOST)
			return "a region's time is out of range";
	for (int i = 0; i < t->nstructures; i++)
		if (!structure_good(t, &t->structures[i]))
			return "a structure's rows are wrong";
	for (int i = 0; i < t->ncells; i++)
		if (!cell_good(t, &t->cells[i]))
			return "a cell is of nothing, or its columns are wrong";
	for (int i = 0; i < t->nlines; i++)
		if (!line_good(t, &t->lines[i]))
			return "a line is of nothing, or its columns are wrong";
	for (int i = 0; i < t->nline_walks; i++)
		if (!line_walk_good(t, &t->line_walks[i]))
			return "a line's walk is of nothing";
	for (int i = 0; i < t->nmaps; i++)
		if (!map_good(t, &t->maps[i]))
			return "a map is of nothing, or its columns and rows are wrong";
	for (int i = 0; i < t->nmarks; i++)
		if (t->marks[i].thread < 0 || t->marks[i].thread >= t->threads ||
		    t->marks[i].at < 0 || t->marks[i].at > REFERENCES_MOST)
			return "a barrier is of no thread";
	return NULL;
}

static const char *wrong_timeline(const void *row)
{
	const struct report_timeline *t = row;

	if (t->columns < 1 || t->columns > TIMELINE_COLUMNS || t->rows < 0 ||
	    t->rows > TIMELINE_ROWS)
		return "there are no such columns or rows";
	if (t->width > REFERENCES_MOST || t->references < 0 || t->references > REFERENCES_MOST ||
	    t->nstructures > STRUCTURES_MOST || t->nline_walks > LINE_WALKS_MOST ||
	    t->time > TIME_MOST)
		return "a number is out of range";
	if (t->width < 1 || t->executions < 1 || t->threads < 1 || t->threads > TIMELINE_THREADS ||
	    t->nodes < 0 || t->nodes > 64)
		return "a number is missing or out of range";
	if (t->channels < 0 || t->channels > 64 || timeline_modules(t) > 64 ||
	    t->node_channels < 0 || t->interleave < 0)
		return "there are no such memory channels";
	if (t->cpus < 0 || t->cpus > 1 << 16 || t->node_cpus < 0 || t->cache_cpus < 0 ||
	    t->sockets < 0 || t->line < 0 || t->cache_bytes < 0 || (t->cpus && t->nodes > 1 &&
	    (int64_t)t->nodes * t->node_cpus != t->cpus) || !series_good(&t->bandwidth, 1 << 16))
		return "there is no such machine";
	if (!series_good(&t->thread_nodes, t->threads))
		return "a memory node is of no thread";
	return wrong_rows(t);
}

static const struct list none[] = { NO_LIST };
static const struct row_type time_region_rows = ROW_TYPE(time_region, "time_region", none, WITH);
static const struct row_type time_structure_rows =
	ROW_TYPE(time_structure, "time_structure", none, WITH);
static const struct row_type time_cell_rows = ROW_TYPE(time_cell, "time_cell", none, WITH);
static const struct row_type time_line_rows = ROW_TYPE(time_line, "time_line", none, WITH);
static const struct row_type time_map_rows = ROW_TYPE(time_map, "time_map", none, WITH);
static const struct row_type line_walk_rows = ROW_TYPE(line_walk, "line_walk", none, WITH);
static const struct row_type time_mark_rows = ROW_TYPE(time_mark, "time_mark", none, WITH,
	.brief = true);

static const struct list timeline_lists[] = {
	LIST(report_timeline, time_region_rows, regions, nregions),
	LIST(report_timeline, time_structure_rows, structures, nstructures),
	LIST(report_timeline, time_cell_rows, cells, ncells),
	LIST(report_timeline, time_line_rows, lines, nlines),
	LIST(report_timeline, line_walk_rows, line_walks, nline_walks),
	LIST(report_timeline, time_map_rows, maps, nmaps),
	LIST(report_timeline, time_mark_rows, marks, nmarks),
	NO_LIST
};
const struct row_type timeline_rows =
	ROW_TYPE(timeline, "timeline", timeline_lists, ALL, .wrong = wrong_timeline, .tall = true);
