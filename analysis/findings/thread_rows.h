/* SPDX-License-Identifier: BSD-3-Clause */
/* The report's rows of what each thread of a process does, in the phase and in the regions where
 * the threads are longest. */
#ifndef PSC_FINDINGS_THREAD_ROWS_H
#define PSC_FINDINGS_THREAD_ROWS_H

#include "analysis/measure/measurements.h"
#include "report/model/report.h"

/* Fills in the report's rows of threads; none without clean executions.  Of regions only those that
 * a team of two threads or more works in; in a process of MPI with one
 * thread, all.  0 / -1 (memory). */
int findings_thread_rows(const struct measurements *measured, struct report *r);

#endif
