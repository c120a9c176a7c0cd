/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads that write one line, each on a CPU of its own: the line moves only where they run at once. */
#define _GNU_SOURCE
#include "harness.h"

#include <omp.h>
#include <sched.h>

enum { THREADS = 2, BYTES = 16384, PASSES = 64, TURNS = 131072, LINE = 8, SPACE = 64 };

static unsigned char *bytes;
static uint64_t *counters;      /* of the threads, in neighbouring words or SPACE words apart */

/* Binds the calling thread to the n-th of the CPUs that it may use. */
static void bind(int n)
{
	cpu_set_t allowed, one;

	if (sched_getaffinity(0, sizeof allowed, &allowed) < 0)
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed) && n-- == 0) {
			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
			sched_setaffinity(0, sizeof one, &one);
			return;
		}
}

static void make_counters(void)
{
#pragma omp parallel num_threads(THREADS)
	bind(omp_get_thread_num());
	bytes = bench_memory(BYTES);
	counters = bench_memory(THREADS * SPACE * sizeof *counters);
	for (size_t i = 0; i < BYTES; i++)
		bytes[i] = (unsigned char)(bench_random() >> 32);
}

static double sum_of_counters(size_t step)
{
	double sum = 0;

	for (size_t t = 0; t < THREADS; t++) {
		sum += (double)counters[t * step];
		counters[t * step] = 0;
	}
	return sum;
}

/* --- counters: sums in memory, nothing else to do ----------------------------------------------------- */

SAME_CODE static void add_up(volatile uint64_t *sum, const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*sum += p[i];
}

static double add_twice(size_t step)
{
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
	for (size_t t = 0; t < THREADS; t++)
		REPEAT(PASSES)
			add_up(counters + t * step, bytes, BYTES);
	return sum_of_counters(step);
}

void counters_init(void)
{
	make_counters();
}

/* fixed: each counter on a line of its own */
double counters_run(enum version v)
{
	return add_twice(v == BAD ? 1 : SPACE);
}

/* --- apart: the same, on lines of their own already ------------------------------------------------------ */

void apart_init(void)
{
	make_counters();
}

double apart_run(enum version v)
{
	return add_twice(v == BAD ? LINE : SPACE);
}

/* --- tallies: some 20 ns of arithmetic from one count to the next ------------------------------------------ */

static inline double next(double x)
{
	return x * 0.99609375 + 0.001;
}

SAME_CODE static void tally_orbit(volatile uint64_t *inside, size_t n, double x)
{
	for (size_t i = 0; i < n; i++) {
		x = next(next(next(next(next(next(next(next(x))))))));
		*inside += x > 0.25;
	}
}

void tallies_init(void)
{
	make_counters();
}

/* fixed: each count on a line of its own */
double tallies_run(enum version v)
{
	size_t step = v == BAD ? 1 : SPACE;

#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
	for (size_t t = 0; t < THREADS; t++)
		tally_orbit(counters + t * step, TURNS, 1.0);
	return sum_of_counters(step);
}

/* --- joint: one counter of all threads, incremented atomically ----------------------------------------------- */

SAME_CODE static void add_jointly(uint64_t *sum, const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		__atomic_fetch_add(sum, p[i], __ATOMIC_RELAXED);
}

SAME_CODE static uint64_t add_alone(const unsigned char *p, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += p[i];
	return sum;
}

void joint_init(void)
{
	make_counters();
}

/* fixed: each thread adds a sum of its own */
double joint_run(enum version v)
{
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
	for (size_t t = 0; t < THREADS; t++)
		REPEAT(PASSES / 4)
			if (v == FIXED)
				__atomic_fetch_add(counters, add_alone(bytes, BYTES), __ATOMIC_RELAXED);
			else
				add_jointly(counters + (v == BAD ? 0 : t * SPACE), bytes, BYTES);
	return sum_of_counters(SPACE);
}

/* --- votes: which of four counts grows is decided by branches on data ------------------------------------------ */

enum { VOTES = 4 };

/* What a ballot is for depends on the key, so that branch predictors do not learn it. */
SAME_CODE static void count_votes(uint64_t *votes, const unsigned char *p, size_t n, uint64_t key)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t choice = (p[i] ^ key) * 0x9e3779b97f4a7c15u >> 61;

		if (choice < VOTES - 1)
			votes[choice]++;
		else
			votes[VOTES - 1]++;
	}
}

void votes_init(void)
{
	make_counters();
}

/* fixed: each thread's counts on a line of their own */
double votes_run(enum version v)
{
	size_t step = v == BAD ? VOTES : SPACE;
	double sum = 0;

#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
	for (size_t t = 0; t < THREADS; t++)
		for (uint64_t pass = 1; pass <= PASSES; pass++)
			count_votes(counters + t * step, bytes, BYTES, pass * 0xd1342543de82ef95u);
	for (size_t i = 0; i < VOTES; i++)
		for (size_t t = 0; t < THREADS; t++) {
			sum += (double)((i + 1) * counters[t * step + i]);
			counters[t * step + i] = 0;
		}
	return sum;
}
