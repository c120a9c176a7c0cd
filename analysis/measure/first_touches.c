/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides about last-level misses of which it is not known whether they are any. */
#include "analysis/measure/first_touches.h"

#include <string.h>

#include "analysis/measure/burst_rows.h"

bool first_touches_hit(const struct measurements *p, uint32_t object)
{
	const struct machine_flat *m = &p->machine->flat;

	return object >= MON_OBJ_FIRST && object < p->nobjects && m->nlevels &&
		p->objects[object].size < m->level[m->nlevels - 1].size;
}

/* The part of the misses that is left without first touches. */
static double left_of(uint64_t misses, uint64_t first)
{
	return first < misses ? 1 - (double)first / (double)misses : 0;
}

void first_touches_remove(const struct machine_flat *m, struct mon_count_row *row)
{
	const uint32_t last = m->nlevels - 1;
	const double left = left_of(row->load_miss[last] + row->store_miss[last], row->unwarmed);

	if (!row->unwarmed)
		return;
#define COUNTER_LEVEL(name, ...) row->name[last] = burst_rows_times(row->name[last], left);
#include "base/counters.def"
	for (int i = 0; i < 2 * MON_GROUPS; i++)
		row->group[last][i / MON_GROUPS][i % MON_GROUPS] *= (float)left;
}

/* The same for the line's part of the misses of its context and structure. */
static void settle_line(const struct mon_result *r, uint32_t last, struct mon_site *site)
{
	uint64_t misses = 0, first = 0;

	for (uint32_t i = 0; i < r->ncounts; i++) {
		const struct mon_count_row *row = &r->counts[i];

		if (row->context != site->context || row->object != site->object)
			continue;
		misses += row->load_miss[last] + row->store_miss[last];
		first += row->unwarmed;
	}
	site->last = burst_rows_times(site->last, left_of(misses, first));
}

int first_touches_settle(const struct measurements *p, const struct mon_result *r,
	struct mon_result *out)
{
	const struct machine_flat *m = &p->machine->flat;
	struct mon_result made = *r;

	if (burst_rows_copy(r, &made))
		return -1;
	for (uint32_t i = 0; i < made.nsites; i++)
		if (first_touches_hit(p, made.sites[i].object))
			settle_line(r, m->nlevels - 1, &made.sites[i]);
	for (uint32_t i = 0; i < made.ncounts; i++)
		if (made.counts[i].object == MON_OBJ_WORK)       /* no misses (burst_error.h) */
			memset(made.counts[i].group, 0, sizeof made.counts[i].group);
		else if (first_touches_hit(p, made.counts[i].object))
			first_touches_remove(m, &made.counts[i]);
	*out = made;
	return 0;
}
