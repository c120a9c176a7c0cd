/* SPDX-License-Identifier: BSD-3-Clause */
/* The source lines of a finding. */
#ifndef PSC_FINDINGS_FINDING_LINES_H
#define PSC_FINDINGS_FINDING_LINES_H

#include "analysis/measure/attributes.h"
#include "report/model/report.h"

/* Fills in the finding's source, first_line and last_line: those of the context's region.  Of a
 * structure (object not MON_ANY) rather those of a context inside that has 80 % or more of its
 * memory time, and then of a loop in that region which is the only one to use the structure:
 * the program's structure says so, it is not measured.
 * Of a structure also sites and place_line, which are measured: sums over the contexts whose counts
 * the subject has.  Misses of regions of other files than the source are in line 0, as are
 * those in lines where the file has no function.  0 / -1 (memory). */
int source_lines(const struct subject *subject, struct arena *arena, struct report_finding *f);

/* The misses of an object in a context (exclusive) by line of its region's file, in the arena.
 * 0 / -1 (memory). */
int source_sites(const struct measurements *measured, uint32_t context, uint32_t object,
	struct arena *arena, const struct report_site **out, int *n);

#endif
