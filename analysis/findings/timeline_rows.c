/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the rows of a report's timeline of the columns that were measured. */
#include "analysis/findings/timeline_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/first_touch_rows.h"
#include "analysis/findings/line_use_rows.h"
#include "analysis/findings/line_walk_rows.h"
#include "analysis/findings/map_rows.h"
#include "analysis/findings/timeline_sample.h"
#include "analysis/measure/columns.h"
#include "base/by_field.h"

enum { MARKS_MOST = 4096 };

#define LEAST 0.001     /* share of accesses, or of the misses of a level, of a region or structure
			 * of its own */

/* Series of a cell; those of a line are LINE_FIRST and LINE_LAST. */
enum series {
	S_READS, S_WRITES, S_BYTES, S_MISSES, S_COHERENT = S_MISSES + TIMELINE_LEVELS, S_KINDS,
	S_SERVED, S_CHANNELS, S_LINE_FIRST, S_LINE_LAST
};

struct entry {                  /* a point of a series */
	uint32_t region, structure, thread, line;
	uint32_t series, at;
	uint64_t value;
};

/* What decides whether a context or an object has a row of its own. */
struct weight { double accesses, misses[MACHINE_LEVELS]; };

struct making {
	const struct measurements *p;
	const struct columns *c;
	struct report *r;
	struct report_timeline *t;
	struct weight all, *of_context, *of_object;     /* owned; contexts: those inside included */
	uint32_t *region, *structure;   /* owned; by context, object: numbers of rows, from 1 */
	const char **key;               /* owned; by context */
	struct entry *entry;            /* owned */
	size_t n;
};

/* --- what has rows of its own ----------------------------------------------------------------- */

static void weigh(struct weight *w, const struct column_count *count)
{
	const double v = (double)count->value;

	if (count->field == TIMELINE_READS || count->field == TIMELINE_WRITES)
		w->accesses += v;
	else if (count->field >= TIMELINE_MISSES && count->field < TIMELINE_MISSES + MACHINE_LEVELS)
		w->misses[count->field - TIMELINE_MISSES] += v;
}

static void weigh_all(struct making *m)
{
	for (size_t i = 0; i < m->c->ncounts; i++) {
		const struct column_count *count = &m->c->count[i];

		if (count->line)
			continue;
		weigh(&m->all, count);
		weigh(&m->of_object[count->object], count);
		for (uint32_t c = count->context; c != NO_CONTEXT; c = m->p->contexts[c].parent)
			weigh(&m->of_context[c], count);
	}
}

static bool matters(const struct making *m, const struct weight *w)
{
	bool yes = w->accesses >= LEAST * m->all.accesses;

	for (int l = 0; l < MACHINE_LEVELS; l++)
		yes = yes || (w->misses[l] > 0 && w->misses[l] >= LEAST * m->all.misses[l]);
	return yes;
}

/* --- regions ---------------------------------------------------------------------------------- */

/* The clean execution that times are of: the shortest of those that are like the counted one. */
static uint32_t clean_execution(const struct measurements *p)
{
	uint32_t best = p->nclean;

	for (uint32_t i = 0; i < p->nclean; i++)
		if ((p->like.how == LIKE_ALL || !p->like.weight || p->like.weight[i] > 0) &&
		    (best == p->nclean || p->phase_ns[i] < p->phase_ns[best]))
			best = i;
	return best;
}

/* The time of the regions in a context that have rows of their own, ns. */
static double inner_time(const struct making *m, uint32_t context, uint32_t execution)
{
	const struct measured_context *all = m->p->contexts;
	double ns = 0;

	for (uint32_t i = all[context].child; i != NO_CONTEXT; i = all[i].next)
		if (m->region[i] != m->region[context] && !all[i].brief)
			ns += all[i].wall[execution];
	return ns;
}

/* Sets the time of each region without those in it.  The time of a context is that of the thread
 * that was in it for longest.  With several threads, those inside of one may add up to more than
 * it: they are shortened, so that all together take the phase's time.  part: of a measured ns. */
static int add_times(struct making *m, uint32_t execution, double part)
{
	const struct measurements *p = m->p;
	double *scale = arena_array(m->r->arena, p->ncontexts, sizeof *scale);

	for (uint32_t i = 0; i < p->ncontexts && scale; i++) {
		const struct measured_context *c = &p->contexts[i];
		const bool timed = execution < p->nclean && !c->brief;
		const double wall = timed ? c->wall[execution] : 0,
			inner = timed ? inner_time(m, i, execution) : 0;

		if (c->parent == NO_CONTEXT)
			scale[i] = part;
		for (uint32_t k = c->child; k != NO_CONTEXT; k = p->contexts[k].next)
			scale[k] = inner > wall ? scale[i] * wall / inner : scale[i];
		if (timed && (c->parent == NO_CONTEXT || m->region[i] != m->region[c->parent]))
			m->t->regions[m->region[i] - 1].time = fmax(0, wall - inner) * scale[i] *
				1e-9;
	}
	return scale ? 0 : -1;
}

static const char *make_key(const struct making *m, uint32_t context,
	const struct report_node *node)
{
	const uint32_t up = m->p->contexts[context].parent;
	struct buf key = BUF_INIT;
	const char *text;

	buf_puts(&key, up == NO_CONTEXT ? "" : m->key[up]);
	report_key_extend(&key, node->name_path);
	text = key.failed ? NULL : arena_strdup(m->r->arena, buf_str(&key));
	buf_free(&key);
	return text;
}

/* A context's row; parents come before their children.  0 / -1 (memory). */
static int add_region(struct making *m, uint32_t context)
{
	const uint32_t up = m->p->contexts[context].parent;
	struct report_time_region *row = &m->t->regions[m->t->nregions];
	struct report_node node;

	if (findings_place(m->p, context, m->r->arena, &node))
		return -1;
	m->key[context] = make_key(m, context, &node);
	if (!m->key[context])
		return -1;
	*row = (struct report_time_region){ .type = node.type, .name = m->key[context],
		.file = node.file, .line = node.line, .parent = up == NO_CONTEXT ? 0 :
		(int)m->region[up], .time = NAN };
	m->region[context] = (uint32_t)++m->t->nregions;
	return 0;
}

static int add_regions(struct making *m)
{
	const struct measurements *p = m->p;
	const uint32_t execution = clean_execution(p);
	/* the phase's time of the report, which lacks what other programs took, over that
	 * execution's */
	const double phase = measured_phase_time(p) * 1e9;
	const double part = phase > 0 && execution < p->nclean && p->phase_ns[execution] > 0 ?
		phase / p->phase_ns[execution] : 1;

	m->t->regions = arena_array(m->r->arena, p->ncontexts, sizeof *m->t->regions);
	if (!m->t->regions)
		return -1;
	for (uint32_t i = 0; i < p->ncontexts; i++) {
		const uint32_t up = p->contexts[i].parent;

		if (up != NO_CONTEXT && !matters(m, &m->of_context[i])) {
			m->region[i] = m->region[up];
			m->key[i] = m->key[up];
		} else if (add_region(m, i)) {
			return -1;
		}
	}
	m->t->time = execution < p->nclean ? p->phase_ns[execution] * part * 1e-9 : NAN;
	return add_times(m, execution, part);
}

/* --- structures ------------------------------------------------------------------------------- */

/* The row of memory without a name; joined: of small structures. */
static uint32_t add_nameless(struct making *m, enum ledger_cause cause, bool joined)
{
	m->t->structures[m->t->nstructures] = (struct report_time_structure){ .name = "",
		.cause = cause, .used_from = -1, .used_to = -1, .allocated_by = -1,
		.allocations = NAN, .releases = NAN, .joined = joined };
	return (uint32_t)++m->t->nstructures;
}

static int add_structure(struct making *m, uint32_t object)
{
	const struct measured_object *o = &m->p->objects[object];
	struct report_time_structure *row = &m->t->structures[m->t->nstructures];

	*row = (struct report_time_structure){ .name = arena_strdup(m->r->arena, o->name),
		.bytes = (int64_t)o->size, .blocks = (int)o->blocks, .used_from = -1, .used_to = -1,
		.allocated_by = -1, .allocations = o->executions > 0 ? o->allocations /
		o->executions : NAN, .releases = o->executions > 0 ? o->releases / o->executions :
		NAN };
	if (o->allocated_by) {
		const uint32_t by = columns_thread(m->c, o->allocated_by - 1);

		row->allocated_by = by != UINT32_MAX ? (int)by : -1;
	}
	m->structure[object] = (uint32_t)++m->t->nstructures;
	return !row->name || findings_declared(m->p, object, m->r->arena, &row->scope,
		&row->declared) || findings_allocated(m->p, object, m->r->arena,
		&row->allocated_at) ? -1 : 0;
}

static int add_structures(struct making *m)
{
	const struct measurements *p = m->p;
	uint32_t of_cause[LEDGER_CAUSES] = { 0 }, joined = 0;

	m->t->structures = arena_array(m->r->arena, p->nobjects + (size_t)1,
		sizeof *m->t->structures);
	if (!m->t->structures)
		return -1;
	for (uint32_t i = 0; i < p->nobjects; i++) {
		if (!(m->of_object[i].accesses > 0) && !matters(m, &m->of_object[i]))
			continue;
		if (i >= MON_OBJ_FIRST && matters(m, &m->of_object[i])) {
			if (add_structure(m, i))
				return -1;
		} else if (i < MON_OBJ_FIRST) {
			const enum ledger_cause cause = findings_cause(i);

			if (!of_cause[cause])
				of_cause[cause] = add_nameless(m, cause, false);
			m->structure[i] = of_cause[cause];
		} else {
			joined = joined ? joined : add_nameless(m, LEDGER_UNKNOWN, true);
			m->structure[i] = joined;
		}
	}
	return 0;
}

/* Adds an object's misses by reuse distance to the row's. */
static void add_reuse(const struct making *m, uint32_t object, double *reuse)
{
	struct tally t;

	if (!m->structure[object] || !measured_tally(m->p, 0, object, &t))
		return;
	reuse += (size_t)(m->structure[object] - 1) * REUSE_CLASSES;
	for (int k = 0; k < REUSE_CLASSES; k++)
		reuse[k] += t.reuse[k];
}

/* 0 / -1 (memory). */
static int add_reuses(struct making *m)
{
	const size_t n = (size_t)m->t->nstructures * REUSE_CLASSES;
	double *reuse = arena_array(m->r->arena, n, sizeof *reuse);
	struct report_point *point = arena_array(m->r->arena, n, sizeof *point);

	if (!reuse || !point)
		return -1;
	for (uint32_t i = 0; i < m->p->nobjects; i++)
		add_reuse(m, i, reuse);
	for (int i = 0; i < m->t->nstructures; i++, reuse += REUSE_CLASSES) {
		struct report_series *s = &m->t->structures[i].reuse;

		s->point = point;
		for (uint32_t k = 0; k < REUSE_CLASSES; k++)
			if (reuse[k] >= 0.5)
				point[s->n++] = (struct report_point){ k, llround(reuse[k]) };
		point += s->n;
	}
	return 0;
}

/* --- series ----------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	BY(line);
	BY(region);
	BY(structure);
	BY(thread);
	BY(series);
	BY(at);
	return 0;
}

/* The series and the number in it of a count; false: there is none. */
static bool place_entry(const struct making *m, const struct column_count *c, struct entry *e)
{
	const struct machine_flat *flat = &m->p->machine->flat;

	e->at = c->column;
	if (c->line) {
		e->series = c->field == COLUMNS_FIRST ? S_LINE_FIRST : S_LINE_LAST;
	} else if (c->field < TIMELINE_MISSES) {
		e->series = c->field;
	} else if (c->field < TIMELINE_COHERENT) {
		const uint32_t l = c->field - TIMELINE_MISSES;

		e->series = S_MISSES + (l < flat->nlevels ? flat->level[l].level - 1 : l);
		return e->series < S_COHERENT;
	} else if (c->field == TIMELINE_COHERENT) {
		e->series = S_COHERENT;
	} else if (c->field >= COLUMNS_MODULES) {
		e->series = S_CHANNELS;
		e->at = c->column * (uint32_t)timeline_modules(m->t) + c->field - COLUMNS_MODULES;
		return c->field < COLUMNS_MODULES + timeline_modules(m->t);
	} else if (c->field < TIMELINE_SERVED) {
		e->series = S_KINDS;
		e->at = c->column * TIMELINE_CLASSES + c->field - TIMELINE_CLASS;
	} else {
		e->series = S_SERVED;
		e->at = c->column * (uint32_t)m->t->nodes + c->field - TIMELINE_SERVED;
		return c->field < TIMELINE_SERVED + m->t->nodes;
	}
	return true;
}

/* Makes the entries, sorted, each once. */
static int make_entries(struct making *m)
{
	size_t n = 0;

	m->entry = malloc((m->c->ncounts + 1) * sizeof *m->entry);
	if (!m->entry)
		return -1;
	for (size_t i = 0; i < m->c->ncounts; i++) {
		const struct column_count *c = &m->c->count[i];
		struct entry e = { m->region[c->context], m->structure[c->object], c->thread,
			c->line, 0, 0, c->value };

		if (e.structure && place_entry(m, c, &e))
			m->entry[m->n++] = e;
	}
	if (m->n)
		qsort(m->entry, m->n, sizeof *m->entry, by_place);
	for (size_t i = 0; i < m->n; i++)
		if (n && !by_place(&m->entry[n - 1], &m->entry[i]))
			m->entry[n - 1].value += m->entry[i].value;
		else
			m->entry[n++] = m->entry[i];
	m->n = n;
	return 0;
}

static bool same_row(const struct entry *a, const struct entry *b)
{
	return a->line == b->line && a->region == b->region && a->structure == b->structure &&
		a->thread == b->thread;
}

/* The entries from i on that are of one series, as points; *i moves behind them. */
static int take_series(struct making *m, size_t *i, struct report_series *out)
{
	const struct entry *first = &m->entry[*i];
	size_t n = 0;
	struct report_point *point;

	while (*i + n < m->n && same_row(&first[n], first) && first[n].series == first->series)
		n++;
	point = arena_array(m->r->arena, n, sizeof *point);
	if (!point)
		return -1;
	for (size_t k = 0; k < n; k++)
		point[k] = (struct report_point){ first[k].at, (int64_t)first[k].value };
	*out = (struct report_series){ point, (int)n };
	*i += n;
	return 0;
}

static struct report_series *series_of_cell(struct report_time_cell *cell, uint32_t series)
{
	if (series >= S_MISSES && series < S_COHERENT)
		return &cell->misses[series - S_MISSES];
	return series == S_READS ? &cell->reads : series == S_WRITES ? &cell->writes :
		series == S_BYTES ? &cell->bytes : series == S_COHERENT ? &cell->coherent :
		series == S_KINDS ? &cell->kinds : series == S_SERVED ? &cell->served :
			&cell->channels;
}

static int add_cell(struct making *m, size_t *i)
{
	const struct entry first = m->entry[*i];
	struct report_time_cell *cell = &m->t->cells[m->t->ncells++];

	*cell = (struct report_time_cell){ .region = (int)first.region,
		.structure = (int)first.structure, .thread = (int)first.thread };
	while (*i < m->n && same_row(&m->entry[*i], &first))
		if (take_series(m, i, series_of_cell(cell, m->entry[*i].series)))
			return -1;
	return 0;
}

/* A line has a row of its own if it matters to the nearest or to the last level. */
static bool line_matters(const struct making *m, const struct report_time_line *l)
{
	const uint32_t levels = m->p->machine->flat.nlevels;

	return (double)series_sum(&l->first_misses) >= LEAST * m->all.misses[0] ||
		(levels && (double)series_sum(&l->last_misses) >= fmax(1,
		LEAST * m->all.misses[levels - 1]));
}

static int add_line(struct making *m, size_t *i)
{
	const struct entry first = m->entry[*i];
	const char *file = m->t->regions[first.region - 1].file;
	struct report_time_line line = { .file = file, .line = (int)first.line,
		.region = (int)first.region, .structure = (int)first.structure,
		.thread = (int)first.thread };

	while (*i < m->n && same_row(&m->entry[*i], &first))
		if (take_series(m, i, m->entry[*i].series == S_LINE_FIRST ? &line.first_misses :
		    &line.last_misses))
			return -1;
	if (line_matters(m, &line))
		m->t->lines[m->t->nlines++] = line;
	return 0;
}

static size_t count_rows(const struct making *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += !i || !same_row(&m->entry[i], &m->entry[i - 1]);
	return n;
}

static int add_rows(struct making *m)
{
	const size_t n = count_rows(m);

	m->t->cells = arena_array(m->r->arena, n + 1, sizeof *m->t->cells);
	m->t->lines = arena_array(m->r->arena, n + 1, sizeof *m->t->lines);
	if (!m->t->cells || !m->t->lines)
		return -1;
	for (size_t i = 0; i < m->n; )
		if (m->entry[i].line ? add_line(m, &i) : add_cell(m, &i))
			return -1;
	return 0;
}

/* Of very many barriers every second one, every third one ... */
static int add_marks(struct making *m)
{
	const uint32_t step = 1 + (uint32_t)(m->c->nmarks / MARKS_MOST);

	m->t->marks = arena_array(m->r->arena, m->c->nmarks + 1, sizeof *m->t->marks);
	if (!m->t->marks)
		return -1;
	for (size_t i = 0; i < m->c->nmarks; i++)
		if (m->c->mark[i].number % step == 0)
			m->t->marks[m->t->nmarks++] =
				(struct report_time_mark){ (int)m->c->mark[i].thread,
				(int)m->c->mark[i].number, (int64_t)m->c->mark[i].at };
	return 0;
}

/* --- threads ---------------------------------------------------------------------------------- */

static int by_at(const void *a, const void *b)
{
	const struct report_point *x = a, *y = b;

	return x->at != y->at ? (x->at < y->at ? -1 : 1) : 0;
}

/* The node of the machine model to which each thread belongs: misses that it serves are local. */
static int add_nodes(struct making *m)
{
	struct report_point *point = arena_array(m->r->arena, m->c->nteam + (size_t)1,
		sizeof *point);
	int n = 0;

	if (!point)
		return -1;
	for (uint32_t i = 0; i < m->c->nteam; i++) {
		const uint32_t node = m->c->team[i].node;

		if (node < m->p->machine->flat.nodes.count)
			point[n++] = (struct report_point){ m->c->team[i].number,
				1 + (int64_t)node };
	}
	qsort(point, (size_t)n, sizeof *point, by_at);
	m->t->thread_nodes = (struct report_series){ point, n };
	return 0;
}

/* --- all -------------------------------------------------------------------------------------- */

/* The machine, for predictions; 0 / -1 (memory). */
static int add_machine(struct making *m)
{
	const struct machine_flat *flat = &m->p->machine->flat;
	const struct machine_level *last = &flat->level[flat->nlevels ? flat->nlevels - 1 : 0];
	const double *rate = m->p->costs.read_bandwidth;
	struct report_point *point = arena_array(m->r->arena, COST_THREADS, sizeof *point);
	struct report_timeline *t = m->t;

	if (!point)
		return -1;
	t->cpus = (int)flat->ncpus;
	t->node_cpus = (int)flat->nodes.cpus;
	t->cache_cpus = last->shared == MACHINE_SHARED_ALL ? (int)flat->ncpus : (int)last->cpus;
	t->line = (int)last->line;
	t->cache_bytes = (int64_t)last->size;
	t->spread = flat->spread;
	t->sockets = (int)flat->sockets;
	t->bandwidth.point = point;
	for (uint32_t i = 0; i < COST_THREADS && !m->p->modelled; i++)
		if (rate[i] >= 1e6)
			point[t->bandwidth.n++] = (struct report_point){ i + 1,
				(int64_t)(rate[i] / 1e6) };
	return 0;
}

static int make(struct making *m)
{
	struct line_walk_numbers numbers;

	m->of_context = calloc(m->p->ncontexts + (size_t)1, sizeof *m->of_context);
	m->of_object = calloc(m->p->nobjects + (size_t)1, sizeof *m->of_object);
	m->region = calloc(m->p->ncontexts + (size_t)1, sizeof *m->region);
	m->structure = calloc(m->p->nobjects + (size_t)1, sizeof *m->structure);
	m->key = calloc(m->p->ncontexts + (size_t)1, sizeof *m->key);
	if (!m->of_context || !m->of_object || !m->region || !m->structure || !m->key)
		return -1;
	numbers = (struct line_walk_numbers){ m->region, m->structure };
	weigh_all(m);
	return add_machine(m) || add_regions(m) || add_structures(m) || add_reuses(m) ||
		make_entries(m) || add_rows(m) || findings_timeline_scale(m->p, m->r, m->t) ||
		add_marks(m) || add_nodes(m) || findings_line_walks(m->p, m->r, m->t, &numbers) ||
		findings_maps(m->p, m->r, m->t, m->structure) ||
		findings_first_touches(m->c, m->r, m->t, m->structure) ||
		findings_line_uses(m->c, m->r, m->t, m->structure) ? -1 : 0;
}

static double sample_share(const struct measurements *p)
{
	return p->sample.classes ? (double)p->sample.chosen / (double)p->sample.classes : NAN;
}

int findings_timeline(const struct measurements *measured, struct report *r)
{
	const struct columns *c = measured->columns;
	struct making m = { .p = measured, .c = c, .r = r };
	int rc;

	if (!c || !c->references || !measured->ncontexts || measured_lossy(measured))
		return 0;
	m.t = r->timelines = arena_array(r->arena, 1, sizeof *r->timelines);
	if (!m.t)
		return -1;
	*m.t = (struct report_timeline){ .process = measured->rank < 0 ? 0 : measured->rank,
		.columns = (int)c->n, .threads = (int)c->threads,
		.nodes = (int)measured->machine->flat.nodes.count,
		.channels = (int)machine_channels(&measured->machine->flat),
		.node_channels = (int)measured->machine->flat.channels,
		.interleave = (int)measured->machine->flat.interleave, .pages = c->pages,
		.executions = (int)c->executions, .width = (int64_t)c->width,
		.references = (int64_t)c->references, .left_out = (int64_t)c->left_out,
		.undrawn = (int64_t)c->undrawn, .sample_share = c->pages ? NAN :
		sample_share(measured) };
	rc = make(&m);
	r->ntimelines = rc ? 0 : 1;
	free(m.of_context);
	free(m.of_object);
	free(m.region);
	free(m.structure);
	free((void *)m.key);
	free(m.entry);
	return rc;
}
