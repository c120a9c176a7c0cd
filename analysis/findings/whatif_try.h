/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials that whatif.c and whatif_places.c make for others of this directory. */
#ifndef PSC_FINDINGS_WHATIF_TRY_H
#define PSC_FINDINGS_WHATIF_TRY_H

#include "analysis/findings/whatif.h"

/* Adds those of the wanted changes (FIX_DENSE, FIX_SPLIT, FIX_NOCOPY, FIX_PAGES, FIX_FIT; FIX_PAD:
 * against false sharing; FIX_ROWS: against conflicts) that take at least a hundredth off the memory
 * time; none is simulated. */
void whatif_try_computed(struct whatif *w, const struct measurements *p, uint32_t object,
	const struct fix_want *want);

/* Adds those of the wanted changes of place (FIX_REPLICATE, FIX_BIND, FIX_THREADS, FIX_INTERLEAVE)
 * that make sense for the structure; named: of the others, why they do not.  None is simulated. */
void whatif_try_places(struct whatif *w, const struct measurements *p, uint32_t object,
	uint32_t fixes, bool named);

/* Has the change been added, or refused, for the structure? */
static inline bool whatif_has(const struct whatif *w, uint32_t object, enum fix fix)
{
	for (uint32_t i = 0; i < w->ntrials; i++)
		if (w->trial[i].object == object && w->trial[i].fix == fix)
			return true;
	return false;
}

/* A further trial; NULL: there is no room. */
struct trial *whatif_add(struct whatif *w, uint32_t object, enum fix fix);
/* A trial of which nothing but the reason is known. */
void whatif_refuse(struct whatif *w, uint32_t object, enum fix fix, const char *why);

#endif
