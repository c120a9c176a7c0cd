/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives the structures of a timeline how threads share their lines
 * (analysis/measure/line_uses.h). */
#ifndef PSC_FINDINGS_LINE_USE_ROWS_H
#define PSC_FINDINGS_LINE_USE_ROWS_H

#include "analysis/measure/columns.h"
#include "report/model/report.h"

/* structure: by object, the number of its structure from 1; 0: none.  0 / -1 (memory). */
int findings_line_uses(const struct columns *c, struct report *r, struct report_timeline *t,
	const uint32_t *structure);

#endif
