/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs by depth-first search with a bound: each group goes into an experiment that exists or into
 * a new one; what needs as many experiments as the best distribution so far is not followed.  Since
 * a part of what fits also fits, this meets a distribution with the fewest experiments. */
#include "analysis/search/plan_pack.h"

#include <stdio.h>
#include <string.h>

enum { STEPS_MOST = 200000 };

struct packing {
	const struct collector_limits *limits;
	const struct pack_item *items;
	uint64_t set[PACK_ITEMS + PACK_GROUPS]; /* what is to be placed; the largest first */
	uint32_t n;
	uint64_t bin[PACK_ITEMS];
	uint32_t steps;
	struct pack_result *best;
};

static uint32_t bits(uint64_t set)
{
	return (uint32_t)__builtin_popcountll(set);
}

bool pack_fits(const struct collector_limits *limits, const struct pack_item *items, uint64_t set)
{
	uint32_t counters = 0, nranges = 0, ranges[PACK_ITEMS], nused = 0, used[PACK_ITEMS];

	for (uint32_t i = 0; i < PACK_ITEMS; i++) {
		uint32_t k = 0;

		if (!(set >> i & 1))
			continue;
		counters += !items[i].free;
		while (k < nranges && ranges[k] != items[i].range)
			k++;
		if (items[i].range && k == nranges)
			ranges[nranges++] = items[i].range;
		for (k = 0; items[i].exclusive && k < nused; k++)
			if (used[k] == items[i].exclusive)
				return false;
		if (items[i].exclusive)
			used[nused++] = items[i].exclusive;
	}
	return (!limits->items || bits(set) <= limits->items) &&
		(!limits->counters || counters <= limits->counters) &&
		(!limits->ranges || nranges <= limits->ranges);
}

/* Adds a set to place, unless another one holds it; removes those that it holds. */
static void add_set(struct packing *p, uint64_t set)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n; i++)
		if (!(set & ~p->set[i]))
			return;
	for (uint32_t i = 0; i < p->n; i++)
		if (p->set[i] & ~set)
			p->set[n++] = p->set[i];
	p->n = n;
	p->set[p->n++] = set;
}

/* The largest first: they leave the fewest choices. */
static void sort_sets(struct packing *p)
{
	for (uint32_t i = 1; i < p->n; i++) {
		uint64_t set = p->set[i];
		uint32_t k = i;

		while (k && bits(p->set[k - 1]) < bits(set)) {
			p->set[k] = p->set[k - 1];
			k--;
		}
		p->set[k] = set;
	}
}

static void place(struct packing *p, uint32_t at, uint32_t nbins)
{
	if (nbins >= p->best->n || (p->steps > STEPS_MOST && p->best->n <= PACK_ITEMS))
		return;
	p->steps++;
	if (at == p->n) {
		memcpy(p->best->experiment, p->bin, nbins * sizeof *p->bin);
		p->best->n = nbins;
		return;
	}
	for (uint32_t b = 0; b < nbins; b++) {
		uint64_t before = p->bin[b];

		if (!pack_fits(p->limits, p->items, before | p->set[at]))
			continue;
		p->bin[b] |= p->set[at];
		place(p, at + 1, nbins);
		p->bin[b] = before;
		if (!(p->set[at] & ~before))
			return;         /* it is there already: no other place is better */
	}
	if (nbins < PACK_ITEMS) {
		p->bin[nbins] = p->set[at];
		place(p, at + 1, nbins + 1);
	}
}

void pack(const struct collector_limits *limits, const struct pack_item *items, uint32_t nitems,
	const uint64_t *groups, uint32_t ngroups, struct pack_result *out)
{
	struct packing p = { .limits = limits, .items = items, .best = out };

	*out = (struct pack_result){ .n = PACK_ITEMS + 1 };
	for (uint32_t g = 0; g < ngroups && g < PACK_GROUPS; g++) {
		if (!pack_fits(limits, items, groups[g]))
			out->split |= UINT64_C(1) << g;
		else if (groups[g])
			add_set(&p, groups[g]);
	}
	for (uint32_t i = 0; i < nitems && i < PACK_ITEMS; i++)
		add_set(&p, UINT64_C(1) << i);
	sort_sets(&p);
	place(&p, 0, 0);
	if (out->n > PACK_ITEMS)
		out->n = 0;
	out->least = p.steps <= STEPS_MOST;
}

void pack_text(const struct collector_limits *limits, uint32_t nitems, const struct pack_result *r,
	const char *what, char *text, size_t size)
{
	uint32_t n = limits->counters ? limits->counters : limits->items;
	char limit[64] = "as many at once as are asked for";

	if (n)
		snprintf(limit, sizeof limit, "%u%s at once", n, !limits->counters ? "" : n == 1 ?
			" counter" : " counters");
	snprintf(text, size, "%u experiment%s: %u %s%s, %s%s%s", r->n, r->n == 1 ? "" : "s", nitems,
		what, nitems == 1 ? "" : "s", limit, r->split ?
		"; a property reads more than fit into one" : "", r->least ? "" :
		"; fewer might do");
}
