/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives the structures of a timeline the threads that touched their rows first
 * (analysis/measure/touches.h). */
#ifndef PSC_FINDINGS_FIRST_TOUCH_ROWS_H
#define PSC_FINDINGS_FIRST_TOUCH_ROWS_H

#include "analysis/measure/columns.h"
#include "report/model/report.h"

/* structure: by object, its number in t->structures, from 1; 0: none.  0 / -1 (memory). */
int findings_first_touches(const struct columns *c, struct report *r, struct report_timeline *t,
	const uint32_t *structure);

#endif
