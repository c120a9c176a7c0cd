/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls in which a thread waits.  The monitor sees barriers and joins; what an uninstrumented
 * callee does is told here, by its name. */
#ifndef PSC_MEASURE_WAITS_H
#define PSC_MEASURE_WAITS_H

#include "analysis/measure/measurements.h"

enum waits {
	WAITS_NOT,
	WAITS_BLOCKED,  /* waits without a processor: input and output, joins, locks, sleeps */
	WAITS_ALL       /* all its time is waiting, although it may spin: MPI */
};
enum waits waits_of(const char *callee);

/* Copies the rows of times of a result that are of known contexts; writes their number.  In the
 * copy, what a leaf call waits is no processor time but wait, in its context and in all around it.
 * The caller frees; NULL: memory. */
struct mon_time_row *waits_rows(const struct measurements *p, const struct mon_result *r,
	uint32_t *nrows);

#endif
