/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the shape of the tree of agents by descending from the root:
 * each step divides a range. */
#include "agents/tree.h"

/* A rank, the number of ranks from it to the end of its subtree, and where it is. */
struct place {
	int rank, range, parent, depth;
};

static int count_children(const struct tree *t, int range)
{
	return range - 1 < t->fanout ? range - 1 : t->fanout;
}

/* The first (range - 1) % n children have one rank more than the others. */
static struct place child_of(const struct tree *t, const struct place *p, int i)
{
	int n = count_children(t, p->range), each = (p->range - 1) / n, more = (p->range - 1) % n;

	return (struct place){ p->rank + 1 + i * each + (i < more ? i : more), each + (i < more),
		p->rank, p->depth + 1 };
}

static struct place descend(const struct tree *t, int rank)
{
	struct place p = { 0, t->size, -1, 0 };

	while (p.rank != rank) {
		int n = count_children(t, p.range), each = (p.range - 1) / n,
			more = (p.range - 1) % n;
		int offset = rank - p.rank - 1, large = more * (each + 1);
		int i = offset < large ? offset / (each + 1) : more + (offset - large) / each;

		p = child_of(t, &p, i);
	}
	return p;
}

int tree_parent(const struct tree *t, int rank)
{
	return descend(t, rank).parent;
}

int tree_children(const struct tree *t, int rank)
{
	return count_children(t, descend(t, rank).range);
}

int tree_child(const struct tree *t, int rank, int i)
{
	struct place p = descend(t, rank);

	return child_of(t, &p, i).rank;
}

int tree_range(const struct tree *t, int rank)
{
	return descend(t, rank).range;
}

int tree_depth(const struct tree *t, int rank)
{
	return descend(t, rank).depth;
}

/* The first child has the largest range, so the chain of first children is the longest. */
int tree_height(const struct tree *t)
{
	struct place p = { 0, t->size, -1, 0 };

	while (p.range > 1)
		p = child_of(t, &p, 0);
	return p.depth;
}
