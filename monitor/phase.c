/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles phase boundaries: counts executions, arms the request that is due, and ends it.
 *
 * One thread owns the phase at a time: the first that begins an execution, until that execution
 * ends.  Boundaries that other threads reach meanwhile are counted and otherwise ignored. */
#include "monitor/brief_regions.h"
#include "monitor/candidates.h"
#include "monitor/record_check.h"
#include "monitor/region_times.h"
#include "monitor/verify.h"
#include "monitor/slices.h"
#include "base/clock.h"
#include <errno.h>

static struct {
	_Atomic uintptr_t owner;        /* token of the owning thread; 0: none */
	uint32_t depth;                 /* recursive begins of the owner */
	uintptr_t frame;                /* stack frame of the outermost begin */
	uint64_t begun, finished;
	uint64_t start;                 /* of the current execution, ns */
	uint64_t clean;                 /* shortest clean execution of the last request, ns; 0: none */
	struct pscm_armed armed;
	pthread_mutex_t lock;           /* held during a boundary */
	bool inside;                    /* the current execution is being measured */
	bool called;                    /* __psc_phase_call() was the next begin */
	struct mon_request *verify;     /* MON_VERIFY that is due; NULL */
	_Atomic uint32_t generation;    /* of the phase, as the agent numbers them */
} phase = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* --- requests ------------------------------------------------------------------------------- */

static void request_close(struct mon_request *r, enum mon_state state, enum mon_drop reason)
{
	r->reason = reason;
	if (state != MON_DONE)
		r->ntime = r->ncount = r->nlines = r->nsites = 0;
	atomic_store_explicit(&r->state, state, memory_order_release);
	pscm_event();
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
	if (a->kind != MON_TIME) {
		a->nrows = 0;
		pscm_record_finish(a);
		slices_finish(r);
	}
	pscm_flag(&__psc_live, 0);
	pscm_units_call(PSCM_CALLS_NONE);
	r->ntime = ntimes;
	r->ncount = a->kind != MON_TIME ? a->nrows : 0;
	r->executions = a->progress > a->warm ? a->progress - a->warm : 0;
	r->lost = atomic_load(&pscm_lost);
	r->unhandled = atomic_load(&pscm_unhandled);
	a->request = NULL;
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
	r->ntime = r->ncount = r->nlines = r->nsites = 0;
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
	if (a->kind < MON_TIME || a->kind > MON_RECORD || !a->count ||
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
	if (a->kind != MON_TIME) {
		enum mon_drop failed = pscm_record_arm(a);

		if (failed)
			return failed;
		slices_arm(a, phase.clean);
	} else {
		phase.clean = 0;
	}
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

/* Handles all requests at the boundary of execution n: arms at most one. */
static void requests_due(uint64_t n)
{
	for (uint32_t i = 0; i < MON_SLOTS; i++) {
		struct mon_request *r = &pscm_shm->request[i];
		enum mon_drop failed;

		if (atomic_load_explicit(&r->state, memory_order_acquire) != MON_READY ||
		    r->generation != phase.generation || r->first > n)
			continue;
		if (r->first < n || phase.armed.request || phase.verify || !has_share(r)) {
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

static void execution_begin(bool after_gap)
{
	struct pscm_armed *a = &phase.armed;
	uint32_t bell;

	if (unlikely(pscm_verify_copy)) {
		verify_copy_begin();
		return;
	}
	pscm_lockstep();
	atomic_store_explicit(&pscm_shm->phase_begun, ++phase.begun, memory_order_release);
	bell = atomic_load_explicit(&pscm_shm->doorbell, memory_order_acquire);
	if (likely(!bell))
		return;         /* no request in any slot, so none is armed */
	pscm_lock(&phase.lock);
	if (bell & MON_BELL_DETACHED) {
		if (a->request)
			request_finish(MON_DROP_REQUEST);
		pscm_stop();
		goto out;
	}
	requests_due(phase.begun);
	if (a->request) {
		struct pscm_thread *t = pscm_thread_self();

		if (a->kind != MON_TIME)
			candidates_pause();
		if (!t) {
			request_finish(MON_DROP_MEMORY);
			goto out;
		}
		pscm_units_call(a->kind == MON_TIME ? PSCM_CALLS_TIMED :
			slices_wanted() ? PSCM_CALLS_SLICED : PSCM_CALLS_ALL);
		pscm_units_native(a->kind == MON_TIME && brief_any());
		pscm_flag(&__psc_live, 1);
		atomic_fetch_add(&pscm_epoch, 1);
		pscm_region_stack_sync(t);
		if (a->kind == MON_TIME)
			times_measure_markers();
		else if (slices_wanted())
			slices_begin(t, a->progress < a->warm);
		else
			pscm_record_begin(t, a->progress >= a->warm, after_gap || !a->progress);
		phase.inside = true;
		atomic_store(&pscm_live.mode, a->kind == MON_TIME ? PSCM_MODE_TIME : PSCM_MODE_SIM);
	}
out:
	pscm_unlock(&phase.lock);
	if (phase.verify) {
		candidates_pause();
		request_verify();
		candidates_resume(false);
	}
	if (phase.inside) {
		pscm_region_stack_open(pscm_thread_self());
		phase.start = clock_ns();
	}
}

/* The first warm-ups of clean executions are surveys.  One that finds no brief region is an
 * execution like those after it, and counts. */
static bool surveyed(struct pscm_armed *a)
{
	if (!brief_wanted())
		return false;
	if (brief_survey()) {
		pscm_units_call(PSCM_CALLS_NONE);       /* the next execution sets fewer bits */
		pscm_units_native(false);
		return false;
	}
	a->warm = a->progress;
	return true;
}

static void execution_measured(bool is_void, uint64_t now)
{
	struct pscm_armed *a = &phase.armed;
	struct pscm_thread *t = pscm_thread_self();
	bool counted = a->progress >= a->warm && !is_void;

	phase.inside = false;
	if (t && !is_void && pscm_check_wanted())
		pscm_check_closed(t);
	if (a->kind == MON_TIME) {
		atomic_store(&pscm_live.mode, 0);
		if (t)
			pscm_region_stack_close(t, now);
		pscm_time_sums();
		if (!counted && !is_void)
			counted = surveyed(a);
		if (counted)
			pscm_time_rows(a);
		if (counted && (!phase.clean || now - phase.start < phase.clean))
			phase.clean = now - phase.start;
	} else {
		if (t && slices_wanted())
			slices_end(t);
		if (t)
			pscm_record_end(t, is_void);
		if (counted && a->progress == a->warm && slices_failed()) {
			a->warm++;
			counted = false;
		}
		atomic_store(&pscm_live.mode, 0);
		pscm_time_sums();
		/* Calls of one execution: more rows might not fit. */
		if (counted && a->kind == MON_SIM && a->progress == a->warm)
			pscm_time_rows(a);
	}
	if (is_void)
		return;
	if (counted) {
		a->request->phase_ns[a->progress - a->warm] = now - phase.start;
		if (a->progress == a->warm)
			a->request->ran_first = phase.begun;
	}
	a->progress++;
	if (a->failed || a->progress == a->warm + a->count)
		request_finish(a->failed);
}

static void execution_end(bool is_void)
{
	if (unlikely(pscm_verify_copy)) {
		verify_copy_end(is_void);
		return;
	}
	if (unlikely(phase.inside)) {
		uint64_t now = clock_ns();

		pscm_lock(&phase.lock);
		if (phase.inside)       /* not ended by pscm_phase_exit() meanwhile */
			execution_measured(is_void, now);
		pscm_unlock(&phase.lock);
		candidates_resume(!is_void);
	}
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
	execution_end(from_header != 0);
	pscm_units_native(false);
	atomic_store(&phase.owner, 0);
}

/* Are boundaries handled?  In a copy of the process the monitor is inert otherwise. */
static inline bool handled(void)
{
	return likely(pscm_on()) || pscm_verify_copy;
}

/* --- the search for the phase ---------------------------------------------------------------- */

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

/* `frame` is the stack frame of the hook that the program called. */
static void phase_begin(struct psc_unit *unit, uint32_t region, uintptr_t frame)
{
	unsigned role = unit_role(unit, region);
	int saved;

	if (!role)
		candidate_none(unit, region, 0);
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
	if (slices_wanted() && pscm_self && pscm_guard()) {
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

	if (!slices_wanted() || !t || !pscm_guard())
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

	if (!slices_wanted() || !t)
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

void __psc_phase_next(struct psc_unit *unit, uint32_t region)
{
	unsigned role = unit_role(unit, region);
	int saved;

	slice_iteration(unit, region, true);
	if (!role)
		candidate_none(unit, region, 1);
	if (!role || !handled() || !pscm_guard())
		return;
	saved = errno;
	if (role & ROLE_PHASE && owned() && phase.depth == 1)
		execution_end(false);
	if (likely(!pscm_verify_copy)) {
		if (role & ROLE_CANDIDATE)
			candidate_next(unit, role);
		agent_heard();
		role = unit_role(unit, region);
	}
	if (role & ROLE_PHASE)
		phase_next(unit, region, role);
	pscm_unguard();
	errno = saved;
}

void __psc_phase_end(struct psc_unit *unit, uint32_t region, uint32_t from_header)
{
	unsigned role = unit_role(unit, region);
	int saved;

	if (unlikely(pscm_mode() & PSCM_MODE_TIME))
		pscm_region_joined(unit, region);
	if (!role)
		candidate_none(unit, region, 0);
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
	if (likely(m->unit)) {
		phase_begin(m->unit, m->index, FRAME);
		slice_begin_alone(m->unit, m->index);
	}
	pscm_ensure_space();
}

uint64_t __psc_fork_begin(struct psc_mark *m)
{
	uint64_t token = 0;

	if (likely(m->unit)) {
		phase_begin(m->unit, m->index, FRAME);
		token = __psc_fork(m->unit, m->index);
	}
	pscm_ensure_space();
	return token;
}

void __psc_mark_call(struct psc_mark *m)
{
	if (likely(m->unit))
		phase_call(m->unit, m->index, FRAME);
}

void __psc_mark_next(struct psc_mark *m)
{
	if (likely(m->unit))
		__psc_phase_next(m->unit, m->index);
	pscm_ensure_space();
}

void __psc_mark_end(struct psc_mark *m)
{
	if (likely(m->unit))
		__psc_phase_end(m->unit, m->index, 0);
	pscm_ensure_space();
}

void __psc_mark_void(struct psc_mark *m)
{
	if (likely(m->unit))
		__psc_phase_end(m->unit, m->index, 1);
	pscm_ensure_space();
}

void __psc_sub_begin(struct psc_mark *m)
{
	if (likely(m->unit)) {
		phase_begin(m->unit, m->index, FRAME);
		slice_entry(m->unit, m->index, true);
		__psc_enter(m->unit, m->index);
	}
	pscm_ensure_space();
}

void __psc_sub_end(struct psc_mark *m)
{
	if (likely(m->unit)) {
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

	if (likely(m->unit)) {
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
	if (likely(m->unit)) {
		__psc_enter(m->unit, m->index);
		phase_begin(m->unit, m->index, FRAME);
		slice_iteration(m->unit, m->index, false);
	}
	pscm_ensure_space();
}

void __psc_loop_end(struct psc_mark *m)
{
	if (likely(m->unit)) {
		__psc_phase_end(m->unit, m->index, 0);
		__psc_exit(m->unit, m->index);
	}
	pscm_ensure_space();
}

void __psc_loop_void(struct psc_mark *m)
{
	if (likely(m->unit)) {
		__psc_phase_end(m->unit, m->index, 1);
		__psc_exit(m->unit, m->index);
	}
	pscm_ensure_space();
}

/* A cancelled thread leaves the phase: ends its execution, so that another thread may begin one. */
void pscm_phase_leave(void)
{
	if (!owned())
		return;
	atomic_fetch_add(&pscm_unhandled, 1);
	execution_end(false);
	pscm_units_native(false);
	atomic_store(&phase.owner, 0);
}

void pscm_phase_exit(void)
{
	struct pscm_armed *a = &phase.armed;

	/* Another thread may be at a boundary; exit() does not wait for it. */
	if (!pscm_trylock(&phase.lock))
		return;
	if (a->request) {
		/* Counts of an interrupted execution cannot be separated from those of complete
		 * ones. */
		bool mixed = a->kind != MON_TIME && phase.inside;

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
