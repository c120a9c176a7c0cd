/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum of doubles that does not depend on their order: a fixed-point number of 192 bits.  Every
 * value from 2^-43 up is kept with all its digits; smaller ones to 2^-96.  NAN, and what exceeds
 * the range, is counted and not added. */
#ifndef PSC_BASE_EXACT_SUM_H
#define PSC_BASE_EXACT_SUM_H

#include <stdint.h>
#include "base/buf.h"

struct exact_sum {              /* all zero: the sum of nothing */
	uint64_t limb[3];       /* two's complement, lowest first; unit 2^-96 */
	uint32_t known, unknown;        /* values that were added, and that could not be */
};

void exact_sum_add(struct exact_sum *s, double v);
/* As if v had been added n times. */
void exact_sum_add_times(struct exact_sum *s, double v, uint32_t n);
void exact_sum_add_sum(struct exact_sum *s, const struct exact_sum *other);
double exact_sum_known(const struct exact_sum *s);      /* of the known values; NAN: there are
							 * none */
double exact_sum_all(const struct exact_sum *s);        /* NAN: a value was not known, or there are
							 * none */
void exact_sum_encode(const struct exact_sum *s, struct buf *out);
void exact_sum_decode(struct exact_sum *s, struct cursor *in);

#endif
