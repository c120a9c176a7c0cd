/* SPDX-License-Identifier: BSD-3-Clause */
/* Executions of the phase, and the boundaries between them.  What is measured in them is the
 * collector's affair, where they come from is the source's. */
#include "monitor/phase/phase.h"
#include "monitor/address/objects.h"
#include "monitor/address/shared_tables.h"
#include "monitor/collect/armed.h"
#include "monitor/collect/record_check.h"
#include "monitor/collect/slices.h"
#include "monitor/connect.h"
#include "monitor/host/locks.h"
#include "monitor/host/threads.h"
#include "monitor/phase/execution_source.h"
#include "monitor/regions/brief_regions.h"
#include "monitor/regions/candidates.h"
#include "monitor/regions/compile_units.h"
#include "monitor/regions/contexts.h"
#include "monitor/regions/region_times.h"
#include "monitor/regions/regions.h"
#include "monitor/regions/time_rows.h"
#include "monitor/state.h"
#include "base/clock.h"
#include <errno.h>

struct pscm_phase pscm_phase = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* --- executions ----------------------------------------------------------------------------- */

static void set_begun(uint64_t number)
{
	pscm_phase.begun = number;
	atomic_store_explicit(&pscm_shm->phase_begun, number, memory_order_release);
}

static void count_finished(void)
{
	atomic_store_explicit(&pscm_shm->phase_finished, ++pscm_phase.finished,
		memory_order_release);
}

static void hooks_call(const struct pscm_collector *c)
{
	pscm_units_call(c->calls ? c->calls() : PSCM_CALLS_TIMED);
	pscm_units_native(c->clean && brief_any());
	pscm_flag(&__psc_live, 1);
	atomic_fetch_add(&pscm_epoch, 1);
}

/* Measures from here on, in an execution that begins or goes on. */
static void execution_open(struct pscm_armed *a, const struct collector_begin *b)
{
	const struct execution_source *s = execution_source();
	const struct pscm_collector *c = a->collector;
	struct pscm_thread *t = pscm_thread_self();
	enum mon_drop failed;

	pscm_phase.cpu_start = thread_cpu_ns();
	if (c->slower)
		candidates_pause();
	if (!t) {
		request_finish(MON_DROP_MEMORY);
		return;
	}
	hooks_call(c);
	if (s->carries)
		s->carries(t, c->clean);
	pscm_region_stack_sync(t);
	if (c->clean)
		times_measure_markers();
	failed = c->open ? c->open(a, t, b) : MON_DROP_NONE;
	if (failed) {
		request_finish(failed);
		return;
	}
	if (c->cut)
		atomic_store(&pscm_cuts, c);
	pscm_phase.inside = true;
	atomic_store(&pscm_live.mode, c->mode);
}

/* The last that a boundary does. */
static void execution_start(void)
{
	const struct execution_source *s = execution_source();
	struct pscm_armed *a = &pscm_phase.armed;
	const struct pscm_collector *c = a->collector;

	if (c->start)
		c->start(a);
	pscm_region_stack_open(pscm_thread_self());
	if (s->begun)
		s->begun(c->surveys);
	pscm_phase.start = clock_ns();
	if (c->resume)
		c->resume(pscm_thread_self());
}

/* Ends the measurement at `now`, for good or until the execution goes on. */
static void execution_close(bool is_void, uint64_t now)
{
	struct pscm_armed *a = &pscm_phase.armed;
	const struct pscm_collector *c = a->collector;
	struct pscm_thread *t = pscm_thread_self();

	pscm_phase.inside = false;
	pscm_phase.ns += now - pscm_phase.start;
	if (t && !is_void && pscm_check_wanted() && !execution_source()->cuts)
		pscm_check_closed(t);
	if (c->close && t)
		c->close(a, t, is_void);
	atomic_store(&pscm_live.mode, 0);
	if (c->clean && t)
		pscm_region_stack_close(t, now);
	pscm_phase.cpu += thread_cpu_ns() - pscm_phase.cpu_start;
}

/* An execution that was measured is over. */
static void execution_result(bool is_void)
{
	struct pscm_armed *a = &pscm_phase.armed;
	const struct collector_execution e = {
		.number = pscm_phase.begun, .ns = pscm_phase.ns, .cpu_ns = pscm_phase.cpu,
		.counted = a->progress >= a->warm && !is_void, .is_void = is_void,
		.unlike = execution_source()->cuts
	};
	bool counted;

	pscm_time_sums();
	counted = a->collector->take(a, &e);
	pscm_phase.ns = pscm_phase.cpu = 0;
	pscm_phase.suspended = false;
	if (is_void)
		return;
	if (counted && !a->collector->sums)
		a->request->phase_ns[a->progress - a->warm] = e.ns;
	if (counted && a->progress == a->warm)
		a->request->ran_first = pscm_phase.begun;
	a->progress++;
	if (a->failed || a->progress == a->warm + a->count)
		request_finish(a->failed);
}

/* --- executions that may go on --------------------------------------------------------------- */

/* Behind a pause of an execution with a number. */
static void execution_goes_on(bool after_gap)
{
	const struct collector_begin b = { .again = true, .after_gap = after_gap };

	if (!pscm_phase.suspended)
		return;
	pscm_lock(&pscm_phase.lock);
	if (pscm_phase.suspended)    /* not ended by pscm_phase_exit() meanwhile */
		execution_open(&pscm_phase.armed, &b);
	pscm_unlock(&pscm_phase.lock);
	if (pscm_phase.inside)
		execution_start();
}

/* The number rises: the execution before is over.  A request that records nothing ends behind
 * its last number, although the process may have had fewer: other processes may be recorded from
 * then on. */
static void execution_over(uint64_t number)
{
	struct pscm_armed *a = &pscm_phase.armed;

	if (pscm_phase.begun)
		count_finished();
	if (!a->request)
		return;
	pscm_lock(&pscm_phase.lock);
	if (pscm_phase.suspended)
		execution_result(false);
	if (a->request && a->collector->clean &&
	    number >= a->request->first + a->request->warm + a->count)
		request_end(a->progress > a->warm ? MON_DONE : MON_MISSED, MON_DROP_NONE);
	pscm_unlock(&pscm_phase.lock);
}

/* --- begin and end --------------------------------------------------------------------------- */

static void rest(const struct execution_source *s)
{
	if (s->rests)
		s->rests();
}

/* There may be requests: those of the agent for this execution. */
static void requests_hear(uint32_t bell, bool numbered, bool after_gap)
{
	const struct collector_begin b = { .after_gap = after_gap };
	struct pscm_armed *a = &pscm_phase.armed;

	pscm_lock(&pscm_phase.lock);
	if (bell & MON_BELL_DETACHED) {
		if (a->request)
			request_finish(MON_DROP_REQUEST);
		pscm_stop();
	} else {
		requests_due(pscm_phase.begun, numbered);
		if (a->request)
			execution_open(a, &b);
	}
	pscm_unlock(&pscm_phase.lock);
}

void execution_begin(bool after_gap)
{
	const struct execution_source *s = execution_source();
	uint64_t number;
	uint32_t bell;

	if (unlikely(pscm_verify_copy)) {
		verify_copy_begin();
		return;
	}
	number = s->begins(pscm_phase.begun);
	if (unlikely(number == pscm_phase.begun)) {
		execution_goes_on(after_gap);
		return;
	}
	pscm_lockstep();
	if (unlikely(s->numbered))
		execution_over(number);
	set_begun(number);
	bell = atomic_load_explicit(&pscm_shm->doorbell, memory_order_acquire);
	if (s->begun)
		s->begun(false);
	if (!pscm_phase.armed.request)
		rest(s);
	if (likely(!bell))
		return;         /* no request in any slot, so none is armed */
	if (!(bell & MON_BELL_DETACHED) && !pscm_phase.armed.request &&
	    !requests_any_due(pscm_phase.begun))
		return;
	requests_hear(bell, s->numbered, after_gap);
	if (!pscm_phase.inside)
		rest(s);
	if (pscm_phase.aside.request) {
		candidates_pause();
		request_run();
		candidates_resume(false);
	}
	if (pscm_phase.inside)
		execution_start();
}

/* The execution has been measured up to here. */
static void execution_measured(bool is_void, bool goes_on)
{
	const struct pscm_collector *c = pscm_phase.armed.collector;
	uint64_t now;

	if (c->cut && pscm_self)
		c->cut(pscm_self, pscm_region_stack_context(pscm_self), true);
	now = clock_ns();
	pscm_lock(&pscm_phase.lock);
	if (pscm_phase.inside) {     /* not ended by pscm_phase_exit() meanwhile */
		execution_close(is_void, now);
		pscm_phase.suspended = goes_on;
		if (!goes_on)
			execution_result(is_void);
	}
	pscm_unlock(&pscm_phase.lock);
	candidates_resume(!is_void && !goes_on);
}

void execution_end(bool is_void)
{
	bool goes_on = execution_source()->numbered;    /* maybe: until the number rises */

	if (unlikely(pscm_verify_copy)) {
		verify_copy_end(is_void);
		return;
	}
	if (unlikely(pscm_phase.inside))
		execution_measured(is_void, goes_on);
	if (unlikely(goes_on))
		return;
	if (is_void)
		set_begun(pscm_phase.begun - 1);
	else
		count_finished();
}

/* --- boundaries ------------------------------------------------------------------------------ */

void boundary_own(const struct psc_unit *unit, uint32_t region, uintptr_t frame)
{
	pscm_phase.depth = 1;
	pscm_phase.frame = frame;
	pscm_context_root(unit, region);
	execution_begin(true);
}

void boundary_begin(const struct psc_unit *unit, uint32_t region, uintptr_t frame)
{
	uintptr_t nobody = 0;

	if (owned() && pscm_phase.called) {
		pscm_phase.called = false;
		if (pscm_phase.depth == 1)
			pscm_phase.frame = frame;
		return;
	}
	if (owned()) {
		if (frame < pscm_phase.frame) {
			pscm_phase.depth++;
			return;
		}
		/* The stack is not deeper than at the recorded begin: an exception or a longjmp
		 * left that execution. */
		atomic_fetch_add(&pscm_unhandled, 1);
		execution_end(false);
	} else if (!atomic_compare_exchange_strong(&pscm_phase.owner, &nobody, thread_token())) {
		atomic_fetch_add(&pscm_shm->foreign, 1);
		return;
	}
	boundary_own(unit, region, frame);
}

/* The request may go on in a later execution, or never. */
static void phase_left(void)
{
	if (likely(!pscm_phase.armed.request))
		return;
	pscm_lock(&pscm_phase.lock);
	if (pscm_phase.armed.request && pscm_phase.armed.collector->left)
		pscm_phase.armed.collector->left();
	pscm_unlock(&pscm_phase.lock);
}

static void owner_leaves(bool is_void)
{
	const struct execution_source *s = execution_source();

	if (!pscm_phase.waits)
		execution_end(is_void || s->cuts);      /* the last span is not over */
	pscm_phase.waits = 0;
	if (s->ends)
		s->ends();
	phase_left();
	pscm_units_native(false);
	atomic_store(&pscm_phase.owner, 0);
}

void boundary_end(uint32_t from_header)
{
	if (!owned())
		return;
	pscm_phase.called = false;
	if (--pscm_phase.depth)
		return;
	owner_leaves(from_header != 0);
}

/* Must a clean span wait?  What slices have left as recording code goes on so until it returns.
 * A call that does not return is not waited for longer than LINGER spans. */
static bool lingers(const struct pscm_thread *t)
{
	enum { LINGER = 10 };
	uint64_t now;

	if (!request_next_is_clean() || !slices_linger(t)) {
		pscm_phase.waits = 0;
		return false;
	}
	now = clock_ns();
	pscm_phase.waits = pscm_phase.waits ? pscm_phase.waits : now;
	if (now - pscm_phase.waits < LINGER * pscm_timed_ns) {
		timed_wait();
		return true;
	}
	pscm_phase.waits = 0;
	pscm_phase.lingers = true;
	return false;
}

void timed_hook(const struct psc_unit *unit, uint32_t region, enum timed_kind kind)
{
	struct pscm_thread *t = pscm_self;
	int saved = errno;

	if (!t || !pscm_on() || !owned() ||
	    !timed_over(unit->base + region, kind, !pscm_phase.inside) || !pscm_guard())
		return;
	pscm_region_stack_sync(t);
	if (!t->signals && !pscm_region_in_team(t)) {
		if (!pscm_phase.waits)
			execution_end(false);
		if (!lingers(t))
			execution_begin(false);
		else
			rest(execution_source());
	}
	pscm_unguard();
	errno = saved;
}

/* --- the search for the phase ---------------------------------------------------------------- */

/* The lock is held. */
static void phase_forget(void)
{
	pscm_phase.begun = pscm_phase.finished = 0;
	pscm_phase.depth = 0;
	pscm_phase.called = false;
	atomic_store(&pscm_phase.owner, 0);
	atomic_store(&pscm_shm->phase_begun, 0);
	atomic_store(&pscm_shm->phase_finished, 0);
	atomic_store(&pscm_shm->surveyed_ns, 0);
	atomic_store(&pscm_shm->surveyed_runs, 0);
	collectors_forget();
	pscm_contexts_reset();
	pscm_lock(&pscm_tables_lock);
	pscm_aliases_forget();
	pscm_unlock(&pscm_tables_lock);
	atomic_fetch_add(&pscm_bind_generation, 1);
}

void pscm_phase_again(void)
{
	pscm_lock(&pscm_phase.lock);
	phase_forget();
	pscm_phase.armed.request = NULL;
	pscm_phase.aside.request = NULL;
	pscm_phase.inside = false;
	pscm_phase.suspended = false;
	collectors_stop();
	atomic_store(&pscm_phase.generation, 0);
	candidates_again();
	pscm_unlock(&pscm_phase.lock);
}

/* The agent has chosen another phase.  Requests for the old one are missed. */
static void phase_change(void)
{
	uint32_t generation = atomic_load_explicit(&pscm_shm->generation, memory_order_acquire);

	pscm_lock(&pscm_phase.lock);
	if (pscm_phase.inside || generation == pscm_phase.generation || !pscm_on())
		goto out;       /* it is applied when the execution has ended */
	if (pscm_phase.armed.request)
		request_end(MON_MISSED, MON_DROP_NONE);
	candidates_resume(false);
	for (uint32_t i = 0; i < MON_SLOTS; i++) {
		struct mon_request *r = &pscm_shm->request[i];

		if (atomic_load_explicit(&r->state, memory_order_acquire) == MON_READY &&
		    r->generation != generation)
			request_close(r, MON_MISSED, MON_DROP_NONE);
	}
	phase_forget();
	pscm_units_resolve();
	atomic_store(&pscm_phase.generation, generation);
	atomic_store(&pscm_shm->applied, generation);
	pscm_event();
out:
	pscm_unlock(&pscm_phase.lock);
}

void agent_heard(void)
{
	if (unlikely(atomic_load_explicit(&pscm_shm->generation, memory_order_relaxed) !=
	    atomic_load_explicit(&pscm_phase.generation, memory_order_relaxed)))
		phase_change();
	if (unlikely(candidates_settled()))
		pscm_units_resolve();
}

/* --- the end -------------------------------------------------------------------------------- */

/* A cancelled thread leaves the phase: ends its execution, so that another thread may begin one. */
void pscm_phase_leave(void)
{
	if (!owned())
		return;
	atomic_fetch_add(&pscm_unhandled, 1);
	owner_leaves(false);
}

void pscm_phase_exit(void)
{
	struct pscm_armed *a = &pscm_phase.armed;

	/* Another thread may be at a boundary; exit() does not wait for it. */
	if (!pscm_trylock(&pscm_phase.lock))
		return;
	if (a->request && pscm_phase.suspended && !pscm_phase.inside)
		execution_result(false);
	if (a->request) {
		/* Counts of an interrupted execution cannot be separated from those of complete
		 * ones. */
		bool mixed = !a->collector->clean && pscm_phase.inside;

		pscm_phase.inside = false;
		if (a->collector->surveys && a->progress && a->progress <= a->warm)
			request_end(MON_MISSED, MON_DROP_NONE);         /* after its survey */
		else
			request_finish(mixed || a->progress <= a->warm ? MON_DROP_EXIT :
				MON_DROP_NONE);
	}
	for (uint32_t i = 0; i < MON_SLOTS; i++)
		if (atomic_load(&pscm_shm->request[i].state) == MON_READY)
			request_close(&pscm_shm->request[i], MON_MISSED, MON_DROP_NONE);
	pscm_unlock(&pscm_phase.lock);
}
