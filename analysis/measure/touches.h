/* SPDX-License-Identifier: BSD-3-Clause */
/* First touches since the program began, from the kernel's page-fault events (struct mon_touch): of
 * the structures that have maps, by row. */
#ifndef PSC_MEASURE_TOUCHES_H
#define PSC_MEASURE_TOUCHES_H

#include "analysis/measure/columns.h"

struct measured_touch {
	uint32_t object, thread;        /* by `number`, as in the columns */
	uint32_t from, to;              /* rows, from..to - 1 */
};

/* Reads the touches of a result into columns whose threads and maps are known.  0 / -1 (memory). */
int touches_add(const struct measurements *p, struct columns *c, const struct mon_result *r);
void touches_free(struct columns *c);

#endif
