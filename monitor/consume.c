/* SPDX-License-Identifier: BSD-3-Clause */
/* From records to references: decodes a thread's words, finds out what each address means, and
 * plays the nearest cache level.  This loop is most of the cost of the `sim` collector. */
#include "monitor/consume.h"
#include "monitor/lru.h"

struct work {
	struct pscm_thread *t;
	struct sim_lane *lane;
	struct sim_cache l1;    /* a copy: its fields stay in registers */
	uint32_t context;
	bool counting;
};

/* The slow way to what an address means: every level of memory of it has missed. */
static __attribute__((noinline)) const struct pscm_place *place_make(struct work *w,
	uint64_t address)
{
	struct pscm_span s;
	struct pscm_place *p;
	uint64_t delta, lo, hi;

	pscm_space_find(address, &s);
	delta = pscm_page_delta(address, s.shift);
	lo = ((address + s.shift) & ~(uint64_t)4095) - s.shift;
	hi = lo + 4096;
	if (s.lo > lo)
		lo = s.lo;
	if (s.hi < hi)
		hi = s.hi;
	p = lo % 4096 == 0 && hi - lo == 4096 ?
		&w->t->page[((address >> 12) + w->context * 17) % PSCM_PLACES] :
		&w->t->part[((address >> 4) + w->context * 17) % PSCM_PLACES];
	p->lo = lo;
	p->len = (uint32_t)(hi - lo);
	p->delta = delta;
	p->context = w->context;
	p->cell = w->counting ? sim_lane_cell(w->lane, w->context, s.object) : w->lane->cells;
	return p;
}

LRU_INLINE const struct pscm_place *place_find(struct work *w, uint64_t address)
{
	const struct pscm_place *p =
		&w->t->page[((address >> 12) + w->context * 17) % PSCM_PLACES];

	if (likely(address - p->lo < p->len && p->context == w->context))
		return p;
	p = &w->t->part[((address >> 4) + w->context * 17) % PSCM_PLACES];
	if (likely(address - p->lo < p->len && p->context == w->context))
		return p;
	return place_make(w, address);
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

/* An access that leaves its line: the second one may lie in another page or object; it counts
 * to the object of its first byte. */
static __attribute__((noinline)) void straddle(struct work *w, bool wide, uint64_t address,
	uint32_t size, uint32_t store)
{
	const struct pscm_place *p = place_find(w, address);
	struct sim_cell *cell = p->cell;
	uint64_t first = address + p->delta, last;
	uint32_t fetched;

	last = address + size - 1 + place_find(w, address + size - 1)->delta;
	cell->refs[store]++;
	cell->bytes += size;
	fetched = lru_access(&w->l1, wide, first, last);
	if (fetched)
		queue_miss(w->lane, first, last, cell, store, fetched);
}

/* What equals a sequence of accesses of 8 bytes (the last one maybe shorter): those that stay
 * in one line after its first are hits that change nothing. */
static __attribute__((noinline)) void range(struct work *w, bool wide, uint64_t address,
	uint64_t length, uint32_t store)
{
	uint64_t line = UINT64_C(1) << w->l1.shift;
	/* A level with shorter lines must see each of them. */
	uint64_t step = sim_line_min() < line ? sim_line_min() : line;
	uint64_t end = address + length;

	while (address < end) {
		const struct pscm_place *p = place_find(w, address);
		uint64_t first = address + p->delta;
		uint64_t room = step - (first & (step - 1));
		uint64_t n = end - address, last;
		uint32_t fetched, size = 8;

		if (room < 8 && n > room) {     /* leaves the line */
			size = n < 8 ? (uint32_t)n : 8;
			straddle(w, wide, address, size, store);
			address += size;
			continue;
		}
		/* Whole accesses in this line, and the short last one if it is here too. */
		if (n > room)
			n = room & ~(uint64_t)7;
		if (n > p->lo + p->len - address && n > 8)      /* the object ends before */
			n = p->lo + p->len - address < 8 ? 8 : (p->lo + p->len - address) & ~(uint64_t)7;
		last = first + (n < 8 ? n : 8) - 1;
		p->cell->refs[store] += (n + 7) / 8;
		p->cell->bytes += n;
		fetched = lru_access(&w->l1, wide, first, last);
		if (fetched)
			queue_miss(w->lane, first, last, p->cell, store, fetched);
		address += n;
	}
}

LRU_INLINE void access_one(struct work *w, bool wide, uint64_t address, uint32_t size,
	uint32_t store)
{
	const struct pscm_place *p = place_find(w, address);
	uint64_t first = address + p->delta;
	uint32_t offset = (uint32_t)first & ((1u << w->l1.shift) - 1);

	if (unlikely(offset + size > 1u << w->l1.shift)) {
		straddle(w, wide, address, size, store);
		return;
	}
	p->cell->refs[store]++;
	p->cell->bytes += size;
	if (lru_line(&w->l1, wide, first >> w->l1.shift))
		queue_miss(w->lane, first, first + size - 1, p->cell, store, 1);
}

/* Whether a header may be followed: a stale or scribbled word must not crash the host. */
static bool segment_ok(struct pscm_thread *t, uint64_t word)
{
	const struct psc_segment *s;

	if (unlikely(word - t->seg_lo >= t->seg_len)) {
		if (!pscm_space_image(word, &t->seg_lo, &t->seg_len)) {
			t->seg_len = 0;
			return false;
		}
	}
	s = (const struct psc_segment *)(uintptr_t)word;
	if (unlikely(t->seg_lo + t->seg_len - word < sizeof *s))
		return false;
	return t->seg_lo + t->seg_len - word >= sizeof *s + s->naccess * sizeof(struct psc_access);
}

LRU_INLINE size_t consume(struct work *w, bool wide, const uint64_t *at, const uint64_t *end)
{
	uint32_t line_min = sim_line_min();
	uint64_t records = 0;

	while (at < end) {
		const struct psc_segment *s;
		const struct psc_access *a;
		const uint64_t *next;
		uint32_t n;

		if (PSC_REC_TAG(*at) == PSC_REC_CONTEXT) {
			w->context = (uint32_t)(*at++ >> 3);
			continue;
		}
		if (PSC_REC_TAG(*at) != PSC_REC_SEGMENT || !segment_ok(w->t, *at))
			break;
		s = (const struct psc_segment *)(uintptr_t)*at;
		n = s->naccess;
		if (s->nwords >= (size_t)(end - at) || n > s->nwords)
			break;
		a = PSC_SEGMENT_ACCESS(s);
		next = at + 1 + s->nwords;
		records += n;
		for (at++; n; n--, a++) {
			uint32_t kind = PSC_ACCESS_KIND(a->bits), size = PSC_ACCESS_SIZE(a->bits);
			uint64_t address = *at++;

			if (likely(kind <= PSC_STORE && size <= line_min)) {
				access_one(w, wide, address, size ? size : 1, kind);
				continue;
			}
			if (kind <= PSC_STORE)
				range(w, wide, address, size, kind);
			else if (at < next)
				range(w, wide, address, *at++, kind & 1);
			if (at >= next)
				break;
		}
		at = next;
	}
	w->lane->records += records;
	return (size_t)(end - at);
}

size_t pscm_consume(struct pscm_thread *t, const uint64_t *words, const uint64_t *end,
	bool counting)
{
	struct work w = { .t = t, .lane = &t->lane, .context = t->context, .counting = counting };
	struct sim_cache *l1 = t->lane.level[0];
	uint32_t generation = atomic_load(&pscm_space_generation) << 1 | counting;
	uint64_t records = t->lane.records;
	size_t lost;

	if (t->places != generation) {
		for (uint32_t i = 0; i < PSCM_PLACES; i++)
			t->page[i].len = t->part[i].len = 0;
		t->seg_len = 0;
		t->places = generation;
	}
	pthread_mutex_lock(&l1->lock);
	w.l1 = *l1;
	lost = sim_wide() ? consume(&w, true, words, end) : consume(&w, false, words, end);
	pthread_mutex_unlock(&l1->lock);
	sim_drain(&t->lane);
	t->context = w.context;
	if (!counting)
		t->lane.records = records;
	return lost;
}
