/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a timeline about how source lines' accesses move through structures. */
#ifndef PSC_FINDINGS_LINE_WALK_ROWS_H
#define PSC_FINDINGS_LINE_WALK_ROWS_H

#include "analysis/measure/measurements.h"
#include "report/model/report.h"

/* The numbers in t->regions, t->structures of each context and object; 0: it has none. */
struct line_walk_numbers { const uint32_t *region, *structure; };

/* Adds rows of the walks that were measured to a timeline of r.  0 / -1 (memory). */
int findings_line_walks(const struct measurements *p, struct report *r, struct report_timeline *t,
	const struct line_walk_numbers *numbers);

#endif
