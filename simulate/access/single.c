/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates single accesses, accesses that cross a line boundary, and ranges of bytes. */
#include "simulate/access/play.h"
#include "simulate/cache/column_writer.h"
#include "simulate/coherence/share.h"

static __attribute__((noinline)) void miss_sampled(struct sim_core *core, uint64_t first,
	uint32_t size, struct sim_site *site, uint32_t store)
{
	sim_core_sampled(core, site->cell, 0, store, first, 1);
	sim_queue(core, first, first + size - 1, site, store);
}

LRU_INLINE void miss_of(struct sim_core *core, uint64_t first, uint32_t size, struct sim_site *site,
	uint32_t store)
{
	site->first++;
	site->cell->miss[0][store]++;
	site->cell->fetched[0]++;
	if (unlikely(core->sums))
		miss_sampled(core, first, size, site, store);
	else
		sim_queue(core, first, first + size - 1, site, store);
}

static __attribute__((noinline)) void miss_elsewhere(struct sim_core *core, uint64_t first,
	uint32_t size, struct sim_cell *cell, uint32_t store, uint32_t group)
{
	miss_of(core, first, size, sim_site_find(core, group, cell), store);
}

/* Its calls are tail calls, so it saves no registers. */
void __attribute__((noinline)) play_miss(struct sim_core *core, uint64_t first, uint32_t size,
	struct sim_cell *cell, uint32_t store, uint32_t group)
{
	struct sim_site *site = core->sites->of[group];

	if (likely(site->cell == cell))
		miss_of(core, first, size, site, store);
	else
		miss_elsewhere(core, first, size, cell, store, group);
}

/* An access that crosses a line boundary: normalised addresses of its first and last byte. */
struct straddle {
	uint64_t first, last;
	struct sim_cell *cell;
	uint32_t store;
};

static void straddle_share(struct share_core *sharing, uint64_t address, uint32_t size,
	const struct straddle *m)
{
	uint64_t line = (UINT64_C(1) << sharing->shift) - 1;

	if ((m->first & ~line) == (m->last & ~line)) {
		share_access(sharing, address, m->first, m->last, m->store, m->cell);
		return;
	}
	if (m->last - m->first == size - 1 && /* in one place */
	    share_free(sharing, sharing->shift, m->first, size, m->store, m->cell, sharing->turn))
		return;
	share_tell(sharing, address, m->first, m->first | line, m->store, m->cell);
	share_tell(sharing, address + size - 1 - (m->last & line), m->last & ~line, m->last,
		m->store, m->cell);
}

/* The second line may lie in another page or object; the access counts to that of its first
 * byte. */
void __attribute__((noinline)) play_straddle(struct work *w, uint64_t address, uint32_t size,
	uint32_t store)
{
	const struct sim_page *p = play_find(w, address);
	struct sim_cell *cell;
	struct sim_site *site;
	uint64_t first, last, a, b;
	uint32_t fetched;

	if (unlikely(!p))
		return;
	cell = p->cell;
	first = address + p->delta;
	p = play_find(w, address + size - 1);
	/* A variant may leave out one half: then only the line of the other is looked up. */
	last = p ? address + size - 1 + p->delta : first;
	cell->recent[store] += SIM_ONE + size;
	if (unlikely(w->core->sharing))
		straddle_share(w->core->sharing, address, size, &(struct straddle){ first, last,
			play_counted(w, cell), store });
	if (w->core->generic) {
		sim_first(w->core, first, last, cell, store);
		return;
	}
	a = first >> w->l1->shift;
	b = last >> w->l1->shift;
	if (!sample_has(w->sample, first))
		first = b << w->l1->shift;
	if (!sample_has(w->sample, last))
		last = ((a + 1) << w->l1->shift) - 1;
	fetched = play_look(w, a);
	if (a != b)
		fetched += play_look(w, b);
	if (!fetched)
		return;
	cell->miss[0][store]++;
	cell->fetched[0] += fetched;
	sim_core_sampled(w->core, cell, 0, store, first, 1);
	site = sim_site(w->core, w->core->group, cell);
	site->first++;
	sim_queue(w->core, first, last, site, store);
}

/* Time goes on by n accesses of a range. */
LRU_INLINE void range_passed(struct sim_core *core, uint64_t n)
{
	core->ranged += n;
	core->border -= n;
	if (sim_core_passes(core, core->records))
		sim_columns_border(core);
}

/* Simulates a range as accesses of 8 bytes, the last one perhaps shorter.  Further accesses to a
 * line are hits that change nothing. */
static void __attribute__((noinline)) play_range(struct work *w, uint64_t address, uint64_t length,
	uint32_t store)
{
	uint64_t line = UINT64_C(1) << w->l1->shift;
	/* A level with shorter lines must see each of them. */
	uint64_t step = w->core->sim->line_min < line ? w->core->sim->line_min : line;
	uint64_t end = address + length;

	while (address < end) {
		uint64_t before, rest;
		const struct sim_page *p = play_place(w, address, &before, &rest);
		uint64_t first, room, n = end - address;
		uint32_t size = 8;

		if (unlikely(!p)) {
			if (rest >= n)
				return;
			address += rest;
			continue;
		}
		first = address + p->delta;
		room = step - (first & (step - 1));
		if (room < 8 && n > room) {     /* leaves the line */
			size = n < 8 ? (uint32_t)n : 8;
			play_straddle(w, address, size, store);
			if (unlikely(++w->core->unsummed >= SIM_SUM_AT))
				sim_core_sum(w->core);
			range_passed(w->core, 1);
			address += size;
			continue;
		}
		/* Whole accesses in this line, and the short last one if it is here too. */
		if (n > room)
			n = room & ~(uint64_t)7;
		if (n > rest && n > 8)  /* the object ends before */
			n = rest < 8 ? 8 : rest & ~(uint64_t)7;
		p->cell->refs[store] += (n + 7) / 8;    /* long ones would overflow `recent` */
		p->cell->bytes += n;
		if (unlikely(w->core->sharing))
			share_touch(w->core->sharing, address, first, first + n - 1,
				store, play_counted(w, p->cell));
		play_first(w, first, n < 8 ? (uint32_t)n : 8, p->cell, store);
		range_passed(w->core, (n + 7) / 8);
		address += n;
	}
}

/* Reads and writes n bytes a line's length at a time, as the library does: from the end where the
 * destination begins inside the source. */
static void play_copy(struct work *w, uint64_t from, uint64_t to, uint64_t n)
{
	uint64_t piece = w->core->sim->line_min, last = n ? (n - 1) / piece : 0;
	bool down = to > from && to - from < n;

	for (uint64_t i = 0; i * piece < n; i++) {
		uint64_t at = (down ? last - i : i) * piece;
		uint64_t length = n - at < piece ? n - at : piece;

		play_range(w, from + at, length, 0);
		play_range(w, to + at, length, 1);
	}
}

enum { COPY_BYTES = 32 };       /* that a core copies in a cycle from and to the nearest level */

/* Counts n bytes that a copy loads or stores at an address. */
static void count_copied(struct work *w, uint64_t address, uint64_t n, bool store)
{
	uint64_t before, rest;
	const struct sim_page *p = n >= PSC_COPY_LEAST ? play_place(w, address, &before, &rest) :
		NULL;

	if (!p)
		return;
	p->cell->copied += n;
	if (!store && w->worked)
		p->cell->copy_work += n * PSC_WORK_UNIT / COPY_BYTES;
}

void __attribute__((noinline)) play_block(struct work *w, uint32_t bits, uint64_t address,
	uint64_t length)
{
	if (address < NOWHERE)     /* the access did not happen */
		length = 0;
	if (bits & PSC_GROUP_COPY) {
		w->from = address;
		w->copied = length;
		return;
	}
	if (w->copied) {
		uint64_t both = w->copied < length ? w->copied : length;

		count_copied(w, w->from, w->copied, false);
		count_copied(w, address, both, true);
		play_copy(w, w->from, address, both);
		play_range(w, w->from + both, w->copied - both, 0);
		w->copied = 0;
		address += both;
		length -= both;
	}
	play_range(w, address, length, bits & 1);
}

void play_access(struct work *w, uint64_t address, uint32_t size, uint32_t store)
{
	uint32_t line = 1u << w->l1->shift;
	const struct sim_page *p;
	uint64_t first;

	if (size > w->most) {
		play_range(w, address, size, store);
		return;
	}
	p = play_find(w, address);
	if (unlikely(!p))
		return;
	first = address + p->delta;
	if (((uint32_t)first & (line - 1)) + size > line) {
		play_straddle(w, address, size, store);
		return;
	}
	p->cell->recent[store] += SIM_ONE + size;
	if (unlikely(w->core->sharing))
		share_access(w->core->sharing, address, first, first + size - 1, store,
			play_counted(w, p->cell));
	play_first(w, first, size, p->cell, store);
}
