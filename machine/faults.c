/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures minor page faults.  Memory is mapped once, and touched in the order of its pages, as by
 * a program that fills a new array; huge pages are declined, since one such
 * fault would stand for 512. */
#include "config.h"

#include "machine/faults.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/quantile.h"
#include "machine/cores.h"
#include "machine/cpu_clock.h"

struct team {
	pthread_mutex_t start;  /* held until all threads exist */
	bool abandoned;         /* they do not */
	pthread_barrier_t barrier;
	size_t page;
};

struct toucher {
	struct team *team;
	unsigned cpu;
	char *memory;
	double ns[FAULT_CHUNKS];
};

static void *touch(void *arg)
{
	struct toucher *t = arg;
	volatile char *at = t->memory;

	pthread_mutex_lock(&t->team->start);
	pthread_mutex_unlock(&t->team->start);
	if (t->team->abandoned)
		return NULL;
	cores_pin(t->cpu);
	pthread_barrier_wait(&t->team->barrier);
	for (int i = 0; i < FAULT_CHUNKS; i++) {
		double ns = thread_ns();

		for (int k = 0; k < FAULT_PAGES; k++, at += t->team->page)
			*at = 1;
		t->ns[i] = (thread_ns() - ns) / FAULT_PAGES;
	}
	return NULL;
}

/* Runs n threads, of which each has its part of the memory.  0 / -1. */
static int run_team(const unsigned *cpu, unsigned n, size_t page, char *memory,
	struct toucher *toucher)
{
	const size_t part = (size_t)FAULT_CHUNKS * FAULT_PAGES * page;
	struct team t = { .page = page };
	pthread_t thread[FAULT_THREADS];
	unsigned started = 0;

	pthread_barrier_init(&t.barrier, NULL, n);
	pthread_mutex_init(&t.start, NULL);
	pthread_mutex_lock(&t.start);
	for (; started < n; started++) {
		toucher[started] = (struct toucher){ .team = &t, .cpu = cpu[started],
			.memory = memory + started * part };
		if (pthread_create(&thread[started], NULL, touch, &toucher[started]) != 0)
			break;
	}
	t.abandoned = started < n;
	pthread_mutex_unlock(&t.start);
	for (unsigned i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	pthread_mutex_destroy(&t.start);
	pthread_barrier_destroy(&t.barrier);
	return t.abandoned ? -1 : 0;
}

int faults_touch(const unsigned *cpu, unsigned n, struct series *s)
{
	struct toucher toucher[FAULT_THREADS];
	const long page = sysconf(_SC_PAGESIZE);
	const size_t size = (size_t)n * FAULT_CHUNKS * FAULT_PAGES * (size_t)page;
	char *memory;
	int ret;

	if (n < 1 || n > FAULT_THREADS || page <= 0)
		return -1;
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -1;
#ifdef MADV_NOHUGEPAGE
	madvise(memory, size, MADV_NOHUGEPAGE); /* refused: the kernel has none */
#endif
	ret = run_team(cpu, n, (size_t)page, memory, toucher);
	munmap(memory, size);
	for (unsigned i = 0; ret == 0 && i < n; i++)
		for (int k = 0; k < FAULT_CHUNKS; k++)
			series_add(s, toucher[i].ns[k]);
	return ret;
}

struct cost faults_cost(const struct series *s)
{
	double v[SERIES_MOST];

	if (!s->n)
		return (struct cost){ 0, 0, 0 };
	memcpy(v, s->v, s->n * sizeof *v);
	quantile_sort(v, s->n);
	return (struct cost){ quantile_nearest(v, s->n, 0.5), quantile_nearest(v, s->n, 0.1),
		quantile_nearest(v, s->n, 0.9) };
}
