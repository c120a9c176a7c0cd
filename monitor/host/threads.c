/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps one state per measured thread.
 *
 * States are never freed: a new thread takes over the counts and the number of one that ended. */
#include "monitor/host/threads.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/regions/regions.h"
#include "monitor/state.h"
#include <errno.h>

static struct {
	pthread_mutex_t lock;
	struct pscm_thread *_Atomic state[PSCM_THREADS];
	_Atomic uint32_t count;
	pthread_key_t key;
	bool have_key;
	const struct pscm_thread_events *events;
} threads = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void thread_end(void *p)
{
	struct pscm_thread *t = p;
	int saved = errno;

	if (pscm_self != t || !(pscm_on() || atomic_load(&pscm_live.stopped)))
		return;
	pscm_guard_last();
	threads.events->end(t);
	t->depth = t->over = 0;
	pscm_self = NULL;
	atomic_store(&t->used, 0);
	pscm_unguard();
	errno = saved;
}

int pscm_threads_start(const struct pscm_thread_events *events)
{
	threads.events = events;
	/* glibc stores the first 32 keys in the thread itself; for a later key
	 * pthread_setspecific() would allocate.  Without a key, states of ended threads are not
	 * reused. */
	if (!pthread_key_create(&threads.key, thread_end)) {
		threads.have_key = threads.key < 32;
		if (!threads.have_key)
			pthread_key_delete(threads.key);
	}
	return 0;
}

uint32_t pscm_thread_count(void)
{
	return atomic_load_explicit(&threads.count, memory_order_acquire);
}

struct pscm_thread *pscm_thread_at(uint32_t n)
{
	return atomic_load_explicit(&threads.state[n], memory_order_relaxed);
}

/* Makes the next state, which no thread uses yet.  NULL: there are too many, or no
 * memory.  Requires threads.lock. */
static struct pscm_thread *state_make(void)
{
	const uint32_t n = pscm_thread_count();
	struct pscm_thread *t = n < PSCM_THREADS ? pscm_map(sizeof *t) : NULL;

	if (!t)
		return NULL;
	pthread_mutex_init(&t->lock, NULL);
	t->index = n;
	t->number = -1;
	atomic_store_explicit(&threads.state[n], t, memory_order_relaxed);
	atomic_store_explicit(&threads.count, n + 1, memory_order_release);
	atomic_store(&pscm_shm->threads, n + 1);
	return t;
}

/* Of libgomp; NULL in programs without it. */
int omp_get_thread_num(void) __attribute__((weak));

/* The state whose index is the thread's number in its team, so that the thread runs on the same CPU
 * of the machine model in every run.  The other threads of the team come to have those before it.
 * NULL: it is in no team, or another thread has the state.  Requires threads.lock. */
static struct pscm_thread *state_of_number(void)
{
	const int number = omp_get_thread_num ? omp_get_thread_num() : 0;
	struct pscm_thread *t = NULL;

	if (number <= 0 || number >= PSCM_THREADS)
		return NULL;
	while (pscm_thread_count() <= (uint32_t)number)
		if (!state_make())
			return NULL;
	t = pscm_thread_at((uint32_t)number);
	return atomic_load(&t->used) ? NULL : t;
}

/* The state of a new thread: that of its number, else the first unused
 * one.  Requires threads.lock. */
static struct pscm_thread *thread_get(void)
{
	struct pscm_thread *t = state_of_number();

	for (uint32_t i = 0; !t && i < pscm_thread_count(); i++)
		if (!atomic_load(&pscm_thread_at(i)->used))
			t = pscm_thread_at(i);
	if (t)
		t->number = -1;         /* its thread's, which has ended */
	return t ? t : state_make();
}

static struct pscm_thread *thread_new(void)
{
	struct pscm_thread *t;
	int saved = errno;

	pscm_lock(&threads.lock);
	t = thread_get();
	if (t) {
		t->stack = (uint64_t)(uintptr_t)__builtin_frame_address(0);
		t->stack_top = (uint64_t)pthread_self();
		t->epoch = 0;
		atomic_store(&t->parked, 0);
		atomic_store(&t->used, 1);
		pscm_stack_depth_find_begin(t);
		pscm_self = t;
		if (threads.have_key)
			pthread_setspecific(threads.key, t);
	}
	pscm_unlock(&threads.lock);
	if (t)
		threads.events->begin(t);
	errno = saved;
	return t;
}

void pscm_region_stack_reset(struct pscm_thread *t, uint32_t epoch)
{
	struct pscm_stat *stat = atomic_load_explicit(&t->stat, memory_order_relaxed);

	if (stat) {
		stat[0].open = 0;
		for (uint32_t i = 0; i < t->depth; i++)
			stat[t->frame[i].context].open = 0;
	}
	t->depth = t->over = t->team = 0;
	t->times.npieces = t->times.joins = 0;
	t->times.pending = t->times.paused = 0;
	t->times.state = PSCM_OUTSIDE;
	t->times.owner = false;
	t->epoch = epoch;
}

struct pscm_thread *pscm_thread_self(void)
{
	return likely(pscm_self != NULL) ? pscm_self : thread_new();
}
