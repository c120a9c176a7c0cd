/* SPDX-License-Identifier: BSD-3-Clause */
/* The costs of a report as a tree: regions below the regions that they are entered from, data
 * structures as leaves below the region whose own code uses them.  For
 * forms that other tools read. */
#ifndef PSC_REPORT_COST_TREE_H
#define PSC_REPORT_COST_TREE_H

#include "report/model/report.h"

/* Time and estimate in s, the others counts. */
enum cost_figure {
	COST_TIME, COST_ACCESSES, COST_MISSES, COST_COHERENCE = COST_MISSES + REPORT_LEVELS,
		COST_ESTIMATE, COST_FIGURES
};

struct cost_node {
	const struct report_cost *cost;         /* borrowed: what it costs with all below it */
	const char *name;       /* region: the last function of its key, and its place there; else
				 * the structure's */
	int parent;             /* index, smaller than its own; -1: the phase; of others, nothing
				 * around is known */
	double all[COST_FIGURES];       /* NAN: not known */
	double own[COST_FIGURES];       /* without the nodes below, at least 0; a region's includes
					 * no structure's */
};
struct cost_tree {
	struct cost_node *nodes;        /* as r->costs: each after its parent, structures right
					 * behind their region */
	int n;
};

/* "time", "L1_misses", ...; NULL: the machine has no such level, or nobody asked. */
const char *cost_figure_name(const struct report *r, enum cost_figure figure);
/* A report without costs, as older ones are, has no nodes.  -1: out of memory. */
int cost_tree_make(const struct report *r, struct cost_tree *tree, struct err *err);
/* Is there nothing to show: a structure that only regions below use, or a node without place? */
bool cost_node_is_empty(const struct cost_tree *tree, int at);
void cost_tree_free(struct cost_tree *tree);

#endif
