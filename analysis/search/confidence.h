/* SPDX-License-Identifier: BSD-3-Clause */
/* How sure a verdict is whose counts are a sample (analysis/measure/sampling_error.h), and how far off what a
 * property says of them. */
#ifndef PSC_SEARCH_CONFIDENCE_H
#define PSC_SEARCH_CONFIDENCE_H

#include "analysis/measure/attributes.h"

struct search;

/* The share of the true counts' possible values for which the property holds; worked out from a
 * fixed choice of some hundred, so the same in every run.  1 or 0 where nothing was sampled, as
 * it holds or not for the counts as they are. */
double confidence_probability(const struct search *s, uint32_t property, const struct subject *subject,
	bool holds);

/* The distance from the measured value within which 95 % of the possible ones lie; NAN: it is exact, or not known. */
struct confidence_errors {
	double measure, severity;
};
void confidence_errors(const struct search *s, uint32_t property, const struct subject *subject,
	struct confidence_errors *out);

#endif
