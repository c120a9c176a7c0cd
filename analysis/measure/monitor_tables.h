/* SPDX-License-Identifier: BSD-3-Clause */
/* Between measurements.c and monitor_tables.c: room for the contexts of the monitor's tables. */
#ifndef PSC_MEASURE_MONITOR_TABLES_H
#define PSC_MEASURE_MONITOR_TABLES_H

#include "analysis/measure/measurements.h"

/* May so many contexts be kept? */
bool tables_room(const struct measurements *p, uint32_t contexts);
/* Our numbers of the monitor's; NO_CONTEXT: there is none. */
static inline uint32_t tables_context(const struct measurements *p, uint32_t context)
{
	return context < p->ncontexts_of ? p->context_of[context] : NO_CONTEXT;
}
static inline uint32_t tables_object(const struct measurements *p, uint32_t object)
{
	return object < p->nobjects_of ? p->object_of[object] : object < MON_OBJ_FIRST ? object :
		MON_OBJ_OTHER;
}
/* Gives a new context a time of 0 for each clean execution so far. 0 / -1 (memory). */
int tables_context_times(struct measurements *p, struct measured_context *c);

#endif
