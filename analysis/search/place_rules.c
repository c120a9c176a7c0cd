/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides by the rules of the search, for any tree of places: what is explained, refined, one
 * nest. */
#include "analysis/search/place_rules.h"

#include <stdio.h>

#include "base/region.h"

static const double EXPLAINED = 0.8;    /* share of a place's weight that lies in places below it */
static const double SAME_NEST = 0.01;   /* share of a loop that lies outside its inner loop */
static const double STOP_SHARE = 0.01;  /* of phase time */

enum outcome places_outcome(const struct asl_verdict *v, double floor)
{
	if (v->holds == ASL_FALSE)
		return OUT_FALSE;
	return v->holds == ASL_TRUE && v->confidence >= floor ? OUT_HELD : OUT_UNDECIDED;
}

static bool held(const struct places *t, uint32_t place, uint32_t property)
{
	return t->outcome(t->arg, place, property) == OUT_HELD;
}

uint32_t places_holding_below(const struct places *t, uint32_t place, uint32_t property,
	uint32_t *out)
{
	uint32_t n = 0;

	for (uint32_t below = place + 1; below < t->n; below++) {
		uint32_t up = t->parent(t->arg, below);

		if (!held(t, below, property))
			continue;
		while (up != PLACE_NONE && up != place && !held(t, up, property))
			up = t->parent(t->arg, up);
		if (up == place)
			out[n++] = below;
	}
	return n;
}

bool places_explained(const struct places *t, uint32_t place, uint32_t property,
	const uint32_t *below, uint32_t nbelow)
{
	double sum = 0, all = nbelow ? t->weight(t->arg, place, property) : 0;

	if (!(all > 0))
		return false;
	for (uint32_t i = 0; i < nbelow; i++)
		sum += t->weight(t->arg, below[i], property);
	return sum / all >= EXPLAINED;
}

enum refinement places_refines(const struct places *t, uint32_t place, const struct asl_property *p)
{
	enum refinement found = REFINES_NOT;

	for (int i = 0; i < p->nparents; i++) {
		enum outcome o = t->outcome(t->arg, place, (uint32_t)p->parents[i]);

		if (o == OUT_HELD)
			return REFINES_PROVEN;
		if (o == OUT_UNDECIDED || o == OUT_PARENT_UNDECIDED || o == OUT_REFUSED)
			found = REFINES_UNDECIDED;
	}
	return found;
}

static bool is_loop(const struct places *t, uint32_t place)
{
	int type = t->type(t->arg, place);

	return type == REGION_LOOP || type == REGION_WORKSHARE_DO;
}

bool places_same_nest(const struct places *t, uint32_t place)
{
	uint32_t around = t->parent(t->arg, place);

	return around != PLACE_NONE && around != t->phase && is_loop(t, around) &&
		is_loop(t, place) && t->covers(t->arg, around, place, 1 - SAME_NEST);
}

bool places_too_small(double time, double phase_time, char *reason, size_t size)
{
	if (!(time < STOP_SHARE * phase_time))
		return false;
	snprintf(reason, size, "%.2f %% of phase time, under 1 %%", 100 * time / phase_time);
	return true;
}
