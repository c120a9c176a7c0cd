/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the contexts and data structures that a .sir file asks for. */
#include "analysis/search/wanted.h"

#include <stdlib.h>

/* Code whose region is not known is a part of the region around it. */
static void find_contexts(struct wanted *w, const struct measurements *p)
{
	for (uint32_t c = 0; c < p->ncontexts; c++) {
		const struct measured_context *m = &p->contexts[c];

		if (m->region != SIR_NONE)
			w->context[c] = sir_asked_region(p->asked, m->region);
		else if (m->parent != NO_CONTEXT)
			w->context[c] = w->context[m->parent];
		w->way[c] = w->context[c];
	}
	/* A context has a higher number than the one around it. */
	for (uint32_t c = p->ncontexts; c-- > 1; )
		if (w->way[c] && p->contexts[c].parent != NO_CONTEXT)
			w->way[p->contexts[c].parent] = true;
}

/* A structure is asked for by its own name, or by that which a subroutine has for it. */
static void find_objects(struct wanted *w, const struct measurements *p)
{
	for (uint32_t i = 0; i < p->nobjects; i++)
		if (p->objects[i].name)
			w->object[i] = sir_asked_structure(p->asked, p->objects[i].name,
				p->objects[i].scope, p->objects[i].region);
	for (uint32_t i = 0; i < p->naliases; i++)
		if (p->aliases[i].object < p->nobjects &&
		    sir_asked_structure(p->asked, p->aliases[i].name, NULL, p->aliases[i].unit))
			w->object[p->aliases[i].object] = true;
}

int wanted_find(struct wanted *w, const struct measurements *p)
{
	*w = (struct wanted){ NULL, NULL, NULL };
	if (!p->asked)
		return 0;
	w->context = calloc((size_t)p->ncontexts + 1, sizeof *w->context);
	w->way = calloc((size_t)p->ncontexts + 1, sizeof *w->way);
	w->object = calloc((size_t)p->nobjects + 1, sizeof *w->object);
	if (!w->context || !w->way || !w->object) {
		wanted_free(w);
		return -1;
	}
	find_contexts(w, p);
	find_objects(w, p);
	return 0;
}

void wanted_free(struct wanted *w)
{
	free(w->context);
	free(w->way);
	free(w->object);
	*w = (struct wanted){ NULL, NULL, NULL };
}
