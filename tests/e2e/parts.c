/* SPDX-License-Identifier: BSD-3-Clause */
/* A time loop whose time goes to something other than memory and computing: parts
 * pages|calls|sort|registers. Prints what it computed. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STEPS = 80, PAGE = 4096, PAGES = 512, NUMBERS = 20000, CALLS = 4000 };

static int number[NUMBERS];

/* A block that malloc() maps and unmaps each time: each of its pages is touched first here. */
__attribute__((noinline)) static long pages(int step)
{
	char *fresh = malloc(PAGES * PAGE);     /* fresh */
	long sum = 0;

	for (int i = 0; i < PAGES; i++)
		fresh[i * PAGE] = (char)(i + step);
	for (int i = 0; i < PAGES; i += 8)
		sum += fresh[i * PAGE];
	free(fresh);
	return sum;
}

__attribute__((noinline)) static long calls(void)
{
	long sum = 0;

	for (int i = 0; i < CALLS; i++)
		sum += syscall(SYS_getppid) > 0;
	return sum;
}

static int order(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

__attribute__((noinline)) static long sort(unsigned step)
{
	for (unsigned i = 0; i < NUMBERS; i++)
		number[i] = (int)((i * 2654435761u + step) >> 8);
	qsort(number, NUMBERS, sizeof *number, order);
	return number[NUMBERS / 2];
}

/* Nothing but registers. */
__attribute__((noinline)) static long registers(int step)
{
	double x = step;

	for (int i = 0; i < 400000; i++)
		x = x * 0.999 + 1;
	return (long)x;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long sum = 0;

	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);  /* which it would raise to the largest block freed */
	for (int step = 0; step < STEPS; step++) {      /* phase */
		if (strcmp(what, "pages") == 0)
			sum += pages(step);
		else if (strcmp(what, "calls") == 0)
			sum += calls();
		else if (strcmp(what, "sort") == 0)
			sum += sort((unsigned)step);
		else
			sum += registers(step);
	}
	printf("%ld\n", sum);
	return 0;
}
