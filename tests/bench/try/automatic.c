/* SPDX-License-Identifier: BSD-3-Clause */
/* automatic MODE N STEPS: relaxes a field of N x N, with two work arrays a step, as automatic arrays of Fortran are.
 * MODE arrays: allocated in each step; threads: so in two threads, each for half of the field; kept: allocated once.
 * Prints the milliseconds of processor time of a step, and of wall time, the first steps left out. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int n;
static double *field, *kept[2];

static double clock_ms(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void __attribute__((noinline)) relax(double *u, double *flux, double *next, int rows)
{
	const size_t size = (size_t)rows * (size_t)n, width = (size_t)n;

	memset(flux, 0, size * sizeof *flux);
	for (size_t i = width; i + width < size; i++)
		flux[i] = u[i - width] + u[i + width] - 2 * u[i];
	memcpy(next, u, size * sizeof *next);
	for (size_t i = width; i + width < size; i++)
		next[i] += 0.2 * flux[i];
	memcpy(u, next, size * sizeof *next);
}

static void part(double *u, int rows)
{
	const size_t bytes = (size_t)rows * (size_t)n * sizeof(double);
	double *flux = malloc(bytes), *next = malloc(bytes);

	if (!flux || !next)
		exit(1);
	relax(u, flux, next, rows);
	free(next);
	free(flux);
}

static void *lower_half(void *arg)
{
	(void)arg;
	part(field + (size_t)(n / 2) * (size_t)n, n / 2);
	return NULL;
}

static void __attribute__((noinline)) one_step(char mode)
{
	pthread_t other;

	if (mode == 'k') {
		relax(field, kept[0], kept[1], n);
	} else if (mode == 't') {
		if (pthread_create(&other, NULL, lower_half, NULL))
			exit(1);
		part(field, n / 2);
		pthread_join(other, NULL);
	} else {
		part(field, n);
	}
}

int main(int argc, char **argv)
{
	const char mode = argc > 1 ? argv[1][0] : 'a';
	const int steps = argc > 3 ? atoi(argv[3]) : 100, first = steps / 10;
	double cpu = 0, wall = 0, sum = 0;
	size_t size;

	n = argc > 2 ? atoi(argv[2]) : 600;
	size = (size_t)n * (size_t)n;
	field = malloc(size * sizeof *field);
	kept[0] = malloc(size * sizeof *field);
	kept[1] = malloc(size * sizeof *field);
	if (!field || !kept[0] || !kept[1])
		return 1;
	for (size_t i = 0; i < size; i++)
		field[i] = (double)(i % 97);
	for (int i = 0; i < steps; i++) {
		if (i == first) {
			cpu = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
			wall = clock_ms(CLOCK_MONOTONIC);
		}
		one_step(mode);
	}
	cpu = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	wall = clock_ms(CLOCK_MONOTONIC) - wall;
	for (size_t i = 0; i < size; i++)
		sum += field[i];
	printf("%.4g %.4g %.6g\n", cpu / (steps - first), wall / (steps - first), sum);
	return 0;
}
