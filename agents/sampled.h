/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of a sample of the cache sets (--sample): how sure a verdict is, and how far off a figure may be.
 *
 * A tally has its misses by groups of classes, so that whatever is summed (threads, contexts,
 * structures) or subtracted has the error of the sum, and not of independent parts: rows of one sample err
 * together.  The true counts are taken to lie around the measured ones as Student's t with groups - 1
 * degrees of freedom has it. */
#ifndef PSC_AGENTS_SAMPLED_H
#define PSC_AGENTS_SAMPLED_H

#include "agents/bind.h"

struct search;

/* The share of the true counts' possible values, as above, for which the property holds; worked out from a
 * fixed choice of some hundred, so the same in every run.  1 or 0 where nothing was sampled, as
 * it holds or not for the counts as they are. */
double sampled_probability(const struct search *s, uint32_t property, const struct subject *subject,
	bool holds);

/* What 95 % of the possible values are at most away from the measured one; NAN: exact, or not known. */
struct sampled_errors {
	double measure, severity;
};
void sampled_errors(const struct search *s, uint32_t property, const struct subject *subject,
	struct sampled_errors *out);
double sampled_stall_error(const struct perf *p, const struct tally *t);        /* in s */
double sampled_miss_error(const struct perf *p, const struct tally *t);         /* of the last level */
/* Of one count, of its sum by groups. */
double sampled_count_error(const struct perf *p, const float group[MON_GROUPS]);

/* Moves what was sampled by these multiples of its parts of error (mon_sample_parts). */
void sampled_shift(const struct mon_sample *s, const double by[MON_ERRORS], struct tally *t);

#endif
