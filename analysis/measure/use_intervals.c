/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes flows: finds the intervals in which each uses something. */
#include "analysis/measure/use_intervals.h"
#include "analysis/measure/columns.h"
#include "analysis/measure/flow_counts.h"
#include "analysis/measure/flow_nodes.h"
#include "analysis/measure/maps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double USER = 0.001;       /* share of the accesses that makes a thread a user */
static const double USED = 0.01;        /* share of a thread's busiest part that counts as use */
static const double OVERLAP = 0.1;      /* share of the parts in which several threads may be where
					 * they alternate */

/* --- the uses of a thread --------------------------------------------------------------------- */

struct use { double reads[FLOW_PARTS], writes[FLOW_PARTS], bytes[FLOW_PARTS], misses[FLOW_PARTS]; };

struct making {
	struct flow *f;
	const struct flow_counts *shared;
	double all;             /* accesses of all threads */
	bool *inside;           /* owned; by context: it is the flow's, or inside it */
	struct use *use;        /* owned; by thread */
	uint32_t (*object)[FLOW_PARTS];         /* owned; by thread: that of most accesses */
	uint32_t cap;
};

static void find_inside(struct making *m)
{
	const struct measurements *p = m->f->measured;

	for (uint32_t i = 0; i < p->ncontexts; i++)     /* parents come first */
		m->inside[i] = i == m->f->context ||
			(p->contexts[i].parent != NO_CONTEXT && p->contexts[i].parent < i &&
			m->inside[p->contexts[i].parent]);
}

static void add(const struct making *m, const struct column_count *count, double value,
	double *parts)
{
	flow_axis_spread(&m->shared->axis, count->thread, count->column, value, parts);
}

static void take_served(struct flow *f, const struct column_count *count, double value)
{
	const uint32_t node = count->field - TIMELINE_SERVED;

	f->served[node] += value;
	f->served_by[(size_t)count->thread * MACHINE_NODES + node] += value;
}

static void take_counts(struct making *m)
{
	const struct machine_flat *flat = &m->f->measured->machine->flat;
	const uint32_t missed = TIMELINE_MISSES + (flat->nlevels ? flat->nlevels - 1 : 0);
	size_t n;
	const struct column_count *const *counts = flow_counts_find(m->shared, m->f->object, &n);

	for (size_t i = 0; i < n; i++) {
		const struct column_count *count = counts[i];
		const double value = (double)count->value / m->f->measured->columns->executions;
		struct use *u = &m->use[count->thread];

		if (!m->inside[count->context])
			continue;
		if (count->field == TIMELINE_READS)
			add(m, count, value, u->reads);
		else if (count->field == TIMELINE_WRITES)
			add(m, count, value, u->writes);
		else if (count->field == TIMELINE_BYTES)
			add(m, count, value, u->bytes);
		else if (count->field == missed)
			add(m, count, value, u->misses);
		else if (count->field >= TIMELINE_SERVED && count->field < TIMELINE_FIELDS)
			take_served(m->f, count, value);
	}
}

/* Finds for each part of a thread the structure with most accesses.  0 / -1 (memory). */
static int find_objects(struct making *m, uint32_t thread)
{
	const size_t n = m->f->measured->nobjects;
	double *use = calloc(n * FLOW_PARTS + 1, sizeof *use);
	const bool ok = use;
	size_t ncounts;
	const struct column_count *const *counts = flow_counts_find(m->shared, MON_ANY, &ncounts);

	for (size_t i = 0; i < ncounts && use; i++) {
		const struct column_count *count = counts[i];

		if (count->thread == thread && m->inside[count->context] &&
		    count->field <= TIMELINE_WRITES)
			add(m, count, (double)count->value, use + (size_t)count->object *
				FLOW_PARTS);
	}
	for (size_t i = 0; i < FLOW_PARTS && use; i++)
		for (size_t o = 1, best = 0; o < n; o++)
			if (use[o * FLOW_PARTS + i] > use[best * FLOW_PARTS + i])
				m->object[thread][i] = (uint32_t)(best = o);
	free(use);
	return ok ? 0 : -1;
}

static double accesses(const struct use *u, uint32_t part)
{
	return u->reads[part] + u->writes[part];
}

static void sum_accesses(struct making *m)
{
	for (uint32_t t = 0; t < m->f->threads; t++) {
		for (uint32_t i = 0; i < FLOW_PARTS; i++)
			m->f->access[t] += accesses(&m->use[t], i);
		m->all += m->f->access[t];
	}
}

static bool is_user(const struct making *m, uint32_t thread)
{
	return m->f->access[thread] > USER * m->all;
}

/* The accesses that a part must have to be used. */
static double least(const struct use *u)
{
	double most = 0;

	for (uint32_t i = 0; i < FLOW_PARTS; i++)
		most = fmax(most, accesses(u, i));
	return fmax(0.5, USED * most);
}

static int add_interval(struct making *m, const struct flow_interval *it)
{
	struct flow *f = m->f;

	if (f->nintervals == m->cap) {
		const uint32_t cap = m->cap ? 2 * m->cap : 32;
		struct flow_interval *grown = realloc(f->interval, cap * sizeof *grown);

		if (!grown)
			return -1;
		f->interval = grown;
		m->cap = cap;
	}
	f->interval[f->nintervals++] = *it;
	return 0;
}

/* What a part mostly does: reads, writes, or both. */
enum mode { READING, WRITING, BOTH };

static enum mode mode_of(const struct use *u, uint32_t part)
{
	return u->reads[part] > 2 * u->writes[part] ? READING :
		u->writes[part] > 2 * u->reads[part] ? WRITING : BOTH;
}

/* The mode of a part behind one with mode `open`: a single part with both is where a loop that
 * reads meets one that writes. */
static enum mode next_mode(const struct use *u, uint32_t part, enum mode open)
{
	const enum mode mode = mode_of(u, part);

	return mode == BOTH && (part + 1 == FLOW_PARTS || mode_of(u, part + 1) != BOTH) ? open :
		mode;
}

static int find_intervals(struct making *m, uint32_t thread)
{
	const struct use *u = &m->use[thread];
	const double enough = least(u);
	struct flow_interval open = { .to = 0 };
	enum mode mode = BOTH;

	for (uint32_t i = 0; i < FLOW_PARTS; i++) {
		const uint32_t object = m->f->object == MON_ANY ? m->object[thread][i] :
			m->f->object;

		if (accesses(u, i) < enough)
			continue;
		if (open.to && (object != open.object || i - open.to > FLOW_GAP ||
		    next_mode(u, i, mode) != mode)) {
			if (add_interval(m, &open))
				return -1;
			open.to = 0;
		}
		if (!open.to) {
			open = (struct flow_interval){ .thread = thread, .object = object,
				.from = i };
			mode = mode_of(u, i);
		}
		open.to = i + 1;
		open.reads += u->reads[i];
		open.writes += u->writes[i];
		open.misses += u->misses[i];
	}
	return open.to ? add_interval(m, &open) : 0;
}

/* --- what follows ----------------------------------------------------------------------------- */

/* The number of users; *met: those that use it have met (flow_axis.h). */
static uint32_t users(const struct making *m, bool *met)
{
	uint32_t n = 0, first = 0;

	*met = true;
	for (uint32_t t = 0; t < m->f->threads; t++)
		if (is_user(m, t)) {
			first = n++ ? first : t;
			*met = *met && flow_axis_met(&m->shared->axis, first, t);
		}
	return n;
}

static enum flow_use kind_of_use(const struct making *m, uint32_t nusers)
{
	uint32_t used = 0, together = 0;

	if (nusers < 2)
		return nusers ? FLOW_EXCLUSIVE : FLOW_UNKNOWN;
	if (!m->f->ordered)
		return FLOW_UNKNOWN;
	for (uint32_t i = 0; i < FLOW_PARTS; i++) {
		uint32_t n = 0;

		for (uint32_t t = 0; t < m->f->threads; t++)
			n += is_user(m, t) && accesses(&m->use[t], i) >= least(&m->use[t]);
		used += n > 0;
		together += n > 1;
	}
	return together <= OVERLAP * used ? FLOW_ALTERNATING : FLOW_CONCURRENT;
}

/* When it is used and written: shares of the axis. */
static void find_ends(struct making *m)
{
	struct flow *f = m->f;
	double after = 0;

	for (uint32_t i = 0; i < FLOW_PARTS; i++) {
		double all = 0, writes = 0;

		for (uint32_t t = 0; t < f->threads; t++) {
			all += is_user(m, t) ? accesses(&m->use[t], i) : 0;
			writes += is_user(m, t) ? m->use[t].writes[i] : 0;
		}
		if (all < 0.5)
			continue;
		f->first_use = isnan(f->first_use) ? (double)i / FLOW_PARTS : f->first_use;
		f->last_use = (i + 1.0) / FLOW_PARTS;
		after += all;
		if (writes >= 0.5) {
			f->last_write = (i + 1.0) / FLOW_PARTS;
			after = 0;
		}
	}
	f->after_write = after;
}

static int by_begin(const void *a, const void *b)
{
	const struct flow_interval *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void conclude(struct making *m)
{
	struct flow *f = m->f;
	bool met;
	uint32_t n;

	n = users(m, &met);
	f->ordered = met;
	if (f->nintervals)
		qsort(f->interval, f->nintervals, sizeof *f->interval, by_begin);
	f->use = kind_of_use(m, n);
	if (f->ordered && f->nintervals) {
		f->first = f->interval[0].thread;
		find_ends(m);
	}
}

/* --- all -------------------------------------------------------------------------------------- */

static int make(struct making *m)
{
	const struct measurements *p = m->f->measured;
	const size_t threads = m->f->threads;

	m->inside = calloc(p->ncontexts + (size_t)1, sizeof *m->inside);
	m->use = calloc(threads, sizeof *m->use);
	m->object = calloc(threads, sizeof *m->object);
	m->f->access = calloc(threads, sizeof *m->f->access);
	m->f->phase_access = calloc(threads, sizeof *m->f->phase_access);
	m->f->served_by = calloc(threads * MACHINE_NODES, sizeof *m->f->served_by);
	m->shared = flow_counts_of(p->columns);
	if (!m->inside || !m->use || !m->object || !m->f->access || !m->f->phase_access ||
	    !m->f->served_by || !m->shared)
		return -1;
	memcpy(m->f->phase_access, m->shared->phase_access, threads * sizeof *m->f->phase_access);
	memcpy(m->f->phase_served, m->shared->phase_served, sizeof m->f->phase_served);
	find_inside(m);
	take_counts(m);
	sum_accesses(m);
	for (uint32_t t = 0; t < threads; t++) {
		if (m->f->object == MON_ANY && find_objects(m, t))
			return -1;
		if (is_user(m, t) && find_intervals(m, t))
			return -1;
	}
	conclude(m);
	return 0;
}

struct flow *flow_new(const struct measurements *p, uint32_t context, uint32_t object)
{
	const struct columns *c = p->columns;
	struct making m = { .f = c && c->threads && c->executions ? calloc(1, sizeof *m.f) : NULL };
	int rc;

	if (!m.f)
		return NULL;
	*m.f = (struct flow){ .measured = p, .context = context, .object = object,
		.threads = c->threads, .first = UINT32_MAX, .first_use = NAN, .last_use = NAN,
		.last_write = NAN, .after_write = NAN, .touched = maps_touched(c, object) };
	locality_of(p, object, &m.f->locality);
	rc = make(&m);
	free(m.inside);
	free(m.use);
	free(m.object);
	if (rc || !m.f->nintervals) {
		flow_free(m.f);
		return NULL;
	}
	return m.f;
}

void flow_free(struct flow *f)
{
	if (!f)
		return;
	free(f->access);
	free(f->phase_access);
	free(f->served_by);
	free(f->interval);
	free(f);
}

/* --- figures ---------------------------------------------------------------------------------- */

static double number_or_nan(uint32_t n)
{
	return n == UINT32_MAX ? NAN : n;
}

static double of_nodes(const struct flow *f, enum flow_figure which)
{
	switch (which) {
	case FLOW_USERS: return flow_users(f);
	case FLOW_USER_NODES: return flow_user_nodes(f);
	case FLOW_THREAD_NODES: return flow_thread_nodes(f);
	case FLOW_HOME: return number_or_nan(flow_home(f));
	case FLOW_HOME_PART: return flow_home_share(f);
	case FLOW_LOAD: return flow_load(f);
	case FLOW_TOUCHER: return number_or_nan(f->locality.toucher);
	case FLOW_TOUCHER_PART: return f->locality.touched;
	case FLOW_ONE_USER: return f->locality.one_user;
	case FLOW_IN_GROUP: return f->locality.group;
	case FLOW_ELSEWHERE: return f->locality.elsewhere;
	default: return NAN;
	}
}

static double of_all(const struct flow *f, enum flow_figure which, double time)
{
	switch (which) {
	case FLOW_THREADS: return f->threads;
	case FLOW_NODES: return f->measured->machine->flat.nodes.count;
	case FLOW_INTERVALS: return f->nintervals;
	case FLOW_FIRST: return f->first == UINT32_MAX ? NAN : f->first;
	case FLOW_FIRST_USE: return f->first_use * time;
	case FLOW_LAST_USE: return f->last_use * time;
	case FLOW_LAST_WRITE: return f->last_write * time;
	case FLOW_AFTER_WRITE: return f->after_write;
	case FLOW_TOUCHED: return f->touched;
	default: return of_nodes(f, which);
	}
}

static double of_interval(const struct flow *f, enum flow_figure which,
	const struct flow_interval *it, double time)
{
	switch (which) {
	case FLOW_THREAD: return it->thread;
	case FLOW_STRUCTURE: return it->object < MON_OBJ_FIRST ? 0 : it->object;
	case FLOW_BEGIN: return f->ordered ? it->from * time / FLOW_PARTS : NAN;
	case FLOW_END: return f->ordered ? it->to * time / FLOW_PARTS : NAN;
	case FLOW_READS: return it->reads;
	case FLOW_WRITES: return it->writes;
	case FLOW_MISSES: return it->misses;
	default: return NAN;
	}
}

double flow_figure(const struct flow *f, enum flow_figure which, int64_t index, double time)
{
	if (which < FLOW_ACCESS)
		return index < 0 ? of_all(f, which, time) : NAN;
	if (index < 0)
		return NAN;
	if (which == FLOW_ACCESS)
		return index < f->threads ? f->access[index] : NAN;
	if (which == FLOW_SERVED)
		return index < f->measured->machine->flat.nodes.count ? f->served[index] : NAN;
	return index < f->nintervals ? of_interval(f, which, &f->interval[index], time) : NAN;
}

const char *flow_structure(const struct flow *f, int64_t interval)
{
	const struct measurements *p = f->measured;
	uint32_t object;

	if (interval < 0 || interval >= f->nintervals)
		return NULL;
	object = f->interval[interval].object;
	return object < MON_OBJ_FIRST || object >= p->nobjects ? "" : p->objects[object].name;
}
