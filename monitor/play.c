/* SPDX-License-Identifier: BSD-3-Clause */
/* What an address means, and accesses that do not lie in one line and one object. */
#include "monitor/play.h"
#include "monitor/share.h"

enum { WIDE = 256 };    /* bytes of a part that is looked for by its page */

LRU_INLINE struct pscm_part *wide_slot(struct pscm_view *v, uint64_t address, uint32_t context)
{
	return v->wide[((uint32_t)(address >> 12) + context * 17) % PSCM_WIDE];
}

static struct pscm_part *part_put(struct work *w, uint64_t address, uint64_t lo, uint64_t len)
{
	if (len < WIDE)
		return part_slot(w->v, address, w->context);
	/* Two to a page: the one with its first byte, and one behind. */
	return wide_slot(w->v, address, w->context) + (lo > (address & ~(uint64_t)4095));
}

/* The slow way to what an address means. */
static __attribute__((noinline)) const struct pscm_page *place_make(struct work *w,
	uint64_t address)
{
	const struct pscm_whatif *x = w->v->whatif;
	struct pscm_page page = { .key = PSCM_PAGE_KEY(address, w->context) };
	struct pscm_part *part;
	struct pscm_span s;
	uint64_t lo, hi, unit;
	uint32_t home = 0;

	pscm_space_find(address, &s);
	if (unlikely(x) && s.object == x->object &&
	    !pscm_whatif_move(w->v, address, &s, &home)) {
		w->v->absent_lo = s.lo;
		w->v->absent_len = s.hi - s.lo;
		return NULL;
	}
	unit = pscm_page_unit(address + s.shift);
	page.delta = pscm_page_delta(w->v->pages, address, s.shift, home);
	/* Variants are counted for the whole phase. */
	page.cell = w->counting || w->lane->generic ?
		sim_lane_cell(w->lane, x ? 0 : w->context, s.object) : w->lane->cells;
	lo = ((address + s.shift) & ~(unit - 1)) - s.shift;
	hi = lo + unit;
	if (s.lo > lo)
		lo = s.lo;
	if (s.hi < hi)
		hi = s.hi;
	if (lo <= (address & ~(uint64_t)4095) && hi - (address & ~(uint64_t)4095) >= 4096) {
		struct pscm_page *p = &w->v->page[page_slot(address, w->context)];

		*p = page;
		return p;
	}
	part = part_put(w, address, lo, hi - lo);
	*part = (struct pscm_part){ page, lo, (uint32_t)(hi - lo), w->context };
	return &part->page;
}

const struct pscm_page *play_part(struct work *w, uint64_t address)
{
	const struct pscm_part *p = part_slot(w->v, address, w->context);

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

static const struct pscm_page *place_find(struct work *w, uint64_t address)
{
	const struct pscm_page *p = &w->v->page[page_slot(address, w->context)];

	return p->key == PSCM_PAGE_KEY(address, w->context) ? p : play_part(w, address);
}

const struct pscm_page *play_place(struct work *w, uint64_t address, uint64_t *before,
	uint64_t *rest)
{
	const struct pscm_page *p = place_find(w, address);
	const struct pscm_part *part = (const struct pscm_part *)p;     /* it begins with the page */

	if (unlikely(!p)) {
		*before = address - w->v->absent_lo;
		*rest = w->v->absent_len - *before;
	} else if (p >= w->v->page && p < w->v->page + PSCM_PLACES) {
		*before = address % 4096;
		*rest = 4096 - *before;
	} else {
		*before = address - part->lo;
		*rest = part->len - *before;
	}
	return p;
}

static __attribute__((noinline)) void miss_sampled(struct sim_lane *lane, uint64_t first, uint32_t size,
	struct sim_cell *cell, uint32_t store)
{
	sim_lane_sampled(lane, cell, 0, store, first, 1);
	sim_queue(lane, first, first + size - 1, cell, store);
}

/* Registers need not be saved for calls that are its last. */
void __attribute__((noinline)) play_miss(struct sim_lane *lane, uint64_t first, uint32_t size,
	struct sim_cell *cell, uint32_t store)
{
	cell->miss[0][store]++;
	cell->fetched[0]++;
	if (unlikely(lane->sums))
		miss_sampled(lane, first, size, cell, store);
	else
		sim_queue(lane, first, first + size - 1, cell, store);
}

static uint32_t look(struct work *w, uint64_t line)
{
	if (!sample_has(w->sample, line << w->l1->shift))
		return 0;
	if (w->events)
		events_before(w, line);
	return lru_line(w->l1, w->wide, line);
}

/* One access in one line, through a first level of whatever kind. */
static void first_level(struct work *w, uint64_t first, uint32_t size, struct sim_cell *cell,
	uint32_t store)
{
	if (w->lane->generic)
		sim_first(w->lane, first, first + size - 1, cell, store);
	else if (look(w, first >> w->l1->shift))
		play_miss(w->lane, first, size, cell, store);
}

/* In the warm-up a cell may be known that is not counted. */
static struct sim_cell *counted(const struct work *w, struct sim_cell *cell)
{
	return w->counting ? cell : w->lane->cells;
}

static void straddle_share(struct share_lane *sharing, uint64_t address, uint32_t size,
	uint64_t first, uint64_t last, uint32_t store, struct sim_cell *cell)
{
	uint64_t line = (UINT64_C(1) << sharing->shift) - 1;

	if ((first & ~line) == (last & ~line)) {
		share_access(sharing, address, first, last, store, cell);
		return;
	}
	if (last - first == size - 1 && /* of one place */
	    share_free(sharing, sharing->shift, first, size, store, cell, sharing->turn))
		return;
	share_tell(sharing, address, first, first | line, store, cell);
	share_tell(sharing, address + size - 1 - (last & line), last & ~line, last, store, cell);
}

/* The second line may lie in another page or object; the access counts to that of its first byte. */
void __attribute__((noinline)) play_straddle(struct work *w, uint64_t address, uint32_t size,
	uint32_t store)
{
	const struct pscm_page *p = place_find(w, address);
	struct sim_cell *cell;
	uint64_t first, last, a, b;
	uint32_t fetched;

	if (unlikely(!p))
		return;
	cell = p->cell;
	first = address + p->delta;
	p = place_find(w, address + size - 1);
	/* What of it is left out lies in the line of the rest. */
	last = p ? address + size - 1 + p->delta : first;
	cell->recent[store] += SIM_ONE + size;
	if (unlikely(w->lane->sharing))
		straddle_share(w->lane->sharing, address, size, first, last, store, counted(w, cell));
	if (w->lane->generic) {
		sim_first(w->lane, first, last, cell, store);
		return;
	}
	a = first >> w->l1->shift;
	b = last >> w->l1->shift;
	if (!sample_has(w->sample, first))
		first = b << w->l1->shift;
	if (!sample_has(w->sample, last))
		last = ((a + 1) << w->l1->shift) - 1;
	fetched = look(w, a);
	if (a != b)
		fetched += look(w, b);
	if (!fetched)
		return;
	cell->miss[0][store]++;
	cell->fetched[0] += fetched;
	sim_lane_sampled(w->lane, cell, 0, store, first, 1);
	sim_queue(w->lane, first, last, cell, store);
}

/* What equals a sequence of accesses of 8 bytes (the last one maybe shorter): those that stay
 * in one line after its first are hits that change nothing. */
void __attribute__((noinline)) play_range(struct work *w, uint64_t address, uint64_t length,
	uint32_t store)
{
	uint64_t line = UINT64_C(1) << w->l1->shift;
	/* A level with shorter lines must see each of them. */
	uint64_t step = w->lane->sim->line_min < line ? w->lane->sim->line_min : line;
	uint64_t end = address + length;

	while (address < end) {
		uint64_t before, rest;
		const struct pscm_page *p = play_place(w, address, &before, &rest);
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
			if (unlikely(++w->lane->unsummed >= SIM_SUM_AT))
				sim_lane_sum(w->lane);
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
		if (unlikely(w->lane->sharing))
			share_touch(w->lane->sharing, address, first, first + n - 1,
				store, counted(w, p->cell));
		first_level(w, first, n < 8 ? (uint32_t)n : 8, p->cell, store);
		address += n;
	}
}

/* Reads and writes n bytes a line's length at a time, as the library does: from the end where the
 * destination begins inside the source. */
static void play_copy(struct work *w, uint64_t from, uint64_t to, uint64_t n)
{
	uint64_t piece = w->lane->sim->line_min, last = n ? (n - 1) / piece : 0;
	bool down = to > from && to - from < n;

	for (uint64_t i = 0; i * piece < n; i++) {
		uint64_t at = (down ? last - i : i) * piece;
		uint64_t length = n - at < piece ? n - at : piece;

		play_range(w, from + at, length, 0);
		play_range(w, to + at, length, 1);
	}
}

void __attribute__((noinline)) play_block(struct work *w, uint32_t bits, uint64_t address,
	uint64_t length)
{
	if (address < NOWHERE)     /* did not take place */
		length = 0;
	if (bits & PSC_GROUP_COPY) {
		w->from = address;
		w->copied = length;
		return;
	}
	if (w->copied) {
		uint64_t both = w->copied < length ? w->copied : length;

		play_copy(w, w->from, address, both);
		play_range(w, w->from + both, w->copied - both, 0);
		w->copied = 0;
		address += both;
		length -= both;
	}
	play_range(w, address, length, bits & 1);
}

/* One plain access. */
static void access(struct work *w, uint64_t address, uint32_t size, uint32_t store)
{
	uint32_t line = 1u << w->l1->shift;
	const struct pscm_page *p;
	uint64_t first;

	if (size > w->most) {
		play_range(w, address, size, store);
		return;
	}
	p = place_find(w, address);
	if (unlikely(!p))
		return;
	first = address + p->delta;
	if (((uint32_t)first & (line - 1)) + size > line) {
		play_straddle(w, address, size, store);
		return;
	}
	p->cell->recent[store] += SIM_ONE + size;
	if (unlikely(w->lane->sharing))
		share_access(w->lane->sharing, address, first, first + size - 1, store,
			counted(w, p->cell));
	first_level(w, first, size, p->cell, store);
}

/* Members in the line of the one before are hits that change nothing, as long as they lie in the
 * same place. */
static void members(struct work *w, const uint32_t *member, uint32_t n, uint64_t address)
{
	uint32_t line = 1u << w->l1->shift;
	uint64_t lo = 0, len = 0, at = UINT64_MAX, free[2] = { UINT64_MAX, UINT64_MAX };
	struct share_lane *sharing = w->lane->sharing;
	const struct pscm_page *p = NULL;

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
			access(w, a, size, store);
			len = 0;        /* the table may have changed */
			continue;
		}
		p->cell->recent[store] += SIM_ONE + size;
		if (unlikely(sharing) && first >> sharing->shift != free[store])
			free[store] = share_access(sharing, a, first, first + size - 1, store,
				counted(w, p->cell)) ? first >> sharing->shift : UINT64_MAX;
		if (first >> w->l1->shift == at && !w->lane->generic)
			continue;
		at = first >> w->l1->shift;
		first_level(w, first, size, p->cell, store);
	}
}

void __attribute__((noinline)) play_group(struct work *w, const uint32_t *group, uint64_t address)
{
	uint32_t bits = *group;

	if (!(bits & PSC_GROUP_MANY) && bits & 2)
		play_block(w, bits, address, PSC_ACCESS_SIZE(bits));
	else if (address < NOWHERE)
		return;
	else if (bits & PSC_GROUP_MANY)
		members(w, group + 3, PSC_MANY_N(bits), address);
	else
		access(w, address, PSC_ACCESS_SIZE(bits), bits & 1);
}

/* --- plans ----------------------------------------------------------------------------------- */

void play_plans_forget(struct pscm_view *v)
{
	if (!v->plans)
		return;
	memset(v->plans->plan, 0, sizeof v->plans->plan);
	v->plans->used = v->plans->masked = 0;
}

uint32_t play_plan_entries(const uint32_t *group, uint32_t offset, uint32_t shift, uint32_t *out)
{
	const uint32_t *member = group + 3;
	uint64_t seen[3] = { 0 };       /* lines, at most 1024 / 8 + 2 */
	uint32_t n = 0;

	for (uint32_t i = 0; i < PSC_MANY_N(*group); i++) {
		uint32_t at = offset + PSC_MEMBER_OFFSET(member[i]), size = PSC_MEMBER_SIZE(member[i]);
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

/* A bit for each 64th of a line that holds bytes from a on, as far as b or the line goes. */
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

const struct plan *play_plan(struct work *w, const uint32_t *group, uint32_t offset)
{
	const uint32_t shift = w->l1->shift;
	struct plans *p = w->v->plans;
	uint32_t entry[PLAN_MAX], n, lines = ((offset + PSC_MANY_SPAN(*group) - 1) >> shift) + 1;
	uint64_t key = PLAN_KEY(group, offset);
	struct plan *plan;

	if ((PSC_MANY_SPAN(*group) >> shift) + 2 > w->l1->sets)
		return NULL;
	if (!p)
		p = w->v->plans = pscm_map(sizeof *p);
	if (!p)
		return NULL;
	n = play_plan_entries(group, offset, shift, entry);
	if (p->used + n > PLAN_ENTRIES || p->masked + lines > PLAN_ENTRIES)
		play_plans_forget(w->v);
	memcpy(p->entry + p->used, entry, n * sizeof *entry);
	plan_masks(group, offset, shift, lines, p->mask + p->masked);
	plan = &p->plan[plan_slot(key)];
	*plan = (struct plan){ .key = key, .at = p->used, .n = n, .mask = p->masked, .lines = lines };
	p->used += n;
	p->masked += lines;
	return plan;
}

static void mark_members(struct work *w, const uint32_t *group, uint64_t address, uint64_t first,
	struct sim_cell *cell)
{
	uint32_t line = 1u << w->l1->shift;

	for (uint32_t i = 0; i < PSC_MANY_N(*group); i++) {
		uint32_t member = group[3 + i], at = PSC_MEMBER_OFFSET(member), size;
		uint32_t end = at + PSC_MEMBER_SIZE(member);

		for (; at < end; at += size) {
			size = line - ((uint32_t)(first + at) & (line - 1));
			if (size > end - at)
				size = end - at;
			share_access(w->lane->sharing, address + at, first + at,
				first + at + size - 1, member & 1, cell);
		}
	}
}

void __attribute__((noinline)) play_mark(struct work *w, const uint32_t *group, uint64_t address,
	uint64_t first, struct sim_cell *cell)
{
	const struct plan *plan = plan_of(w, group, (uint32_t)first & ((1u << w->l1->shift) - 1));

	if (plan)
		share_mark_lines(w->lane->sharing, address, first, plan->lines,
			(const void *)(w->v->plans->mask + plan->mask), cell);
	else
		mark_members(w, group, address, first, cell);
}

/* A group whose bytes from `rest` on, where a line begins, lie in another place: first[1] is where the
 * group would begin there. */
static void mark_two(struct work *w, const struct plan *plan, uint64_t address, const uint64_t first[2],
	uint64_t rest, struct sim_cell *cell)
{
	const uint32_t shift = w->l1->shift;
	const uint64_t (*mask)[2] = (const void *)(w->v->plans->mask + plan->mask);
	uint32_t n = (uint32_t)(((first[0] + rest - 1) >> shift) - (first[0] >> shift)) + 1;

	share_mark_lines(w->lane->sharing, address, first[0], n, mask, cell);
	share_mark_lines(w->lane->sharing, address + rest, first[1] + rest, plan->lines - n, mask + n,
		cell);
}

bool __attribute__((noinline)) play_split(struct work *w, const uint32_t *d, uint64_t address,
	uint64_t rest, const struct pscm_page *p)
{
	const struct sim_cache *l1 = w->l1;
	uint64_t first[2] = { address + p->delta }, before, behind;
	struct sim_cell *cell = p->cell;
	const struct plan *plan;
	const uint32_t *entry;

	p = play_place(w, address + rest, &before, &behind);
	if (!p || p->cell != cell || behind < PSC_MANY_SPAN(*d) - rest || !l1->mask ||
	    (PSC_MANY_SPAN(*d) >> l1->shift) + 2 > (l1->sets < 64 ? l1->sets : 64))
		return false;
	first[1] = address + p->delta;
	if (w->sample)
		return !w->lane->sharing && sample_none(w->sample, first[0], (uint32_t)rest) &&
			sample_none(w->sample, first[1] + rest, PSC_MANY_SPAN(*d) - (uint32_t)rest);
	/* The second begins with a line, and lies in lines of its own. */
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
	if (w->lane->sharing)
		mark_two(w, plan, address, first, rest, cell);
	for (uint32_t i = 0; i < plan->n; i++) {
		uint64_t at = first[PSC_MEMBER_OFFSET(entry[i]) >= rest] + PSC_MEMBER_OFFSET(entry[i]);
		uint32_t missed = lru_line(l1, w->wide, at >> l1->shift);

		if (entry[i] & 2) {
			uint32_t second = lru_line(l1, w->wide, (at >> l1->shift) + 1);

			cell->fetched[0] += missed & second;
			missed |= second;
		}
		if (missed)
			play_miss(w->lane, at, PSC_MEMBER_SIZE(entry[i]), cell, entry[i] & 1);
	}
	return true;
}

void __attribute__((noinline)) play_sampled(struct work *w, const uint32_t *entry, uint32_t n,
	uint64_t first, struct sim_cell *cell)
{
	const struct sim_cache *l1 = w->l1;

	for (const uint32_t *end = entry + n; entry < end; entry++) {
		uint64_t at = first + PSC_MEMBER_OFFSET(*entry), last;
		uint32_t size = PSC_MEMBER_SIZE(*entry), missed, second = *entry & 2;

		last = (at + size - 1) >> l1->shift << l1->shift;
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
		missed = lru_line(l1, w->wide, at >> l1->shift);
		if (second) {
			uint32_t next = lru_line(l1, w->wide, (at >> l1->shift) + 1);

			cell->fetched[0] += missed & next;
			missed |= next;
		}
		if (missed)
			play_miss(w->lane, at, size, cell, *entry & 1);
	}
}
