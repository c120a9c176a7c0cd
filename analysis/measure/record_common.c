/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether all code of the phase that accesses an array of structs uses the same members. */
#include "analysis/measure/record_use.h"

bool record_use_common(const struct measurements *p, uint32_t object, struct record_use *out)
{
	struct record_use own;
	struct tally t;

	if (!record_use_find(p, 0, object, true, out))
		return false;
	/* A context's members are among those of the phase: they are the
	 * same if they are as many. */
	for (uint32_t c = 0; c < p->ncontexts; c++)
		if (measured_tally(p, c, object, &t) && t.loads + t.stores > 0 &&
		    record_use_find(p, c, object, false, &own) && own.nused != out->nused)
			return false;
	return true;
}
