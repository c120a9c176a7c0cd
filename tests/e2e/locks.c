/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads lock and unlock, each `times` times a step: locks of their own, in one line or in two; a lock of one beside data
 * of the other; a lock that both take; counters that both update.  Sums tell that nothing is lost. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 4000, STEPS = 24 };

static _Alignas(64) struct { pthread_mutex_t lock[2]; char rest[48]; } pair;
static struct { _Alignas(64) pthread_mutex_t lock; } apart[2];
static _Alignas(64) struct { pthread_mutex_t lock; long data; char rest[16]; } beside;
static _Alignas(64) pthread_mutex_t one;
static _Alignas(64) omp_lock_t simple;
static _Alignas(64) long atomic;
static _Alignas(64) double tally;
static struct { _Alignas(64) long of; } own[2];

static void lock_pair(int me)
{
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&pair.lock[me]);
		own[me].of++;
		pthread_mutex_unlock(&pair.lock[me]);
	}
}

static void lock_apart(int me)
{
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&apart[me].lock);
		own[me].of++;
		pthread_mutex_unlock(&apart[me].lock);
	}
}

static void lock_beside(int me)
{
	for (int i = 0; i < TIMES; i++)
		if (me) {
			((volatile long *)&beside.data)[0]++;
		} else {
			pthread_mutex_lock(&beside.lock);
			own[0].of++;
			pthread_mutex_unlock(&beside.lock);
		}
	own[1].of += me ? TIMES : 0;
}

static void lock_one(int me)
{
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&one);
		own[me].of++;
		pthread_mutex_unlock(&one);
	}
}

static void lock_simple(int me)
{
	for (int i = 0; i < TIMES; i++) {
		omp_set_lock(&simple);
		own[me].of++;
		omp_unset_lock(&simple);
	}
}

static void count_atomically(int me)
{
	for (int i = 0; i < TIMES; i++) {
#pragma omp atomic
		atomic++;
	}
	own[me].of += TIMES;
}

static void count_critically(int me)
{
	for (int i = 0; i < TIMES; i++) {
#pragma omp critical
		tally += 1;
	}
	own[me].of += TIMES;
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(int me); } ways[] = {
		{ "pair", lock_pair }, { "apart", lock_apart }, { "beside", lock_beside }, { "one", lock_one },
		{ "simple", lock_simple }, { "atomic", count_atomically }, { "critical", count_critically },
	};
	void (*run)(int me) = NULL;

	for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
		run = strcmp(ways[i].name, argv[1]) == 0 ? ways[i].run : run;
	if (!run)
		return 1;
	pthread_mutex_init(&pair.lock[0], NULL);
	pthread_mutex_init(&pair.lock[1], NULL);
	pthread_mutex_init(&apart[0].lock, NULL);
	pthread_mutex_init(&apart[1].lock, NULL);
	pthread_mutex_init(&beside.lock, NULL);
	pthread_mutex_init(&one, NULL);
	omp_init_lock(&simple);
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel num_threads(2)
		run(omp_get_thread_num());
	}
	printf("%ld\n", own[0].of + own[1].of);
	return own[0].of + own[1].of != 2L * TIMES * STEPS;
}
