/* SPDX-License-Identifier: BSD-3-Clause */
/* Which contexts and data structures of a process a .sir file asks for (--sir). */
#ifndef PSC_SEARCH_WANTED_H
#define PSC_SEARCH_WANTED_H

#include "analysis/measure/measurements.h"

struct wanted {                 /* by context or object; owned; NULL: all are wanted */
	bool *context;          /* its region is asked for */
	bool *way;              /* it, or one inside it, is wanted */
	bool *object;
};

/* By measured->asked.  0 / -1 (memory). */
int wanted_find(struct wanted *w, const struct measurements *measured);
void wanted_free(struct wanted *w);

static inline bool wanted_context(const struct wanted *w, uint32_t context)
{
	return !w->context || w->context[context];
}

static inline bool wanted_way(const struct wanted *w, uint32_t context)
{
	return !w->way || w->way[context];
}

static inline bool wanted_object(const struct wanted *w, uint32_t object)
{
	return !w->object || w->object[object];
}

#endif
