/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what is known of the memory nodes of a flow. */
#include "analysis/measure/flow_nodes.h"

#include <math.h>
#include <string.h>

#include "analysis/measure/columns.h"
#include "analysis/measure/locality.h"

static const double USER = 0.001;       /* share of the accesses that makes a thread a user */

static const struct machine_nodes *nodes_of(const struct flow *f)
{
	return &f->measured->machine->flat.nodes;
}

/* The mean of what a node's threads pay where pages lie on all nodes. */
static double mean_latency(const struct machine_nodes *n, uint32_t from)
{
	double sum = 0;

	for (uint32_t to = 0; to < n->count; to++)
		sum += n->latency[from][to];
	return sum / n->count;
}

double flow_cycles(const struct flow *f, enum flow_placement where)
{
	const struct machine_nodes *n = nodes_of(f);
	const uint32_t home = flow_home(f);
	double cycles = 0;

	if (home == UINT32_MAX)
		return NAN;
	for (uint32_t t = 0; t < f->threads; t++) {
		const uint32_t from = locality_node(f->measured, t);

		for (uint32_t to = 0; to < n->count && from != UINT32_MAX; to++) {
			const double misses = f->served_by[(size_t)t * MACHINE_NODES + to];

			cycles += misses * (where == FLOW_AT_USERS ? n->latency[from][from] :
				where == FLOW_INTERLEAVED ? mean_latency(n, from) :
				where == FLOW_TOGETHER ? n->latency[home][to] :
				n->latency[from][to]);
		}
	}
	return cycles;
}

uint32_t flow_home(const struct flow *f)
{
	const struct machine_nodes *n = nodes_of(f);
	uint32_t home = UINT32_MAX;

	for (uint32_t i = 0; n->count > 1 && i < n->count; i++)
		if (f->served[i] > (home == UINT32_MAX ? 0 : f->served[home]))
			home = i;
	return home;
}

/* The nodes of the threads that have a thousandth of `all` accesses or more, as a set. */
static uint32_t node_set(const struct flow *f, const double *access, double all)
{
	uint32_t set = 0;

	for (uint32_t t = 0; t < f->threads; t++) {
		const uint32_t node = locality_node(f->measured, t);

		if (access[t] > USER * all && node != UINT32_MAX)
			set |= UINT32_C(1) << node;
	}
	return set;
}

static double sum_of(const double *v, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += v[i];
	return sum;
}

static uint32_t user_node_set(const struct flow *f)
{
	return node_set(f, f->access, sum_of(f->access, f->threads));
}

uint32_t flow_user_nodes(const struct flow *f)
{
	return (uint32_t)__builtin_popcount(user_node_set(f));
}

uint32_t flow_user_node(const struct flow *f)
{
	const uint32_t set = user_node_set(f);

	return set && !(set & (set - 1)) ? (uint32_t)__builtin_ctz(set) : UINT32_MAX;
}

uint32_t flow_thread_nodes(const struct flow *f)
{
	return (uint32_t)__builtin_popcount(node_set(f, f->phase_access,
		sum_of(f->phase_access, f->threads)));
}

double flow_home_share(const struct flow *f)
{
	const uint32_t home = flow_home(f);

	return home == UINT32_MAX ? NAN : f->served[home] / sum_of(f->served, MACHINE_NODES);
}

double flow_load(const struct flow *f)
{
	const uint32_t home = flow_home(f), nodes = flow_thread_nodes(f);
	const double all = sum_of(f->phase_served, MACHINE_NODES);

	return home == UINT32_MAX || !nodes || !(all > 0) ? NAN :
		f->phase_served[home] / all * nodes;
}

static bool is_user(const struct flow *f, uint32_t thread, double all)
{
	return thread < f->threads && f->access[thread] > USER * all;
}

uint32_t flow_users(const struct flow *f)
{
	const double all = sum_of(f->access, f->threads);
	uint32_t n = 0;

	for (uint32_t t = 0; t < f->threads; t++)
		n += is_user(f, t, all);
	return n;
}

void flow_user_names(const struct flow *f, struct buf *out)
{
	const double all = sum_of(f->access, f->threads);
	const uint32_t n = flow_users(f);
	uint32_t named = 0;

	buf_puts(out, n == 1 ? "thread " : "threads ");
	for (uint32_t t = 0, end; t < f->threads && named < n; t = end) {
		end = t + 1;
		if (!is_user(f, t, all))
			continue;
		while (is_user(f, end, all))
			end++;
		if (end - t < 3)
			end = t + 1;
		buf_printf(out, "%s%u", !named ? "" : named + end - t == n ? " and " : ", ",
			(unsigned)t);
		if (end > t + 1)
			buf_printf(out, " to %u", (unsigned)end - 1);
		named += end - t;
	}
}

void flow_toucher_name(const struct flow *f, struct buf *out)
{
	if (f->locality.toucher != UINT32_MAX)
		buf_printf(out, "thread %u", (unsigned)f->locality.toucher);
}

void flow_allocated_at(const struct flow *f, struct buf *out)
{
	const struct measured_object *o = f->object < f->measured->nobjects ?
		&f->measured->objects[f->object] : NULL;
	/* Such a structure is the blocks of one place. */
	const bool declares = o && o->kind == MON_KIND_HEAP;
	const char *file = !o ? NULL : declares ? o->source : o->allocated_file;
	const uint32_t line = !o ? 0 : declares ? o->line : o->allocated_line;
	const char *slash = file ? strrchr(file, '/') : NULL;

	if (file && *file && line)
		buf_printf(out, "%s:%u", slash ? slash + 1 : file, (unsigned)line);
}

void flow_touched_at(const struct flow *f, struct buf *out)
{
	const struct measurements *p = f->measured;
	const char *place = p->code_place && f->locality.code ?
		p->code_place(p->code_place_arg, f->locality.code) : NULL;

	buf_puts(out, place ? place : "");
}
