/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates the program's addresses to normalised addresses and cells, and caches the caller's
 * answers by page or part of a page. */
#include "simulate/access/play.h"
#include "simulate/cache/map_counts.h"

enum { WIDE = 256 };    /* parts of so many bytes or more are looked up by page */

LRU_INLINE struct sim_part *wide_slot(struct sim_thread *v, uint64_t address, uint32_t context)
{
	return v->wide[((uint32_t)(address >> 12) + context * 17) % SIM_WIDE];
}

static struct sim_part *part_put(struct work *w, uint64_t address, uint64_t lo, uint64_t len)
{
	if (len < WIDE)
		return part_slot(w->v, address, w->context);
	/* Two for each page: the part with its first byte, and one after. */
	return wide_slot(w->v, address, w->context) + (lo > (address & ~(uint64_t)4095));
}

/* Asks the caller for a translation and caches it. */
static __attribute__((noinline)) const struct sim_page *place_make(struct work *w, uint64_t address)
{
	struct sim_thread *t = w->v;
	const uint64_t here = address & ~(uint64_t)4095;
	struct sim_page page = { .key = SIM_PAGE_KEY(address, w->context) };
	struct sim_place at;
	struct sim_part *part;

	if (unlikely(!w->core->sim->env->place(t->asker, address, &at))) {
		t->absent_lo = at.lo;
		t->absent_len = at.hi - at.lo;
		return NULL;
	}
	page.delta = at.delta;
	page_sets_put(&w->core->sim->sets, (address + at.delta) >> PAGE_SETS_SHIFT, at.skew,
		w->core->sim->env->get);
	page.cell = w->counting || w->core->generic ?
		sim_core_cell(w->core, t->whole ? 0 : w->context, at.object) : w->core->cells;
	if (w->core->drawn)
		sim_maps_place(w->core, t->asker, address, &at);
	if (at.lo <= here && at.hi - here >= 4096) {
		struct sim_page *p = &t->page[page_slot(address, w->context)];

		*p = page;
		return p;
	}
	part = part_put(w, address, at.lo, at.hi - at.lo);
	*part = (struct sim_part){ page, at.lo, (uint32_t)(at.hi - at.lo), w->context };
	return &part->page;
}

const struct sim_page *play_part(struct work *w, uint64_t address)
{
	const struct sim_part *p = part_slot(w->v, address, w->context);

	if (likely(address - p->lo < p->len && p->context == w->context))
		return &p->page;
	p = wide_slot(w->v, address, w->context);
	for (int i = 0; i < 2; i++)
		if (address - p[i].lo < p[i].len && p[i].context == w->context)
			return &p[i].page;
	if (unlikely(address - w->v->absent_lo < w->v->absent_len))
		return NULL;
	return place_make(w, address);
}

const struct sim_page *play_place(struct work *w, uint64_t address, uint64_t *before,
	uint64_t *rest)
{
	const struct sim_page *p = play_find(w, address);
	const struct sim_part *part = (const struct sim_part *)p;     /* it begins with the page */

	if (unlikely(!p)) {
		*before = address - w->v->absent_lo;
		*rest = w->v->absent_len - *before;
	} else if (p >= w->v->page && p < w->v->page + SIM_PAGES) {
		*before = address % 4096;
		*rest = 4096 - *before;
	} else {
		*before = address - part->lo;
		*rest = part->len - *before;
	}
	return p;
}

void play_places_forget(struct sim_thread *t)
{
	for (uint32_t i = 0; i < SIM_PAGES; i++)
		t->page[i].key = t->part[i].len = 0;
	for (uint32_t i = 0; i < SIM_WIDE; i++)
		t->wide[i][0].len = t->wide[i][1].len = 0;
	t->absent_len = 0;
}
