/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks and unlocks n times by the functions that the first argument names. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static omp_lock_t lock;
static long sum;

static void mutexes(int n)
{
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

static void readers(int n)
{
	for (int i = 0; i < n; i++) {
		pthread_rwlock_rdlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
	}
}

static void spinning(int n)
{
	for (int i = 0; i < n; i++) {
		pthread_spin_lock(&spin);
		pthread_spin_unlock(&spin);
	}
}

static void semaphores(int n)
{
	for (int i = 0; i < n; i++) {
		sem_post(&semaphore);
		sem_wait(&semaphore);
	}
}

static void openmp(int n)
{
	for (int i = 0; i < n; i++) {
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
}

static void critical(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp critical
		sum++;
	}
}

static void named(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp critical(name)
		sum++;
	}
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(int n); } ways[] = {
		{ "mutex", mutexes }, { "rwlock", readers }, { "spin", spinning }, { "semaphore", semaphores },
		{ "openmp", openmp }, { "critical", critical }, { "named", named },
	};

	if (argc < 3)
		return 1;
	pthread_spin_init(&spin, 0);
	sem_init(&semaphore, 0, 0);
	omp_init_lock(&lock);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (strcmp(ways[i].name, argv[1]) == 0)
			ways[i].run(atoi(argv[2]));
	printf("%ld\n", sum);
	return 0;
}
