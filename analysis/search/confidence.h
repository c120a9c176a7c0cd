/* SPDX-License-Identifier: BSD-3-Clause */
/* The probability of a verdict on sampled counts (analysis/measure/sampling_error.h), and the error
 * of the property's measure and severity. */
#ifndef PSC_SEARCH_CONFIDENCE_H
#define PSC_SEARCH_CONFIDENCE_H

#include "analysis/measure/attributes.h"

struct search;

/* The probability that the property holds for the true counts.  Computed from a fixed sequence of
 * random draws, so that every run gives the same result.  Without a sample: 1 or 0, as `holds`. */
double confidence_probability(const struct search *s, uint32_t property,
	const struct subject *subject, bool holds);

/* Half the 95 % confidence intervals; NAN: the value is exact, or not known. */
struct confidence_errors {
	double measure, severity;
};
void confidence_errors(const struct search *s, uint32_t property, const struct subject *subject,
	struct confidence_errors *out);

#endif
