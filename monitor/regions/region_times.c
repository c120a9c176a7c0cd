/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the processor time and the waits of a thread, cheaply.
 *
 * The CPU clock of a thread costs a system call (340 ns), the monotonic clock 40 ns.  So the CPU
 * clock is read when the phase begins and ends, when a thread comes from a longer pause, and at the
 * first marker that is INTERVAL or more after the last reading.  Between two readings, pieces are
 * measured by the monotonic clock and kept in a list.  At the reading, the time in which the thread
 * had no processor is the difference between the sum of the pieces and the CPU clock's increase.
 * It is taken from the newest piece first: all older pieces together are shorter than INTERVAL, and
 * a thread that loses its processor is usually gone for much longer than that.  So the pieces sum
 * to the CPU clock's increase or to their own length, whichever is less: what the clock has more is
 * the cost of reading it.
 *
 * A signal's handler may come, or change the thread's stack for another, between any two
 * instructions here, and markers come from there too.  That may give a piece to the wrong context;
 * it never counts below 0, nor leaves the list.
 *
 * A wait is no processor time.  What the thread uses in a pause shorter than SHORT_PAUSE, it spins:
 * that time is left out without a reading, or barriers of teams of one thread would cost more than
 * what they separate. */
#include "monitor/regions/region_times.h"
#include "monitor/collect/kernel_counts.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include <time.h>

enum { INTERVAL = 20000, SHORT_PAUSE = 2000 };  /* ns */

/* The time of a handler that came in between is the later one. */
static uint64_t elapsed(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* --- per context ---------------------------------------------------------------------------- */

static struct pscm_stat *stat_of(struct pscm_thread *t, uint32_t context)
{
	struct pscm_stat *stat = atomic_load_explicit(&t->stat, memory_order_relaxed);

	if (unlikely(!stat)) {
		stat = pscm_map(MON_CONTEXTS * sizeof *stat);
		if (!stat) {
			atomic_fetch_add(&pscm_lost, 1);
			return NULL;
		}
		atomic_store_explicit(&t->stat, stat, memory_order_release);
	}
	return &stat[context];
}

/* Only the owner writes, so no atomic read-modify-write is needed. */
static void counter_add(_Atomic uint64_t *p, uint64_t n)
{
	atomic_store_explicit(p, atomic_load_explicit(p, memory_order_relaxed) + n,
		memory_order_relaxed);
}

void times_open(struct pscm_thread *t, uint32_t context, uint64_t now)
{
	struct pscm_stat *s = stat_of(t, context);

	if (!s)
		return;
	counter_add(&s->calls, 1);
	if (!s->open++)
		s->start = now;
}

void times_carry(struct pscm_thread *t, uint32_t context)
{
	struct pscm_stat *s = stat_of(t, context);

	if (!s)
		return;
	if (!s->open)
		counter_add(&s->calls, 1);
	if (!s->open++)
		s->start = t->times.since;
}

void times_close(struct pscm_thread *t, uint32_t context, uint64_t now)
{
	struct pscm_stat *s = stat_of(t, context);

	if (s && s->open && !--s->open)
		counter_add(&s->wall, elapsed(s->start, now));
}

void times_called(struct pscm_thread *t, uint32_t context)
{
	struct pscm_stat *s = stat_of(t, context);

	if (s)
		counter_add(&s->calls, 1);
}

void times_started(struct pscm_thread *t, uint32_t context, uint64_t from, uint64_t now)
{
	struct pscm_stat *s = stat_of(t, context);

	if (s)
		counter_add(&s->startup, elapsed(from, now));
}

void times_kernel(struct pscm_thread *t, uint32_t context, uint64_t faults, uint64_t sys_ns)
{
	struct pscm_stat *s = faults | sys_ns ? stat_of(t, context) : NULL;

	if (!s)
		return;
	counter_add(&s->faults, faults);
	counter_add(&s->sys_ns, sys_ns);
}

/* --- processor time -------------------------------------------------------------------------- */

/* 0: the kernel refuses (a sandbox). */
static uint64_t cpu_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Gives the pieces of the list to their contexts: at most `spent` ns of processor time in all. */
static void settle(struct pscm_thread *t, uint64_t spent)
{
	struct pscm_times *k = &t->times;
	uint64_t lost = k->pending > spent ? k->pending - spent : 0;
	uint32_t n = k->npieces;

	k->npieces = 0;
	while (n--) {
		const struct pscm_piece *p = &k->piece[n];
		uint64_t less = lost < p->ns ? lost : p->ns;
		struct pscm_stat *s = stat_of(t, p->context);

		if (s)
			counter_add(&s->cpu, p->ns - less);
		lost -= less;
	}
	k->pending = 0;
}

/* As if the thread had had its processor all the time since the last reading. */
static void settle_unread(struct pscm_thread *t)
{
	t->times.given += t->times.pending;
	settle(t, t->times.pending);
}

/* What the kernel did since the last reading goes to the longest piece: a
 * fault makes its piece longer. */
static void give_kernel(struct pscm_thread *t, bool faults_alone)
{
	const struct pscm_times *k = &t->times;
	uint32_t longest = 0;

	if (!kernel_use_often() || !k->npieces)
		return;
	for (uint32_t i = 1; i < k->npieces; i++)
		if (k->piece[i].ns > k->piece[longest].ns)
			longest = i;
	kernel_use_give(t, k->piece[longest].context, faults_alone);
}

static void clock_read(struct pscm_thread *t, uint64_t now)
{
	struct pscm_times *k = &t->times;
	uint64_t cpu = cpu_ns();

	give_kernel(t, false);

	k->read_at = now;
	if (unlikely(!cpu)) {
		settle_unread(t);
	} else if (cpu < k->given) {
		settle(t, 0);   /* more was given than spent: the next readings make up for it */
	} else {
		settle(t, cpu - k->given);
		k->given = cpu;
	}
}

void times_cut(struct pscm_thread *t, uint32_t context, uint64_t now)
{
	struct pscm_times *k = &t->times;
	uint64_t ns = elapsed(k->since, now);
	uint32_t n = k->npieces;

	k->since = now;
	k->joins = 0;
	if (likely(k->state == PSCM_RUNS)) {
		if (likely(n < PSCM_PIECES)) {
			k->piece[n++] = (struct pscm_piece){ ns, context };
			k->npieces = n;
			k->pending += ns;
		}
		if (elapsed(k->read_at, now) >= INTERVAL || n == PSCM_PIECES)
			clock_read(t, now);
	} else if (k->state == PSCM_WAITS) {
		struct pscm_stat *s = stat_of(t, context);

		if (s)
			counter_add(&s->wait, ns);
	}
}

/* --- pauses: waits, and time outside the measured work --------------------------------------- */

/* Ends a pause that began at `from`. */
static void resume(struct pscm_thread *t, uint64_t from, uint64_t now)
{
	struct pscm_times *k = &t->times;

	k->state = PSCM_RUNS;
	if (elapsed(from, now) < SHORT_PAUSE) {
		k->since = now;
		k->given += elapsed(from, now);
		return;
	}
	give_kernel(t, true);
	settle_unread(t);
	if (kernel_use_often())
		kernel_use_skip(t);
	k->given = cpu_ns();
	k->since = k->read_at = clock_ns();     /* the reading is no time of the program */
}

void times_arrive(struct pscm_thread *t, uint64_t now)
{
	if (t->times.state == PSCM_OUTSIDE)
		resume(t, t->times.paused, now);
}

void times_leave(struct pscm_thread *t, uint64_t now)
{
	give_kernel(t, false);
	settle_unread(t);       /* the boundary may be reached before this thread comes back */
	t->times.state = PSCM_OUTSIDE;
	t->times.paused = now;
}

void times_wait(struct pscm_thread *t, uint32_t context, uint64_t now)
{
	if (t->times.state != PSCM_RUNS)
		return;
	times_cut(t, context, now);
	t->times.state = PSCM_WAITS;
	t->times.paused = now;
}

void times_waited(struct pscm_thread *t, uint32_t context, uint64_t now)
{
	if (t->times.state != PSCM_WAITS)
		return;
	times_cut(t, context, now);
	resume(t, t->times.paused, now);
}

void times_may_join(struct pscm_thread *t, uint32_t region, uint64_t now)
{
	t->times.joins = region + 1;
	t->times.paused = now;
}

void times_joined(struct pscm_thread *t, uint32_t region, uint32_t context, uint64_t now)
{
	struct pscm_times *k = &t->times;

	if (k->joins != region + 1 || k->state != PSCM_RUNS)
		return;
	k->state = PSCM_WAITS;
	times_waited(t, context, now);
}

/* --- the phase ------------------------------------------------------------------------------- */

void times_begin(struct pscm_thread *t)
{
	uint64_t now = clock_ns();

	t->times.owner = true;
	times_open(t, 0, now);
	t->times.paused = 0;
	times_arrive(t, now);
}

void times_end(struct pscm_thread *t, uint32_t context, uint64_t now)
{
	times_cut(t, context, now);
	if (t->times.npieces)
		clock_read(t, now);
	t->times.owner = false;
	t->times.state = PSCM_OUTSIDE;
	t->times.paused = 0;
}

/* --- the markers' own cost ------------------------------------------------------------------- */

static uint64_t marker_cost;

uint64_t times_marker_cost(void)
{
	return marker_cost;
}

void times_measure_markers(void)
{
	enum { PAIRS = 64, TRIES = 5 };
	static struct pscm_thread scratch;
	static struct pscm_stat stat[2];
	uint64_t least = UINT64_MAX;

	if (marker_cost)
		return;
	atomic_store_explicit(&scratch.stat, stat, memory_order_relaxed);
	for (int i = 0; i < TRIES; i++) {
		uint64_t begin = clock_ns(), spent;

		scratch.times.state = PSCM_RUNS;
		scratch.times.since = begin;
		for (int k = 0; k < PAIRS; k++) {
			uint64_t now = clock_ns();

			times_cut(&scratch, 0, now);
			times_open(&scratch, 1, now);
			now = clock_ns();
			times_cut(&scratch, 1, now);
			times_close(&scratch, 1, now);
		}
		spent = clock_ns() - begin;
		least = spent < least ? spent : least;
	}
	marker_cost = least / PAIRS + 1;
}
