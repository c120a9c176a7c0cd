/* SPDX-License-Identifier: BSD-3-Clause */
/* Times the regions that could be the phase (candidates), from the start of the process.
 *
 * A candidate is timed while one thread, its owner, is in it: two clock readings per entry, none per
 * iteration.  Where that would cost too much, the compiled code stops calling: per iteration when
 * iterations are brief, per entry when entries are brief, and also for hooks of other regions that
 * share a bit with a candidate.  Limits: BRIEF_NS while the phase is searched for, RARE_NS once the
 * agent has settled. */
#ifndef PSC_MONITOR_CANDIDATES_H
#define PSC_MONITOR_CANDIDATES_H

#include "monitor/pscmon.h"

enum { ROLE_PHASE = 1 << 15, ROLE_CANDIDATE = ROLE_PHASE - 1 };

/* What the regions of a unit are to the search for the phase; psc_unit.phases. */
struct unit_roles {
	uint64_t off[2];                /* bits of psc_unit.phase and .iterates that are not set */
	uint64_t since[2][64];          /* when the counts below began, ns */
	uint32_t wasted[2][64];         /* hook calls, by bit, of regions that are no candidates */
	uint16_t role[];                /* by region: number of the candidate + 1, ROLE_PHASE */
};

static inline unsigned unit_role(const struct psc_unit *unit, uint32_t region)
{
	const struct unit_roles *r = __atomic_load_n(&unit->phases, __ATOMIC_RELAXED);

	return r ? r->role[region] : 0;
}

/* Fills in the unit's roles (the tables' lock is held).  bits: of psc_unit.phase and .iterates. */
void candidates_unit(struct psc_unit *unit, uint8_t bits[2][8]);

/* Hooks; role as above, with a candidate.  frame: stack frame of the hook. */
void candidate_begin(struct psc_unit *unit, unsigned role, uintptr_t frame);
void candidate_next(struct psc_unit *unit, unsigned role);
/* is_void: the last execution was none. */
void candidate_end(struct psc_unit *unit, unsigned role, bool is_void);
/* This thread is in the candidate, once: its frame; 0: it is not. */
uintptr_t candidate_frame(unsigned role);
/* A hook was called in vain (which: 0 begin or end, 1 next). */
void candidate_none(struct psc_unit *unit, uint32_t region, int which);

/* Around executions that are recorded, and other work of the monitor: the clock of all candidates
 * stands still.  executed: it was an execution of the phase. */
void candidates_pause(void);
void candidates_resume(bool executed);
/* The agent has settled: from now on only rare hooks are called.  True the first time. */
bool candidates_settled(void);

#endif
