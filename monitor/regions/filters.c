/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides by a request's filters which rows it gets. */
#include "monitor/collect/armed.h"
#include "monitor/regions/contexts.h"
#include "monitor/state.h"

bool pscm_wanted(const struct pscm_armed *a, uint32_t context, uint32_t object, bool objects)
{
	for (uint32_t i = 0; i < a->nfilters; i++) {
		const struct mon_filter *f = &a->filter[i];
		uint32_t c = context;

		if (objects && f->object != MON_ANY && f->object != object)
			continue;
		while (f->context != MON_ANY && c != f->context && c != MON_ANY)
			c = pscm_context_parent(c);
		if (f->context == MON_ANY || c == f->context)
			return true;
	}
	return !a->nfilters;
}
