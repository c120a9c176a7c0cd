/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the records of a batch again that was simulated: for what is known of a sample of them. */
#ifndef PSC_SIMULATE_LOOP_REREAD_H
#define PSC_SIMULATE_LOOP_REREAD_H

#include "simulate/loop/loop.h"

/* The next record before `end`, whose words behind the first begin at *words; *next moves behind
 * it.  w->context becomes the record's, w->read whether a PSC_CALL_READS lies before it.  NULL:
 * there is none, or it is not valid. */
struct sim_segment *reread_next(struct work *w, const uint64_t **next, const uint64_t *end,
	const uint64_t **words);

LRU_INLINE bool reread_is_range(const uint32_t *group)
{
	return !(*group & PSC_GROUP_MANY) && *group & 2;
}
/* The bytes of a range in straight code, whose address is words[*i]; *i moves to its last word. */
LRU_INLINE uint64_t reread_length(const uint32_t *group, const uint64_t *words, uint32_t *i)
{
	const uint32_t constant = PSC_ACCESS_SIZE(*group);

	return constant ? constant : words[++*i];
}

#endif
