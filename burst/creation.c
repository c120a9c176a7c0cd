/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands before the functions that create threads: each thread gets its slot before it runs. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

#include "burst/next.h"
#include "burst/thread_slots.h"

NEXT(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
NEXT(int, thrd_create, thrd_t *, thrd_start_t, void *)

struct begin {
	void *(*start)(void *);
	int (*start_c11)(void *);
	void *argument;
};

/* Not from the allocator, which may be the program's own.  A row is taken by the thread that
 * creates, and given back by the one that begins. */
enum { BEGINNING = 256 };
static struct row {
	struct begin begin;             /* first: a row is found by it */
	_Atomic int taken;
} beginning[BEGINNING];

static struct begin *take_row(void)
{
	for (int k = 0; k < BEGINNING; k++) {
		int none = 0;

		if (atomic_compare_exchange_strong(&beginning[k].taken, &none, 1))
			return &beginning[k].begin;
	}
	atomic_fetch_add(&burst_header()->threads_lost, 1);
	return NULL;
}

static void give_row(struct begin *b)
{
	atomic_store(&beginning[(struct row *)(void *)b - beginning].taken, 0);
}

static void leave(void *unused)
{
	(void)unused;
	burst_thread_end();
}

static struct begin take(void *argument)
{
	struct begin b = *(struct begin *)argument;

	give_row(argument);
	burst_thread_begin((uint64_t)(uintptr_t)__builtin_frame_address(0));
	return b;
}

/* A thread that calls pthread_exit(), or is cancelled, comes by leave(), too. */
static void *run(void *argument)
{
	struct begin b = take(argument);
	void *result;

	pthread_cleanup_push(leave, NULL);
	result = b.start(b.argument);
	pthread_cleanup_pop(1);
	return result;
}

static int run_c11(void *argument)
{
	struct begin b = take(argument);
	int result;

	pthread_cleanup_push(leave, NULL);
	result = b.start_c11(b.argument);
	pthread_cleanup_pop(1);
	return result;
}

static struct begin *prepare(struct begin b)
{
	struct begin *p = burst_header() == NULL ? NULL : take_row();

	if (p != NULL)
		*p = b;
	return p;
}

EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
	void *(*start)(void *), void *restrict argument)
{
	struct begin *b = prepare((struct begin){ .start = start, .argument = argument });
	int result;

	if (b == NULL)
		return next_pthread_create()(thread, attributes, start, argument);
	result = next_pthread_create()(thread, attributes, run, b);
	if (result != 0)
		give_row(b);
	return result;
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
	struct begin *b = prepare((struct begin){ .start_c11 = start, .argument = argument });
	int result;

	if (b == NULL)
		return next_thrd_create()(thread, start, argument);
	result = next_thrd_create()(thread, run_c11, b);
	if (result != thrd_success)
		give_row(b);
	return result;
}
