/* SPDX-License-Identifier: BSD-3-Clause */
/* Registered units: their regions, and which hooks their code calls. */
#ifndef PSC_MONITOR_COMPILE_UNITS_H
#define PSC_MONITOR_COMPILE_UNITS_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

/* The unit's number in the table; MON_ANY: not registered. */
static inline uint32_t pscm_unit_number(const struct psc_unit *unit)
{
	return unit->registered ? unit->registered - 1 : MON_ANY;
}
void pscm_unit_register(struct psc_unit *unit); /* body of __psc_unit_register() */
/* True when this region of the unit is the phase (the tables' lock is held). */
bool pscm_region_is_phase(uint64_t hash, uint32_t region);
/* Sets the bits of a unit anew. */
void pscm_unit_resolve(struct psc_unit *unit);
/* The regions whose markers and phase hooks compiled code calls, beside the phase and candidates:
 * none; all; all but the brief ones; all, and at each iteration of a loop that can be the phase. */
enum pscm_calls { PSCM_CALLS_NONE, PSCM_CALLS_ALL, PSCM_CALLS_TIMED, PSCM_CALLS_SLICED };
void pscm_units_call(enum pscm_calls now);
/* Do calls of brief subroutines go to native code instead of marker versions?  Only inside the
 * phase: a marker version is needed where a measurement may begin before it returns. */
void pscm_units_native(bool on);
/* After MON_WELCOME and when the phase has changed: marks the units that hold the phase or a
 * candidate. */
void pscm_units_resolve(void);
/* Every hook by mark ends with this: recording code does not check the buffer again. */
void pscm_record_make_space(void);
static inline void pscm_ensure_space(void)
{
	if (unlikely(psc_cur >= psc_end))
		pscm_record_make_space();
}
/* Unmarks all, and returns their list; the tables' lock is held, or no other thread runs. */
struct psc_unit *pscm_units_forget(void);

#pragma GCC visibility pop
#endif
