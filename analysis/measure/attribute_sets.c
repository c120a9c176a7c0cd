/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes sets of objects that are attributes: the structures of a ThreadFlow. */
#include "analysis/measure/attributes_private.h"

#include <stdlib.h>

/* The arguments of a property are a region and the phase, of the same measurements. */
enum { SETS_AT_ONCE = 2 };

struct structures {
	uint32_t context;
	struct subject *elements;       /* owned */
	uint32_t n;
};

struct attribute_sets {
	struct structures set[SETS_AT_ONCE];
	uint32_t n;
};

struct attribute_sets *attribute_sets_new(void)
{
	return calloc(1, sizeof(struct attribute_sets));
}

void attribute_sets_forget(struct attribute_sets *a)
{
	for (uint32_t i = 0; i < a->n; i++)
		free(a->set[i].elements);
	a->n = 0;
}

void attribute_sets_free(struct attribute_sets *a)
{
	if (a)
		attribute_sets_forget(a);
	free(a);
}

/* Returns whether there is memory for the structures that the context accesses. */
static bool gather(struct structures *set, const struct subject *s)
{
	uint32_t *objects;
	const uint32_t n = measured_objects_of(s->measured, s->context, &objects);

	*set = (struct structures){ s->context, calloc((size_t)n + 1, sizeof *set->elements), 0 };
	for (uint32_t i = 0; set->elements && i < n; i++) {
		struct subject *e = &set->elements[set->n];

		*e = (struct subject){ .measured = s->measured, .context = s->context,
			.object = objects[i], .counted = true, .around = s->tally };
		if (measured_tally(s->measured, s->context, objects[i], &e->tally) &&
		    tally_refs(&e->tally) > 0)
			set->n++;
	}
	free(objects);
	return set->elements;
}

void attribute_structures(const struct attributes *b, const struct subject *s,
	struct asl_value *out)
{
	struct attribute_sets *a = b->sets;
	struct structures *set = NULL;

	if (!s->counted)
		return;
	for (uint32_t i = 0; i < a->n; i++)
		if (a->set[i].context == s->context)
			set = &a->set[i];
	if (!set && a->n < SETS_AT_ONCE && gather(&a->set[a->n], s))
		set = &a->set[a->n++];
	if (!set)
		return;
	out->type = ASL_SET;
	out->cls = b->object_flow;
	out->v.set.handle = set;
	out->v.set.n = set->n;
}

void attribute_element(const struct asl_value *of, size_t i, struct asl_value *out)
{
	const struct structures *set = of->v.set.handle;

	out->type = ASL_OBJECT;
	out->cls = of->cls;
	out->v.object = &set->elements[i];
}
