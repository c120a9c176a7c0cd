/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a timeline about accesses by address. */
#ifndef PSC_FINDINGS_MAP_ROWS_H
#define PSC_FINDINGS_MAP_ROWS_H

#include "analysis/measure/measurements.h"
#include "report/model/report.h"

/* Adds maps to a timeline of r whose cells are made.  structure: by object, its number in
 * t->structures; 0: none.
 * 0 / -1 (memory). */
int findings_maps(const struct measurements *p, struct report *r, struct report_timeline *t,
	const uint32_t *structure);

#endif
