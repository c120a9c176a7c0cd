/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums with figures that may be unknown. */
#ifndef PSC_KNOWN_H
#define PSC_KNOWN_H

/* An amount; 0 where it is not known (NaN), or less than nothing. */
static inline double known_amount(double v)
{
	return v > 0 ? v : 0;
}

#endif
