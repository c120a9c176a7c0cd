/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a tree of a report's costs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/cost_tree.h"
#include "report/model/figures.h"

static const char *const names[COST_FIGURES] = { "time", "accesses", "L1_misses", "L2_misses",
	"L3_misses", "L4_misses",
	"coherence_misses", "memory_time" };

static double figure_of(const struct report_cost *c, enum cost_figure f)
{
	switch (f) {
	case COST_TIME: return c->time;
	case COST_ACCESSES: return c->accesses;
	case COST_COHERENCE: return c->coherence;
	case COST_ESTIMATE: return c->est_stall;
	default: return c->misses[f - COST_MISSES];
	}
}

const char *cost_figure_name(const struct report *r, enum cost_figure figure)
{
	for (int i = 0; i < r->ncosts; i++)
		if (!isnan(figure_of(&r->costs[i], figure)))
			return names[figure];
	return NULL;
}

static bool same_structure(const struct report_cost *a, const struct report_cost *b)
{
	struct report_cost c = *b;

	c.region = a->region;
	return a->structure && b->structure && report_cost_compare(a, &c) == 0;
}

static void take_off(struct cost_node *from, const double all[COST_FIGURES])
{
	for (int f = 0; f < COST_FIGURES; f++)
		if (!isnan(all[f]))
			from->own[f] = from->own[f] > all[f] ? from->own[f] - all[f] : 0;
}

/* A structure's cost in a region is part of its cost in the region around, too. */
static void own_of_structure(struct cost_tree *t, int at)
{
	const int around = t->nodes[t->nodes[at].parent].parent;

	for (int i = around + 1; around >= 0 && i < t->n && t->nodes[i].parent == around; i++)
		if (same_structure(t->nodes[i].cost, t->nodes[at].cost))
			take_off(&t->nodes[i], t->nodes[at].all);
}

int cost_tree_make(const struct report *r, struct cost_tree *tree, struct err *err)
{
	*tree = (struct cost_tree){ .nodes = calloc((size_t)r->ncosts + 1, sizeof *tree->nodes),
		.n = r->ncosts };
	if (!tree->nodes)
		return err_nomem(err);
	for (int i = 0; i < r->ncosts; i++) {
		const struct report_cost *c = &r->costs[i];
		struct cost_node *n = &tree->nodes[i];

		*n = (struct cost_node){ .cost = c, .parent = i ? report_cost_around(r, i) : -1,
			.name = c->structure ? c->structure : report_key_function(c->region) };
		for (int f = 0; f < COST_FIGURES; f++)
			n->all[f] = n->own[f] = figure_of(c, (enum cost_figure)f);
	}
	for (int i = 1; i < tree->n; i++) {
		if (tree->nodes[i].parent < 0)
			continue;
		if (tree->nodes[i].cost->structure)
			own_of_structure(tree, i);
		else
			take_off(&tree->nodes[tree->nodes[i].parent], tree->nodes[i].all);
	}
	for (int i = 1; i < tree->n; i++)
		if (tree->nodes[i].cost->structure && tree->nodes[i].parent >= 0)
			take_off(&tree->nodes[tree->nodes[i].parent], tree->nodes[i].own);
	return 0;
}

bool cost_node_is_empty(const struct cost_tree *t, int at)
{
	const struct cost_node *n = &t->nodes[at];

	if (at && n->parent < 0)
		return true;
	for (int f = 0; f < COST_FIGURES && n->cost->structure; f++)
		if (n->own[f] > 0)
			return false;
	return n->cost->structure;
}

void cost_tree_free(struct cost_tree *tree)
{
	free(tree->nodes);
	*tree = (struct cost_tree){ 0 };
}
