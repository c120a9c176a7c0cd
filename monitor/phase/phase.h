/* SPDX-License-Identifier: BSD-3-Clause */
/* The phase: its state, and what its three files have in common.
 *   phase_hooks.c      what compiled code calls
 *   phase.c            executions of the phase, and the boundaries between them
 *   phase_requests.c   which request is due, armed, and ended
 *
 * One thread owns the phase at a time: the first that begins an execution, until that execution
 * ends.  Boundaries that other threads reach meanwhile are counted and otherwise ignored. */
#ifndef PSC_MONITOR_PHASE_H
#define PSC_MONITOR_PHASE_H

#include "monitor/collect/armed.h"
#include "monitor/collect/runtime_collector.h"
#include "monitor/collect/process_copies.h"
#include "monitor/phase/timed_spans.h"
#include "monitor/state.h"

struct pscm_phase {
	_Atomic uintptr_t owner;        /* token of the owning thread; 0: none */
	uint32_t depth;                 /* recursive begins of the owner */
	uintptr_t frame;                /* stack frame of the outermost begin */
	uint64_t begun, finished;
	uint64_t start, ns;             /* of what is measured of the current execution, its begin
					 * and what it took before */
	bool suspended;                 /* an execution with a number is being measured, and may go
					 * on */
	uint64_t cpu_start, cpu;        /* the same of the owner's processor time, all that
					 * measuring takes included */
	struct pscm_armed armed;
	pthread_mutex_t lock;           /* held during a boundary */
	bool inside;                    /* the current execution is being measured */
	bool called;                    /* __psc_phase_call() was the next begin */
	uint64_t waits;         /* timed: ns, since when a clean span waits to begin; 0: none
				 * does */
	bool lingers;           /* it has waited in vain */
	/* Due, and measured at the boundary instead of executions; NULL: none. */
	struct { struct mon_request *request; const struct pscm_collector *collector; } aside;
	_Atomic uint32_t generation;    /* of the phase, as the agent numbers them */
};

extern struct pscm_phase pscm_phase;

static inline uintptr_t thread_token(void)
{
	return (uintptr_t)&pscm_busy;
}

static inline bool owned(void)
{
	return atomic_load_explicit(&pscm_phase.owner, memory_order_relaxed) == thread_token();
}

/* Are boundaries handled?  In a copy of the process the monitor is inert otherwise. */
static inline bool handled(void)
{
	return likely(pscm_on()) || pscm_verify_copy;
}

/* --- phase_requests.c: the lock is held ------------------------------------------------------- */
/* Ends a request that is not armed. */
void request_close(struct mon_request *r, enum mon_state state, enum mon_drop reason);
/* Ends the armed request with the results so far, in this state unless it failed. */
void request_end(enum mon_state state, enum mon_drop failed);
void request_finish(enum mon_drop failed);
/* Measures what is due at this boundary instead of executions.  In a copy of the process:
 * returns at once. */
void request_run(void);
bool request_is_due(const struct mon_request *r, uint64_t n);
/* Without the lock, which takes two system calls: a request may wait for many executions. */
bool requests_any_due(uint64_t n);
/* Is the next execution to be measured by a clean collector? */
bool request_next_is_clean(void);
/* Handles all requests at the boundary of execution n: arms at most one. */
void requests_due(uint64_t n, bool numbered);

/* --- phase.c: the thread is in the monitor (pscm_guard()) ------------------------------------- */
void execution_begin(bool after_gap);
void execution_end(bool is_void);
/* The calling thread owns the phase: begins its first execution. */
void boundary_own(const struct psc_unit *unit, uint32_t region, uintptr_t frame);
void boundary_begin(const struct psc_unit *unit, uint32_t region, uintptr_t frame);
void boundary_end(uint32_t from_header);
/* A hook of any region, outside of the monitor: may end a span of time. */
void timed_hook(const struct psc_unit *unit, uint32_t region, enum timed_kind kind);
/* What the agent has decided meanwhile. */
void agent_heard(void);

#pragma GCC visibility push(hidden)

/* --- for start.c and threads ------------------------------------------------------------------ */
void pscm_phase_exit(void);             /* when the process ends */
void pscm_phase_forking(void);          /* before fork() */
void pscm_phase_again(void);            /* before another analysis of the process: forgets phase and
					 * contexts */
void pscm_phase_leave(void);            /* when the thread ends */

#pragma GCC visibility pop
#endif
