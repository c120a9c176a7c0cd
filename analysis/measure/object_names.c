/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the name that a context's subroutine has for a data structure. */
#include "analysis/measure/measurements.h"

#include <string.h>

uint32_t measured_unit_of(const struct measurements *p, uint32_t context)
{
	while (context != NO_CONTEXT && p->contexts[context].region == SIR_NONE)
		context = p->contexts[context].parent;
	return context == NO_CONTEXT ? SIR_NONE : sir_unit_of(p->sir, p->contexts[context].region);
}

bool measured_owned(const struct measurements *p, uint32_t object)
{
	return object >= p->nobjects || p->objects[object].kind != MON_KIND_DUMMY;
}

/* False: an array of the context's region with that name is never accessed so. */
static bool fits(const struct measurements *p, uint32_t context, const char *name, unsigned access)
{
	const struct sir_region *r = p->contexts[context].region == SIR_NONE ? NULL :
		&p->sir->regions[p->contexts[context].region];

	for (uint32_t i = 0; r && i < r->narrays; i++)
		if (r->arrays[i].name && strcmp(r->arrays[i].name, name) == 0)
			return r->arrays[i].access & access;
	return false;
}

/* A call that is the context, or is around it, bound the name. */
static bool bound_above(const struct measurements *p, uint32_t context,
	const struct measured_alias *a)
{
	for (uint32_t c = context; c != NO_CONTEXT; c = p->contexts[c].parent)
		if (c == a->context)
			return true;
	return false;
}

/* Names of one rank are chosen by how the region accesses them; else the first one stays. */
struct choice {
	const char *name;
	int rank;               /* 0: none; 1: of the subroutine; 2: of this call of it */
	bool fits;
};

static void offer(struct choice *best, const char *name, int rank, bool fits)
{
	if (rank > best->rank || (rank == best->rank && fits && !best->fits))
		*best = (struct choice){ name, rank, fits };
}

const char *measured_object_name(const struct measurements *p, uint32_t context, uint32_t object,
	unsigned access)
{
	const uint32_t unit = measured_unit_of(p, context);
	struct choice best = { NULL, 0, false };

	/* A dummy of this subroutine that gave the object its name is not among the aliases. */
	if (!measured_owned(p, object) && p->objects[object].region == unit)
		offer(&best, p->objects[object].name, 2, access &&
			fits(p, context, p->objects[object].name, access));
	for (uint32_t i = 0; i < p->naliases; i++) {
		const struct measured_alias *a = &p->aliases[i];

		if (a->unit == unit && a->object == object && a->name)
			offer(&best, a->name, bound_above(p, context, a) ? 2 : 1, access &&
				fits(p, context, a->name, access));
	}
	return best.name ? best.name : object < p->nobjects ? p->objects[object].name : "?";
}
