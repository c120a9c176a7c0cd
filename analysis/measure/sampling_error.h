/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of a sample of the cache sets (--sample): how far off a figure may be.
 *
 * A tally has its misses by groups of classes, so that whatever is summed (threads, contexts,
 * structures) or subtracted has the error of the sum, and not of independent parts: rows of one sample err
 * together.  The true counts are taken to lie around the measured ones as Student's t with groups - 1
 * degrees of freedom has it. */
#ifndef PSC_MEASURE_SAMPLING_ERROR_H
#define PSC_MEASURE_SAMPLING_ERROR_H

#include "analysis/measure/measurements.h"

/* The distance from the measured value within which 95 % of the possible ones lie; NAN: it is exact. */
double sampling_error_stall(const struct measurements *p, const struct tally *t);       /* in s */
double sampling_error_misses(const struct measurements *p, const struct tally *t);      /* of the last level */
/* Half of the 95 % interval of one count, from its sum by groups. */
double sampling_error_count(const struct measurements *p, const float group[MON_GROUPS]);
/* Half of the 95 % interval, from the sum of squared distances, one for each part of the error. */
double sampling_error_interval(const struct mon_sample *s, double square);
static inline double sampling_error_square(double moved, double measured)
{
	return (moved - measured) * (moved - measured);
}

/* Moves what was sampled by these multiples of its parts of error (mon_sample_parts). */
void sampling_error_shift(const struct mon_sample *s, const double by[MON_ERRORS], struct tally *t);

#endif
