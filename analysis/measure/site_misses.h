/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the misses by source line that experiments counted.  measured_sites() (measurements.h)
 * reads them. */
#ifndef PSC_MEASURE_SITE_MISSES_H
#define PSC_MEASURE_SITE_MISSES_H

#include "analysis/measure/measurements.h"

/* Replaces the misses of all contexts and objects that the filters name (nfilters 0: of all) by the
 * result's.  0 / -1 (memory). */
int site_misses_add(struct measurements *p, const struct mon_result *r,
	const struct mon_filter *filters, uint32_t nfilters);
void site_misses_free(struct measurements *p);

#endif
