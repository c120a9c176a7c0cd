/* SPDX-License-Identifier: BSD-3-Clause */
/* Executions of the phase, and the boundaries between them. */
#include "monitor/phase/phase.h"
#include "monitor/regions/brief_regions.h"
#include "monitor/regions/candidates.h"
#include "monitor/collect/events.h"
#include "monitor/collect/kernel_use.h"
#include "monitor/collect/mpi_rows.h"
#include "monitor/collect/one_cpu.h"
#include "monitor/collect/record_check.h"
#include "monitor/regions/region_times.h"
#include "monitor/phase/slice_budget.h"
#include "monitor/phase/slices.h"
#include "base/clock.h"
#include <errno.h>

struct pscm_phase pscm_phase = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* --- executions ----------------------------------------------------------------------------- */

enum { SPANS_TRIED = 8 };       /* spans with too few places for slices, until counting is given up */

/* Between measured spans of time the markers go on, so that the next one knows the open regions. */
static void watch(void)
{
	struct pscm_thread *t = pscm_thread_self();

	if (!pscm_timed() || !t || !pscm_on() || pscm_phase.inside)
		return;
	pscm_units_call(PSCM_CALLS_SLICED);
	pscm_units_native(false);
	pscm_flag(&__psc_live, 1);
	atomic_store(&pscm_live.mode, PSCM_MODE_WATCH);
}

static void watch_end(void)
{
	if (!pscm_timed() || !pscm_on())
		return;
	atomic_store(&pscm_live.mode, 0);
	pscm_flag(&__psc_live, 0);
	pscm_units_call(PSCM_CALLS_NONE);
}

/* Measures from here on, in an execution that begins or, again: goes on.  False: no memory. */
static bool execution_open(struct pscm_armed *a, bool after_gap, bool again)
{
	struct pscm_thread *t = pscm_thread_self();

	pscm_phase.cpu_start = thread_cpu_ns();
	if (a->kind != MON_TIME || a->one_cpu)
		candidates_pause();
	if (!t) {
		request_finish(MON_DROP_MEMORY);
		return false;
	}
	if (a->one_cpu && !one_cpu_begin()) {
		request_finish(MON_DROP_CPU);
		return false;
	}
	pscm_units_call(mon_unrecorded(a->kind) ? PSCM_CALLS_TIMED :
		slices_wanted() ? PSCM_CALLS_SLICED : PSCM_CALLS_ALL);
	pscm_units_native(mon_unrecorded(a->kind) && brief_any());
	pscm_flag(&__psc_live, 1);
	atomic_fetch_add(&pscm_epoch, 1);
	if (pscm_timed())
		pscm_region_stack_carry(t, mon_unrecorded(a->kind));
	pscm_region_stack_sync(t);
	if (mon_unrecorded(a->kind)) {
		times_measure_markers();
		if (a->kind == MON_TIME)
			mpi_rows_execution(a->progress < a->warm ? MON_ANY : a->progress - a->warm);
	} else if (slices_wanted() && again)
		slices_again(t, after_gap);
	else if (slices_wanted()) {
		slices_begin(t, a->progress < a->warm, after_gap || !a->progress);
		if (!slices_wanted())   /* it is recorded in full */
			pscm_units_call(PSCM_CALLS_ALL);
	} else
		pscm_record_begin(t, a->progress >= a->warm, after_gap || !a->progress);
	pscm_phase.inside = true;
	atomic_store(&pscm_live.mode, a->kind == MON_TIME ? PSCM_MODE_TIME : a->kind == MON_EVENTS ?
		PSCM_MODE_TIME | PSCM_MODE_EVENTS : PSCM_MODE_SIM);
	return true;
}

/* The last that a boundary does. */
static void execution_start(void)
{
	const struct pscm_armed *a = &pscm_phase.armed;

	if (a->kind == MON_TIME && a->kernel_only != MON_KERNEL_WHOLE)
		kernel_use_begin();
	else if (a->kind == MON_TIME && a->progress == a->warm)
		kernel_use_begin();     /* of the first */
	pscm_region_stack_open(pscm_thread_self());
	if (pscm_timed())
		timed_begin(pscm_phase.armed.kind == MON_TIME);
	pscm_phase.start = clock_ns();
	if (events_wanted())
		events_resume(pscm_thread_self());
}

/* The first warm-ups of clean executions are surveys.  One that finds no brief region is an
 * execution like those after it, and counts, unless it is the first of all, which touches memory first. */
static bool surveyed(struct pscm_armed *a)
{
	bool more;

	if (!brief_wanted())
		return false;
	more = brief_survey();
	if (pscm_timed()) {
		timed_choose();
		pscm_units_call(PSCM_CALLS_NONE);
	}
	if (more) {
		pscm_units_call(PSCM_CALLS_NONE);       /* the next execution sets fewer bits */
		pscm_units_native(false);
		return false;
	}
	if (pscm_phase.begun == 1) {
		a->warm = a->progress + 1;
		return false;
	}
	a->warm = a->progress;
	return true;
}

/* Ends the measurement at `now`, for good or until the execution goes on. */
static void execution_close(bool is_void, uint64_t now)
{
	struct pscm_armed *a = &pscm_phase.armed;
	struct pscm_thread *t = pscm_thread_self();

	pscm_phase.inside = false;
	pscm_phase.ns += now - pscm_phase.start;
	one_cpu_end();
	mpi_rows_execution(MON_ANY);
	if (t && !is_void && pscm_check_wanted() && !pscm_timed())
		pscm_check_closed(t);
	if (!mon_unrecorded(a->kind) && t && slices_wanted())
		slices_end(t);
	if (!mon_unrecorded(a->kind) && t)
		pscm_record_end(t, is_void);
	atomic_store(&pscm_live.mode, 0);
	if (mon_unrecorded(a->kind) && t)
		pscm_region_stack_close(t, now);
	pscm_phase.cpu += thread_cpu_ns() - pscm_phase.cpu_start;
	if (a->kind == MON_TIME && a->kernel_only != MON_KERNEL_WHOLE)
		kernel_use_end();
}

/* The execution has taken ns.  False: it does not count. */
static bool execution_taken(struct pscm_armed *a, bool counted, bool is_void, uint64_t ns)
{
	pscm_time_sums();
	if (a->kind == MON_EVENTS) {
		events_executed(a, counted);
		if (events_failed(a->request))
			a->failed = MON_DROP_EVENTS;
	} else if (a->kind == MON_TIME) {
		if (!counted && !is_void) {
			counted = surveyed(a);
			if (!counted) {
				atomic_fetch_add(&pscm_shm->surveyed_ns, ns);
				atomic_fetch_add(&pscm_shm->surveyed_runs, 1);
			}
		}
		if (counted && !a->kernel_only)
			pscm_time_rows(a);
		if (counted && pscm_timed() && brief_more()) {
			timed_choose();
			pscm_units_call(PSCM_CALLS_NONE);
			pscm_units_native(false);
		}
		if (counted && !a->one_cpu && (!pscm_phase.clean || ns < pscm_phase.clean))
			pscm_phase.clean = ns;
		if (counted && !a->one_cpu && (!pscm_phase.clean_cpu || pscm_phase.cpu < pscm_phase.clean_cpu))
			pscm_phase.clean_cpu = pscm_phase.cpu;
	} else {
		if (counted && a->progress == a->warm && slices_failed()) {
			if (pscm_timed() && a->warm >= a->request->warm + SPANS_TRIED) {
				a->failed = MON_DROP_PLACES;
			} else {
				a->warm++;
				counted = false;
			}
		}
		/* Calls of one execution: more rows might not fit. */
		if (counted && a->kind == MON_SIM && a->progress == a->warm)
			pscm_time_rows(a);
	}
	return counted;
}

/* An execution that was measured is over. */
static void execution_result(bool is_void)
{
	struct pscm_armed *a = &pscm_phase.armed;
	uint64_t ns = pscm_phase.ns;
	struct mon_kernel kernel = kernel_use_take();
	bool whole = !slices_wanted(), counted = execution_taken(a, a->progress >= a->warm && !is_void, is_void, ns);

	if (a->kind == MON_SIM && !a->nvariants)
		slice_budget_executed(pscm_phase.cpu, pscm_phase.clean_cpu, whole && a->sample <= 1);
	pscm_phase.ns = pscm_phase.cpu = 0;
	pscm_phase.suspended = false;
	if (is_void)
		return;
	if (counted) {
		if (a->kernel_only)
			kernel_use_sum(a->request, &kernel, ns);
		else {
			a->request->phase_ns[a->progress - a->warm] = ns;
			a->request->kernel[a->progress - a->warm] = kernel;
		}
		if (a->progress == a->warm)
			a->request->ran_first = pscm_phase.begun;
	}
	a->progress++;
	if (a->failed || a->progress == a->warm + a->count)
		request_finish(a->failed);
}

/* --- executions that the program numbers ----------------------------------------------------- */

/* All executions of one number are one, with pauses.  True: this one has the number of the one before, and goes on. */
static bool execution_goes_on(uint64_t number, bool after_gap)
{
	if (!number || number > pscm_phase.begun)
		return false;
	if (pscm_phase.suspended) {
		pscm_lock(&pscm_phase.lock);
		if (pscm_phase.suspended)    /* not ended by pscm_phase_exit() meanwhile */
			execution_open(&pscm_phase.armed, after_gap, true);
		pscm_unlock(&pscm_phase.lock);
		if (pscm_phase.inside)
			execution_start();
	}
	return true;
}

/* The number rises: the execution before is over.  A request that records nothing ends behind its last number, although
 * the process may have had fewer: other processes may be recorded from then on. */
static void execution_over(uint64_t number)
{
	struct pscm_armed *a = &pscm_phase.armed;

	if (pscm_phase.begun)
		atomic_store_explicit(&pscm_shm->phase_finished, ++pscm_phase.finished, memory_order_release);
	if (!a->request)
		return;
	pscm_lock(&pscm_phase.lock);
	if (pscm_phase.suspended)
		execution_result(false);
	if (a->request && mon_unrecorded(a->kind) && number >= a->request->first + a->request->warm + a->count)
		request_end(a->progress > a->warm ? MON_DONE : MON_MISSED, MON_DROP_NONE);
	pscm_unlock(&pscm_phase.lock);
}

static uint64_t number_given(void)
{
	return pscm_timed() ? 0 : atomic_load_explicit(&pscm_phase.number, memory_order_relaxed);
}

void phase_number(uint64_t n)
{
	atomic_store_explicit(&pscm_phase.number, n, memory_order_relaxed);
}

/* --- begin and end --------------------------------------------------------------------------- */

void execution_begin(bool after_gap)
{
	struct pscm_armed *a = &pscm_phase.armed;
	uint64_t number = number_given();
	uint32_t bell;

	if (unlikely(pscm_verify_copy)) {
		verify_copy_begin();
		return;
	}
	if (unlikely(number != 0) && execution_goes_on(number, after_gap))
		return;
	pscm_lockstep();
	if (unlikely(number != 0))
		execution_over(number);
	pscm_phase.begun = number ? number : pscm_phase.begun + 1;
	atomic_store_explicit(&pscm_shm->phase_begun, pscm_phase.begun, memory_order_release);
	bell = atomic_load_explicit(&pscm_shm->doorbell, memory_order_acquire);
	if (pscm_timed()) {
		timed_begin(false);
		if (!a->request)
			watch();
	}
	if (likely(!bell))
		return;         /* no request in any slot, so none is armed */
	if (!(bell & MON_BELL_DETACHED) && !a->request && !requests_any_due(pscm_phase.begun))
		return;
	pscm_lock(&pscm_phase.lock);
	if (bell & MON_BELL_DETACHED) {
		if (a->request)
			request_finish(MON_DROP_REQUEST);
		pscm_stop();
	} else {
		requests_due(pscm_phase.begun, number != 0);
		if (a->request)
			execution_open(a, after_gap, false);
	}
	pscm_unlock(&pscm_phase.lock);
	if (pscm_timed() && !pscm_phase.inside)
		watch();
	if (pscm_phase.verify) {
		candidates_pause();
		request_verify();
		candidates_resume(false);
	}
	if (pscm_phase.inside)
		execution_start();
}

void execution_end(bool is_void)
{
	uint64_t number = number_given();

	if (unlikely(pscm_verify_copy)) {
		verify_copy_end(is_void);
		return;
	}
	if (unlikely(pscm_phase.inside)) {
		uint64_t now;

		if (events_wanted() && pscm_self)
			events_cut(pscm_self, pscm_region_stack_context(pscm_self), true);
		now = clock_ns();
		pscm_lock(&pscm_phase.lock);
		if (pscm_phase.inside) {     /* not ended by pscm_phase_exit() meanwhile */
			execution_close(is_void, now);
			pscm_phase.suspended = number != 0;
			if (!number)
				execution_result(is_void);
		}
		pscm_unlock(&pscm_phase.lock);
		candidates_resume(!is_void && !number);
	}
	if (unlikely(number != 0))
		return;         /* until the number rises */
	if (is_void)
		atomic_store_explicit(&pscm_shm->phase_begun, --pscm_phase.begun, memory_order_release);
	else
		atomic_store_explicit(&pscm_shm->phase_finished, ++pscm_phase.finished,
			memory_order_release);
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

void boundary_end(uint32_t from_header)
{
	if (!owned())
		return;
	pscm_phase.called = false;
	if (--pscm_phase.depth)
		return;
	if (!pscm_phase.waits)
		execution_end(from_header != 0 || pscm_timed());        /* the last span is not over */
	pscm_phase.waits = 0;
	watch_end();
	pscm_units_native(false);
	atomic_store(&pscm_phase.owner, 0);
}

static bool clean_next(void)
{
	if (pscm_phase.armed.request)
		return mon_unrecorded(pscm_phase.armed.kind);
	for (uint32_t i = 0; i < MON_SLOTS; i++)
		if (request_is_due(&pscm_shm->request[i], pscm_phase.begun + 1) && mon_unrecorded(pscm_shm->request[i].kind))
			return true;
	return false;
}

/* Must a clean span wait?  What slices have left as recording code goes on so until it returns.  A call that does not
 * return is not waited for longer than LINGER spans. */
static bool lingers(const struct pscm_thread *t)
{
	enum { LINGER = 10 };
	uint64_t now;

	if (!clean_next() || !slices_linger(t)) {
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

	if (!t || !pscm_on() || !owned() || !timed_over(unit->base + region, kind, !pscm_phase.inside) || !pscm_guard())
		return;
	pscm_region_stack_sync(t);
	if (!t->signals && !pscm_region_in_team(t)) {
		if (!pscm_phase.waits)
			execution_end(false);
		if (!lingers(t))
			execution_begin(false);
		else
			watch();
	}
	pscm_unguard();
	errno = saved;
}

/* --- the search for the phase ---------------------------------------------------------------- */

/* The lock is held. */
static void phase_forget(void)
{
	pscm_phase.begun = pscm_phase.finished = pscm_phase.clean = pscm_phase.clean_cpu = 0;
	pscm_phase.depth = 0;
	pscm_phase.called = false;
	atomic_store(&pscm_phase.owner, 0);
	atomic_store(&pscm_shm->phase_begun, 0);
	atomic_store(&pscm_shm->phase_finished, 0);
	atomic_store(&pscm_shm->surveyed_ns, 0);
	atomic_store(&pscm_shm->surveyed_runs, 0);
	slice_budget_forget();
	brief_forget(atomic_load(&pscm_shm->ncontexts));
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
	pscm_phase.verify = NULL;
	pscm_phase.inside = false;
	one_cpu_end();
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
	if (!pscm_phase.waits)
		execution_end(pscm_timed());
	pscm_phase.waits = 0;
	watch_end();
	pscm_units_native(false);
	atomic_store(&pscm_phase.owner, 0);
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
		bool mixed = !mon_unrecorded(a->kind) && pscm_phase.inside;

		pscm_phase.inside = false;
		if (a->kind == MON_TIME && a->progress && a->progress <= a->warm)
			request_end(MON_MISSED, MON_DROP_NONE);         /* after its survey */
		else
			request_finish(mixed || a->progress <= a->warm ? MON_DROP_EXIT : MON_DROP_NONE);
	}
	for (uint32_t i = 0; i < MON_SLOTS; i++)
		if (atomic_load(&pscm_shm->request[i].state) == MON_READY)
			request_close(&pscm_shm->request[i], MON_MISSED, MON_DROP_NONE);
	pscm_unlock(&pscm_phase.lock);
}
