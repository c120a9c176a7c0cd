/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks the nodes of a random graph until no rank changes much.  Making the graph takes a good part of the time. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 120000, EDGES = 10 };
static uint32_t from[NODES][EDGES];
static double rank[NODES], next[NODES];
static int out[NODES];

static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static int known(uint32_t node, int edges, uint32_t other)
{
	for (int e = 0; e < edges; e++)
		if (from[node][e] == other)
			return 1;
	return other == node;
}

static void make_node(uint32_t node, uint64_t *state)
{
	for (int e = 0; e < EDGES; e++) {
		uint32_t other;

		do
			other = (uint32_t)(NODES * pow((double)(draw(state) >> 11) / 9007199254740992.0, 1.5));
		while (known(node, e, other));
		from[node][e] = other;
		out[other]++;
	}
}

static double spread(void)
{
	double change = 0;

	for (int i = 0; i < NODES; i++) {
		double sum = 0;

		for (int e = 0; e < EDGES; e++)
			sum += rank[from[i][e]] / out[from[i][e]];
		next[i] = 0.15 / NODES + 0.85 * sum;
		change += fabs(next[i] - rank[i]);
	}
	for (int i = 0; i < NODES; i++)
		rank[i] = next[i];
	return change;
}

int main(int argc, char **argv)
{
	double small = argc > 1 ? atof(argv[1]) : 1e-8, change;
	uint64_t state = 88172645463325252u;
	int turns = 0;

	for (uint32_t i = 0; i < NODES; i++) {
		rank[i] = 1.0 / NODES;
		make_node(i, &state);
	}
	do {                                            /* PHASE */
		change = spread();
		turns++;
	} while (change > small);
	printf("%d %.9g\n", turns, rank[17]);
	return 0;
}
