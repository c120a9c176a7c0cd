/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps each thread's stack of open regions: the hooks that compiled code calls when it enters and
 * leaves regions, teams and landing points. */
#include "monitor/regions/regions.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/collect/runtime_collector.h"
#include "monitor/collect/slices.h"
#include "monitor/host/mem.h"
#include "monitor/host/signals.h"
#include "monitor/host/threads.h"
#include "monitor/regions/brief_regions.h"
#include "monitor/regions/compile_units.h"
#include "monitor/regions/contexts.h"
#include "monitor/regions/region_times.h"
#include "monitor/state.h"
#include <errno.h>
#include <string.h>

#ifdef __SANITIZE_THREAD__
static struct { char fork, barrier; } orders;
#endif

/* The last fork outside of teams.  The runtime orders it before the team's begin.  Where several
 * threads of the program fork the same region at once, a thread may get
 * the time of another's fork. */
static struct { _Atomic uint64_t at; _Atomic uint32_t region; } forked;

static void count_repair(struct pscm_thread *t)
{
	t->unhandled++;
	atomic_fetch_add_explicit(&pscm_unhandled, 1, memory_order_relaxed);
}

/* --- regions beyond PSCM_FRAMES, in deep recursion: without context and time -------------- */
enum { BEYOND_FIRST = 1 << 14, BEYOND_MOST = 1 << 26 };

/* A signal handler must find a table of at least beyond_capacity entries. */
static void beyond_grow(struct pscm_thread *t)
{
	uint32_t *old = t->beyond, capacity = t->beyond_capacity;
	uint32_t more = capacity ? 2 * capacity : BEYOND_FIRST;
	uint32_t *table = more <= BEYOND_MOST ? pscm_map(more * sizeof *table) : NULL;

	if (!table)
		return;
	if (old)
		memcpy(table, old, capacity * sizeof *old);
	t->beyond = table;
	atomic_signal_fence(memory_order_seq_cst);
	t->beyond_capacity = more;
	pscm_unmap(old, capacity * sizeof *old);
}

static void beyond_push(struct pscm_thread *t, uint32_t region)
{
	if (unlikely(t->over >= t->beyond_capacity))
		beyond_grow(t);
	if (likely(t->over < t->beyond_capacity))
		t->beyond[t->over] = region;
	t->over++;
}

/* The innermost region beyond the frames with this number, from 1; 0: none.  A region that the
 * table had no space for counts as a match. */
static uint32_t beyond_find(const struct pscm_thread *t, uint32_t region)
{
	uint32_t n = t->over;

	while (n && n <= t->beyond_capacity && t->beyond[n - 1] != region)
		n--;
	return n;
}

/* Before a frame is pushed.  A team's frame inside a wait is work: a task that the runtime gives to
 * the waiting thread.  true: the thread waits until the frame is pushed. */
static bool times_push(struct pscm_thread *t, uint32_t team, uint64_t now)
{
	uint32_t context = pscm_region_stack_context(t);
	bool waits = t->times.state == PSCM_WAITS;

	if (t->times.state == PSCM_OUTSIDE)
		times_arrive(t, now);
	else if (waits && team)
		times_waited(t, context, now);
	else
		times_cut(t, context, now);
	return waits && team;
}

/* After n frames have been left on the stack, the last popped one was f. */
static void times_pop(struct pscm_thread *t, const struct pscm_frame *f, uint64_t now)
{
	if (!t->depth && !t->times.owner)
		times_leave(t, now);
	else if (f->waited)
		times_wait(t, pscm_region_stack_context(t), now);
	else if (f->team)
		times_may_join(t, f->region, now);
}

static void push(struct pscm_thread *t, const struct psc_unit *unit, uint32_t region,
	uint32_t parent, uint32_t team)
{
	struct pscm_frame *f;
	uint64_t now = times_now();

	if (unlikely(t->depth == PSCM_FRAMES)) {
		beyond_push(t, unit->base + region);
		return;
	}
	f = &t->frame[t->depth];
	f->region = unit->base + region;
	f->team = team;
	f->waited = now && times_push(t, team, now);
	f->recorded = false;
	f->context = pscm_context_child(unit, parent, f->region);
	/* complete the frame before a handler can see it */
	atomic_signal_fence(memory_order_seq_cst);
	t->depth++;
	if (now) {
		times_open(t, f->context, now);
		return;
	}
	if (pscm_mode() & PSCM_MODE_SIM) {
		times_called(t, f->context);
		pscm_record_context(t, f->context);
	}
	if (slices_wanted() || pscm_timed())
		slices_pushed(t);
}

bool pscm_region_in_team(const struct pscm_thread *t)
{
	uint32_t n = t->depth;

	while (n && !t->frame[n - 1].team)
		n--;
	return n != 0;
}

/* Pops all frames but the outermost n. */
static void frames_pop(struct pscm_thread *t, uint32_t n, uint64_t now)
{
	bool team = false;

	while (t->depth > n) {
		const struct pscm_frame *f = &t->frame[t->depth - 1];

		if (now)
			times_cut(t, f->context, now);
		t->depth--;
		if (now) {
			times_close(t, f->context, now);
			times_pop(t, f, now);
		}
		team |= f->team;
	}
	if (!(pscm_mode() & PSCM_MODE_SIM))
		return;
	pscm_record_context(t, pscm_region_stack_context(t));
	if (team && !pscm_region_in_team(t))
		pscm_record_team_end(t);
	if (slices_wanted())
		slices_popped(t);
	if (team && !t->depth)
		pscm_record_park(t);
}

/* Depth of the innermost open frame of this region, from 1; 0: the region is not open. */
static uint32_t open_find(const struct pscm_thread *t, uint32_t region)
{
	uint32_t n = unlikely(t->over) ? beyond_find(t, region) : 0;

	if (unlikely(n))
		return PSCM_FRAMES + n;
	n = t->depth;
	while (n && t->frame[n - 1].region != region)
		n--;
	return n;
}

/* Pops regions until n are open. */
static void unwind_to(struct pscm_thread *t, uint32_t n, uint64_t now)
{
	t->over = n > PSCM_FRAMES ? n - PSCM_FRAMES : 0;
	if (n < t->depth)
		frames_pop(t, n, now);
}

/* Pops to the frame of the region.  Regions inside it whose exits were skipped are repairs
 * (exception, longjmp), unless this exit closes them on purpose (closing). */
static void pop(struct pscm_thread *t, uint32_t region, uint64_t now, bool closing)
{
	uint32_t n = open_find(t, region);

	if (unlikely(!n)) {
		/* The phase's own region may have been entered before the execution began. */
		/* So may any other, before a span of time, whose brief regions were not seen. */
		if (pscm_context_region(0) != region && !pscm_timed())
			count_repair(t);
		return;
	}
	for (uint32_t i = t->depth + t->over; i > n && !closing; i--)
		count_repair(t);
	unwind_to(t, n - 1, now);
}

/* Brief regions have only brief ones inside, so the others' contexts are right without them. */
static void drop_brief(struct pscm_thread *t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->depth; i++)
		if (!brief_region(t->frame[i].region))
			t->frame[n++] = t->frame[i];
	if (n < t->depth)
		t->over = 0;
	t->depth = n;
}

void pscm_region_stack_carry(struct pscm_thread *t, bool clean)
{
	uint32_t depth, over;

	if (clean)
		drop_brief(t);
	depth = t->depth;
	over = t->over;
	pscm_region_stack_reset(t, atomic_load(&pscm_epoch));
	t->depth = depth;
	t->over = over;
	for (uint32_t i = 0; i < depth && !clean; i++)
		if (!i || t->frame[i].context != t->frame[i - 1].context)
			times_called(t, t->frame[i].context);
}

void pscm_region_stack_open(struct pscm_thread *t)
{
	pscm_region_stack_sync(t);
	if (pscm_mode() & PSCM_MODE_TIME)
		times_begin(t);
	for (uint32_t i = 0; i < t->depth && pscm_mode() & PSCM_MODE_TIME; i++)
		times_carry(t, t->frame[i].context);
}

void pscm_region_stack_close(struct pscm_thread *t, uint64_t now)
{
	times_end(t, pscm_region_stack_context(t), now);
	for (uint32_t n = t->depth; n--;)
		times_close(t, t->frame[n].context, now);
	times_close(t, 0, now);
	if (!pscm_timed())
		t->depth = t->over = 0;
}

/* --- hooks ---------------------------------------------------------------------------------- */

/* Common begin of the hooks: guard, thread, region stack.  NULL: ignore the call.  joined: the
 * thread may have waited for its team until now. */
static struct pscm_thread *hook_begin_as(const struct psc_unit *unit, uint32_t region, bool joined)
{
	const struct pscm_collector *c;
	struct pscm_thread *t;

	if (!pscm_guard())
		return NULL;
	if (unlikely(!unit->registered || region >= unit->nregions))
		goto no;
	t = pscm_thread_self();
	if (unlikely(!t)) {
		atomic_fetch_add(&pscm_lost, 1);
		goto no;
	}
	if (unlikely(atomic_load_explicit(&t->parked, memory_order_relaxed)))
		pscm_record_unpark(t);
	pscm_region_stack_sync(t);
	c = pscm_cutter();
	if (unlikely(c != NULL))
		c->cut(t, pscm_region_stack_context(t),
			!(joined && t->times.joins == unit->base + region + 1));
	return t;
no:
	pscm_unguard();
	return NULL;
}

static struct pscm_thread *hook_begin(const struct psc_unit *unit, uint32_t region)
{
	return hook_begin_as(unit, region, false);
}

/* Common end of the hooks that changed the region stack. */
static void hook_end(struct pscm_thread *t)
{
	const struct pscm_collector *c = pscm_cutter();

	if (unlikely(c != NULL))
		c->resume(t);
	pscm_unguard();
}

static __attribute__((noinline)) void enter_marked(struct psc_unit *unit, uint32_t region)
{
	int saved = errno;
	struct pscm_thread *t = hook_begin(unit, region);

	if (!t)
		return;
	push(t, unit, region, pscm_region_stack_context(t), 0);
	hook_end(t);
	errno = saved;
}

static __attribute__((noinline)) void leave_marked(struct psc_unit *unit, uint32_t region,
	bool closing)
{
	int saved = errno;
	uint64_t now = times_now();
	struct pscm_thread *t = hook_begin(unit, region);

	if (!t)
		return;
	pop(t, unit->base + region, now, closing);
	hook_end(t);
	errno = saved;
}

static inline void enter(struct psc_unit *unit, uint32_t region)
{
	if (!brief_marker(unit, region))
		enter_marked(unit, region);
}

static inline void leave(struct psc_unit *unit, uint32_t region, bool closing)
{
	if (!brief_marker(unit, region))
		leave_marked(unit, region, closing);
}

void __psc_enter(struct psc_unit *unit, uint32_t region)
{
	if (unlikely(pscm_mode()))
		enter(unit, region);
}

void __psc_exit(struct psc_unit *unit, uint32_t region)
{
	if (unlikely(pscm_mode()))
		leave(unit, region, false);
}

uint64_t __psc_fork(struct psc_unit *unit, uint32_t region)
{
	struct pscm_thread *t;
	uint64_t token;
	bool in_team;

	if (likely(!pscm_mode()))
		return 0;
	t = hook_begin(unit, region);
	if (!t)
		return 0;
	in_team = pscm_region_in_team(t);
	brief_never(unit->base + region);
	pscm_record_fork(t);
	PSCM_TSAN_RELEASE(&orders.fork);
	token = (uint64_t)t->epoch << 32 | (pscm_region_stack_context(t) + 1);
	hook_end(t);
	if (!in_team) {
		atomic_store_explicit(&forked.region, unit->base + region, memory_order_relaxed);
		atomic_store_explicit(&forked.at, times_now(), memory_order_relaxed);
	}
	return token;
}

/* The thread's part of its outermost team begins.  A task that it executes behind the part, at the
 * end of the team, is no part of the team's region. */
static void note_start(struct pscm_thread *t, uint32_t region, uint64_t now)
{
	uint64_t from = atomic_load_explicit(&forked.at, memory_order_relaxed);
	const struct pscm_frame *f = t->depth ? &t->frame[t->depth - 1] : NULL;

	if (now && from && f && f->region == region && !t->over &&
	    atomic_load_explicit(&forked.region, memory_order_relaxed) == region)
		times_started(t, f->context, from, now);
}

static __attribute__((noinline)) void team_enter(struct psc_unit *unit, uint32_t region,
	uint64_t token)
{
	int saved = errno;
	uint64_t now = times_now();
	struct pscm_thread *t = hook_begin(unit, region);
	uint32_t parent = 0;
	bool outer;

	if (!t)
		return;
	outer = !pscm_region_in_team(t);
	if (token >> 32 == t->epoch && (uint32_t)token)
		parent = (uint32_t)token - 1;
	brief_never(unit->base + region);
	PSCM_TSAN_ACQUIRE(&orders.fork);
	pscm_record_team_begin(t);
	push(t, unit, region, parent, 1);
	if (outer && token >> 32 == t->epoch)
		note_start(t, unit->base + region, now);
	hook_end(t);
	errno = saved;
}

void __psc_team_enter(struct psc_unit *unit, uint32_t region, uint64_t token)
{
	if (unlikely(pscm_mode()))
		team_enter(unit, region, token);
}

static __attribute__((noinline)) void barrier(struct psc_unit *unit, uint32_t region, bool passed)
{
	int saved = errno;
	uint64_t now = times_now();
	struct pscm_thread *t = hook_begin(unit, region);

	if (!t)
		return;
	brief_never(unit->base + region);
	if (now && passed) {
		times_waited(t, pscm_region_stack_context(t), now);
	} else if (now) {
		times_wait(t, pscm_region_stack_context(t), now);
	} else if (passed) {
		PSCM_TSAN_ACQUIRE(&orders.barrier);
		pscm_record_barrier(t);
	} else {
		pscm_record_wait(t);
		PSCM_TSAN_RELEASE(&orders.barrier);
	}
	hook_end(t);
	errno = saved;
}

void __psc_wait(struct psc_unit *unit, uint32_t region)
{
	if (unlikely(pscm_mode()))
		barrier(unit, region, false);
}

void __psc_barrier(struct psc_unit *unit, uint32_t region)
{
	if (unlikely(pscm_mode()))
		barrier(unit, region, true);
}

/* Recorded words go on as they are: tasks that are done order them no further. */
static __attribute__((noinline)) void waited(struct psc_unit *unit, uint32_t region)
{
	int saved = errno;
	uint64_t now = times_now();
	struct pscm_thread *t = hook_begin(unit, region);

	if (!t)
		return;
	if (now)
		times_waited(t, pscm_region_stack_context(t), now);
	hook_end(t);
	errno = saved;
}

void __psc_waited(struct psc_unit *unit, uint32_t region)
{
	if (unlikely(pscm_mode()))
		waited(unit, region);
}

void pscm_region_joined(const struct psc_unit *unit, uint32_t region)
{
	int saved = errno;
	uint64_t now = times_now();
	struct pscm_thread *t;

	if (!now || !pscm_self || !pscm_self->times.joins)
		return;
	t = hook_begin_as(unit, region, true);
	if (!t)
		return;
	times_joined(t, unit->base + region, pscm_region_stack_context(t), now);
	hook_end(t);
	errno = saved;
}

/* --- landing points: catch and setjmp ------------------------------------------------------ */

/* A landing token: epoch << 32, running signal handlers << LANDING_SIGNALS, open regions + 1. */
enum { LANDING_SIGNALS = 28 };

uint64_t __psc_landing(void)
{
	struct pscm_thread *t = pscm_self;
	uint64_t token = 0;

	if (likely(!pscm_mode()) || !t || !pscm_guard())
		return 0;
	pscm_region_stack_sync(t);
	token = (uint64_t)t->epoch << 32 | t->signals << LANDING_SIGNALS | (t->depth + t->over + 1);
	pscm_unguard();
	return token;
}

static bool landing_known(const struct pscm_thread *t, uint64_t token)
{
	return token >> 32 == t->epoch && (uint32_t)token;
}

/* Number of regions that stay open: by the token, else down to the region.  0: the region was not
 * entered while measured (the phase itself, or a region around it). */
static uint32_t landed_at(const struct pscm_thread *t, uint32_t region, uint64_t token)
{
	if (landing_known(t, token))
		return (token & ((1u << LANDING_SIGNALS) - 1)) - 1;
	return open_find(t, region);
}

static __attribute__((noinline)) void landed(struct psc_unit *unit, uint32_t region, uint64_t token)
{
	int saved = errno;
	uint64_t now = times_now();
	struct pscm_thread *t = hook_begin(unit, region);
	uint32_t n;

	if (!t)
		return;
	/* A siglongjmp() left signal handlers. */
	if (landing_known(t, token) && t->signals > ((uint32_t)token >> LANDING_SIGNALS))
		pscm_signal_leave(t, (uint32_t)token >> LANDING_SIGNALS);
	brief_never(unit->base + region);
	if (now)
		times_waited(t, pscm_region_stack_context(t), now);
	n = landed_at(t, unit->base + region, token);
	if (n < t->depth + t->over)
		unwind_to(t, n, now);
	hook_end(t);
	errno = saved;
}

/* A brief region is not on the stack, nor is any region inside it. */
void __psc_landed(struct psc_unit *unit, uint32_t region, uint64_t token)
{
	if (unlikely(pscm_mode()) && !brief_marker(unit, region))
		landed(unit, region, token);
}

/* --- hooks by mark; mark->unit is NULL in a unit that is not registered -------------------- */

void __psc_mark_enter(struct psc_mark *m)
{
	if (unlikely(pscm_mode()) && m->unit)
		enter(m->unit, m->index);
	pscm_ensure_space();
}

void __psc_mark_exit(struct psc_mark *m)
{
	if (unlikely(pscm_mode()) && m->unit)
		leave(m->unit, m->index, false);
	pscm_ensure_space();
}

void __psc_mark_close(struct psc_mark *m)
{
	if (unlikely(pscm_mode()) && m->unit)
		leave(m->unit, m->index, true);
	pscm_ensure_space();
}

void __psc_mark_wait(struct psc_mark *m)
{
	if (likely(m->unit))
		__psc_wait(m->unit, m->index);
	pscm_ensure_space();
}

void __psc_mark_barrier(struct psc_mark *m)
{
	if (likely(m->unit))
		__psc_barrier(m->unit, m->index);
	pscm_ensure_space();
}

void __psc_mark_waited(struct psc_mark *m)
{
	if (likely(m->unit))
		__psc_waited(m->unit, m->index);
	pscm_ensure_space();
}

void __psc_mark_step(struct psc_mark *m)
{
	if (unlikely(pscm_mode()) && m->unit) {
		leave(m->unit, m->index, false);
		enter(m->unit, m->index + 1);
	}
	pscm_ensure_space();
}

uint64_t __psc_mark_fork(struct psc_mark *m)
{
	uint64_t token = m->unit ? __psc_fork(m->unit, m->index) : 0;

	pscm_ensure_space();
	return token;
}

void __psc_mark_team(struct psc_mark *m, uint64_t token)
{
	if (unlikely(pscm_mode()) && m->unit)
		team_enter(m->unit, m->index, token);
	pscm_ensure_space();
}
