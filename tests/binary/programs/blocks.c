/* SPDX-License-Identifier: BSD-3-Clause */
/* Heap blocks of different sizes, stored in all kinds of variables.  A comment says what the block of a size is
 * named by, its name, and the scope of that. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mesh {
	int n;
	double *points;
	struct {
		float *weight;
	} inner;
};

static struct mesh whole, other;
double *table;
static int *fields[3];
static float *aligned;

__attribute__((noinline)) static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

__attribute__((noinline)) static void fill(struct mesh *m, int n)
{
	m->points = malloc(n * 16);                     /* block 16000: member points mesh */
	m->inner.weight = calloc(n, 17);                /* block 17000: member inner.weight mesh */
	memset(m->points, 0, n * 16);
}

__attribute__((noinline)) static double *make_grid(int n)
{
	double *g = xmalloc(n * 18);

	for (int i = 0; i < n; i++)
		g[i] = i;
	return g;
}

__attribute__((noinline)) static void hold(void **block)
{
	memset(*block, 1, 100);
}

int main(int argc, char **argv)
{
	int n = argc * 1000;
	double *grid = make_grid(n), s = 0;             /* block 18000: local grid - */
	struct mesh on_stack;
	void *moved;
	char *copy, *text = xmalloc(n * 19);                   /* block 19000: local text - */

	fill(argc > 1 ? &other : &whole, n);
	on_stack.points = malloc(n * 20);               /* block 20000: local on_stack.points - */
	table = malloc(n * 21);                         /* block 21000: static table - */
	fields[argc] = malloc(n * 22);
	if (posix_memalign((void **)&aligned, 64, n * 24) || posix_memalign(&moved, 64, n * 25))
		return 1;                               /* block 24000: static aligned - */
	hold(&moved);                                   /* block 25000: local moved - */
	memset(aligned, 0, n * 24);
	memset(text, 1, n * 19 - 1);
	text[n * 19 - 1] = '\0';
	copy = strdup(text + 3);                        /* block 18997: local copy - */
	memset(on_stack.points, 0, n * 8);
	memset(table, 0, n * 8);
	memset(fields[argc], 0, n * 4);
	whole.points = realloc(whole.points, n * 23);   /* block 23000: static whole.points - */
	for (int i = 0; i < n; i++)
		s += grid[i] + whole.points[i] + text[i] + on_stack.points[i] + fields[argc][i] + table[i] +
			whole.inner.weight[i] + aligned[i] + copy[i];
	printf("%s: %g\n", argv[0] ? "done" : "", s);
	return 0;
}
