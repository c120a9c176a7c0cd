/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of its own, instrumented as well, is opened in the midst of the run, used, and closed and
 * opened again in every step.
 *
 * Its array shelf (256 KiB) is gone after dlclose; each step sees it new: all of its 4096 lines are
 * loaded and stored once; other pages may take the same place.
 * corpus: machine=touched part=shelf.c libs=-ldl */
#include <dlfcn.h>
#include "corpus.h"

enum { N = 32768 };
static double total;
static const char *library;

static KERNEL int step(void)
{
	void *h = dlopen(library, RTLD_NOW);
	double (*take)(int, int);

	if (!h)
		return -1;
	take = (double (*)(int, int))dlsym(h, "take");
	for (int i = 0; i < N && take; i += N / 4)
		total += take(i, N / 4);
	return dlclose(h);
}

int main(int argc, char **argv)
{
	char name[4096];
	int failed = 0;

	(void)argc;
	snprintf(name, sizeof name, "%s.so", argv[0]);
	library = name;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		failed |= step();
	printf("%g %d\n", total, failed);
	printf("expect shelf bytes = %d at O2 O3\n", 2 * N * 8);
	printf("expect shelf load_miss 1 = %d\n", N / 8);
	printf("expect shelf store_miss 1 = 0\n");
	return 0;
}
