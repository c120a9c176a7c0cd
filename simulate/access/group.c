/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates groups: accesses at fixed distances from one address, as in one iteration of a loop
 * body. */
#include "simulate/access/play.h"
#include "simulate/coherence/share.h"

enum { GROUP_LINES = PSC_GROUP_SPAN / 8 + 2 };  /* of one group at most, of 8 bytes at least */

/* Simulates a group member by member.  A member in the same line and place as the one before is a
 * hit that changes nothing. */
static void members(struct work *w, const uint32_t *member, uint32_t n, uint64_t address)
{
	uint32_t line = 1u << w->l1->shift;
	uint64_t lo = 0, len = 0, at = UINT64_MAX, free[2] = { UINT64_MAX, UINT64_MAX };
	struct share_core *sharing = w->core->sharing;
	const struct sim_page *p = NULL;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t a = address + PSC_MEMBER_OFFSET(member[i]), first;
		uint32_t size = PSC_MEMBER_SIZE(member[i]), store = PSC_ACCESS_KIND(member[i]);

		if (a - lo >= len) {
			uint64_t before, rest;

			p = play_place(w, a, &before, &rest);
			lo = a - before;
			len = before + rest;
			at = UINT64_MAX;
		}
		if (unlikely(!p))
			continue;
		first = a + p->delta;
		if (size > w->most || ((uint32_t)first & (line - 1)) + size > line) {
			play_access(w, a, size, store);
			len = 0;        /* the table may have changed */
			continue;
		}
		p->cell->recent[store] += SIM_ONE + size;
		if (unlikely(sharing) && first >> sharing->shift != free[store])
			free[store] = share_access(sharing, a, first, first + size - 1, store,
				play_counted(w, p->cell)) ? first >> sharing->shift : UINT64_MAX;
		if (first >> w->l1->shift == at && !w->core->generic)
			continue;
		at = first >> w->l1->shift;
		play_first(w, first, size, p->cell, store);
	}
}

void play_members(struct work *w, const uint32_t *group, uint64_t address)
{
	uint32_t bits = *group;

	if (!(bits & PSC_GROUP_MANY) && bits & 2)
		play_block(w, bits, address, PSC_ACCESS_SIZE(bits));
	else if (address < NOWHERE)
		return;
	else if (bits & PSC_GROUP_MANY)
		members(w, group + 3, PSC_MANY_N(bits), address);
	else
		play_access(w, address, PSC_ACCESS_SIZE(bits), bits & 1);
}

void __attribute__((noinline)) play_group(struct work *w, const uint32_t *group, uint64_t address)
{
	w->core->group = group_number(group);
	play_members(w, group, address);
}

/* --- plans ----------------------------------------------------------------------------------- */

void play_plans_forget(struct sim_thread *v)
{
	if (!v->plans)
		return;
	memset(v->plans->plan, 0, sizeof v->plans->plan);
	v->plans->used = v->plans->masked = 0;
}

uint32_t play_plan_entries(const uint32_t *group, uint32_t offset, uint32_t shift, uint32_t *out)
{
	const uint32_t *member = group + 3;
	uint64_t seen[(GROUP_LINES + 63) / 64] = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < PSC_MANY_N(*group); i++) {
		uint32_t at = offset + PSC_MEMBER_OFFSET(member[i]),
			size = PSC_MEMBER_SIZE(member[i]);
		uint32_t a = at >> shift, b = (at + size - 1) >> shift;
		bool first = !(seen[a / 64] >> a % 64 & 1), second = !(seen[b / 64] >> b % 64 & 1);

		seen[a / 64] |= UINT64_C(1) << a % 64;
		seen[b / 64] |= UINT64_C(1) << b % 64;
		if (a == b ? !first : !first && !second)
			continue;
		/* One access is one miss, however many of its lines are new: both are looked up. */
		out[n++] = PLAN_ENTRY(PSC_MEMBER_OFFSET(member[i]), size, member[i] & 1,
			(uint32_t)(a != b));
	}
	return n;
}

/* The mask of the 64ths of a line that hold bytes a … b, up to the line's end. */
static uint64_t line_mask(uint32_t a, uint32_t b, uint32_t shift)
{
	uint32_t unit = shift > 6 ? shift - 6 : 0, last = (a | ((1u << shift) - 1)) < b ?
		(1u << shift) - 1 : b & ((1u << shift) - 1);

	a = (a & ((1u << shift) - 1)) >> unit;
	return (UINT64_MAX >> (63 - ((last >> unit) - a))) << a;
}

static void plan_masks(const uint32_t *group, uint32_t offset, uint32_t shift, uint32_t lines,
	uint64_t mask[][2])
{
	memset(mask, 0, lines * sizeof *mask);
	for (uint32_t i = 0; i < PSC_MANY_N(*group); i++) {
		uint32_t member = group[3 + i], at = offset + PSC_MEMBER_OFFSET(member);
		uint32_t last = at + PSC_MEMBER_SIZE(member) - 1;

		for (uint32_t k = at >> shift; k <= last >> shift; k++, at = k << shift)
			mask[k][member & 1] |= line_mask(at, last, shift);
	}
}

const struct lookup_plan *play_plan(struct work *w, const uint32_t *group, uint32_t offset)
{
	const uint32_t shift = w->l1->shift;
	struct plans *p = w->v->plans;
	uint32_t entry[PLAN_MAX], n, lines = ((offset + PSC_MANY_SPAN(*group) - 1) >> shift) + 1;
	uint64_t key = PLAN_KEY(group, offset);
	struct lookup_plan *plan;

	if ((PSC_MANY_SPAN(*group) >> shift) + 2 > w->l1->sets)
		return NULL;
	if (!p)
		p = w->v->plans = sim_thread_room(w->v, sizeof *p);
	if (!p)
		return NULL;
	n = play_plan_entries(group, offset, shift, entry);
	if (p->used + n > PLAN_ENTRIES || p->masked + lines > PLAN_ENTRIES)
		play_plans_forget(w->v);
	memcpy(p->entry + p->used, entry, n * sizeof *entry);
	plan_masks(group, offset, shift, lines, p->mask + p->masked);
	plan = &p->plan[plan_slot(key)];
	*plan = (struct lookup_plan){ .key = key, .at = p->used, .n = n, .mask = p->masked,
		.lines = lines };
	p->used += n;
	p->masked += lines;
	return plan;
}

/* Masks of whole lines, as in a plan: by permission, either all or none of a line's bytes go
 * unreported. */
static __attribute__((noinline)) void mark_unplanned(struct work *w, const uint32_t *group,
	uint64_t address, uint64_t first, struct sim_cell *cell)
{
	uint32_t shift = w->l1->shift, offset = (uint32_t)first & ((1u << shift) - 1);
	uint32_t lines = ((offset + PSC_MANY_SPAN(*group) - 1) >> shift) + 1;
	uint64_t mask[GROUP_LINES][2];

	plan_masks(group, offset, shift, lines, mask);
	share_mark_lines(w->core->sharing, address, first, lines, (const void *)mask, cell, 1);
}

void __attribute__((noinline)) play_mark(struct work *w, const uint32_t *group, uint64_t address,
	uint64_t first, struct sim_cell *cell)
{
	const struct lookup_plan *plan = plan_of(w, group,
		(uint32_t)first & ((1u << w->l1->shift) - 1));

	w->core->group = group_number(group);
	if (plan)
		share_mark_lines(w->core->sharing, address, first, plan->lines,
			(const void *)(w->v->plans->mask + plan->mask), cell, 1);
	else
		mark_unplanned(w, group, address, first, cell);
}

/* Reports a group in two places.  Its bytes from `rest` on, where a line begins, lie in the second;
 * first[]: the group's normalised address by each place's translation. */
static void mark_two(struct work *w, const uint32_t *group, const struct lookup_plan *plan,
	uint64_t address, const uint64_t first[2], uint64_t rest, struct sim_cell *cell)
{
	const uint32_t shift = w->l1->shift;
	const uint64_t (*mask)[2] = (const void *)(w->v->plans->mask + plan->mask);
	uint32_t n = (uint32_t)(((first[0] + rest - 1) >> shift) - (first[0] >> shift)) + 1;

	w->core->group = group_number(group);
	share_mark_lines(w->core->sharing, address, first[0], n, mask, cell, 1);
	share_mark_lines(w->core->sharing, address + rest, first[1] + rest, plan->lines - n,
		mask + n, cell, 1);
}

bool __attribute__((noinline)) play_split(struct work *w, const uint32_t *d, uint64_t address,
	uint64_t rest, const struct sim_page *p)
{
	const struct level1 k = level1_of(w);
	const struct sim_cache *l1 = &k.cache;
	uint64_t first[2] = { address + p->delta }, before, behind;
	struct sim_cell *cell = p->cell;
	const struct lookup_plan *plan;
	const uint32_t *entry;

	p = play_place(w, address + rest, &before, &behind);
	if (!p || p->cell != cell || behind < PSC_MANY_SPAN(*d) - rest || !l1->mask ||
	    (PSC_MANY_SPAN(*d) >> l1->shift) + 2 > (l1->sets < 64 ? l1->sets : 64))
		return false;
	first[1] = address + p->delta;
	if (w->sample)
		return !w->core->sharing && sample_none(w->sample, first[0], (uint32_t)rest) &&
			sample_none(w->sample, first[1] + rest, PSC_MANY_SPAN(*d) - (uint32_t)rest);
	/* The second place must begin at a line boundary and use other lines than the first. */
	if ((first[1] + rest) & ((1u << l1->shift) - 1) || (first[0] ^ first[1]) & 4095)
		return false;
	plan = plan_of(w, d, (uint32_t)first[0] & ((1u << l1->shift) - 1));
	if (!plan)
		return false;
	entry = w->v->plans->entry + plan->at;
	for (uint32_t i = 0; i < plan->n; i++)
		if (PSC_MEMBER_OFFSET(entry[i]) < rest &&
		    PSC_MEMBER_OFFSET(entry[i]) + PSC_MEMBER_SIZE(entry[i]) > rest)
			return false;
	if (w->core->sharing)
		mark_two(w, d, plan, address, first, rest, cell);
	for (uint32_t i = 0; i < plan->n; i++)
		play_entry(w, &k, first[PSC_MEMBER_OFFSET(entry[i]) >= rest] +
			PSC_MEMBER_OFFSET(entry[i]), entry[i], cell, d + DESCRIPTOR_WORDS);
	return true;
}

void __attribute__((noinline)) play_sampled(struct work *w, const uint32_t *entry, uint32_t n,
	uint64_t first, struct sim_cell *cell, uint32_t group)
{
	const struct level1 k = level1_of(w);
	const uint32_t shift = k.cache.shift;

	for (const uint32_t *end = entry + n; entry < end; entry++) {
		uint64_t at = first + PSC_MEMBER_OFFSET(*entry), last;
		uint32_t size = PSC_MEMBER_SIZE(*entry), second = *entry >> 1 & 1;

		last = (at + size - 1) >> shift << shift;
		if (second && !sample_has(w->sample, last)) {
			size = (uint32_t)(last - at);
			second = 0;
		}
		if (!sample_has(w->sample, at)) {
			if (!second)
				continue;
			size -= (uint32_t)(last - at);
			at = last;
			second = 0;
		}
		play_entry(w, &k, at, PLAN_ENTRY(0, size, *entry & 1, second), cell, &group);
	}
}
