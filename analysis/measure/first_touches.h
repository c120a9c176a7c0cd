/* SPDX-License-Identifier: BSD-3-Clause */
/* First touches in bursts: last-level misses of lines that no burst has touched before (`unwarmed`
 * of a row).  Whether the caches held such a line is not known.  A structure that fills the last
 * level leaves no room for its own lines: there they count as misses.  Of a smaller structure they
 * count as hits.  Estimates have both in their range. */
#ifndef PSC_MEASURE_FIRST_TOUCHES_H
#define PSC_MEASURE_FIRST_TOUCHES_H

#include "analysis/measure/measurements.h"

/* Do first touches of the structure count as hits of the last level? */
bool first_touches_hit(const struct measurements *p, uint32_t object);
/* Takes a row's first touches out of its last-level misses. */
void first_touches_remove(const struct machine_flat *m, struct mon_count_row *row);
/* Makes a result whose rows and lines are without the first touches that count as hits; it refers
 * to the other rows of r. burst_rows_free() frees it. 0 / -1 (memory). */
int first_touches_settle(const struct measurements *p, const struct mon_result *r,
	struct mon_result *out);

#endif
