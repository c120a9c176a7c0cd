/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of times. */
#ifndef PSC_MONITOR_TIME_ROWS_H
#define PSC_MONITOR_TIME_ROWS_H

#include "monitor/collect/armed.h"

#pragma GCC visibility push(hidden)

/* Sums up the threads' times of the clean execution that has just ended; of a recorded one, their
 * calls. */
void pscm_time_sums(void);
/* Writes the sums to the request's rows.  false: they do not fit. */
bool pscm_time_rows(struct pscm_armed *a);

#pragma GCC visibility pop
#endif
