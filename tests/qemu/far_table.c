/* SPDX-License-Identifier: BSD-3-Clause */
/* far_table STEPS HOW [FILE]: a table that the main thread fills on CPU 0.  It uses it there
 * ("stays") or on CPU 1 ("moves"), where it may take the pages with it ("follows"), or a thread on
 * CPU 1 does ("thread").  "reversed": the same as "thread" with the CPUs exchanged, as
 * OMP_PLACES={1},{0} has them.  It ends after STEPS, or when FILE exists.  Prints on which memory
 * nodes the kernel has the table's pages. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 256, NODES = 2 };
enum { N = PAGES * PAGE / sizeof(double), LINE = 64 / sizeof(double) };
static double *table, sum;

static void run_on(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof one, &one))
		exit(3);
}

/* Moves the pages to a node, or without one only finds out where they are. */
static void pages_on(const int *to, int node[PAGES])
{
	const void *at[PAGES];

	for (int k = 0; k < PAGES; k++)
		at[k] = (const char *)table + (long)k * PAGE;
	if (syscall(SYS_move_pages, 0, (unsigned long)PAGES, at, to, node, to ? 2 /* MOVE */ : 0))
		exit(4);
}

static void take_along(int node)
{
	int to[PAGES], got[PAGES];

	for (int k = 0; k < PAGES; k++)
		to[k] = node;
	pages_on(to, got);
}

/* How many pages each node has. */
static void count_pages(int pages[NODES])
{
	int node[PAGES];

	pages_on(NULL, node);
	pages[0] = pages[1] = 0;
	for (int k = 0; k < PAGES; k++) {
		if (node[k] < 0 || node[k] >= NODES)
			exit(4);
		pages[node[k]]++;
	}
}

__attribute__((noinline)) static double use(void)
{
	double s = 0;

	for (int i = 0; i < (int)N; i += LINE)
		s += table[i];
	return s;
}

static void *use_there(void *cpu)
{
	run_on(*(int *)cpu);
	sum += use();
	return NULL;
}

static void step_by_thread(int cpu)
{
	pthread_t t;

	if (pthread_create(&t, NULL, use_there, &cpu))
		exit(5);
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 40;
	const char *how = argc > 2 ? argv[2] : "moves";
	const char *end = argc > 3 ? argv[3] : "";
	const int home = strcmp(how, "reversed") == 0, follows = strcmp(how, "follows") == 0;
	int first[NODES], now[NODES], moved = 0;

	run_on(home);
	table = aligned_alloc(PAGE, N * sizeof *table);
	if (!table)
		return 1;
	for (int i = 0; i < (int)N; i++)
		table[i] = i;
	count_pages(first);
	run_on(home || follows || strcmp(how, "moves") == 0);
	if (follows)
		take_along(1);
	for (int step = 0; step < steps && access(end, F_OK); step++) { /* the phase */
		if (home || strcmp(how, "thread") == 0)
			step_by_thread(!home);
		else
			sum += use();
		count_pages(now);
		if (moved < abs(now[0] - first[0]))
			moved = abs(now[0] - first[0]);
	}
	count_pages(now);
	printf("sum %g\nfirst %d %d\n", sum, first[0], first[1]);
	printf("last %d %d\nmoved meanwhile %d\n", now[0], now[1], moved);
	free(table);
	return 0;
}
