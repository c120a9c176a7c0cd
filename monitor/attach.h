/* SPDX-License-Identifier: BSD-3-Clause */
/* Attaching: a process that was started without an agent is asked to connect to one
 * (shared/attach.h).
 *
 * Until then the monitor has a handler for MON_ATTACH_SIGNAL and a list of the units, and no unit
 * calls a hook.  The handler sets all bits of all units, so that the next marker of any thread
 * comes here and connects. */
#ifndef PSC_MONITOR_ATTACH_OWN_H
#define PSC_MONITOR_ATTACH_OWN_H

#include "monitor/state.h"

struct attach_events {
	/* Begins an analysis; on a stack of the monitor's own.  1; 0: there is no agent; -1: it
	 * failed, and cannot be tried again. */
	int (*begin)(const char *socket);
	void (*unit)(struct psc_unit *unit);            /* registers a unit; not inside the guard */
};
/* At the start without an agent.  The events are borrowed for good. */
void attach_prepare(const struct attach_events *events);
/* Keeps a unit for later.  false: not prepared, or the analysis has begun. */
bool attach_unit_add(struct psc_unit *unit);
/* false: the unit is not kept. */
bool attach_unit_remove(struct psc_unit *unit);
/* Around the end of an analysis.  begin: false: it did not begin by attaching.  units: as they were
 * registered; they are kept for the next time. */
bool attach_end_begin(void);
void attach_end(struct psc_unit *units);
/* In a child of a process that is or was analysed: it cannot be. */
void attach_never(void);
/* A hook was called for a mark without a unit. */
void attach_marker(void);

/* The unit of a mark; NULL: it is not registered. */
static inline struct psc_unit *attach_unit(struct psc_mark *m)
{
	if (unlikely(!m->unit))
		attach_marker();
	return m->unit;
}

#endif
