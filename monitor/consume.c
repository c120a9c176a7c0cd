/* SPDX-License-Identifier: BSD-3-Clause */
/* From records to references: decodes a thread's words, finds out what each address means, and
 * plays the nearest cache level.  This loop is most of the cost of the `sim` collector. */
#include "monitor/consume.h"
#include "monitor/lru.h"
#include "monitor/share.h"

/* What the slow paths need; the loop itself keeps copies in registers. */
struct work {
	struct pscm_thread *t;
	struct sim_lane *lane;
	const struct sim_cache *l1;
	uint32_t context;
	bool counting;
};

LRU_INLINE uint32_t page_slot(uint64_t address, uint32_t context)
{
	return ((uint32_t)(address >> 12) + context * 17) % PSCM_PLACES;
}

LRU_INLINE struct pscm_part *part_slot(struct pscm_thread *t, uint64_t address, uint32_t context)
{
	return &t->part[((uint32_t)(address >> 4) + context * 17) % PSCM_PLACES];
}

/* The slow way to what an address means. */
static __attribute__((noinline)) const struct pscm_page *place_make(struct work *w,
	uint64_t address)
{
	struct pscm_page page = { .key = PSCM_PAGE_KEY(address, w->context) };
	struct pscm_part *part;
	struct pscm_span s;
	uint64_t lo, hi, unit;

	pscm_space_find(address, &s);
	unit = pscm_page_unit(s.shift);
	page.delta = pscm_page_delta(address, s.shift);
	page.cell = w->counting || w->lane->generic ?
		sim_lane_cell(w->lane, w->context, s.object) : w->lane->cells;
	lo = ((address + s.shift) & ~(unit - 1)) - s.shift;
	hi = lo + unit;
	if (s.lo > lo)
		lo = s.lo;
	if (s.hi < hi)
		hi = s.hi;
	if (lo <= (address & ~(uint64_t)4095) && hi - (address & ~(uint64_t)4095) >= 4096) {
		struct pscm_page *p = &w->t->page[page_slot(address, w->context)];

		*p = page;
		return p;
	}
	part = part_slot(w->t, address, w->context);
	*part = (struct pscm_part){ page, lo, (uint32_t)(hi - lo), w->context };
	return &part->page;
}

/* Not in the table of whole pages. */
static __attribute__((noinline)) const struct pscm_page *part_find(struct work *w,
	uint64_t address)
{
	const struct pscm_part *p = part_slot(w->t, address, w->context);

	if (likely(address - p->lo < p->len && p->context == w->context))
		return &p->page;
	return place_make(w, address);
}

static const struct pscm_page *place_find(struct work *w, uint64_t address)
{
	const struct pscm_page *p = &w->t->page[page_slot(address, w->context)];

	return p->key == PSCM_PAGE_KEY(address, w->context) ? p : part_find(w, address);
}

/* Bytes from the address to the end of its object or page. */
static uint64_t place_rest(const struct work *w, const struct pscm_page *p, uint64_t address)
{
	const struct pscm_part *part = part_slot(w->t, address, w->context);

	return p == &part->page ? part->lo + part->len - address : 4096 - address % 4096;
}

static __attribute__((noinline)) void queue_miss(struct sim_lane *lane, uint64_t first,
	uint64_t last, struct sim_cell *cell, uint32_t store, uint32_t fetched)
{
	cell->miss[0][store]++;
	cell->fetched[0] += fetched;
	lane->queue[lane->nqueue++] = (struct sim_miss){ first, last, cell, store };
	if (unlikely(lane->nqueue == SIM_QUEUE))
		sim_drain(lane);
}

/* One access, through the first level of whatever kind. */
static void first_level(struct work *w, bool wide, uint64_t first, uint64_t last,
	struct sim_cell *cell, uint32_t store)
{
	uint32_t fetched;

	if (w->lane->generic) {
		sim_first(w->lane, first, last, cell, store);
		return;
	}
	fetched = lru_access(w->l1, wide, first, last);
	if (fetched)
		queue_miss(w->lane, first, last, cell, store, fetched);
}

/* In the warm-up a cell may be known that is not counted. */
static struct sim_cell *counted(const struct work *w, struct sim_cell *cell)
{
	return w->counting ? cell : w->lane->cells;
}

/* An access that leaves its line: the second one may lie in another page or object; it counts
 * to the object of its first byte. */
static __attribute__((noinline)) void straddle(struct work *w, bool wide, uint64_t address,
	uint32_t size, uint32_t store)
{
	const struct pscm_page *p = place_find(w, address);
	struct sim_cell *cell = p->cell;
	struct share_lane *sharing = w->lane->sharing;
	uint64_t first = address + p->delta, last;

	last = address + size - 1 + place_find(w, address + size - 1)->delta;
	cell->recent[store] += SIM_ONE + size;
	if (unlikely(sharing)) {
		uint64_t line = (UINT64_C(1) << sharing->shift) - 1;

		if ((first & ~line) == (last & ~line)) {
			share_touch(sharing, address, first, last, store, counted(w, cell));
		} else {
			share_touch(sharing, address, first, first | line, store, counted(w, cell));
			share_touch(sharing, address + size - 1 - (last & line), last & ~line, last,
				store, counted(w, cell));
		}
	}
	first_level(w, wide, first, last, cell, store);
}

/* What equals a sequence of accesses of 8 bytes (the last one maybe shorter): those that stay
 * in one line after its first are hits that change nothing. */
static __attribute__((noinline)) void range(struct work *w, bool wide, uint64_t address,
	uint64_t length, uint32_t store)
{
	uint64_t line = UINT64_C(1) << w->l1->shift;
	/* A level with shorter lines must see each of them. */
	uint64_t step = w->lane->sim->line_min < line ? w->lane->sim->line_min : line;
	uint64_t end = address + length;

	while (address < end) {
		const struct pscm_page *p = place_find(w, address);
		uint64_t first = address + p->delta;
		uint64_t room = step - (first & (step - 1));
		uint64_t n = end - address, rest = place_rest(w, p, address), last;
		uint32_t size = 8;

		if (room < 8 && n > room) {     /* leaves the line */
			size = n < 8 ? (uint32_t)n : 8;
			straddle(w, wide, address, size, store);
			address += size;
			continue;
		}
		/* Whole accesses in this line, and the short last one if it is here too. */
		if (n > room)
			n = room & ~(uint64_t)7;
		if (n > rest && n > 8)  /* the object ends before */
			n = rest < 8 ? 8 : rest & ~(uint64_t)7;
		last = first + (n < 8 ? n : 8) - 1;
		p->cell->refs[store] += (n + 7) / 8;    /* long ones would overflow `recent` */
		p->cell->bytes += n;
		if (unlikely(w->lane->sharing))
			share_touch(w->lane->sharing, address, first, first + n - 1, store,
				counted(w, p->cell));
		first_level(w, wide, first, last, p->cell, store);
		address += n;
	}
}

/* Whether a header may be followed: a stale or scribbled word must not crash the host. */
static __attribute__((noinline)) bool image_ok(struct pscm_thread *t, uint64_t word)
{
	if (PSC_REC_TAG(word) != PSC_REC_SEGMENT)
		return false;
	if (pscm_space_image(word, &t->seg_lo, &t->seg_len))
		return true;
	t->seg_len = 0;
	return false;
}

/* The accesses of one segment; next: where the words of the following one begin. */
LRU_INLINE void segment(struct work *w, const struct sim_cache *l1, bool wide, bool generic,
	const struct psc_access *a, uint32_t n, const uint64_t *at, const uint64_t *next,
	uint32_t most)
{
	const struct pscm_page *pages = w->t->page;
	const uint32_t context = w->context, shift = l1->shift, line = 1u << shift;
	const uint64_t key = PSCM_PAGE_KEY((uint64_t)0, context);
	struct share_lane *sharing = w->lane->sharing;

	for (const struct psc_access *end = a + n; a < end; a++) {
		uint32_t bits = a->bits, size = PSC_ACCESS_SIZE(bits);
		uint64_t address = *at++, first;
		const struct pscm_page *p;

		if (unlikely(bits & 2 || bits > most)) {
			uint64_t length = size;

			if (bits & 2) {
				if (at >= next)
					return;
				length = *at++;
			}
			range(w, wide, address, length, bits & 1);
			if (at >= next)
				return;
			continue;
		}
		p = &pages[page_slot(address, context)];
		if (unlikely(p->key != (address >> 12 | key)))
			p = part_find(w, address);
		first = address + p->delta;
		if (unlikely(((uint32_t)first & (line - 1)) + size > line)) {
			straddle(w, wide, address, size, bits & 1);
			continue;
		}
		p->cell->recent[bits & 1] += SIM_ONE + size;
		if (unlikely(sharing))
			share_touch(sharing, address, first, first + size - 1, bits & 1,
				counted(w, p->cell));
		if (generic)
			sim_first(w->lane, first, first + size - 1, p->cell, bits & 1);
		else if (lru_line(l1, wide, first >> shift))
			queue_miss(w->lane, first, first + size - 1, p->cell, bits & 1, 1);
	}
}

LRU_INLINE size_t consume(struct work *w, bool play, bool wide, bool common, bool generic,
	const uint64_t *at, const uint64_t *end)
{
	/* The largest `bits` of an access that touches two lines at most, at every level. */
	uint32_t most = w->lane->sim->line_min << 2 | PSC_STORE;
	uint64_t records = 0;
	/* Fields that nobody else can change stay in registers. */
	struct sim_cache l1 = { .tags = w->l1->tags, .shift = w->l1->shift,
		.assoc = w->l1->assoc, .sets = w->l1->sets, .stride = w->l1->stride,
		.mask = w->l1->mask, .magic = w->l1->magic };

	if (common) {
		l1.assoc = 8;
		l1.stride = 3;
		if (!l1.mask)
			__builtin_unreachable();
	}

	while (at < end) {
		const struct psc_segment *s;
		uint64_t room;

		/* The mapping of the last header is the one of the next, mostly. */
		if (unlikely(*at - w->t->seg_lo >= w->t->seg_len)) {
			if (PSC_REC_TAG(*at) == PSC_REC_CONTEXT) {
				w->context = (uint32_t)(*at++ >> 3);
				continue;
			}
			if (!image_ok(w->t, *at))
				break;
		}
		s = (const struct psc_segment *)(uintptr_t)*at;
		room = w->t->seg_lo + w->t->seg_len - *at;
		if (unlikely(room < sizeof *s || s->nwords >= (size_t)(end - at) ||
		    s->naccess > s->nwords || room < (s->naccess + 1ull) * 8))
			break;
		records += s->naccess;
		if (play)
			segment(w, &l1, wide, generic, PSC_SEGMENT_ACCESS(s), s->naccess, at + 1,
				at + 1 + s->nwords, most);
		at += 1 + s->nwords;
	}
	w->lane->records += records;
	return (size_t)(end - at);
}

/* By itself: it must not cost the others their registers. */
static __attribute__((noinline)) size_t consume_generic(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	return consume(w, true, true, false, true, words, end);
}

size_t pscm_consume(struct pscm_thread *t, const uint64_t *words, const uint64_t *end,
	bool counting, bool play)
{
	struct work w = { t, &t->lane, t->lane.level[0], t->context, counting };
	pthread_mutex_t *lock = t->lane.lock;
	uint32_t generation = atomic_load(&pscm_space_generation) << 1 | counting;
	uint64_t records = t->lane.records;
	size_t lost;

	if (t->places != generation) {
		for (uint32_t i = 0; i < PSCM_PLACES; i++)
			t->page[i].key = t->part[i].len = 0;
		t->seg_len = 0;
		t->places = generation;
	}
	if (counting && !t->lane.counting)
		sim_lane_count(&t->lane);
	pthread_mutex_lock(lock);
	if (!play)
		lost = consume(&w, false, false, false, false, words, end);
	else if (w.lane->generic)
		lost = consume_generic(&w, words, end);
	else if (t->lane.sim->wide)
		lost = consume(&w, true, true, false, false, words, end);
	else if (w.l1->assoc == 8 && w.l1->mask)        /* most machines' */
		lost = consume(&w, true, false, true, false, words, end);
	else
		lost = consume(&w, true, false, false, false, words, end);
	pthread_mutex_unlock(lock);
	sim_drain(&t->lane);
	if (++t->lane.unsummed == 256)
		sim_lane_sum(&t->lane);
	t->context = w.context;
	if (!counting)
		t->lane.records = records;
	return lost;
}
