/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a tree of a report's costs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/cost_tree.h"

static const char *const names[COST_FIGURES] = { "time", "accesses", "L1_misses", "L2_misses", "L3_misses", "L4_misses",
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

/* A key that continues another one goes on with '/' or " > ". */
static bool is_below(const char *key, const char *above)
{
	size_t n = strlen(above);

	return strncmp(key, above, n) == 0 && (key[n] == '/' || strncmp(key + n, " > ", 3) == 0);
}

/* The nearest region above a key among the first n nodes. */
static int region_above(const struct cost_tree *t, int n, const char *key)
{
	int best = -1;

	for (int i = 0; i < n; i++)
		if (!t->nodes[i].cost->structure && is_below(key, t->nodes[i].cost->region) &&
		    (best < 0 || strlen(t->nodes[i].cost->region) > strlen(t->nodes[best].cost->region)))
			best = i;
	return best;
}

static int region_with_key(const struct cost_tree *t, int n, const char *key)
{
	for (int i = 0; i < n; i++)
		if (!t->nodes[i].cost->structure && strcmp(t->nodes[i].cost->region, key) == 0)
			return i;
	return -1;
}

static const char *last_function(const char *key)
{
	const char *next;

	while ((next = strstr(key, " > ")))
		key = next + 3;
	return key;
}

static void add_node(struct cost_tree *t, const struct report_cost *c, int parent)
{
	struct cost_node *n = &t->nodes[t->n++];

	*n = (struct cost_node){ .cost = c, .parent = parent, .name = c->structure ? c->structure : last_function(c->region) };
	for (int f = 0; f < COST_FIGURES; f++)
		n->all[f] = n->own[f] = figure_of(c, (enum cost_figure)f);
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

/* A structure's cost in a region that a region above calls is part of its cost there too. */
static void own_of_structure(struct cost_tree *t, int at)
{
	const struct cost_node *n = &t->nodes[at];

	for (int i = 0; i < at; i++)
		if (t->nodes[n->parent].parent >= 0 && t->nodes[i].parent == t->nodes[n->parent].parent &&
		    same_structure(t->nodes[i].cost, n->cost))
			take_off(&t->nodes[i], n->all);
}

static bool costs_nothing(const struct cost_node *n)
{
	for (int f = 0; f < COST_FIGURES; f++)
		if (n->own[f] > 0)
			return false;
	return true;
}

/* Structures that only regions below use; they have no nodes below. */
static void drop_empty_structures(struct cost_tree *t)
{
	int kept = 0;

	for (int i = 0; i < t->n; i++)
		if (!t->nodes[i].cost->structure || !costs_nothing(&t->nodes[i]))
			t->nodes[kept++] = t->nodes[i];
	t->n = kept;
}

int cost_tree_make(const struct report *r, struct cost_tree *tree, struct err *err)
{
	*tree = (struct cost_tree){ .nodes = calloc((size_t)r->ncosts + 1, sizeof *tree->nodes) };
	if (!tree->nodes)
		return err_nomem(err);
	for (int pass = 0; pass < 2; pass++)    /* all regions first: structures look for theirs */
		for (int i = 0; i < r->ncosts; i++) {
			const struct report_cost *c = &r->costs[i];
			int at = c->structure ? region_with_key(tree, tree->n, c->region) :
				region_above(tree, tree->n, c->region);

			if (!c->structure == !pass && (at >= 0 || !tree->n))
				add_node(tree, c, at);
		}
	for (int i = 1; i < tree->n; i++) {
		if (!tree->nodes[i].cost->structure)
			take_off(&tree->nodes[tree->nodes[i].parent], tree->nodes[i].all);
	}
	for (int i = 1; i < tree->n; i++)
		if (tree->nodes[i].cost->structure)
			own_of_structure(tree, i);
	for (int i = 1; i < tree->n; i++)
		if (tree->nodes[i].cost->structure)
			take_off(&tree->nodes[tree->nodes[i].parent], tree->nodes[i].own);
	drop_empty_structures(tree);
	return 0;
}

void cost_tree_free(struct cost_tree *tree)
{
	free(tree->nodes);
	*tree = (struct cost_tree){ 0 };
}
