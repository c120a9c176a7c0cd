/* SPDX-License-Identifier: BSD-3-Clause */
/* A binary tree: values are put in, each by calls from level to level, then others are looked for.
 * idle: bench=150000 count=1500 time=1.15 instructions=1.20
 *       inlined=next_random,new_node */
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *less, *more;
	unsigned value;
};

static struct node *pool;
static unsigned taken;

static unsigned next_random(unsigned *state)
{
	*state = *state * 1103515245u + 12345u;
	return *state >> 4;
}

static struct node *new_node(unsigned value)
{
	struct node *n = &pool[taken++];

	n->value = value;
	return n;
}

struct node *insert(struct node *root, unsigned value);
int contains(const struct node *root, unsigned value);

struct node *insert(struct node *root, unsigned value)
{
	if (!root)
		return new_node(value);
	if (value < root->value)
		root->less = insert(root->less, value);
	else if (value > root->value)
		root->more = insert(root->more, value);
	return root;
}

int contains(const struct node *root, unsigned value)
{
	if (!root)
		return 0;
	if (root->value == value)
		return 1;
	return contains(value < root->value ? root->less : root->more, value);
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 30000, state = 1, found = 0;
	struct node *root = NULL;

	pool = calloc(n + 1, sizeof(*pool));
	if (!pool)
		return 1;
	for (unsigned round = 0; round < 4; round++) {
		root = NULL;
		taken = 0;
		for (unsigned i = 0; i < n; i++) {
			pool[i].less = pool[i].more = NULL;
			root = insert(root, next_random(&state) % (4 * n));
		}
		for (unsigned i = 0; i < 2 * n; i++)
			found += (unsigned)contains(root, i);
	}
	printf("%u %u\n", taken, found);
	free(pool);
	return 0;
}
