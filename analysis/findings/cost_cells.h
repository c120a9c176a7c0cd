/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides what memory costs in a process, and what page faults cost, among its findings, so that
 * no cost is counted twice. */
#ifndef PSC_FINDINGS_COST_CELLS_H
#define PSC_FINDINGS_COST_CELLS_H

#include "analysis/measure/measurements.h"
#include "report/model/report.h"

/* The place whose costs a finding counts. */
struct cost_place {
	uint32_t context, object;       /* object MON_ANY: the region */
	/* Contexts inside whose counts are not a part of the finding; owned by the caller. */
	uint32_t *less, nless;
};

/* A cost cell is a structure, or what no structure has, in a context without the contexts inside.
 * It belongs to one finding about memory, and to one about page faults: of those whose counts have
 * it, the innermost about the structure, else the innermost about a region; of several there the
 * first in the report's order. Sets own_stall_share, own_stall_low_share and own_stall_high_share
 * of findings about memory to the sums of their cells, and fault_share, fault_low_share,
 * fault_high_share and page_faults of those about page faults; of all others they are NAN.
 * places[i]: that of r->findings[i]; base: what shares are of, s.  0 / -1 (memory). */
int findings_divide(const struct measurements *measured, struct report *r,
	const struct cost_place *places, double base);

#endif
