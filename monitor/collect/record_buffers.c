/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the record buffers: who fills them, who empties them, and when.
 *
 * A thread fills its own buffer and empties it when it is full.  At the end of an execution the
 * boundary's thread empties its own buffer and those of parked threads, which are outside of any
 * team's region.  It never touches another thread's psc_cur; it only moves `tail`.  A thread that
 * keeps running keeps its words until the end of the experiment.
 *
 * Words belong to an experiment and to a recording interval: executions that follow one another
 * without a gap.  Words of an earlier interval are void. */
#include "monitor/collect/record_buffers.h"
#include "monitor/address/address_map.h"
#include "monitor/address/names.h"
#include "monitor/address/page_numbers.h"
#include "monitor/address/placement.h"
#include "monitor/collect/armed.h"
#include "monitor/collect/record_check.h"
#include "monitor/collect/simulations.h"
#include "monitor/collect/thread_nodes.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/host/signals.h"
#include "monitor/host/stacks.h"
#include "monitor/host/threads.h"
#include "monitor/regions/compile_units.h"
#include "monitor/regions/regions.h"
#include "monitor/state.h"
#include <errno.h>
#include <string.h>

static struct {
	_Atomic uint32_t forks;         /* teams created by threads that are in none */
	_Atomic bool counting;
	_Atomic bool paused;            /* between slices: words are discarded */
	uint32_t shared_words;
} record;

static void count_lost(uint64_t n)
{
	atomic_fetch_add_explicit(&pscm_lost, n, memory_order_relaxed);
}

/* Counts what the thread wrote to the sink since it last asked for space. */
static void count_sink_lost(void)
{
	bool in = psc_cur > pscm_sink &&
		psc_cur <= pscm_sink + sizeof pscm_sink / sizeof *pscm_sink;

	count_lost(in ? (uint64_t)(psc_cur - pscm_sink) : 1);
}

static bool buffer_make(struct pscm_thread *t)
{
	if (!t->words) {
		t->words = pscm_map((PSCM_WORDS + PSC_SLACK_WORDS) * sizeof *t->words);
		t->tail = t->words;
	}
	if (!t->work_stack)
		t->work_stack = pscm_work_stack_make();
	return t->words && simulations_memory(&t->replay);
}

void pscm_record_ready(void)
{
	struct pscm_thread *t = pscm_thread_self();

	if (t && buffer_make(t))
		pscm_populate(&t->replay.sim, sizeof t->replay.sim);
}

static void buffer_reset(struct pscm_thread *t)
{
	t->tail = t->words;
	pscm_record_set_buffer(t->words, t->words +
		(simulations_share() ? record.shared_words : PSCM_WORDS));
	atomic_store_explicit(&t->pos, psc_cur, memory_order_release);
}

/* Makes the thread's replays and buffer belong to this experiment and interval.  t->lock is
 * held. */
static bool join_experiment(struct pscm_thread *t)
{
	uint32_t experiment = atomic_load(&pscm_experiment);
	uint32_t interval = atomic_load(&pscm_interval);
	bool ok = true;

	if (likely(t->experiment == experiment && t->interval == interval))
		return true;
	if (t->experiment != experiment) {
		thread_nodes_join(t);
		ok = simulations_join(t);
	}
	thread_nodes_begin(t);
	buffer_reset(t);        /* its words are older */
	simulations_forget_unread();
	t->replay.sim.context = pscm_region_stack_context(t);
	if (!ok)
		return false;
	if (t->experiment != experiment)
		t->simulated = 0;
	t->experiment = experiment;
	t->interval = interval;
	return true;
}

struct consume_job {
	struct pscm_thread *thread;
	const uint64_t *from, *end;
};

static void consume_batch(void *job)
{
	const struct consume_job *b = job;
	struct pscm_thread *t = b->thread;
	const uint64_t *from = b->from, *end = b->end;
	/* Read once: another thread may begin the first counted execution meanwhile. */
	bool counting = atomic_load(&record.counting);
	size_t lost;

	pscm_address_map_refresh();
	if (pscm_check_wanted())
		pscm_check_words(t, from, end, counting);
	t->simulated += (uint64_t)(end - from);
	if (counting)
		thread_nodes_count(t, (uint64_t)(end - from));
	if (t->simulated >= PSCM_WORDS / 2)     /* a short execution touches few pages: faults are
						 * cheaper */
		pscm_experiment_memory_fill();
	lost = simulations_play(t, from, end, counting);
	t->simulated -= lost;
	count_lost(lost);
}

/* Simulates [from, end) on the work stack.  t->lock is held; the replays are of this experiment. */
static void consume(struct pscm_thread *t, const uint64_t *from, const uint64_t *end)
{
	struct consume_job b = { t, from, end };

	if (end > from)
		pscm_work_stack_run(t->work_stack, consume_batch, &b);
}

/* --- signal handlers' words ----------------------------------------------------------------- */

/* A handler's words begin with a context record; the thread's own context is restored behind
 * them. */
static void consume_signal(struct pscm_thread *t, const struct pscm_signal *s, const uint64_t *from,
	const uint64_t *end)
{
	uint32_t context = t->replay.sim.context;

	if (s->experiment == t->experiment && s->interval == t->interval)
		consume(t, from, end);
	else if (!atomic_load(&pscm_sliced))    /* words of the slice before are not wanted */
		count_lost((uint64_t)(end - from));
	t->replay.sim.context = context;
}

/* Simulates what handlers recorded.  More handlers may run and add words meanwhile. */
static void consume_signals(struct pscm_thread *t)
{
	for (uint32_t i = 0; i < PSCM_SIGNALS; i++) {
		struct pscm_signal *s = &t->signal[i];
		uint64_t *from = s->words, *end = atomic_load(&s->pos);

		do {
			if (end > from)
				consume_signal(t, s, from, end);
			from = end;
		} while (!atomic_compare_exchange_strong(&s->pos, &end, s->words));
	}
}

/* A handler's buffer is full: simulate it now, ahead of the words of the interrupted code. */
static void flush_signal(struct pscm_thread *t)
{
	struct pscm_signal *s = &t->signal[t->signals - 1];

	if (s->words && psc_cur >= s->words &&
	    psc_cur <= s->words + PSCM_SIGNAL_WORDS + PSC_SLACK_WORDS)
		consume_signal(t, s, s->words, psc_cur);
	else
		count_lost(1);
	if (!s->words)
		return;
	atomic_store(&s->pos, s->words);
	pscm_record_set_buffer(s->words, s->words + PSCM_SIGNAL_WORDS);
	*psc_cur++ = (uint64_t)pscm_region_stack_context(t) << 3 | PSC_REC_CONTEXT;
}

/* --- buffers -------------------------------------------------------------------------------- */

static bool in_buffer(const struct pscm_thread *t, const uint64_t *p)
{
	return p >= t->words && p <= t->words + PSCM_WORDS + PSC_SLACK_WORDS;
}

void pscm_record_flush_own(struct pscm_thread *t)
{
	uint64_t waiting;

	if (unlikely(t->signals)) {
		flush_signal(t);
		return;
	}
	if (!(pscm_mode() & PSCM_MODE_SIM) || unlikely(atomic_load(&record.paused))) {
		pscm_signals_drop(t);
		buffer_reset(t);
		return;
	}
	pscm_region_stack_sync(t);
	waiting = in_buffer(t, psc_cur) && psc_cur > t->tail ? (uint64_t)(psc_cur - t->tail) : 1;
	if (!join_experiment(t)) {
		count_lost(waiting);
		pscm_signals_drop(t);
		buffer_reset(t);
		return;
	}
	thread_nodes_see(t);
	/* psc_cur is in the sink after a handler interrupted the monitor. */
	if (in_buffer(t, psc_cur))
		consume(t, t->tail, psc_cur);
	else if (psc_cur)
		count_sink_lost();
	consume_signals(t);
	buffer_reset(t);
}

/* --- words of a copy of the process (process_copies.h) -------------------------------------- */

static struct pscm_digest *digested;    /* NULL: this process is no such copy */

static void digest_words(struct pscm_thread *t)
{
	struct pscm_digest *d = digested;

	for (const uint64_t *w = t->words; in_buffer(t, psc_cur) && w < psc_cur; w++) {
		d->hash = (d->hash ^ *w) * UINT64_C(0x9e3779b97f4a7c15);
		d->hash ^= d->hash >> 32;
		d->words++;
	}
	pscm_record_set_buffer(t->words, t->words + PSCM_WORDS);
}

bool pscm_digest_begin(struct pscm_thread *t, struct pscm_digest *to)
{
	if (!buffer_make(t))
		return false;
	*to = (struct pscm_digest){ 0 };
	digested = to;
	pscm_record_set_buffer(t->words, t->words + PSCM_WORDS);
	pscm_flag(&__psc_live, 1);
	pscm_flag(&__psc_recording, 1);
	return true;
}

void pscm_digest_end(struct pscm_thread *t)
{
	if (!digested)
		return;
	pscm_flag(&__psc_recording, 0);
	pscm_flag(&__psc_live, 0);
	digest_words(t);
	digested = NULL;
}

void __psc_flush(void)
{
	int saved = errno;
	struct pscm_thread *t = NULL;

	if (!pscm_guard()) {
		if (pscm_mode() & PSCM_MODE_SIM)
			count_sink_lost();
		pscm_record_sink();
		return;
	}
	if (unlikely(digested)) {
		digest_words(pscm_self);
		goto out;
	}
	if (pscm_on())
		t = pscm_thread_self();
	else
		/* A child of fork() that called no atfork handler. */
		pscm_flag(&__psc_recording, 0), pscm_flag(&__psc_live, 0);
	if (t && buffer_make(t)) {
		pscm_lock(&t->lock);
		pscm_record_flush_own(t);
		pscm_unlock(&t->lock);
	} else {
		if (pscm_mode())
			count_sink_lost();
		pscm_record_sink();
	}
out:
	pscm_unguard();
	errno = saved;
}

/* Recording code may still run after recording stopped.  A thread that never recorded gets no
 * buffer then. */
void pscm_record_make_space(void)
{
	if (!pscm_flag_is(&__psc_recording) && !psc_end)
		pscm_record_sink();
	else
		__psc_flush();
}

void pscm_record_context(struct pscm_thread *t, uint32_t context)
{
	if (!psc_cur || unlikely(atomic_load_explicit(&record.paused, memory_order_relaxed)))
		return; /* its first flush, or the next slice, reads the region stack */
	if (unlikely(psc_cur >= psc_end || t->experiment != atomic_load(&pscm_experiment) ||
	    t->interval != atomic_load(&pscm_interval))) {
		if (!buffer_make(t))
			return;
		pscm_lock(&t->lock);
		pscm_record_flush_own(t);
		if (!t->signals)
			t->replay.sim.context = context;
		pscm_unlock(&t->lock);
		return;
	}
	*psc_cur++ = (uint64_t)context << 3 | PSC_REC_CONTEXT;
	if (!t->signals)
		atomic_store_explicit(&t->pos, psc_cur, memory_order_release);
}

/* Of libgomp; NULL in programs without it. */
int omp_get_max_threads(void) __attribute__((weak));
int omp_get_num_threads(void) __attribute__((weak));
int omp_get_thread_num(void) __attribute__((weak));

/* The set of threads that run concurrently changes: simulate this thread's buffer first.  comes:
 * this change may bring the second thread. */
static void concurrency_changes(struct pscm_thread *t, bool comes)
{
	if (!t->words || !in_buffer(t, psc_cur) ||
	    (!comes && !simulations_share()))
		return;
	pscm_lock(&t->lock);
	pscm_record_flush_own(t);
	pscm_unlock(&t->lock);
}

void pscm_record_fork(struct pscm_thread *t)
{
	if (t->team)
		return;
	concurrency_changes(t, omp_get_max_threads && omp_get_max_threads() > 1);
	atomic_fetch_add(&record.forks, 1);
}

/* Threads run concurrently while they are between the same two barriers of one region.  t->team
 * identifies that: the top bit, the forks so far, and in these low bits the barriers passed.  All
 * threads of a team compute the same value. */
enum { BARRIERS = 11 };

bool pscm_record_in_team(void)
{
	return omp_get_num_threads && omp_get_num_threads() > 1;
}

/* Prepares the directory before the thread records in its first team.  Without this, the words up
 * to each thread's first flush, which may come at the end of the execution, would be simulated as
 * if the thread ran alone, and all of them by one thread. */
static void team_started(struct pscm_thread *t)
{
	bool several = pscm_record_in_team();

	if (t->signals || (t->experiment == atomic_load(&pscm_experiment) &&
	    (!several || simulations_share())) || !buffer_make(t))
		return;
	pscm_lock(&t->lock);
	if (pscm_mode() & PSCM_MODE_SIM) {
		if (several)
			simulations_meet();
		join_experiment(t);
	}
	pscm_unlock(&t->lock);
}

/* Notes in the thread's timeline that it meets the threads of its team, at its begin or a barrier;
 * its words are simulated.  The number has the team in its upper half, and the meetings of the team
 * so far in its lower one. */
static void mark_meeting(struct pscm_thread *t)
{
	if (!(pscm_mode() & PSCM_MODE_SIM) || t->experiment != atomic_load(&pscm_experiment) ||
	    !simulations_share())
		return;
	pscm_lock(&t->lock);
	sim_columns_mark(&t->replay.sim.core, t->meeting);
	pscm_unlock(&t->lock);
}

void pscm_record_team_begin(struct pscm_thread *t)
{
	bool begins = false;

	if (!t->team) {
		t->team = 1u << 31 | atomic_load(&record.forks) << BARRIERS;
		t->meeting = (uint64_t)atomic_load(&record.forks) << 32;
		t->number = omp_get_thread_num ? omp_get_thread_num() : -1;
		begins = true;
	}
	if (!pscm_flag_is(&__psc_recording))
		return;
	team_started(t);
	if (begins)
		mark_meeting(t);
}

/* Simulates before the barrier, while other threads may still work; behind it they would wait for
 * this. */
void pscm_record_wait(struct pscm_thread *t)
{
	if (t->team)
		concurrency_changes(t, false);
}

void pscm_record_barrier(struct pscm_thread *t)
{
	uint32_t passed = (1u << BARRIERS) - 1;

	if (!t->team)
		return;
	concurrency_changes(t, false);
	t->meeting++;
	mark_meeting(t);
	t->team = (t->team & ~passed) | ((t->team + 1) & passed);
}

void pscm_record_team_end(struct pscm_thread *t)
{
	concurrency_changes(t, false);
	if (t->team) {
		t->meeting++;
		mark_meeting(t);
	}
	t->team = 0;
}

void pscm_record_park(struct pscm_thread *t)
{
	if (!t->words || !in_buffer(t, psc_cur))
		return;
	pscm_lock(&t->lock);
	if (psc_cur - t->tail > PSCM_WORDS / 4 || pscm_signals_wait(t))
		pscm_record_flush_own(t);
	else
		thread_nodes_see(t);
	atomic_store(&t->pos, psc_cur);
	atomic_store(&t->parked, 1);
	pscm_unlock(&t->lock);
}

void pscm_record_unpark(struct pscm_thread *t)
{
	pscm_lock(&t->lock);
	atomic_store(&t->parked, 0);
	if (t->words && t->tail == psc_cur)
		buffer_reset(t);
	pscm_unlock(&t->lock);
}

void pscm_record_leave(struct pscm_thread *t)
{
	if (t->signals) /* the thread ends inside a handler */
		pscm_signal_leave(t, 0);
	if (t->words) {
		pscm_lock(&t->lock);
		pscm_record_flush_own(t);
		pscm_unmap(t->words, (PSCM_WORDS + PSC_SLACK_WORDS) * sizeof *t->words);
		t->words = t->tail = NULL;
		pscm_signals_free(t);
		atomic_store(&t->pos, NULL);
		pscm_unlock(&t->lock);
	}
	pscm_record_set_buffer(NULL, NULL);
}

/* --- boundaries ----------------------------------------------------------------------------- */

enum mon_drop pscm_record_arm(struct pscm_armed *a)
{
	const enum mon_drop drop = simulations_arm(a);

	if (drop != MON_DROP_NONE)
		return drop;
	record.shared_words = pscm_shm->batch && pscm_shm->batch < PSCM_WORDS ? pscm_shm->batch :
		PSCM_SHARED_WORDS;
	atomic_store(&record.paused, false);
	placement_drain();
	atomic_fetch_add(&pscm_experiment, 1);
	atomic_store(&pscm_lost, 0);
	atomic_store(&pscm_unhandled, 0);
	names_begin();
	return MON_DROP_NONE;
}

void pscm_record_set_counting(bool counting)
{
	simulations_warm(!counting);
	atomic_store(&record.counting, counting);
}

void pscm_record_start_words(struct pscm_thread *t, uint32_t context)
{
	atomic_store(&record.paused, false);
	pscm_flag(&__psc_recording, 1);
	if (!buffer_make(t)) {
		count_lost(1);
		return;
	}
	pscm_lock(&t->lock);
	if (t->signals) /* a handler was left without notice */
		pscm_signal_leave(t, 0);
	join_experiment(t);
	t->replay.sim.context = context;
	pscm_unlock(&t->lock);
}

void pscm_record_read_objects(void)
{
	names_read();
	placement_drain();
}

void pscm_record_discard(void)
{
	atomic_store(&record.paused, true);
	atomic_fetch_add(&pscm_interval, 1);
	pscm_flag(&__psc_recording, 0);
}

void pscm_record_begin(struct pscm_thread *t, bool counting, bool after_gap)
{
	simulations_execution();
	pscm_record_set_counting(counting);
	if (after_gap)
		atomic_fetch_add(&pscm_interval, 1);
	pscm_record_read_objects();
	pscm_record_start_words(t, 0);
}

void pscm_record_end(struct pscm_thread *t, bool is_void)
{
	uint32_t experiment = atomic_load(&pscm_experiment);

	if (t->words) {
		pscm_lock(&t->lock);
		if (is_void) {
			pscm_signals_drop(t);
			buffer_reset(t);
		} else
			pscm_record_flush_own(t);
		pscm_unlock(&t->lock);
	}
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *o = pscm_thread_at(i);

		if (o == t || !atomic_load(&o->parked))
			continue;
		pscm_lock(&o->lock);
		if (atomic_load(&o->parked) && o->words && o->experiment == experiment &&
		    o->interval == atomic_load(&pscm_interval)) {
			uint64_t *pos = atomic_load(&o->pos);

			consume(o, o->tail, pos);
			o->tail = pos;
		}
		pscm_unlock(&o->lock);
	}
}

/* Simulates what a running thread has published.  What it writes meanwhile lies beyond pos. */
static void consume_rest(struct pscm_thread *t)
{
	uint64_t *pos = atomic_load(&t->pos);

	if (!t->words || pos <= t->tail)
		return;
	if (t->interval == atomic_load(&pscm_interval) && !atomic_load(&record.paused))
		consume(t, t->tail, pos);
	else if (!atomic_load(&pscm_sliced))
		count_lost((uint64_t)(pos - t->tail));
	t->tail = pos;
}

/* Running threads included. */
static void consume_all_rest(void)
{
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);

		pscm_lock(&t->lock);
		if (t->experiment == atomic_load(&pscm_experiment))
			consume_rest(t);
		pscm_unlock(&t->lock);
	}
}

/* The mode is off: a thread that is inside a flush finishes it, later flushes discard their
 * words. */
void pscm_record_finish(struct pscm_armed *a)
{
	pscm_flag(&__psc_recording, 0);
	atomic_store(&pscm_shm->unseen_faults, placement_lost());
	/* All threads' words first: coherence misses count for both threads that use a line. */
	consume_all_rest();
	simulations_finish(a);
}

void pscm_record_flush_parked(void)
{
	struct pscm_thread *t = pscm_self;

	if (!(pscm_mode() & PSCM_MODE_SIM) || !pscm_guard())
		return;
	if (t)
		pscm_record_end(t, false);
	pscm_unguard();
}

void pscm_record_unload(const struct psc_unit *unit)
{
	pscm_record_flush_parked();
	if (!(pscm_mode() & PSCM_MODE_SIM) || !pscm_guard())
		return;
	/* Running threads too: their next words may be simulated after the image is unmapped. */
	consume_all_rest();
	pscm_address_map_unload((uint64_t)(uintptr_t)unit);
	/* now no simulation that began before the unload is running */
	consume_all_rest();
	pscm_unguard();
}
