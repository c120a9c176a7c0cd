/* SPDX-License-Identifier: BSD-3-Clause */
/* The source lines of a finding. */
#ifndef PSC_FINDINGS_SOURCE_LINES_H
#define PSC_FINDINGS_SOURCE_LINES_H

#include "analysis/measure/measurements.h"
#include "report/report.h"

/* Fills in the finding's source, first_line and last_line: those of the context's region.  Of a
 * structure (object not MON_ANY) rather those of a context inside that has 80 % or more of its
 * memory time, and then of a loop in that region which is the only one to use the structure:
 * the program's structure says so, it is not measured.  0 / -1 (memory). */
int source_lines(const struct measurements *measured, uint32_t context, uint32_t object,
	struct arena *arena, struct report_finding *f);

#endif
