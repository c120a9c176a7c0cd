/* SPDX-License-Identifier: BSD-3-Clause */
/* A walk by recursion over a balanced tree of 16383 nodes of 32 bytes (512 KiB with two in a line).
 *
 * tidy lies in the order of the walk: a miss in two nodes, and one more where the walk comes back from
 * a subtree larger than level 1.  mixed lies in a random order.  Both numbers are the model's.
 * corpus: machine=small */
#include "model.h"

enum { N = 16383 };
struct node {
	struct node *left, *right;
	long value, unused;
};
static struct node tidy[N + 1] ON_LEVEL2, mixed[N + 1] ON_LEVEL2;
static int order[N];
static long sum;

/* The subtree of nodes order[0 .. n) in preorder. */
static struct node *grow(struct node *pool, const int *place, int n)
{
	struct node *p = &pool[place[0]];
	int h = (n - 1) / 2;

	p->value = place[0] % 10;
	if (n > 1) {
		p->left = grow(pool, place + 1, h);
		p->right = grow(pool, place + 1 + h, h);
	}
	return p;
}

static KERNEL long walk(const struct node *p)
{
	if (!p)
		return 0;
	return p->value + walk(p->left) + walk(p->right);
}

static void play(const struct node *p)
{
	if (!p)
		return;
	model_play(p);
	play(p->left);
	model_play(p);
	play(p->right);
}

static KERNEL void step(void)
{
	sum += walk(tidy) + walk(&mixed[order[0]]);
}

int main(void)
{
	uint32_t seed = 17;
	uint64_t m, t;

	for (int i = 0; i < N; i++)
		order[i] = i;
	grow(tidy, order, N);
	for (int i = N - 1; i > 0; i--) {
		int j = (int)(corpus_random(&seed) % (uint32_t)(i + 1)), t = order[i];

		order[i] = order[j];
		order[j] = t;
	}
	grow(mixed, order, N);
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%ld\n", sum);
	play(&mixed[order[0]]);
	t = model_level1.misses;
	play(tidy);
	m = model_level1.misses;
	t = m - t;
	play(&mixed[order[0]]);
	m = model_level1.misses - m;
	printf("expect tidy loads = %d\n", 3 * N);
	printf("expect tidy load_miss 1 in %d %d\n", (int)t - 4, (int)t + 4);
	printf("expect mixed load_miss 1 in %d %d\n", (int)(m * 0.98), (int)(m * 1.02));
	printf("expect worst mixed step\n");
	return 0;
}
