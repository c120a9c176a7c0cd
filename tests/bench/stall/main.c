/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels whose loss to memory is known: run in steps for an analysis, or timed in three versions for the truth. */
#define _GNU_SOURCE
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { VERSIONS = 3, ROUNDS_MAX = 1000, STEPS = 24 };

static const char *const versions[VERSIONS] = { "bad", "fixed", "cached" };

#define KERNEL(name) { #name, name##_init, name##_run },
static const struct kernel kernels[] = {
#include "kernels.def"
};
#define NKERNELS (sizeof kernels / sizeof *kernels)

static const char usage[] =
	"Usage: stall KERNEL VERSION [STEPS]    run it (24 steps), to be analysed\n"
	"       stall KERNEL --truth ROUNDS     time its versions in turn: for each, processor\n"
	"                                       time of a step: median, lower, upper quartile\n"
	"       stall KERNEL --check            compare what the bad and the fixed version compute\n"
	"       stall --list\n"
	"VERSION: bad, fixed, or cached (the bad one's code on data in the first cache level)\n";

static void begin(const struct kernel *k)
{
	bench_restart();
	k->init();
}

static int run_steps(const struct kernel *k, enum version v, long steps)
{
	double value = 0;

	begin(k);
	for (long step = 0; step < steps; step++)       /* the phase */
		value = k->run(v);
	printf("%s %s %.17g\n", k->name, versions[v], value);
	return 0;
}

static double processor_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);    /* of all threads */
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Quantile q of n sorted values, interpolated. */
static double quantile(const double *sorted, long n, double q)
{
	double at = q * (double)(n - 1);
	long i = (long)at;

	return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

/* The versions in turn, so that a change of the machine's load hits all of them; one round to warm up. */
static int time_versions(const struct kernel *k, long rounds)
{
	static double times[VERSIONS][ROUNDS_MAX];
	static volatile double value;

	begin(k);
	for (long round = -1; round < rounds; round++)
		for (int v = 0; v < VERSIONS; v++) {
			double start = processor_time();

			value = k->run((enum version)v);
			if (round >= 0)
				times[v][round] = processor_time() - start;
		}
	(void)value;
	for (int v = 0; v < VERSIONS; v++) {
		qsort(times[v], (size_t)rounds, sizeof times[v][0], by_value);
		printf("%s %s %.9f %.9f %.9f\n", k->name, versions[v], quantile(times[v], rounds, 0.5),
			quantile(times[v], rounds, 0.25), quantile(times[v], rounds, 0.75));
	}
	return 0;
}

static int check_results(const struct kernel *k)
{
	double bad, fixed;

	begin(k);
	bad = k->run(BAD);
	begin(k);
	fixed = k->run(FIXED);
	k->run(CACHED);
	if (fabs(bad - fixed) <= 1e-5 * fabs(bad))
		return 0;
	printf("%s: bad computes %.17g, fixed %.17g\n", k->name, bad, fixed);
	return 1;
}

static int wrong_use(void)
{
	fputs(usage, stderr);
	return 2;
}

/* The number in `text`, 1 … most; 0: none. */
static long number(const char *text, long most)
{
	char *end;
	long n = strtol(text, &end, 10);

	return *text && !*end && n >= 1 && n <= most ? n : 0;
}

static int with_kernel(const struct kernel *k, int argc, char **argv)
{
	const char *what = argv[2];
	long n = argc > 3 ? number(argv[3], strcmp(what, "--truth") == 0 ? ROUNDS_MAX : 1000000) : STEPS;

	if (n == 0)
		return wrong_use();
	if (strcmp(what, "--check") == 0 && argc == 3)
		return check_results(k);
	if (strcmp(what, "--truth") == 0 && argc == 4)
		return time_versions(k, n);
	for (int v = 0; v < VERSIONS; v++)
		if (strcmp(what, versions[v]) == 0 && argc <= 4)
			return run_steps(k, (enum version)v, n);
	return wrong_use();
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (size_t i = 0; i < NKERNELS; i++)
			puts(kernels[i].name);
		return 0;
	}
	if (argc < 3)
		return wrong_use();
	for (size_t i = 0; i < NKERNELS; i++)
		if (strcmp(kernels[i].name, argv[1]) == 0)
			return with_kernel(&kernels[i], argc, argv);
	fprintf(stderr, "stall: no kernel is called %s (stall --list)\n", argv[1]);
	return 2;
}
