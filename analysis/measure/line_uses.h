/* SPDX-License-Identifier: BSD-3-Clause */
/* How threads share cache lines (struct mon_use): of the structures that have maps, by row. */
#ifndef PSC_MEASURE_LINE_USES_H
#define PSC_MEASURE_LINE_USES_H

#include "analysis/measure/columns.h"

struct measured_use {
	uint32_t object, row;           /* by `number`, as in the columns */
	uint32_t lines[MON_LINE_USES];
};

/* Reads the lines of a result into columns whose maps are known.  0 / -1 (memory). */
int line_uses_add(const struct measurements *p, struct columns *c, const struct mon_result *r);
void line_uses_free(struct columns *c);

#endif
