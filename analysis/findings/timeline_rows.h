/* SPDX-License-Identifier: BSD-3-Clause */
/* The timeline of a process, for its report. */
#ifndef PSC_FINDINGS_TIMELINE_ROWS_H
#define PSC_FINDINGS_TIMELINE_ROWS_H

#include "analysis/measure/measurements.h"
#include "report/model/report.h"

/* Fills in the report's timelines: one, or none where no timeline is known, or accesses were lost.
 * Contexts with less than 0.1 % of all accesses and misses, those inside included, are parts of the
 * region around them; structures with less are one structure together, without a name.  All sums
 * are exact.  0 / -1 (memory). */
int findings_timeline(const struct measurements *measured, struct report *r);

#endif
