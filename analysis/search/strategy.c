/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the two strategies by which the search descends the tree of contexts. */
#include "analysis/search/search.h"

#include <math.h>
#include <stdio.h>

static const double PART_SHARE = 0.05;  /* least share of the parent's time or misses */

static bool too_small(const struct search *s, uint32_t child, char *reason, size_t size)
{
	return places_too_small(measured_exec(s->measured, child), measured_phase_time(s->measured),
		reason, size);
}

/* Misses of all levels, weighted by their cost.  Last-level misses alone would say nothing where
 * all data fits in the last level. */
static double weighted_misses(const struct search *s, const struct subject *x)
{
	return tally_stall_cycles(s->measured, &x->tally);
}

/* Descends where the child has its share of time or misses; the condition decides only what is
 * reported. */
static bool descend_by_share(struct search *s, uint32_t child, uint32_t property, char *reason,
	size_t size)
{
	uint32_t parent = s->measured->contexts[child].parent;
	double time = measured_exec(s->measured, child), outer = measured_exec(s->measured, parent);
	double time_share = outer > 0 ? time / outer : NAN, miss_share = NAN, all;
	struct subject part, around;

	(void)property;
	if (too_small(s, child, reason, size))
		return false;
	if (time_share >= PART_SHARE)
		return true;
	if (!search_subject(s, child, MON_ANY, &part) ||
	    !search_subject(s, parent, MON_ANY, &around)) {
		snprintf(reason, size, "not measured yet");
		return false;
	}
	all = weighted_misses(s, &around);
	if (all > 0)
		miss_share = weighted_misses(s, &part) / all;
	if (miss_share >= PART_SHARE)
		return true;
	snprintf(reason, size, "%.1f %% of its parent's time and %.1f %% of its misses, under 5 %%",
		100 * (isnan(time_share) ? 0 : time_share), 100 * (isnan(miss_share) ? 0 :
		miss_share));
	return false;
}

/* Descends only below regions where the property holds, as Periscope's paper does. */
static bool descend_by_condition(struct search *s, uint32_t child, uint32_t property, char *reason,
	size_t size)
{
	uint32_t parent = s->measured->contexts[child].parent;
	const struct test *around;

	if (too_small(s, child, reason, size))
		return false;
	if (search_held(s, parent, property))
		return true;
	around = search_region_test(s, parent, property);
	if (around && around->outcome == OUT_SERIAL)    /* it cannot hold where one thread runs */
		return true;
	snprintf(reason, size, "not proven in the region around it");
	return false;
}

static const struct strategy strategies[] = {
	[STRATEGY_SHARE] = { descend_by_share },
	[STRATEGY_PAPER] = { descend_by_condition },
};

const struct strategy *strategy_find(enum strategy_kind kind)
{
	return &strategies[kind == STRATEGY_PAPER ? STRATEGY_PAPER : STRATEGY_SHARE];
}
