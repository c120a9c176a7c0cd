/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds data structures by the name that the user gives. */
#ifndef PSC_FINDINGS_STRUCTURE_NAMES_H
#define PSC_FINDINGS_STRUCTURE_NAMES_H

#include "analysis/measure/measurements.h"

/* The objects with that name or alias that the phase accesses, by falling stall, at most max; case
 * matters only if some name is equal with it.  Returns their number. */
uint32_t structures_named(const struct measurements *p, const char *name, uint32_t *out,
	uint32_t max);
/* Writes "no structure of that name ..." with the names that are nearest to it. */
void structures_unknown(const struct measurements *p, const char *name, char *text, size_t size);

#endif
