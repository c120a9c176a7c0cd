/* SPDX-License-Identifier: BSD-3-Clause */
/* Between measurements.c and monitor_tables.c: room for the contexts of the monitor's tables. */
#ifndef PSC_MEASURE_MONITOR_TABLES_H
#define PSC_MEASURE_MONITOR_TABLES_H

#include "analysis/measure/measurements.h"

/* May so many contexts be kept? */
bool tables_room(const struct measurements *p, uint32_t contexts);
/* Gives a new context a time of 0 for each clean execution so far. 0 / -1 (memory). */
int tables_context_times(struct measurements *p, struct measured_context *c);

#endif
