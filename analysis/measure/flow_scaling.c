/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts lines from memory with more threads for the attributes of flows. */
#include "analysis/measure/flow_scaling.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/columns.h"
#include "analysis/measure/locality.h"
#include "base/more_threads.h"

struct flow_scaling {
	struct arena *arena;            /* owned: what `lines` points to */
	struct more_threads lines;
	uint32_t nobjects, nodes;
};

/* Adds up the misses of the last level of an execution: lines by object, served by
 * object * nodes + node of the model. */
static void add_lines(const struct measurements *p, uint32_t nodes, struct more_use *use,
	double *served)
{
	const struct columns *c = p->columns;

	for (size_t i = 0; i < c->ncounts; i++) {
		const struct column_count *count = &c->count[i];
		const double value = (double)count->value / c->executions;
		const uint32_t node = (uint32_t)count->field - TIMELINE_SERVED;

		if (count->line || count->object >= p->nobjects)
			continue;
		if (count->field >= TIMELINE_CLASS && count->field < TIMELINE_SERVED)
			use[count->object].lines += value;
		else if (count->field >= TIMELINE_SERVED && node < nodes)
			served[(size_t)count->object * nodes + node] += value;
	}
}

/* Misses by reuse distance, by object; false: no distances are known. */
static bool find_reuse(const struct measurements *p, double *reuse)
{
	double all = 0;

	for (uint32_t i = 0; i < p->nobjects; i++) {
		struct tally t;

		if (!measured_tally(p, 0, i, &t))
			continue;
		for (int k = 0; k < REUSE_CLASSES; k++)
			all += reuse[(size_t)i * REUSE_CLASSES + (size_t)k] = t.reuse[k];
	}
	return all > 0;
}

/* nodes: that the threads of the run use. */
static void describe(const struct measurements *p, uint32_t object,
	const struct more_machine *m, int nodes, const double *served, const double *reuse,
	struct more_use *use)
{
	struct locality where;
	double all = 0;

	for (int k = 0; k < nodes; k++)
		all += served[more_node(m, k)];
	use->lines = fmax(use->lines, all);
	locality_of(p, object, &where);
	use->bytes = where.bytes > 0 ? where.bytes : (double)p->objects[object].size;
	use->common = 1 - where.one_user;
	use->reuse = reuse;
	if (nodes > 1)
		more_threads_place(use, m, served, nodes);
}

static struct more_machine machine_of(const struct machine_flat *m)
{
	const struct machine_level *last = &m->level[m->nlevels ? m->nlevels - 1 : 0];

	return (struct more_machine){ (int)m->ncpus, (int)m->nodes.count, (int)m->nodes.cpus,
		last->shared == MACHINE_SHARED_ALL ? (int)m->ncpus : (int)last->cpus,
		(int)last->line, (int64_t)last->size, m->spread, (int)m->sockets };
}

static int predict(const struct measurements *p, int threads, struct flow_scaling *s)
{
	const struct more_machine m = machine_of(&p->machine->flat);
	const int run = (int)p->columns->threads, used = more_nodes_used(&m, run);
	const uint32_t nodes = m.nodes > 1 ? (uint32_t)m.nodes : 1;
	struct more_use *use = arena_array(s->arena, p->nobjects, sizeof *use);
	double *served = arena_array(s->arena, (size_t)p->nobjects * nodes, sizeof *served);

	double *reuse = arena_array(s->arena, (size_t)p->nobjects * REUSE_CLASSES, sizeof *reuse);
	bool known;

	if (!use || !served || !reuse)
		return -1;
	add_lines(p, nodes, use, served);
	known = find_reuse(p, reuse);
	for (uint32_t i = 0; i < p->nobjects; i++)
		if (use[i].lines > 0)
			describe(p, i, &m, used, served + (size_t)i * nodes,
				known ? reuse + (size_t)i * REUSE_CLASSES : NULL, &use[i]);
	s->nobjects = p->nobjects;
	s->nodes = nodes;
	return more_threads_predict(&m, use, (int)p->nobjects, run, threads, s->arena, &s->lines);
}

struct flow_scaling *flow_scaling_new(const struct measurements *p, int64_t threads)
{
	const struct columns *c = p->columns;
	struct flow_scaling *s;

	if (!c || !c->executions || c->pages || threads < c->threads ||
	    threads > p->machine->flat.ncpus)
		return NULL;
	s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->arena = arena_new();
	if (!s->arena || predict(p, (int)threads, s)) {
		flow_scaling_free(s);
		return NULL;
	}
	return s;
}

void flow_scaling_free(struct flow_scaling *s)
{
	if (!s)
		return;
	arena_free(s->arena);
	free(s);
}

int64_t flow_scaling_threads(const struct flow_scaling *s)
{
	return s->lines.threads;
}

/* The node that serves most, and what it does. */
static double of_busiest(const struct flow_scaling *s, uint32_t object,
	enum flow_scaling_figure which)
{
	const struct more_threads *l = &s->lines;
	struct more_range share;

	if (l->busiest < 0 || !(l->of_nodes > 0))
		return NAN;
	share = more_threads_share(l, (int)s->nodes);
	switch (which) {
	case SCALED_NODE: return l->busiest;
	case SCALED_SHARE: return share.value;
	case SCALED_SHARE_LOW: return share.low;
	case SCALED_SHARE_HIGH: return share.high;
	case SCALED_LOAD: return share.value * l->nodes;
	default: return l->both[(size_t)object * s->nodes + (size_t)l->busiest].value /
		l->node[l->busiest].value;
	}
}

double flow_scaling_value(const struct flow_scaling *s, uint32_t object,
	enum flow_scaling_figure which)
{
	if (object >= s->nobjects)
		return NAN;
	switch (which) {
	case SCALED_LINES: return s->lines.structure[object].value;
	case SCALED_LINES_LOW: return s->lines.structure[object].low;
	case SCALED_LINES_HIGH: return s->lines.structure[object].high;
	default: return of_busiest(s, object, which);
	}
}
