/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up a list whose nodes lie anywhere: each address is known only when the node before has come. */
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 1 << 18 };

struct node {
	struct node *next;
	long value;
	char name[48];
};

#ifdef FIXED
static long values[NODES];   /* in the order of the list */

static void build(const int *order)
{
	for (int i = 0; i < NODES; i++)
		values[i] = order[i];
}

static long add_up(void)
{
	long sum = 0;

	for (int i = 0; i < NODES; i++)
		sum += values[i];
	return sum;
}
#else
static struct node *nodes, *first;

static void build(const int *order)
{
	nodes = calloc(NODES, sizeof *nodes);
	if (!nodes)
		exit(1);
	first = &nodes[order[0]];
	for (int i = 0; i < NODES; i++) {
		nodes[order[i]].value = order[i];
		nodes[order[i]].next = i + 1 < NODES ? &nodes[order[i + 1]] : NULL;
	}
}

static long add_up(void)
{
	long sum = 0;

	for (const struct node *at = first; at; at = at->next)
		sum += at->value;
	return sum;
}
#endif

int main(void)
{
	static int order[NODES];
	unsigned long random = 1;
	long sum = 0;

	for (int i = 0; i < NODES; i++)
		order[i] = i;
	for (int i = NODES - 1; i > 0; i--) {
		int j, kept = order[i];

		random = random * 6364136223846793005UL + 1442695040888963407UL;
		j = (int)((random >> 33) % (unsigned long)(i + 1));
		order[i] = order[j];
		order[j] = kept;
	}
	build(order);
	for (int step = 0; step < 25; step++)
		sum += add_up();
	return printf("%ld\n", sum) < 0;
}
