/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles phase boundaries: counts executions, arms the request that is due, and ends it.
 *
 * One thread owns the phase at a time: the first that begins an execution, until that execution
 * ends.  Boundaries that other threads reach meanwhile are counted and otherwise ignored. */
#include "monitor/attach.h"
#include "monitor/brief_regions.h"
#include "monitor/candidates.h"
#include "monitor/events.h"
#include "monitor/mpi_rows.h"
#include "monitor/record_check.h"
#include "monitor/region_times.h"
#include "monitor/verify.h"
#include "monitor/slices.h"
#include "monitor/timed_spans.h"
#include "base/clock.h"
#include <errno.h>

static struct {
	_Atomic uintptr_t owner;        /* token of the owning thread; 0: none */
	uint32_t depth;                 /* recursive begins of the owner */
	uintptr_t frame;                /* stack frame of the outermost begin */
	uint64_t begun, finished;
	uint64_t start, ns;             /* of what is measured of the current execution, its begin and what it took before */
	_Atomic uint64_t number;        /* that the program has given; 0: none */
	bool suspended;                 /* an execution with a number is being measured, and may go on */
	uint64_t clean;                 /* shortest clean execution of the last request, ns; 0: none */
	struct pscm_armed armed;
	pthread_mutex_t lock;           /* held during a boundary */
	bool inside;                    /* the current execution is being measured */
	bool called;                    /* __psc_phase_call() was the next begin */
	uint64_t waits;         /* timed: ns, since when a clean span waits to begin; 0: none does */
	bool lingers;           /* it has waited in vain */
	struct mon_request *verify;     /* MON_VERIFY that is due; NULL */
	_Atomic uint32_t generation;    /* of the phase, as the agent numbers them */
} phase = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* --- requests ------------------------------------------------------------------------------- */

static void request_close(struct mon_request *r, enum mon_state state, enum mon_drop reason)
{
	r->reason = reason;
	if (state != MON_DONE)
		r->ntime = r->ncount = r->nlines = r->nsites = r->nevent_rows = r->nmpi = r->nmessages = 0;
	atomic_store_explicit(&r->state, state, memory_order_release);
	pscm_event();
}

/* Nothing is recorded: the program runs as in a clean execution. */
static bool unrecorded(uint32_t kind)
{
	return kind == MON_TIME || kind == MON_EVENTS;
}

/* Ends the armed request with the results so far, in this state unless it failed. */
static void request_end(enum mon_state state, enum mon_drop failed)
{
	struct pscm_armed *a = &phase.armed;
	struct mon_request *r = a->request;
	uint32_t ntimes = a->nrows;

	atomic_store(&pscm_live.mode, 0);
	pscm_units_native(false);
	a->failed = failed;
	if (a->kind == MON_EVENTS) {
		r->nevent_rows = a->nrows;
		ntimes = 0;
		events_finish();
	} else if (a->kind != MON_TIME) {
		a->nrows = 0;
		pscm_record_finish(a);
		slices_finish(r);
	}
	pscm_flag(&__psc_live, 0);
	pscm_units_call(PSCM_CALLS_NONE);
	mpi_rows_finish(r);
	r->ntime = ntimes;
	r->ncount = !unrecorded(a->kind) ? a->nrows : 0;
	r->executions = a->progress > a->warm ? a->progress - a->warm : 0;
	r->lost = atomic_load(&pscm_lost);
	r->unhandled = atomic_load(&pscm_unhandled);
	a->request = NULL;
	phase.suspended = false;
	phase.ns = 0;
	request_close(r, a->failed ? MON_DROPPED : state, a->failed);
}

static void request_finish(enum mon_drop failed)
{
	request_end(MON_DONE, failed);
}

/* Runs copies of the process.  In a copy: returns at once.  The number of a void execution comes
 * again: then the request stays ready. */
static void request_verify(void)
{
	struct mon_request *r = phase.verify;
	struct pscm_thread *t = pscm_thread_self();

	phase.verify = NULL;
	r->ntime = r->ncount = r->nlines = r->nsites = r->nmpi = r->nmessages = 0;
	r->records = r->words = r->lost = r->unhandled = 0;
	r->classes = r->sampled = r->groups = r->slices = r->slice_flags = 0;
	r->ran_first = phase.begun;
	r->executions = 1;
	if (!t) {
		request_close(r, MON_DROPPED, MON_DROP_MEMORY);
		return;
	}
	if (pscm_verify(r, t))
		return;
	if (r->verified.refusal == MON_VERIFY_VOID)
		atomic_store_explicit(&r->state, MON_READY, memory_order_release);
	else
		request_close(r, MON_DONE, MON_DROP_NONE);
}

static enum mon_drop request_arm(struct mon_request *r, uint32_t slot)
{
	struct pscm_armed *a = &phase.armed;

	*a = (struct pscm_armed){ .slot = slot, .kind = r->kind, .warm = r->warm,
		.sample = r->sample, .count = r->count, .nfilters = r->nfilters,
		.nvariants = r->nvariants };
	if (a->kind < MON_TIME || a->kind > MON_EVENTS || a->kind == MON_VERIFY || !a->count ||
	    a->count > MON_EXECUTIONS || a->warm > 1000 || a->nfilters > MON_FILTERS ||
	    a->nvariants > MON_VARIANTS || (a->nvariants && a->kind != MON_SIM))
		return MON_DROP_REQUEST;
	for (uint32_t i = 0; i < a->nfilters; i++)
		a->filter[i] = r->filter[i];
	for (uint32_t i = 0; i < a->nvariants; i++)
		a->variant[i] = r->variant[i];
	atomic_store(&pscm_lost, 0);
	atomic_store(&pscm_unhandled, 0);
	r->ran_first = r->records = r->words = 0;
	r->classes = r->sampled = r->groups = r->slices = r->slice_flags = 0;
	if (a->kind == MON_EVENTS) {
		enum mon_drop failed = events_arm(r);

		if (failed)
			return failed;
	} else if (a->kind != MON_TIME) {
		enum mon_drop failed = pscm_record_arm(a);

		if (failed)
			return failed;
		slices_arm(a, phase.clean);
	} else {
		phase.clean = 0;
		mpi_rows_arm(a);
	}
	if (unrecorded(a->kind) && phase.lingers)
		r->slice_flags |= MON_SLICE_LINGER;
	a->request = r;
	atomic_store_explicit(&r->state, MON_ARMED, memory_order_release);
	return MON_DROP_NONE;
}

/* Has the phase the share of the time since its first execution that the request wants? */
static bool has_share(const struct mon_request *r)
{
	uint64_t first = UINT64_MAX, in = 0, now = clock_ns() - atomic_load(&pscm_shm->paused_ns);

	if (!r->least_percent)
		return true;
	for (uint32_t i = 0; i < pscm_shm->ncandidates && i < MON_CANDIDATES; i++) {
		const struct mon_candidate *c = &pscm_shm->candidate[i];
		uint64_t begun = atomic_load(&c->first), since = atomic_load(&c->since);

		if (!begun || !pscm_region_is_phase(c->hash, c->index))
			continue;
		first = begun < first ? begun : first;
		in += atomic_load(&c->ns) + (since && now > since ? now - since : 0);
	}
	return first < now && in >= (now - first) / 100 * r->least_percent;
}

static bool is_due(const struct mon_request *r, uint64_t n)
{
	return atomic_load_explicit(&r->state, memory_order_acquire) == MON_READY && r->generation == phase.generation &&
		r->first <= n;
}

/* Without the lock, which takes two system calls: a request may wait for many executions. */
static bool any_due(uint64_t n)
{
	for (uint32_t i = 0; i < MON_SLOTS; i++)
		if (is_due(&pscm_shm->request[i], n))
			return true;
	return false;
}

/* A process may have no execution with the first number. */
static bool has_passed(const struct mon_request *r, uint64_t n, bool numbered)
{
	return r->first < n && !(numbered && n < r->first + r->warm + r->count);
}

/* Handles all requests at the boundary of execution n: arms at most one. */
static void requests_due(uint64_t n, bool numbered)
{
	for (uint32_t i = 0; i < MON_SLOTS; i++) {
		struct mon_request *r = &pscm_shm->request[i];
		enum mon_drop failed;

		if (!is_due(r, n))
			continue;
		if (has_passed(r, n, numbered) || phase.armed.request || phase.verify || !has_share(r)) {
			request_close(r, MON_MISSED, MON_DROP_NONE);
			continue;
		}
		if (r->kind == MON_VERIFY) {
			atomic_store_explicit(&r->state, MON_ARMED, memory_order_release);
			phase.verify = r;
			continue;
		}
		failed = request_arm(r, i);
		if (failed)
			request_close(r, MON_DROPPED, failed);
	}
}

/* --- executions ----------------------------------------------------------------------------- */

/* Between measured spans of time the markers go on, so that the next one knows the open regions. */
static void watch(void)
{
	struct pscm_thread *t = pscm_thread_self();

	if (!pscm_timed() || !t || !pscm_on() || phase.inside)
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

	if (a->kind != MON_TIME)
		candidates_pause();
	if (!t) {
		request_finish(MON_DROP_MEMORY);
		return false;
	}
	pscm_units_call(unrecorded(a->kind) ? PSCM_CALLS_TIMED :
		slices_wanted() ? PSCM_CALLS_SLICED : PSCM_CALLS_ALL);
	pscm_units_native(unrecorded(a->kind) && brief_any());
	pscm_flag(&__psc_live, 1);
	atomic_fetch_add(&pscm_epoch, 1);
	if (pscm_timed())
		pscm_region_stack_carry(t, unrecorded(a->kind));
	pscm_region_stack_sync(t);
	if (unrecorded(a->kind)) {
		times_measure_markers();
		if (a->kind == MON_TIME)
			mpi_rows_execution(a->progress < a->warm ? MON_ANY : a->progress - a->warm);
	} else if (slices_wanted() && again)
		slices_again(t);
	else if (slices_wanted())
		slices_begin(t, a->progress < a->warm);
	else
		pscm_record_begin(t, a->progress >= a->warm, after_gap || !a->progress);
	phase.inside = true;
	atomic_store(&pscm_live.mode, a->kind == MON_TIME ? PSCM_MODE_TIME : a->kind == MON_EVENTS ?
		PSCM_MODE_TIME | PSCM_MODE_EVENTS : PSCM_MODE_SIM);
	return true;
}

/* The last that a boundary does. */
static void execution_start(void)
{
	pscm_region_stack_open(pscm_thread_self());
	if (pscm_timed())
		timed_begin(phase.armed.kind == MON_TIME);
	phase.start = clock_ns();
	if (events_wanted())
		events_resume(pscm_thread_self());
}

/* The first warm-ups of clean executions are surveys.  One that finds no brief region is an
 * execution like those after it, and counts. */
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
	a->warm = a->progress;
	return true;
}

/* Ends the measurement at `now`, for good or until the execution goes on. */
static void execution_close(bool is_void, uint64_t now)
{
	struct pscm_armed *a = &phase.armed;
	struct pscm_thread *t = pscm_thread_self();

	phase.inside = false;
	phase.ns += now - phase.start;
	mpi_rows_execution(MON_ANY);
	if (t && !is_void && pscm_check_wanted() && !pscm_timed())
		pscm_check_closed(t);
	if (!unrecorded(a->kind) && t && slices_wanted())
		slices_end(t);
	if (!unrecorded(a->kind) && t)
		pscm_record_end(t, is_void);
	atomic_store(&pscm_live.mode, 0);
	if (unrecorded(a->kind) && t)
		pscm_region_stack_close(t, now);
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
		if (!counted && !is_void)
			counted = surveyed(a);
		if (counted)
			pscm_time_rows(a);
		if (counted && pscm_timed() && brief_more()) {
			timed_choose();
			pscm_units_call(PSCM_CALLS_NONE);
			pscm_units_native(false);
		}
		if (counted && (!phase.clean || ns < phase.clean))
			phase.clean = ns;
	} else {
		if (counted && a->progress == a->warm && slices_failed()) {
			if (pscm_timed()) {
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
	struct pscm_armed *a = &phase.armed;
	uint64_t ns = phase.ns;
	bool counted = execution_taken(a, a->progress >= a->warm && !is_void, is_void, ns);

	phase.ns = 0;
	phase.suspended = false;
	if (is_void)
		return;
	if (counted) {
		a->request->phase_ns[a->progress - a->warm] = ns;
		if (a->progress == a->warm)
			a->request->ran_first = phase.begun;
	}
	a->progress++;
	if (a->failed || a->progress == a->warm + a->count)
		request_finish(a->failed);
}

/* --- executions that the program numbers ----------------------------------------------------- */

/* All executions of one number are one, with pauses.  True: this one has the number of the one before, and goes on. */
static bool execution_goes_on(uint64_t number, bool after_gap)
{
	if (!number || number > phase.begun)
		return false;
	if (phase.suspended) {
		pscm_lock(&phase.lock);
		if (phase.suspended)    /* not ended by pscm_phase_exit() meanwhile */
			execution_open(&phase.armed, after_gap, true);
		pscm_unlock(&phase.lock);
		if (phase.inside)
			execution_start();
	}
	return true;
}

/* The number rises: the execution before is over.  A request that records nothing ends behind its last number, although
 * the process may have had fewer: other processes may be recorded from then on. */
static void execution_over(uint64_t number)
{
	struct pscm_armed *a = &phase.armed;

	if (phase.begun)
		atomic_store_explicit(&pscm_shm->phase_finished, ++phase.finished, memory_order_release);
	if (!a->request)
		return;
	pscm_lock(&phase.lock);
	if (phase.suspended)
		execution_result(false);
	if (a->request && unrecorded(a->kind) && number >= a->request->first + a->request->warm + a->count)
		request_end(a->progress > a->warm ? MON_DONE : MON_MISSED, MON_DROP_NONE);
	pscm_unlock(&phase.lock);
}

static uint64_t number_given(void)
{
	return pscm_timed() ? 0 : atomic_load_explicit(&phase.number, memory_order_relaxed);
}

static void phase_number(uint64_t n)
{
	atomic_store_explicit(&phase.number, n, memory_order_relaxed);
}

/* --- begin and end --------------------------------------------------------------------------- */

static void execution_begin(bool after_gap)
{
	struct pscm_armed *a = &phase.armed;
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
	phase.begun = number ? number : phase.begun + 1;
	atomic_store_explicit(&pscm_shm->phase_begun, phase.begun, memory_order_release);
	bell = atomic_load_explicit(&pscm_shm->doorbell, memory_order_acquire);
	if (pscm_timed()) {
		timed_begin(false);
		if (!a->request)
			watch();
	}
	if (likely(!bell))
		return;         /* no request in any slot, so none is armed */
	if (!(bell & MON_BELL_DETACHED) && !a->request && !any_due(phase.begun))
		return;
	pscm_lock(&phase.lock);
	if (bell & MON_BELL_DETACHED) {
		if (a->request)
			request_finish(MON_DROP_REQUEST);
		pscm_stop();
	} else {
		requests_due(phase.begun, number != 0);
		if (a->request)
			execution_open(a, after_gap, false);
	}
	pscm_unlock(&phase.lock);
	if (pscm_timed() && !phase.inside)
		watch();
	if (phase.verify) {
		candidates_pause();
		request_verify();
		candidates_resume(false);
	}
	if (phase.inside)
		execution_start();
}

static void execution_end(bool is_void)
{
	uint64_t number = number_given();

	if (unlikely(pscm_verify_copy)) {
		verify_copy_end(is_void);
		return;
	}
	if (unlikely(phase.inside)) {
		uint64_t now;

		if (events_wanted() && pscm_self)
			events_cut(pscm_self, pscm_region_stack_context(pscm_self), true);
		now = clock_ns();
		pscm_lock(&phase.lock);
		if (phase.inside) {     /* not ended by pscm_phase_exit() meanwhile */
			execution_close(is_void, now);
			phase.suspended = number != 0;
			if (!number)
				execution_result(is_void);
		}
		pscm_unlock(&phase.lock);
		candidates_resume(!is_void && !number);
	}
	if (unlikely(number != 0))
		return;         /* until the number rises */
	if (is_void)
		atomic_store_explicit(&pscm_shm->phase_begun, --phase.begun, memory_order_release);
	else
		atomic_store_explicit(&pscm_shm->phase_finished, ++phase.finished,
			memory_order_release);
}

/* --- boundaries ------------------------------------------------------------------------------ */

static uintptr_t thread_token(void)
{
	return (uintptr_t)&pscm_busy;
}

static bool owned(void)
{
	return atomic_load_explicit(&phase.owner, memory_order_relaxed) == thread_token();
}

/* The calling thread owns the phase: begins its first execution. */
static void boundary_own(const struct psc_unit *unit, uint32_t region, uintptr_t frame)
{
	phase.depth = 1;
	phase.frame = frame;
	pscm_context_root(unit, region);
	execution_begin(true);
}

static void boundary_begin(const struct psc_unit *unit, uint32_t region, uintptr_t frame)
{
	uintptr_t nobody = 0;

	if (owned() && phase.called) {
		phase.called = false;
		if (phase.depth == 1)
			phase.frame = frame;
		return;
	}
	if (owned()) {
		if (frame < phase.frame) {
			phase.depth++;
			return;
		}
		/* The stack is not deeper than at the recorded begin: an exception or a longjmp
		 * left that execution. */
		atomic_fetch_add(&pscm_unhandled, 1);
		execution_end(false);
	} else if (!atomic_compare_exchange_strong(&phase.owner, &nobody, thread_token())) {
		atomic_fetch_add(&pscm_shm->foreign, 1);
		return;
	}
	boundary_own(unit, region, frame);
}

static void boundary_end(uint32_t from_header)
{
	if (!owned())
		return;
	phase.called = false;
	if (--phase.depth)
		return;
	if (!phase.waits)
		execution_end(from_header != 0 || pscm_timed());        /* the last span is not over */
	phase.waits = 0;
	watch_end();
	pscm_units_native(false);
	atomic_store(&phase.owner, 0);
}

static bool clean_next(void)
{
	if (phase.armed.request)
		return unrecorded(phase.armed.kind);
	for (uint32_t i = 0; i < MON_SLOTS; i++)
		if (is_due(&pscm_shm->request[i], phase.begun + 1) && unrecorded(pscm_shm->request[i].kind))
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
		phase.waits = 0;
		return false;
	}
	now = clock_ns();
	phase.waits = phase.waits ? phase.waits : now;
	if (now - phase.waits < LINGER * pscm_timed_ns) {
		timed_wait();
		return true;
	}
	phase.waits = 0;
	phase.lingers = true;
	return false;
}

/* A hook of any region: may end a span of time. */
static __attribute__((noinline)) void timed_hook(const struct psc_unit *unit, uint32_t region, enum timed_kind kind)
{
	struct pscm_thread *t = pscm_self;
	int saved = errno;

	if (!t || !pscm_on() || !owned() || !timed_over(unit->base + region, kind, !phase.inside) || !pscm_guard())
		return;
	pscm_region_stack_sync(t);
	if (!t->signals && !pscm_region_in_team(t)) {
		if (!phase.waits)
			execution_end(false);
		if (!lingers(t))
			execution_begin(false);
		else
			watch();
	}
	pscm_unguard();
	errno = saved;
}

/* Are boundaries handled?  In a copy of the process the monitor is inert otherwise. */
static inline bool handled(void)
{
	return likely(pscm_on()) || pscm_verify_copy;
}

/* --- the search for the phase ---------------------------------------------------------------- */

/* The lock is held. */
static void phase_forget(void)
{
	phase.begun = phase.finished = phase.clean = 0;
	phase.depth = 0;
	phase.called = false;
	atomic_store(&phase.owner, 0);
	atomic_store(&pscm_shm->phase_begun, 0);
	atomic_store(&pscm_shm->phase_finished, 0);
	brief_forget(atomic_load(&pscm_shm->ncontexts));
	pscm_contexts_reset();
	pscm_lock(&pscm_tables_lock);
	pscm_aliases_forget();
	pscm_unlock(&pscm_tables_lock);
	atomic_fetch_add(&pscm_bind_generation, 1);
}

void pscm_phase_again(void)
{
	pscm_lock(&phase.lock);
	phase_forget();
	phase.armed.request = NULL;
	phase.verify = NULL;
	phase.inside = false;
	atomic_store(&phase.generation, 0);
	candidates_again();
	pscm_unlock(&phase.lock);
}

/* The agent has chosen another phase.  Requests for the old one are missed. */
static void phase_change(void)
{
	uint32_t generation = atomic_load_explicit(&pscm_shm->generation, memory_order_acquire);

	pscm_lock(&phase.lock);
	if (phase.inside || generation == phase.generation || !pscm_on())
		goto out;       /* it is applied when the execution has ended */
	if (phase.armed.request)
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
	atomic_store(&phase.generation, generation);
	atomic_store(&pscm_shm->applied, generation);
	pscm_event();
out:
	pscm_unlock(&phase.lock);
}

/* What the agent has decided meanwhile. */
static void agent_heard(void)
{
	if (unlikely(atomic_load_explicit(&pscm_shm->generation, memory_order_relaxed) !=
	    atomic_load_explicit(&phase.generation, memory_order_relaxed)))
		phase_change();
	if (unlikely(candidates_settled()))
		pscm_units_resolve();
}

/* --- hooks ---------------------------------------------------------------------------------- */

/* The role of a region whose hook is called.  which: as in candidate_none(). */
static inline unsigned role_called(struct psc_unit *unit, uint32_t region, int which)
{
	unsigned role = unit_role(unit, region);

	if (likely(role))
		return role;
	if (unlikely(!unit->registered)) {
		attach_marker();
		role = unit_role(unit, region);
	}
	if (!role)
		candidate_none(unit, region, which);
	return role;
}

/* `frame` is the stack frame of the hook that the program called. */
static void phase_begin(struct psc_unit *unit, uint32_t region, uintptr_t frame)
{
	unsigned role = role_called(unit, region, 0);
	int saved;

	if (pscm_timed())
		timed_hook(unit, region, TIMED_ENTRY);
	if (!role || !handled() || !pscm_guard())
		return;
	saved = errno;
	if (likely(!pscm_verify_copy)) {
		agent_heard();
		role = unit_role(unit, region);
		/* a function's clone begins what its native version has begun */
		if (role & ROLE_CANDIDATE && !(role & ROLE_PHASE && owned() && phase.called))
			candidate_begin(unit, role, frame);
	}
	if (role & ROLE_PHASE)
		boundary_begin(unit, region, frame);
	pscm_unguard();
	errno = saved;
}

/* --- slices: which version of the code runs -------------------------------------------------- */

/* A function begins, before it enters its region. */
static inline void slice_entry(const struct psc_unit *unit, uint32_t region, bool clone)
{
	if ((slices_wanted() || pscm_timed()) && pscm_self && pscm_guard()) {
		int saved = errno;

		slices_entry(pscm_self, unit->base + region, clone);
		pscm_unguard();
		errno = saved;
	}
}

/* A loop that can be the phase begins an iteration. */
static inline void slice_iteration(const struct psc_unit *unit, uint32_t region, bool next)
{
	struct pscm_thread *t = pscm_self;
	int saved;

	if ((!slices_wanted() && !pscm_timed()) || !t || !pscm_guard())
		return;
	saved = errno;
	pscm_region_stack_sync(t);
	if (t->depth && t->frame[t->depth - 1].region == unit->base + region)
		slices_iteration(t, next);
	pscm_unguard();
	errno = saved;
}

/* A begin that was not merged with the enter hook: of a loop behind it, of a function before it. */
static void slice_begin_alone(const struct psc_unit *unit, uint32_t region)
{
	const struct pscm_thread *t = pscm_self;

	if ((!slices_wanted() && !pscm_timed()) || !t)
		return;
	if (t->depth && t->frame[t->depth - 1].region == unit->base + region)
		slice_iteration(unit, region, false);
	else
		slice_entry(unit, region, true);
}

static void phase_call(struct psc_unit *unit, uint32_t region, uintptr_t frame)
{
	slice_entry(unit, region, false);
	phase_begin(unit, region, frame);
	if (unit_role(unit, region) & ROLE_PHASE && owned())
		phase.called = pscm_flag_is(&__psc_recording) != 0;
}

#define FRAME ((uintptr_t)__builtin_frame_address(0))

void __psc_phase_begin(struct psc_unit *unit, uint32_t region)
{
	phase_begin(unit, region, FRAME);
	slice_begin_alone(unit, region);
}

void __psc_phase_call(struct psc_unit *unit, uint32_t region)
{
	phase_call(unit, region, FRAME);
}

/* An iteration of the phase has begun.  A loop that was chosen while it ran is entered here. */
static void phase_next(const struct psc_unit *unit, uint32_t region, unsigned role)
{
	uintptr_t nobody = 0, frame;

	if (owned()) {
		if (phase.depth == 1)
			execution_begin(false);
	} else if ((frame = candidate_frame(role)) &&
		   atomic_compare_exchange_strong(&phase.owner, &nobody, thread_token())) {
		boundary_own(unit, region, frame);
	}
}

static inline void phase_next_hook(struct psc_unit *unit, uint32_t region, uintptr_t frame)
{
	unsigned role = role_called(unit, region, 1);
	int saved;

	if (pscm_timed())
		timed_hook(unit, region, TIMED_ITERATION);
	slice_iteration(unit, region, true);
	if (!role || !handled() || !pscm_guard())
		return;
	saved = errno;
	if (role & ROLE_PHASE && owned() && phase.depth == 1)
		execution_end(false);
	if (likely(!pscm_verify_copy)) {
		if (role & ROLE_CANDIDATE)
			candidate_next(unit, role, frame);
		agent_heard();
		role = unit_role(unit, region);
	}
	if (role & ROLE_PHASE)
		phase_next(unit, region, role);
	pscm_unguard();
	errno = saved;
}

void __psc_phase_next(struct psc_unit *unit, uint32_t region)
{
	phase_next_hook(unit, region, FRAME);
}

void __psc_phase_end(struct psc_unit *unit, uint32_t region, uint32_t from_header)
{
	unsigned role = role_called(unit, region, 0);
	int saved;

	if (unlikely(pscm_mode() & PSCM_MODE_TIME))
		pscm_region_joined(unit, region);
	if (pscm_timed())
		timed_hook(unit, region, TIMED_ENTRY);
	if (!role || !handled() || !pscm_guard())
		return;
	saved = errno;
	if (role & ROLE_PHASE)
		boundary_end(from_header);
	if (role & ROLE_CANDIDATE && likely(!pscm_verify_copy)) {
		candidate_end(unit, role, from_header != 0);
		agent_heard();
	}
	pscm_unguard();
	errno = saved;
}

/* --- hooks by mark; mark->unit is NULL in a unit that is not registered -------------------- */

void __psc_mark_begin(struct psc_mark *m)
{
	if (likely(attach_unit(m))) {
		phase_begin(m->unit, m->index, FRAME);
		slice_begin_alone(m->unit, m->index);
	}
	pscm_ensure_space();
}

uint64_t __psc_fork_begin(struct psc_mark *m)
{
	uint64_t token = 0;

	if (likely(attach_unit(m))) {
		phase_begin(m->unit, m->index, FRAME);
		token = __psc_fork(m->unit, m->index);
	}
	pscm_ensure_space();
	return token;
}

void __psc_mark_call(struct psc_mark *m)
{
	if (likely(attach_unit(m)))
		phase_call(m->unit, m->index, FRAME);
}

void __psc_mark_next(struct psc_mark *m)
{
	if (likely(attach_unit(m)))
		phase_next_hook(m->unit, m->index, FRAME);
	pscm_ensure_space();
}

void __psc_mark_end(struct psc_mark *m)
{
	if (likely(attach_unit(m)))
		__psc_phase_end(m->unit, m->index, 0);
	pscm_ensure_space();
}

void __psc_mark_void(struct psc_mark *m)
{
	if (likely(attach_unit(m)))
		__psc_phase_end(m->unit, m->index, 1);
	pscm_ensure_space();
}

void __psc_sub_begin(struct psc_mark *m)
{
	if (likely(attach_unit(m))) {
		phase_begin(m->unit, m->index, FRAME);
		slice_entry(m->unit, m->index, true);
		__psc_enter(m->unit, m->index);
	}
	pscm_ensure_space();
}

void __psc_sub_end(struct psc_mark *m)
{
	if (likely(attach_unit(m))) {
		__psc_exit(m->unit, m->index);
		__psc_phase_end(m->unit, m->index, 0);
	}
	pscm_ensure_space();
}

void __psc_sub_close(struct psc_mark *m)
{
	__psc_mark_close(m);
	__psc_mark_end(m);
}

void __psc_sub_bind(struct psc_mark *m, ...)
{
	va_list addresses;

	if (likely(attach_unit(m))) {
		va_start(addresses, m);
		phase_begin(m->unit, m->index, FRAME);
		slice_entry(m->unit, m->index, true);
		__psc_enter(m->unit, m->index);
		pscm_bind_all(m, addresses);
		va_end(addresses);
	}
	pscm_ensure_space();
}

void __psc_loop_begin(struct psc_mark *m)
{
	if (likely(attach_unit(m))) {
		__psc_enter(m->unit, m->index);
		phase_begin(m->unit, m->index, FRAME);
		slice_iteration(m->unit, m->index, false);
	}
	pscm_ensure_space();
}

void __psc_loop_end(struct psc_mark *m)
{
	if (likely(attach_unit(m))) {
		__psc_phase_end(m->unit, m->index, 0);
		__psc_exit(m->unit, m->index);
	}
	pscm_ensure_space();
}

void __psc_loop_void(struct psc_mark *m)
{
	if (likely(attach_unit(m))) {
		__psc_phase_end(m->unit, m->index, 1);
		__psc_exit(m->unit, m->index);
	}
	pscm_ensure_space();
}

void psc_phase_number(unsigned long long n)
{
	phase_number(n);
}

__attribute__((visibility("default"))) void psc_phase_number_(const int32_t *n);

void psc_phase_number_(const int32_t *n)
{
	phase_number(*n > 0 ? (uint64_t)*n : 0);
}

/* A cancelled thread leaves the phase: ends its execution, so that another thread may begin one. */
void pscm_phase_leave(void)
{
	if (!owned())
		return;
	atomic_fetch_add(&pscm_unhandled, 1);
	if (!phase.waits)
		execution_end(pscm_timed());
	phase.waits = 0;
	watch_end();
	pscm_units_native(false);
	atomic_store(&phase.owner, 0);
}

void pscm_phase_exit(void)
{
	struct pscm_armed *a = &phase.armed;

	/* Another thread may be at a boundary; exit() does not wait for it. */
	if (!pscm_trylock(&phase.lock))
		return;
	if (a->request && phase.suspended && !phase.inside)
		execution_result(false);
	if (a->request) {
		/* Counts of an interrupted execution cannot be separated from those of complete
		 * ones. */
		bool mixed = !unrecorded(a->kind) && phase.inside;

		phase.inside = false;
		if (a->kind == MON_TIME && a->progress && a->progress <= a->warm)
			request_end(MON_MISSED, MON_DROP_NONE);         /* after its survey */
		else
			request_finish(mixed || a->progress <= a->warm ? MON_DROP_EXIT : MON_DROP_NONE);
	}
	for (uint32_t i = 0; i < MON_SLOTS; i++)
		if (atomic_load(&pscm_shm->request[i].state) == MON_READY)
			request_close(&pscm_shm->request[i], MON_MISSED, MON_DROP_NONE);
	pscm_unlock(&phase.lock);
}
