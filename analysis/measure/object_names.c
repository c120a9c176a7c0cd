/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the name that a context's subroutine has for a data structure. */
#include "analysis/measure/measurements.h"

uint32_t measured_unit_of(const struct measurements *p, uint32_t context)
{
	while (context != NO_CONTEXT && p->contexts[context].region == SIR_NONE)
		context = p->contexts[context].parent;
	return context == NO_CONTEXT ? SIR_NONE : sir_unit_of(p->sir, p->contexts[context].region);
}

const char *measured_object_name(const struct measurements *p, uint32_t context, uint32_t object)
{
	uint32_t unit = measured_unit_of(p, context);
	const char *any = NULL;

	for (uint32_t i = 0; i < p->naliases; i++) {
		const struct measured_alias *a = &p->aliases[i];

		if (a->unit != unit || a->object != object || !a->name)
			continue;
		for (uint32_t c = context; c != NO_CONTEXT; c = p->contexts[c].parent)
			if (c == a->context)
				return a->name;
		if (!any)
			any = a->name;
	}
	return any ? any : object < p->nobjects ? p->objects[object].name : "?";
}
