/* SPDX-License-Identifier: BSD-3-Clause */
/* The shape of the tree of agents, as arithmetic: no process and no message.  Ranks are numbered in
 * pre-order: 0 is the master at the root, and the ranks below an agent follow it without a gap, so
 * that the agents of one subtree are a range.  An agent has at most `fanout` children, and what is
 * below it is divided among them as evenly as possible, which makes the
 * tree as low as a full one. */
#ifndef PSC_AGENTS_TREE_H
#define PSC_AGENTS_TREE_H

enum { TREE_FANOUT_LEAST = 2, TREE_FANOUT = 8, TREE_FANOUT_MOST = 1024 };

struct tree {
	int size;               /* ranks 0..size - 1, at least 1 */
	int fanout;             /* most children of an agent, at least 1 */
};

/* Each of these is about one rank of the tree. */
int tree_parent(const struct tree *t, int rank);        /* -1: the root */
int tree_children(const struct tree *t, int rank);      /* their number */
int tree_child(const struct tree *t, int rank, int i);  /* the i-th child, 0 <= i <
							 * tree_children() */
int tree_range(const struct tree *t, int rank);         /* number of ranks in its subtree:
							 * rank..rank + n - 1 */
int tree_depth(const struct tree *t, int rank);         /* 0: the root */
/* The largest depth of a rank. */
int tree_height(const struct tree *t);

#endif
