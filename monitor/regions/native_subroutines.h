/* SPDX-License-Identifier: BSD-3-Clause */
/* Which subroutines may run natively while nothing is measured.
 *
 * The native version of a small or recursive subroutine has no markers and no boundaries: its
 * version with markers has them.  That one is slower, and needed only where an execution of the
 * phase, or an entry of a candidate that is timed (candidates.h), may begin in the subroutine, or
 * in what GCC has inlined into it.  The tables of a unit list for each such subroutine its loops,
 * and the others that may be inlined.
 *
 * A candidate that was never entered may be one that is entered rarely.  In a subroutine that is
 * called more often than every BRIEF_NS it is not waited for: the hooks of the subroutine itself
 * are called until that is known. */
#ifndef PSC_MONITOR_NATIVE_SUBROUTINES_H
#define PSC_MONITOR_NATIVE_SUBROUTINES_H

#include "monitor/regions/candidates.h"

/* Keeps the list of a registered unit; text: the part of its tables behind the dummies. */
void native_calls_read(const struct psc_unit *unit, const unsigned char *text);
/* Decides for all subroutines of the unit (the tables' lock is held), after candidates_unit().
 * Adds the bits of those whose calls are to be counted. */
void native_calls_resolve(struct psc_unit *unit, uint8_t *phase_bits);

/* Would the subroutine, run natively, miss hooks that clean spans of time keep: its own, its
 * loops', or of what is inlined? */
bool native_calls_miss(const struct psc_unit *unit, uint32_t region);

static inline bool native_calls_may(struct psc_unit *unit, uint32_t region)
{
	return psc_unit_marks(unit)[region].native;
}

#endif
