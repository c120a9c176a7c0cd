/* SPDX-License-Identifier: BSD-3-Clause */
/* The raw figures of one process as CSV, for whoever wants to compute for himself. */
#ifndef PSC_MEASURE_COUNTS_CSV_H
#define PSC_MEASURE_COUNTS_CSV_H

#include "analysis/measure/measurements.h"

/* One line per context and object (object "*" = all), inclusive counts, with the context's times.
 * Columns are named in the first line.  Rank > 0 goes to path.RANK. */
int export_counts(const struct measurements *p, const struct machine *m, const char *path,
	struct err *err);

#endif
