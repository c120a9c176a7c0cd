/* SPDX-License-Identifier: BSD-3-Clause */
/* The statistical error of counts from a sample of the cache sets (--sample).
 *
 * A tally keeps its misses by group of classes.  Sums and differences of tallies (threads,
 * contexts, structures) keep these groups too, because rows of one sample are not independent: the
 * error of a sum must be taken from the summed groups, not from the errors of its terms.  The true
 * counts are assumed to be distributed around the measured ones by Student's t with groups - 1
 * degrees of freedom.
 *
 * In bursts, the interval of the last level's misses is longer by the first touches of lines: it is
 * not known whether the caches held these (first_touches.h). */
#ifndef PSC_MEASURE_SAMPLING_ERROR_H
#define PSC_MEASURE_SAMPLING_ERROR_H

#include "analysis/measure/measurements.h"

/* Half the 95 % confidence interval; NAN: the value is exact.  Of est_stall in s; of misses of a
 * level, counted from 0: of loads, of stores, of both; of misses of the last level. */
double sampling_error_stall(const struct measurements *p, const struct tally *t);
double sampling_error_loads(const struct measurements *p, const struct tally *t, uint32_t level);
double sampling_error_stores(const struct measurements *p, const struct tally *t, uint32_t level);
double sampling_error_level(const struct measurements *p, const struct tally *t, uint32_t level);
double sampling_error_misses(const struct measurements *p, const struct tally *t);
/* Student's t of a 95 % interval. */
double sampling_error_student(uint32_t freedom);
/* Half the 95 % interval, from the sum of the squared deviations, one for each part of the
 * error. */
double sampling_error_interval(const struct mon_sample *s, double square);
static inline double sampling_error_square(double moved, double measured)
{
	return (moved - measured) * (moved - measured);
}

/* Shifts each sampled count by the given multiples of its parts of error (mon_sample_parts). */
void sampling_error_shift(const struct mon_sample *s, const double by[MON_ERRORS], struct tally *t);

#endif
