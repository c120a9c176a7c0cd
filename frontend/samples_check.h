/* SPDX-License-Identifier: BSD-3-Clause */
/* Can the processor's samples be had here, before anything is started? */
#ifndef PSC_FRONTEND_SAMPLES_CHECK_H
#define PSC_FRONTEND_SAMPLES_CHECK_H

#include <stdbool.h>
#include "base/err.h"

/* Does the list of --collector put samples before the other ways to count accesses?  list: NULL or
 * names with commas. */
bool samples_preferred(const char *list);
/* Asks psc_foreign, which would take them. 0 / -1 (err: why not, and what would change that). */
int samples_possible(struct err *err);

#endif
