/* SPDX-License-Identifier: BSD-3-Clause */
/* What two collectors counted of one program, structure by structure. */
#ifndef PSC_REPORT_COUNT_BESIDE_H
#define PSC_REPORT_COUNT_BESIDE_H

#include "report/model/report.h"

/* Fills in r->counted: what the collector of this report counted beside what the other report's
 * did.  0 / -1 (memory). */
int count_beside(struct report *r, const char *collector, const struct report *other,
	const char *other_collector);

#endif
