/* SPDX-License-Identifier: BSD-3-Clause */
/* Five programs, each with a function of its name as the phase: argument 1 says which, 2 how often.  Prints the time of each
 * execution in us, then a sum that tells that the work was done. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 1024, LONG = 1 << 21, ROWS = 1 << 17, EACH = 9, NODES = 1 << 18, CUBE = 64 };
static double a[LONG], b[LONG], c[LONG];
static double grid[2][SIDE][SIDE], cube[CUBE][CUBE][CUBE][5], flux[CUBE][CUBE][CUBE][5];
static int column[ROWS * EACH], order[NODES];
static struct node { struct node *next; double value[7]; } node[NODES];

static uint32_t any(void)
{
	static uint32_t x = 1;

	x = x * UINT32_C(1664525) + UINT32_C(1013904223);
	return x >> 8;
}

/* A five-point stencil. */
static void shallow(void)
{
	for (int way = 0; way < 2; way++)
		for (int i = 1; i < SIDE - 1; i++)
			for (int j = 1; j < SIDE - 1; j++)
				grid[!way][i][j] = 0.2 * (grid[way][i][j] + grid[way][i - 1][j] + grid[way][i + 1][j] +
					grid[way][i][j - 1] + grid[way][i][j + 1]);
}

static void stream(void)
{
	for (int i = 0; i < LONG; i++)
		a[i] = b[i] + 3 * c[i];
	for (int i = 0; i < LONG; i++)
		b[i] = a[i] * 0.5 + 1;
}

/* A sparse matrix whose columns are anywhere. */
static void gather(void)
{
	for (int i = 0; i < ROWS; i++) {
		double sum = 0;

		for (int k = 0; k < EACH; k++)
			sum += a[i * EACH + k] * b[column[i * EACH + k]];
		c[i] = sum;
	}
}

static void list(void)
{
	for (struct node *n = node; n; n = n->next)
		n->value[0] += n->value[1] + 1;
}

/* Planes of small blocks, forwards and then back, as a solver does. */
static void planes(void)
{
	for (int k = 1; k < CUBE; k++)
		for (int j = 1; j < CUBE; j++)
			for (int i = 1; i < CUBE; i++)
				for (int m = 0; m < 5; m++)
					flux[k][j][i][m] = cube[k][j][i][m] - 0.1 * (cube[k - 1][j][i][m] + cube[k][j - 1][i][m] +
						cube[k][j][i - 1][4 - m]);
	for (int k = CUBE - 2; k >= 0; k--)
		for (int j = CUBE - 2; j >= 0; j--)
			for (int i = CUBE - 2; i >= 0; i--)
				for (int m = 0; m < 5; m++)
					cube[k][j][i][m] = flux[k][j][i][m] - 0.1 * (flux[k + 1][j][i][m] + flux[k][j + 1][i][m]);
}

static const struct kernel { const char *name; void (*run)(void); } kernels[] = {
	{ "planes", planes }, { "shallow", shallow }, { "stream", stream }, { "gather", gather }, { "list", list },
};

static void fill(void)
{
	for (int i = 0; i < ROWS * EACH; i++)
		column[i] = (int)(any() % LONG);
	for (int i = 0; i < NODES; i++)
		order[i] = i;
	for (int i = NODES - 1; i > 1; i--) {
		const int k = 1 + (int)(any() % (uint32_t)i), was = order[i];

		order[i] = order[k];
		order[k] = was;
	}
	for (int i = 0; i < NODES - 1; i++)
		node[order[i]].next = &node[order[i + 1]];
	for (int i = 0; i < LONG; i++)
		a[i] = b[i] = c[i] = i % 7;
	for (int i = 0; i < SIDE * SIDE; i++)
		grid[0][i / SIDE][i % SIDE] = grid[1][i / SIDE][i % SIDE] = i % 5;
}

int main(int argc, char **argv)
{
	const struct kernel *k = kernels;
	const int n = argc > 2 ? atoi(argv[2]) : 20;

	for (size_t i = 0; argc > 1 && i < sizeof kernels / sizeof *kernels; i++)
		if (!strcmp(kernels[i].name, argv[1]))
			k = &kernels[i];
	fill();
	for (int i = 0; i < n; i++) {
		struct timespec from, to;

		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
		k->run();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
		printf("step %.0f\n", (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) / 1e3);
	}
	printf("sum %g\n", a[5] + b[6] + c[7] + grid[0][8][8] + cube[2][3][4][1] + node[5].value[0]);
	return 0;
}
