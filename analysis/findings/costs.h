/* SPDX-License-Identifier: BSD-3-Clause */
/* The costs of each data structure in each region, for reports that are compared with others. */
#ifndef PSC_FINDINGS_COSTS_H
#define PSC_FINDINGS_COSTS_H

#include "analysis/measure/measurements.h"
#include "report/model/report.h"

/* Fills in the report's costs; none where not everything was counted, or accesses were lost.
 * 0 / -1 (memory). */
int findings_costs(const struct measurements *measured, struct report *r);

#endif
