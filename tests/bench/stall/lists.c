/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked lists: the address of each node stands in the one before.  Fixed: nodes lie in the order of the list. */
#include "harness.h"

struct node {
	struct node *next;
	double value[7];
};

/* Nodes of 64 bytes: 48 MiB, 320 KB, 8 KiB. */
enum { LARGE = 786432, LEVEL2 = 5000, LEVEL1 = 128 };

static struct node *nodes, *nodes_in_order, *nodes_few;
static struct node *first;

/* Links n nodes to a ring, the i-th is at[order[i]] (NULL: at[i]). */
static void link_nodes(struct node *at, const uint32_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t next = (i + 1) % n;
		struct node *p = &at[order ? order[i] : i];

		p->next = &at[order ? order[next] : next];
		for (int k = 0; k < 7; k++)
			p->value[k] = 0.5;
	}
}

static void make_lists(size_t n)
{
	uint32_t *order = bench_permutation(n);

	nodes = bench_memory(n * sizeof *nodes);
	nodes_in_order = bench_memory(n * sizeof *nodes_in_order);
	nodes_few = bench_memory(LEVEL1 * sizeof *nodes_few);
	link_nodes(nodes, order, n);
	link_nodes(nodes_in_order, NULL, n);
	link_nodes(nodes_few, NULL, LEVEL1);
	first = &nodes[order[0]];
}

static const struct node *first_of(enum version v)
{
	return v == BAD ? first : v == FIXED ? nodes_in_order : nodes_few;
}

/* --- list, listL2: the sum of one value ---------------------------------------------------------------- */

SAME_CODE static double sum_list(const struct node *p, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += p->value[0];
		p = p->next;
	}
	return sum;
}

void list_init(void)
{
	make_lists(LARGE);
}

double list_run(enum version v)
{
	return sum_list(first_of(v), LARGE);
}

void listL2_init(void)
{
	make_lists(LEVEL2);
}

double listL2_run(enum version v)
{
	return sum_list(first_of(v), MILLION);
}

/* --- listwork: a polynomial at each node ------------------------------------------------------------------ */

SAME_CODE static double work_list(const struct node *p, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double t = 1.0;

		for (int k = 0; k < 7; k++)
			t = t * p->value[k] + 0.5;
		sum += t / (1.0 + t * t);
		p = p->next;
	}
	return sum;
}

void listwork_init(void)
{
	make_lists(LARGE);
}

double listwork_run(enum version v)
{
	return work_list(first_of(v), LARGE);
}
