/* SPDX-License-Identifier: BSD-3-Clause */
/* Which sizes of caches are plausible on this host, and what stands in for one that is not.  A
 * virtual machine often reports the last level of a whole socket, or of all sockets, for
 * the few cores that it has. */
#ifndef PSC_MACHINE_CACHE_SIZES_H
#define PSC_MACHINE_CACHE_SIZES_H

#include <stdbool.h>
#include <stdint.h>

/* As the processor names itself; vendor NULL: not known. */
struct processor {
	const char *vendor;             /* borrowed: "GenuineIntel" */
	unsigned family, model;
};

/* A cache as the system reports it. */
struct reported_cache {
	uint32_t level;                 /* 1 to 4 */
	uint64_t size;                  /* bytes */
	uint64_t nearer;                /* bytes of the next nearer level; 0: none */
	uint32_t cores;                 /* that share it, 1 or more */
};

struct cache_size {
	uint64_t size;                  /* bytes, larger than the next nearer level */
	uint32_t ways;
	const char *family;             /* whose cores have it; NULL: not known, and the size is
					 * assumed */
};

/* False: no processor has it, or not for so few cores. */
bool cache_size_plausible(const struct reported_cache *c, const struct processor *p);
/* What is taken instead: of a level beyond the second, what so many cores of this processor's
 * family have for themselves; else what is usual. */
struct cache_size cache_size_instead(const struct reported_cache *c, const struct processor *p);

#endif
