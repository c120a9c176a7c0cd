/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates the misses of a timeline from a sample of the cache sets. */
#ifndef PSC_FINDINGS_TIMELINE_SAMPLE_H
#define PSC_FINDINGS_TIMELINE_SAMPLE_H

#include "analysis/measure/measurements.h"
#include "report/model/report.h"

/* Makes the misses of the timeline's cells and lines those of all sets.  0 / -1 (memory). */
int findings_timeline_scale(const struct measurements *p, struct report *r,
	struct report_timeline *t);

#endif
