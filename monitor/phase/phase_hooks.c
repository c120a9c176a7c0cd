/* SPDX-License-Identifier: BSD-3-Clause */
/* What compiled code calls at the begin, the iterations and the end of
 * regions that can be the phase. */
#include "monitor/address/bindings.h"
#include "monitor/attach.h"
#include "monitor/collect/slices.h"
#include "monitor/host/threads.h"
#include "monitor/phase/execution_source.h"
#include "monitor/phase/phase.h"
#include "monitor/regions/candidates.h"
#include "monitor/regions/compile_units.h"
#include "monitor/regions/region_times.h"
#include "monitor/regions/regions.h"
#include "monitor/state.h"
#include <errno.h>

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
		if (role & ROLE_CANDIDATE && !(role & ROLE_PHASE && owned() && pscm_phase.called))
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
		pscm_phase.called = pscm_flag_is(&__psc_recording) != 0;
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
		if (pscm_phase.depth == 1)
			execution_begin(false);
	} else if ((frame = candidate_frame(role)) &&
		   atomic_compare_exchange_strong(&pscm_phase.owner, &nobody, thread_token())) {
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
	if (role & ROLE_PHASE && owned() && pscm_phase.depth == 1)
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
	execution_number(n);
}

__attribute__((visibility("default"))) void psc_phase_number_(const int32_t *n);

void psc_phase_number_(const int32_t *n)
{
	execution_number(*n > 0 ? (uint64_t)*n : 0);
}
