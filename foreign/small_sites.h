/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the recorder's table of small blocks: which place has allocated them. */
#ifndef PSC_FOREIGN_SMALL_SITES_H
#define PSC_FOREIGN_SMALL_SITES_H

#include "base/err.h"
#include "burst/shared/burst.h"

/* The number of the site that has allocated the address, 0: none is known; [*lo, *hi) is memory
 * around it with the same answer. */
uint32_t small_sites_find(const struct burst_small *s, uint64_t address, uint64_t *lo,
	uint64_t *hi);
/* The memory that each site's blocks have, BURST_SITES numbers of bytes: added up from the parts of
 * the recorder's file that are there. */
void small_sites_bytes(const struct burst_small *s, int file, uint64_t *bytes);

#endif
