/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the raw counts of one process as CSV (--export-counts). */
#ifndef PSC_MEASURE_COUNTS_CSV_H
#define PSC_MEASURE_COUNTS_CSV_H

#include "analysis/measure/measurements.h"

/* One line per context and object (object "*": all accesses), with inclusive counts and the
 * context's times; the first line names the columns.  Rank > 0 writes to path.RANK. 0 / -1. */
int export_counts(const struct measurements *p, const struct machine *m, const char *path,
	struct err *err);

#endif
