/* SPDX-License-Identifier: BSD-3-Clause */
/* Times the regions that could be the phase (candidates), from the start of the process.
 *
 * A candidate is timed while one thread, its owner, is in it: two clock readings per entry, none
 * per iteration.  Where that would cost too much, the compiled code stops calling: per iteration
 * when iterations are brief, per entry when entries are brief, and also for hooks of other regions
 * that share a bit with a candidate.  Limits: BRIEF_NS while the phase is searched for, RARE_NS
 * once the agent has settled. */
#ifndef PSC_MONITOR_CANDIDATES_H
#define PSC_MONITOR_CANDIDATES_H

#include "monitor/state.h"

enum { ROLE_PHASE = 1 << 15, ROLE_CANDIDATE = ROLE_PHASE - 1 };

/* What the regions that share a bit of psc_unit.phase and .iterates are called
 * for (0 phase, 1 iterates). */
struct unit_bit {
	uint64_t since[2];              /* when the counts below began, ns */
	uint32_t wasted[2];             /* hook calls of regions that are no candidates */
	bool off[2];                    /* the bit is not set */
};

/* What a subroutine's calls say, while its hooks are called for that (native_subroutines.h). */
struct unit_calls {
	uint64_t since;                 /* when the count began, ns */
	uint32_t n;
	bool counted, often;
};

/* What the regions of a unit are to the search for the phase; psc_unit.phases. */
struct unit_roles {
	struct unit_bit *bit;
	struct unit_calls *calls;       /* by region */
	uint16_t *listed;               /* by region: number of the candidate + 1, 0: none */
	uint16_t role[];                /* by region: the same while it is timed, ROLE_PHASE */
};

static inline unsigned unit_role(const struct psc_unit *unit, uint32_t region)
{
	const struct unit_roles *r = __atomic_load_n(&unit->phases, __ATOMIC_RELAXED);

	return r ? r->role[region] : 0;
}

/* Bits of a unit's regions: of psc_unit.phase, and of iterates or marks. */
enum { UNIT_BITS = 8 * PSC_PHASE_BYTES };
typedef uint8_t unit_mask[PSC_PHASE_BYTES];

static inline void unit_mask_set(uint8_t *mask, uint32_t region)
{
	uint32_t bit = region % UNIT_BITS;

	mask[bit / 8] |= (uint8_t)(1u << bit % 8);
}

/* Fills in the unit's roles (the tables' lock is held).  bits: of psc_unit.phase and .iterates. */
void candidates_unit(struct psc_unit *unit, unit_mask bits[2]);
/* May executions of the region begin that are to be seen: is it the phase, or a candidate whose
 * entries are not known to be brief?  often: the subroutine is called so often that it is brief, so
 * is what was never entered. */
bool candidate_is_wanted(const struct psc_unit *unit, uint32_t region, bool often);

/* Hooks; role as above, with a candidate.  frame: stack frame of the hook. */
void candidate_begin(struct psc_unit *unit, unsigned role, uintptr_t frame);
/* The loop may have been entered before the process was analysed (attach.h): it is, then, now. */
void candidate_next(struct psc_unit *unit, unsigned role, uintptr_t frame);
/* is_void: the last execution was none. */
void candidate_end(struct psc_unit *unit, unsigned role, bool is_void);
/* This thread is in the candidate, once: its frame; 0: it is not. */
uintptr_t candidate_frame(unsigned role);
/* A hook was called in vain (which: 0 begin or end, 1 next), or to count calls. */
void candidate_none(struct psc_unit *unit, uint32_t region, int which);

/* Around executions that are recorded, and other work of the monitor: the clock of all candidates
 * stands still.  executed: it was an execution of the phase. */
void candidates_pause(void);
void candidates_resume(bool executed);
/* Before another analysis of the process. */
void candidates_again(void);
/* The agent has settled: from now on only rare hooks are called.  True the first time. */
bool candidates_settled(void);

#endif
