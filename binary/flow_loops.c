/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the natural loops of a function's control flow.
 *
 * Dominators by iteration over the blocks in reverse postorder (Cooper, Harvey, Kennedy: A Simple,
 * Fast Dominance Algorithm).  Blocks that nothing goes to (handlers of exceptions) follow a root of
 * their own.  An edge to a dominator of its source is a backward edge; a cycle that can be entered
 * in two places has none and is no loop. */
#include "binary/basic_blocks.h"

#include <stdlib.h>

struct graph {
	uint32_t n, first;              /* blocks; number n is the root, first the function's
					 * entry */
	const struct flow_edges *succ;
	uint32_t *pred_from, *pred;     /* as struct flow_edges; those of the root are left out */
	uint32_t *order;                /* blocks in postorder, the root last */
	uint32_t *number;               /* postorder number of a block; FLOW_NONE: not visited */
	uint32_t *idom;                 /* immediate dominator */
	bool *entry;                    /* an edge from the root goes to the block */
	uint32_t norder;
};

static void graph_free(struct graph *g)
{
	free(g->pred_from);
	free(g->pred);
	free(g->order);
	free(g->number);
	free(g->idom);
	free(g->entry);
}

static int graph_alloc(struct graph *g)
{
	size_t n = g->n + 2;

	g->pred_from = calloc(n, sizeof *g->pred_from);
	g->pred = calloc(g->succ->from[g->n] + 1, sizeof *g->pred);
	g->order = calloc(n, sizeof *g->order);
	g->number = malloc(n * sizeof *g->number);
	g->idom = malloc(n * sizeof *g->idom);
	g->entry = calloc(n, sizeof *g->entry);
	if (!g->pred_from || !g->pred || !g->order || !g->number || !g->idom || !g->entry)
		return -1;
	for (size_t i = 0; i < n; i++)
		g->number[i] = g->idom[i] = FLOW_NONE;
	return 0;
}

static void predecessors(struct graph *g)
{
	const struct flow_edges *s = g->succ;
	uint32_t *at = g->pred_from;

	for (uint32_t i = 0; i < s->from[g->n]; i++)
		at[s->to[i] + 1]++;
	for (uint32_t b = 0; b < g->n; b++)
		at[b + 1] += at[b];
	/* Filling moves each start to its end, which is the next one's start. */
	for (uint32_t b = 0; b < g->n; b++)
		for (uint32_t i = s->from[b]; i < s->from[b + 1]; i++)
			g->pred[at[s->to[i]]++] = b;
	for (uint32_t b = g->n; b; b--)
		at[b] = at[b - 1];
	at[0] = 0;
}

/* Visits what can be reached from block b.  stack and next have room for all blocks. */
static void visit(struct graph *g, uint32_t b, uint32_t *stack, uint32_t *next)
{
	uint32_t depth = 0;

	g->entry[b] = true;
	g->number[b] = 0;
	stack[depth++] = b;
	next[b] = g->succ->from[b];
	while (depth) {
		uint32_t top = stack[depth - 1];

		if (next[top] < g->succ->from[top + 1]) {
			uint32_t to = g->succ->to[next[top]++];

			if (g->number[to] == FLOW_NONE) {
				g->number[to] = 0;
				stack[depth++] = to;
				next[to] = g->succ->from[to];
			}
			continue;
		}
		g->number[top] = g->norder;
		g->order[g->norder++] = top;
		depth--;
	}
}

/* Entry first, then blocks that nothing goes to, then cycles that cannot be reached. */
static int visit_all(struct graph *g)
{
	uint32_t *stack = malloc((g->n + 1) * sizeof *stack),
		*next = malloc((g->n + 1) * sizeof *next);
	int ret = stack && next ? 0 : -1;

	for (int round = 0; ret == 0 && round < 3; round++)
		for (uint32_t b = 0; b < g->n; b++)
			if (g->number[b] == FLOW_NONE && (round == 2 ||
			    (round == 0 && b == g->first) ||
			    (round == 1 && g->pred_from[b] == g->pred_from[b + 1])))
				visit(g, b, stack, next);
	free(stack);
	free(next);
	g->number[g->n] = g->norder;
	g->order[g->norder++] = g->n;
	return ret;
}

static uint32_t intersect(const struct graph *g, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (g->number[a] < g->number[b])
			a = g->idom[a];
		while (g->number[b] < g->number[a])
			b = g->idom[b];
	}
	return a;
}

static void dominators(struct graph *g)
{
	bool changed = true;

	g->idom[g->n] = g->n;
	while (changed) {
		changed = false;
		for (uint32_t i = g->norder - 1; i--;) {
			uint32_t b = g->order[i], d = g->entry[b] ? g->n : FLOW_NONE;

			for (uint32_t k = g->pred_from[b]; k < g->pred_from[b + 1]; k++) {
				uint32_t p = g->pred[k];

				if (g->idom[p] != FLOW_NONE)
					d = d == FLOW_NONE ? p : intersect(g, d, p);
			}
			changed |= g->idom[b] != d;
			g->idom[b] = d;
		}
	}
}

static bool dominates(const struct graph *g, uint32_t a, uint32_t b)
{
	while (g->number[b] < g->number[a])
		b = g->idom[b];
	return a == b;
}

/* Gives the blocks of the loop with header h to it; a loop that is known already becomes part of
 * it. work has room for all blocks. */
static void gather(struct code_flow *f, const struct graph *g, uint32_t loop, uint32_t *work)
{
	uint32_t h = f->loops[loop].header, n = 0;

	for (uint32_t k = g->pred_from[h]; k < g->pred_from[h + 1]; k++)
		if (dominates(g, h, g->pred[k]))
			work[n++] = g->pred[k];
	f->blocks[h].loop = f->blocks[h].loop == FLOW_NONE ? loop : f->blocks[h].loop;
	while (n) {
		uint32_t b = work[--n], l = f->blocks[b].loop, top = b;

		if (b == h)
			continue;
		if (l == FLOW_NONE) {
			f->blocks[b].loop = loop;
		} else {
			while (f->loops[l].parent != FLOW_NONE)
				l = f->loops[l].parent;
			if (l == loop)
				continue;
			f->loops[l].parent = loop;
			top = f->loops[l].header;
		}
		for (uint32_t k = g->pred_from[top]; k < g->pred_from[top + 1]; k++)
			if (f->blocks[g->pred[k]].loop != loop)
				work[n++] = g->pred[k];
	}
}

static uint32_t latch(const struct code_flow *f, const struct graph *g, uint32_t h)
{
	uint32_t last = FLOW_NONE;

	for (uint32_t k = g->pred_from[h]; k < g->pred_from[h + 1]; k++)
		if (dominates(g, h, g->pred[k])) {
			const struct flow_block *b = &f->blocks[g->pred[k]];
			uint32_t i = b->first + b->n - 1;

			last = last == FLOW_NONE || i > last ? i : last;
		}
	return last;
}

/* Reverses the order, so that an outer loop comes first. */
static void outer_first(struct code_flow *f)
{
	uint32_t n = f->nloops;

	for (uint32_t i = 0; i < n / 2; i++) {
		struct flow_loop t = f->loops[i];

		f->loops[i] = f->loops[n - 1 - i];
		f->loops[n - 1 - i] = t;
	}
	for (uint32_t i = 0; i < n; i++)
		if (f->loops[i].parent != FLOW_NONE)
			f->loops[i].parent = n - 1 - f->loops[i].parent;
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (f->blocks[b].loop != FLOW_NONE)
			f->blocks[b].loop = n - 1 - f->blocks[b].loop;
}

/* Headers in postorder: that of an inner loop, which the outer one's dominates, comes first. */
static int find_loops(struct code_flow *f, const struct graph *g)
{
	size_t room = g->succ->from[g->n] + (size_t)g->n + 1;
	uint32_t *work = malloc(room * sizeof *work);

	f->loops = calloc(g->n + 1, sizeof *f->loops);
	for (uint32_t i = 0; work && f->loops && i + 1 < g->norder; i++) {
		uint32_t h = g->order[i], at = latch(f, g, h);

		if (at == FLOW_NONE)
			continue;
		f->loops[f->nloops] = (struct flow_loop){ .header = h, .latch = at,
			.parent = FLOW_NONE };
		gather(f, g, f->nloops++, work);
	}
	free(work);
	if (!work || !f->loops)
		return -1;
	outer_first(f);
	return 0;
}

int flow_loops(struct code_flow *f, const struct flow_edges *succ)
{
	struct graph g = { .n = f->nblocks, .first = f->entry, .succ = succ };
	int ret = -1;

	if (graph_alloc(&g) == 0) {
		predecessors(&g);
		ret = visit_all(&g);
		if (ret == 0) {
			dominators(&g);
			ret = find_loops(f, &g);
		}
	}
	graph_free(&g);
	return ret;
}
