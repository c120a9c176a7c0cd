/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether a loop that accesses single elements might get vector instructions once its
 * accesses are dense: what that saves is in no estimate of misses. */
#include "analysis/findings/vectors.h"

#include "base/region.h"

#define ELEMENT 8               /* bytes of the largest element that is no vector */

/* True: a call is in the region or in one inside it. */
static bool has_call(const struct measurements *p, uint32_t context)
{
	for (uint32_t c = p->contexts[context].child; c != NO_CONTEXT; c = p->contexts[c].next) {
		const uint32_t region = p->contexts[c].region;

		if (region == SIR_NONE || p->sir->regions[region].type != REGION_LOOP ||
		    has_call(p, c))
			return true;
	}
	return false;
}

bool findings_vectors(const struct measurements *p, const struct subject *s)
{
	const double accesses = s->tally.loads + s->tally.stores;
	const uint32_t region = p->contexts[s->context].region;
	const enum region_type type = region == SIR_NONE ? REGION_UNKNOWN :
		p->sir->regions[region].type;

	if ((type != REGION_LOOP && type != REGION_WORKSHARE_DO) ||
	    !p->sir->sources[p->sir->regions[region].source].vectors || has_call(p, s->context))
		return false;
	return accesses > 0 && s->tally.bytes <= ELEMENT * accesses;
}
