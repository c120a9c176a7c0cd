/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointer chasing through one random cycle of nodes, a line each.
 *
 * far: 8192 nodes, twice level 2: every step misses in both levels.  near: 256 nodes, half of
 * level 1: four rounds, the first misses (far has passed meanwhile), the others hit.
 * corpus: machine=small lto */
#include "corpus.h"

enum { FAR = 8192, NEAR = 256, ROUNDS = 4 };
struct node {
	struct node *next;
	char rest[LINE - sizeof(struct node *)];
};
static struct node far[FAR] ON_LEVEL2, near[NEAR] ON_PAGE;
static const struct node *last;

static void cycle(struct node *p, int n, uint32_t seed)
{
	int *order = malloc((size_t)n * sizeof *order);

	for (int i = 0; i < n; i++)
		order[i] = i;
	for (int i = n - 1; i > 0; i--) {
		int j = (int)(corpus_random(&seed) % (uint32_t)(i + 1)), t = order[i];

		order[i] = order[j];
		order[j] = t;
	}
	for (int i = 0; i < n; i++)
		p[order[i]].next = &p[order[(i + 1) % n]];
	free(order);
}

static KERNEL const struct node *chase(const struct node *p, int steps)
{
	while (steps--)
		p = p->next;
	return p;
}

static KERNEL void step(void)
{
	last = chase(far, FAR);
	last = chase(near, ROUNDS * NEAR);
}

int main(void)
{
	cycle(far, FAR, 1);
	cycle(near, NEAR, 2);
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%d\n", (int)(last - near));
	printf("expect far loads = %d\n", FAR);
	printf("expect near loads = %d\n", ROUNDS * NEAR);
	for (int level = 1; level <= 2; level++) {
		printf("expect far load_miss %d = %d\n", level, FAR);
		printf("expect near load_miss %d = %d\n", level, NEAR);
	}
	printf("expect worst far chase\n");
	return 0;
}
