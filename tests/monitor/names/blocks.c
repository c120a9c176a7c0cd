/* SPDX-License-Identifier: BSD-3-Clause */
/* Heap blocks in C, a mapped file, memory that the program declares.  "expect" tells what is to be
 * counted in two executions, as object loads stores. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "monitor/psc_object.h"

enum { N = 1000 };

struct grid { double *edges; int n; };
struct pair { double *left, *right; };

static double *global, pool[4 * N];
static struct grid *grid;
static struct pair pair;
static double *wrapped, *grown, *aligned, *given, *pages, *file, *chosen, **rows, **table, *kept;

/* The wrapper that every program has. */
static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

static int make(double **out)
{
	*out = malloc(N * sizeof **out);
	return *out == NULL;
}

static double **matrix(int n)
{
	double **m = malloc(n * sizeof *m);

	for (int i = 0; i < n; i++)
		m[i] = calloc(n, sizeof *m[i]);
	return m;
}

/* Two structures, returned in one struct: their members' names tell them apart. */
static struct pair halves(int n)
{
	struct pair p;

	p.left = calloc(n, sizeof *p.left);
	p.right = calloc(n, sizeof *p.right);
	return p;
}

static double *half(double *p)
{
	return p + N / 2;
}

static void touch(double *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] += 1;
}

/* One after the other at one address: expect: step:first 2000 4000, expect: step:second 2 2000 */
static double step(void)
{
	double *first = malloc(N * sizeof *first), *second, sum;

	for (int i = 0; i < N; i++)
		first[i] = i;
	touch(first, N);
	free(first);
	second = malloc(N * sizeof *second);
	for (int i = 0; i < N; i++)
		second[i] = i;
	sum = second[7];
	free(second);
	touch(grid->edges, N);  /* expect: grid->edges 2000 2000 */
	touch(wrapped, N);      /* expect: wrapped 2000 2000 */
	touch(grown, 2 * N);    /* expect: grown 4000 4000 */
	touch(aligned, N);      /* expect: aligned 2000 2000 */
	touch(given, N);        /* expect: given 2000 2000 */
	touch(global, N);       /* expect: global 2000 2000 */
	touch(pages, N);        /* expect: pages 2000 2000 */
	touch(file, N);         /* expect: names.data 2000 2000 */
	touch(pool + N, N);     /* expect: particles 2000 2000 */
	touch(pool + 2 * N, N); /* expect: pool 2000 2000 */
	touch(chosen, N / 2);   /* expect: kept 1000 1000 */
	touch(pair.left, N);    /* expect: p\.left 2000 2000 */
	touch(pair.right, N / 2);       /* expect: p\.right 1000 1000 */
	for (int i = 0; i < 100; i++) {
		touch(rows[i], 100);            /* expect: rows\[\] 20000 20000 */
		touch(table[i], 100);           /* expect: table 20200 20000 */
	}
	return sum;
}

int main(int argc, char **argv)
{
	double sum = 0;
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;

	if (fd < 0 || ftruncate(fd, N * sizeof *file))
		return 1;
	file = mmap(NULL, N * sizeof *file, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	pages = mmap(NULL, N * sizeof *pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	grid = xmalloc(sizeof *grid);
	grid->edges = calloc(N, sizeof *grid->edges);
	wrapped = xmalloc(N * sizeof *wrapped);
	grown = malloc(N * sizeof *grown);
	grown = realloc(grown, 2 * N * sizeof *grown);
	if (posix_memalign((void **)&aligned, 64, N * sizeof *aligned) || make(&given))
		return 1;
	global = aligned_alloc(64, N * sizeof *global);
	rows = malloc(100 * sizeof *rows);
	for (int i = 0; i < 100; i++)
		rows[i] = xmalloc(100 * sizeof *rows[i]);
	table = matrix(100);
	pair = halves(N);
	kept = malloc(N * sizeof *kept);
	chosen = half(kept);
	psc_object_begin(pool + N, N * sizeof *pool, "particles");
	psc_object_begin(pool + 2 * N, N * sizeof *pool, "gone");
	psc_object_end(pool + 2 * N);
	for (int i = 0; i < 6; i++)     /* the phase */
		sum += step();
	printf("%g %g %g\n", sum + global[0], grown[5], table[3][4]);
	return 0;
}
