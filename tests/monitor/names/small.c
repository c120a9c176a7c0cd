/* SPDX-License-Identifier: BSD-3-Clause */
/* Small heap blocks, variables on stacks and variables of threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 600, ROUNDS = 20 };

struct node { struct node *left, *right; long key, value, more; };
struct cell { struct cell *next; int a; };
struct point { double x, y; };

static _Thread_local double mine[600];  /* expect: mine 1200 1200 */

static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

static struct node *insert(struct node *t, long key)
{
	if (!t) {
		t = malloc(sizeof *t);
		memset(t, 0, sizeof *t);
		t->key = key;
	} else if (key < t->key) {
		t->left = insert(t->left, key);
	} else {
		t->right = insert(t->right, key);
	}
	return t;
}

static struct cell *push(struct cell *l, int a)
{
	struct cell *c = xmalloc(sizeof *c);

	c->next = l;
	c->a = a;
	return c;
}

static __attribute__((noinline)) long sum(const struct node *t)
{
	long s = t->value;              /* expect: insert:struct_node 3600 0 */

	if (t->left)
		s += sum(t->left);
	if (t->right)
		s += sum(t->right);
	return s;
}

static __attribute__((noinline)) void add(double *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] += 1;
}

static __attribute__((noinline)) double temporaries(int n)
{
	double scratch[700], sum = 0;   /* expect: temporaries:scratch 2800 2800 */
	char small[64];

	for (int i = 0; i < 700; i++)
		((volatile double *)scratch)[i] = n;
	for (int i = 0; i < 700; i++)
		sum += ((volatile double *)scratch)[i];
	((volatile char *)small)[n % 64] = (char)n;
	add(scratch, 700);
	return sum + ((volatile char *)small)[n % 64];
}

static __attribute__((noinline)) long step(struct node *root, struct cell *list, struct point **points, double *grid)
{
	long s = sum(root);

	for (struct cell *c = list; c; c = c->next)
		s += c->a;              /* expect: push:struct_cell 2400 0 */
	for (int i = 0; i < NODES; i++)
		s += (long)points[i]->x;        /* expect: main:struct_point 1200 0 */
	add(grid, 1000);                /* expect: main:grid 2000 2000 */
	add(mine, 600);
	return s + (long)temporaries(3);
}

int main(void)
{
	struct node *root = NULL;
	struct cell *list = NULL;
	struct point *points[NODES];           /* expect: main:points 1200 0 */
	double grid[1000];
	long s = 0, x = 1;

	memset(grid, 0, sizeof grid);
	for (int i = 0; i < NODES; i++) {
		x = (x * 1103515245 + 12345) % 2147483648;
		root = insert(root, x);
		list = push(list, i);
		points[i] = calloc(1, sizeof(struct point));
		free(malloc(100));
	}
	for (int i = 0; i < ROUNDS; i++) /* the phase */
		s += step(root, list, points, grid);
	printf("%ld %g\n", s, grid[7]);
	return 0;
}
