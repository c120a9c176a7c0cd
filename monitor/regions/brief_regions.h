/* SPDX-License-Identifier: BSD-3-Clause */
/* Brief regions: those whose calls are so short that their markers would change what they measure.
 *
 * The survey, a clean execution with all markers, finds them, and a second one, without the markers
 * of these, those that are brief without them.  In the clean executions after it their markers do
 * nothing, so their time is part of the context around them; it is divided among the two by what
 * the first survey measured.
 *
 * Where the program can spare no execution, the agent tells the brief regions when the process
 * begins (analysis/measure/frequent_calls.h): it has counted their calls in another run.  Then
 * nothing is known here of their times, nor divided.
 *
 * Invariants: a region is brief only if all regions inside it are; teams, regions with waits and
 * regions in which a catch or setjmp() landed are not; once brief, always brief. */
#ifndef PSC_MONITOR_BRIEF_REGIONS_H
#define PSC_MONITOR_BRIEF_REGIONS_H

#include "monitor/host/threads.h"
#include "monitor/regions/contexts.h"
#include "monitor/state.h"

enum { BRIEF_REGIONS = 1 << 18 };       /* regions with higher numbers are not brief */

/* A bit for each region (its run-time number); changes between executions only. */
extern uint8_t pscm_brief[BRIEF_REGIONS / 8] __attribute__((visibility("hidden")));

static inline bool brief_region(uint32_t region)
{
	return region < BRIEF_REGIONS && pscm_brief[region / 8] & 1u << region % 8;
}

/* Is this clean execution without the region's markers? */
static inline bool brief_marker(const struct psc_unit *unit, uint32_t region)
{
	return pscm_mode() & PSCM_MODE_TIME && brief_region(unit->base + region);
}

static inline bool brief_context(uint32_t context)
{
	return context && brief_region(pscm_context_region(context));
}

/* The phase is another one: forgets the choice, and all times of these contexts. */
void brief_forget(uint32_t ncontexts);
/* The region's markers must stay. */
void brief_never(uint32_t region);
bool brief_must_stay(uint32_t region);
/* Takes the unit's brief regions from the agent, if it has told any: then there is no survey. */
void brief_told(const struct psc_unit *unit);
/* The next clean execution that does not count is to be a survey. */
bool brief_wanted(void);
/* A survey found brief regions. */
bool brief_any(void);
/* After a survey, whose times time_rows.c has summed up: chooses, and keeps the first one's times.
 * true: there are brief regions that there were not before. */
bool brief_survey(void);
/* After a clean span of time that counts: the same for regions that were not brief in the survey,
 * since spans are not alike. What this span measured of them replaces the survey's times. */
bool brief_more(void);
/* Divides a thread's own_cpu of the contexts of an execution into part_cpu: the time of the brief
 * contexts was measured as part of their head's.  Their calls and their wall time are the survey's
 * and the divided one. */
void brief_divide(struct pscm_stat *stat, uint32_t ncontexts);

#endif
