/* SPDX-License-Identifier: BSD-3-Clause */
/* From records to references: decodes a thread's words, finds out what each address means, and
 * plays the nearest cache level.  This loop is most of the cost of the `sim` collector. */
#include "simulate/simulate.h"
#include "simulate/access/descriptor.h"
#include "simulate/loop/split.h"

enum {
	LOOP_EVENTS = 12,       /* iterations below which events do not pay */
	LOOP_MARCH = 4,         /* and those in step, with several threads */
	LOOP_SMALL = 1 << 16    /* iterations that need no bound */
};
/* No loop has more iterations, or moves an access farther. */
#define LOOP_COUNT (UINT64_C(1) << 36)
#define LOOP_EXTENT (UINT64_C(1) << 40)

LRU_INLINE uint32_t seg_slot(uint64_t word)
{
	return (uint32_t)(word >> 3 ^ word >> 12) % SIM_SEGMENTS;
}

/* --- groups ---------------------------------------------------------------------------------- */

LRU_INLINE void one(struct work *w, const struct sim_cache *l1, bool wide, bool sampled,
	bool shared, uint32_t bits, uint64_t address)
{
	const uint32_t shift = l1->shift, line = 1u << shift, size = PSC_ACCESS_SIZE(bits);
	const struct sim_page *p = &w->v->page[page_slot(address, w->context)];
	uint64_t first;

	if (unlikely(p->key != SIM_PAGE_KEY(address, w->context))) {
		if (address < NOWHERE)     /* did not take place */
			return;
		p = play_part(w, address);
		if (unlikely(!p))
			return;
	}
	first = address + p->delta;
	if (unlikely(((uint32_t)first & (line - 1)) + size > line) &&
	    !(sampled && sample_none(w->sample, first, size) && address % 4096 + size <= 4096 &&
	      p->key == SIM_PAGE_KEY(address, w->context))) {
		play_straddle(w, address, size, bits & 1);
		return;
	}
	p->cell->recent[bits & 1] += SIM_ONE + size;
	if (shared && !share_free(w->lane->sharing, shift, first, 1, bits & 1, p->cell,
	    w->lane->sharing->turn))
		share_tell(w->lane->sharing, address, first, first + size - 1, bits & 1, p->cell);
	if (sampled && !sample_has(w->sample, first))
		return;
	if (lru_line(l1, wide, first >> shift))
		play_miss(w->lane, first, size, p->cell, bits & 1);
}

LRU_INLINE void many_count(struct sim_cell *cell, const uint32_t *d)
{
	cell->recent[0] += (uint64_t)PSC_MANY_COUNT(d[1]) * SIM_ONE + PSC_MANY_BYTES(d[1]);
	cell->recent[1] += (uint64_t)PSC_MANY_COUNT(d[2]) * SIM_ONE + PSC_MANY_BYTES(d[2]);
}

/* All in one line and one place: one lookup, which is the first member's. */
LRU_INLINE void many(struct work *w, const struct sim_cache *l1, bool wide, bool sampled,
	bool shared, const uint32_t *d, uint64_t address)
{
	const uint32_t shift = l1->shift, line = 1u << shift, span = PSC_MANY_SPAN(*d);
	const struct sim_page *p = &w->v->page[page_slot(address, w->context)];
	uint64_t first, rest = 4096 - address % 4096;

	if (unlikely(p->key != SIM_PAGE_KEY(address, w->context))) {
		uint64_t before;

		if (address < NOWHERE)
			return;
		p = play_place(w, address, &before, &rest);
		if (unlikely(!p)) {
			play_group(w, d, address);
			return;
		}
	}
	first = address + p->delta;
	if (shared && span <= rest && !share_free(w->lane->sharing, shift, first, span, d[2] != 0,
	    p->cell, w->lane->sharing->turn))
		play_mark(w, d, address, first, p->cell);
	if (((uint32_t)first & (line - 1)) + span > line || unlikely(span > rest)) {
		if (span <= rest ? play_planned(w, l1, wide, sampled, d, first, p->cell) :
		    play_split(w, d, address, rest, p))
			many_count(p->cell, d);
		else
			play_group(w, d, address);
		return;
	}
	many_count(p->cell, d);
	if (sampled && !sample_has(w->sample, first))
		return;
	if (lru_line(l1, wide, first >> shift))
		play_miss(w->lane, first + PSC_MEMBER_OFFSET(d[3]), PSC_MEMBER_SIZE(d[3]), p->cell,
			d[3] & 1);
}

/* Returns the next group. */
LRU_INLINE const uint32_t *group(struct work *w, const struct sim_cache *l1, bool wide, bool sampled,
	bool shared, bool big, const uint32_t *d, uint64_t address)
{
	uint32_t bits = *d;

	if (unlikely(big))
		play_group(w, d, address);
	else if (bits & PSC_GROUP_MANY)
		many(w, l1, wide, sampled, shared, d, address);
	else if (unlikely(bits & 2))
		play_group(w, d, address);
	else
		one(w, l1, wide, sampled, shared, bits & ~PSC_GROUP_FLAGS, address);
	return group_next(d);
}

LRU_INLINE void segment(struct work *w, const struct sim_cache *l1, bool wide, bool sampled,
	bool shared, bool big, const struct psc_segment *s, const uint64_t *at)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;

	while (d < end) {
		uint64_t address = *at++;

		if (unlikely((*d & ~PSC_GROUP_FLAGS) <= PSC_STORE_RANGE && *d & 2)) {
			uint64_t length = *at++;

			play_block(w, *d, address, length);
			d++;
		} else {
			d = group(w, l1, wide, sampled, shared, big, d, address);
		}
	}
}

/* --- loops ----------------------------------------------------------------------------------- */

/* A group of a short loop none of whose lines is simulated: counts it. */
static bool left_out(struct work *w, const uint32_t *d, uint64_t address, uint64_t step,
	uint64_t count)
{
	bool many = *d & PSC_GROUP_MANY;
	uint64_t n = count - (*d & PSC_GROUP_TAIL ? 1 : 0), way, before, rest;
	uint64_t span = many ? PSC_MANY_SPAN(*d) : PSC_ACCESS_SIZE(*d);
	const struct sim_page *p;

	if ((!many && *d & 2) || *d & PSC_GROUP_SPIN || !n)
		return false;
	way = (n - 1) * ((int64_t)step < 0 ? -step : step);
	if ((int64_t)step < 0)
		address -= way;
	if (way > 4096 || address < NOWHERE)
		return false;
	p = play_place(w, address, &before, &rest);
	if (!p || way + span > rest ||
	    !sample_none(w->sample, address + p->delta, (uint32_t)(way + span)))
		return false;
	p->cell->refs[0] += n * (many ? PSC_MANY_COUNT(d[1]) : !(*d & 1));
	p->cell->refs[1] += n * (many ? PSC_MANY_COUNT(d[2]) : *d & 1);
	p->cell->bytes += n * (many ? PSC_MANY_BYTES(d[1]) + PSC_MANY_BYTES(d[2]) : span);
	return true;
}

/* Of the first 64 groups, those that are left out; they are counted. */
static uint64_t all_left_out(struct work *w, const struct psc_segment *s, const uint64_t *at,
	uint64_t count)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;
	uint64_t out = 0;

	for (uint32_t g = 0; d < end && g < 64; d = group_next(d), g++) {
		uint64_t address, step;

		d = group_step(d, &at, &address, &step);
		out |= (uint64_t)left_out(w, d, address, step, count) << g;
	}
	return out;
}

/* Iterations [from, to) as they come, but for the groups in `out`.  A group that waits takes part
 * in the first one only.  pass: accesses by which each takes the clock on. */
LRU_INLINE void iterations(struct work *w, const struct sim_cache *l1, bool wide, bool sampled,
	bool shared, bool big, const struct psc_segment *s, const uint64_t *words, uint64_t from,
	uint64_t to, uint64_t count, uint64_t out, uint32_t pass)
{
	const uint32_t *end = PSC_SEGMENT_GROUPS(s) + s->length;

	for (uint64_t i = from; i < to; i++) {
		const uint32_t *d = PSC_SEGMENT_GROUPS(s);
		const uint64_t *at = words;

		for (uint64_t left = out; d < end; left >>= 1) {
			uint64_t address, step;

			d = group_step(d, &at, &address, &step);
			if (sampled && left & 1)
				d = group_next(d);
			else if (unlikely(*d & (PSC_GROUP_TAIL | PSC_GROUP_SPIN)) &&
			    ((*d & PSC_GROUP_TAIL && i == count - 1) ||
			     (*d & PSC_GROUP_SPIN && i)))
				d = group_next(d);
			else
				d = group(w, l1, wide, sampled, shared, big, d, address + i * step);
		}
		if (shared)
			share_pass(w->lane->sharing, pass);
	}
}

/* Loads of a group that waits, but for the first. */
static void fold(struct work *w, const struct psc_segment *s, const uint64_t *at, uint64_t count)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;

	for (; d < end; d = group_next(d)) {
		uint64_t address, step, before, rest, folded;

		d = group_step(d, &at, &address, &step);
		if (!(*d & PSC_GROUP_SPIN))
			continue;
		folded = count - 1 - (*d & PSC_GROUP_TAIL ? 1 : 0);
		if (count > 1 && folded) {
			const struct sim_page *p = play_place(w, address, &before, &rest);

			if (p)
				p->cell->folded += folded;
		}
	}
}

/* A scribbled count must neither hang the host nor leave the address space. */
static bool loop_bounded(const struct psc_segment *s, const uint64_t *at, uint64_t count)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;

	for (; d < end; d = group_next(d)) {
		uint64_t address, step;

		d = group_step(d, &at, &address, &step);
		if ((int64_t)step < 0)
			step = -step;
		if ((unsigned __int128)step * count > LOOP_EXTENT)
			return false;
	}
	return true;
}

/* The first `end` of so many iterations. */
LRU_INLINE void loop_plainly(struct work *w, const struct sim_cache *l1, bool wide, bool sampled,
	bool shared, bool big, const struct psc_segment *s, const uint64_t *words, uint64_t end,
	uint64_t count)
{
	uint64_t chunk = SIM_SUM_AT / (s->naccess + 1u);

	for (uint64_t i = 0; i < end; i += chunk) {
		uint64_t to = end - i < chunk ? end : i + chunk;

		iterations(w, l1, wide, sampled, shared, big, s, words, i, to, count, 0,
			s->naccess);
		w->lane->unsummed += (to - i) * s->naccess;
		if (w->lane->unsummed >= SIM_SUM_AT)
			sim_lane_sum(w->lane);
	}
}

/* A record's words as if it began with iteration `from`. */
static void words_from(const struct psc_segment *s, const uint64_t *words, uint64_t from, uint64_t *out)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;

	for (; d < end; d = group_next(d)) {
		const uint64_t *at = words;
		uint64_t address, step;

		d = group_step(d, &words, &address, &step);
		*out++ = address + from * step;
		if (words - at == 2)
			*out++ = step;
	}
}

/* With several threads: some iterations, of which the directory is told or is not. */
LRU_INLINE void loop_part(struct work *w, const struct sim_cache *l1, bool wide, bool tells,
	const struct psc_segment *s, const uint64_t *words, uint64_t from, uint64_t to)
{
	uint64_t moved[BYRIGHT_WORDS], count = to - from;

	if (from) {
		words_from(s, words, from, moved);
		words = moved;
	}
	if (count < (tells ? LOOP_MARCH : LOOP_EVENTS) || ((tells || !play_loop(w, s, count, words)) &&
	    !play_march(w, s, 0, count, words, tells)))
		loop_plainly(w, l1, wide, false, tells, false, s, words, count, count);
	if (!tells)
		share_pass(w->lane->sharing, count * s->naccess);
}

/* Functions of their own: inlined wherever they are called, they made consume_shared() 84 KB instead of 17 (a
 * hundredth of LU's time with two threads).  Those that tell are the rarer ones, and look at the level's shape as
 * they go. */
static __attribute__((noinline)) void part_told(struct work *w, const struct psc_segment *s,
	const uint64_t *words, uint64_t from, uint64_t to)
{
	struct sim_cache l1 = lru_geometry(w->l1);

	loop_part(w, &l1, w->wide, true, s, words, from, to);
}

static __attribute__((noinline)) void part_common(struct work *w, const struct psc_segment *s,
	const uint64_t *words, uint64_t from, uint64_t to)
{
	struct sim_cache l1 = lru_common_64(w->l1);

	loop_part(w, &l1, false, false, s, words, from, to);
}

static __attribute__((noinline)) void part_other(struct work *w, const struct psc_segment *s,
	const uint64_t *words, uint64_t from, uint64_t to)
{
	struct sim_cache l1 = lru_geometry(w->l1);

	loop_part(w, &l1, w->wide, false, s, words, from, to);
}

/* The first `end` of a loop's iterations. */
static __attribute__((noinline)) void first_told(struct work *w, bool big, const struct psc_segment *s,
	const uint64_t *words, uint64_t end, uint64_t count)
{
	struct sim_cache l1 = lru_geometry(w->l1);

	loop_plainly(w, &l1, w->wide, false, true, big, s, words, end, count);
}

/* All of a loop that is of one turn. */
static __attribute__((noinline)) void turn_told(struct work *w, bool big, const struct psc_segment *s,
	const uint64_t *words, uint64_t count)
{
	struct sim_cache l1 = lru_geometry(w->l1);

	iterations(w, &l1, w->wide, false, true, big, s, words, 0, count, count, 0, 0);
}

/* A loop that is partly or wholly the thread's by right. */
LRU_INLINE bool byright(struct work *w, bool common, struct sim_segment *seg,
	const struct psc_segment *s, const uint64_t *words, uint64_t count)
{
	struct byright b;
	uint64_t i = 0;

	if (!byright_look(w, seg, count, words, &b))
		return false;
	for (uint32_t k = 0; k <= b.ntold; k++) {
		uint64_t from = k < b.ntold ? b.told[k].from : count;

		if (i < from && !byright_use(w, &b, i, from))
			part_told(w, s, words, i, from);
		else if (i < from)
			(common ? part_common : part_other)(w, s, words, i, from);
		if (k == b.ntold)
			break;
		i = b.told[k].to;
		part_told(w, s, words, from, i);
	}
	return true;
}

/* With several threads: of so few accesses that all are of one turn. */
static void loop_brief(struct work *w, bool big, bool plain, const struct psc_segment *s, const uint64_t *words,
	uint64_t count)
{
	if (big || !plain || !brief_play(w, s, words, count))
		turn_told(w, big, s, words, count);
	share_pass(w->lane->sharing, count * s->naccess);
	w->lane->unsummed += count * s->naccess;
}

LRU_INLINE void loop(struct work *w, const struct sim_cache *l1, bool wide, bool common, bool sampled,
	bool shared, bool big, struct sim_segment *seg, const struct psc_segment *s,
	const uint64_t *words, uint64_t count)
{
	/* Groups that wait take part in the first iteration only (a twenty-fifth of LU's time with two threads,
	 * which wait for each other). */
	uint64_t end = seg->idle ? 1 : count;

	if (seg->waits)
		fold(w, s, words, count);
	if (shared && count * s->naccess <= share_turn_length(w->lane->sharing)) {
		loop_brief(w, big, seg->plain, s, words, count);
		return;
	}
	if (shared && !big && !seg->waits && byright(w, common, seg, s, words, count))
		return;
	if (!big && end >= (shared ? LOOP_MARCH : LOOP_EVENTS) &&
	    ((!shared && play_loop(w, s, count, words)) ||
	     play_march(w, s, 0, count, words, shared)))
		return;
	if (sampled && !big && count < LOOP_EVENTS) {
		uint64_t out = all_left_out(w, s, words, count);

		if (s->ngroups > 64 || (s->ngroups && ~out << (64 - s->ngroups)))
			iterations(w, l1, wide, sampled, shared, big, s, words, 0, count, count, out,
				0);
		w->lane->unsummed += count * s->naccess;
		return;
	}
	if (!shared) {
		loop_plainly(w, l1, wide, sampled, false, big, s, words, end, count);
		return;
	}
	first_told(w, big, s, words, end, count);
	share_pass(w->lane->sharing, (count - end) * s->naccess);
}

/* --- batches --------------------------------------------------------------------------------- */

/* each: groups are taken apart. */
LRU_INLINE size_t consume(struct work *w, bool play, bool wide, bool common, bool sampled,
	bool shared, bool each, const uint64_t *at, const uint64_t *end)
{
	uint64_t records = 0;
	struct sim_cache l1 = !common ? lru_geometry(w->l1) :
		shared ? lru_common_64(w->l1) : lru_common(w->l1);

	while (at < end) {
		struct sim_segment *seg = &w->v->seg[seg_slot(*at)];
		const struct psc_segment *s;

		if (unlikely(seg->word != *at)) {
			if (PSC_REC_TAG(*at) == PSC_REC_CONTEXT) {
				w->context = (uint32_t)(*at++ >> 3);
				continue;
			}
			if (!descriptor_load(w->v, *at, w->most, seg))
				break;
		}
		s = seg->s;
		if (unlikely((size_t)(end - at) <= (size_t)s->nwords + seg->loop))
			break;
		at++;
		if (!seg->loop) {
			records += s->naccess;
			if (play)
				segment(w, &l1, wide, sampled, shared, seg->big | each, s, at);
			if (shared)
				share_pass(w->lane->sharing, s->naccess);
		} else if (*at) {
			uint64_t count = *at++;

			if (unlikely(count > LOOP_SMALL) &&
			    (count > LOOP_COUNT || !loop_bounded(s, at, count))) {
				at -= 2;
				break;
			}
			w->lane->records += count * s->naccess - seg->behind;
			if (play)
				loop(w, &l1, wide, common, sampled, shared, seg->big | each, seg, s, at,
					count);
			if (shared)     /* the last iteration is shorter */
				share_pass(w->lane->sharing, -(uint64_t)seg->behind);
		} else {
			at++;
		}
		at += s->nwords;
	}
	w->lane->records += records;
	w->lane->unsummed += records;
	return (size_t)(end - at);
}

/* By themselves: they must not cost the others their registers. */
static __attribute__((noinline)) size_t consume_sampled(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	if (w->wide)
		return consume(w, true, true, false, true, false, false, words, end);
	return consume(w, true, false, false, true, false, false, words, end);
}

static __attribute__((noinline)) size_t consume_shared(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	bool each = w->lane->generic || w->sample || w->lane->sharing->shift != w->l1->shift;

	if (w->wide)
		return consume(w, true, true, false, false, true, each, words, end);
	if (lru_is_common_64(w->l1))
		return consume(w, true, false, true, false, true, each, words, end);
	return consume(w, true, false, false, false, true, each, words, end);
}

size_t sim_batch(struct sim_thread *v, const uint64_t *words, const uint64_t *end,
	bool counting, bool play)
{
	struct work w = { .v = v, .lane = &v->lane, .sample = v->lane.sim->sample,
		.l1 = v->lane.level[0],
		.context = v->context, .most = v->lane.sim->line_min, .counting = counting,
		.wide = v->lane.sim->wide };
	uint32_t generation = v->generation << 1 | counting;
	uint64_t records = v->lane.records;
	size_t lost;

	if (v->places != generation) {
		play_places_forget(v);
		descriptor_forget(v);
		v->places = generation;
	}
	if (counting && !v->lane.counting)
		sim_lane_count(&v->lane);
	sim_lane_lock(&v->lane);
	if (!play)
		lost = consume(&w, false, false, false, false, false, false, words, end);
	else if (v->lane.sharing)
		lost = consume_shared(&w, words, end);
	else if (w.sample)
		lost = consume_sampled(&w, words, end);
	else if (w.wide)
		lost = consume(&w, true, true, false, false, false, v->lane.generic, words, end);
	else if (lru_is_common(w.l1))
		lost = consume(&w, true, false, true, false, false, v->lane.generic, words, end);
	else
		lost = consume(&w, true, false, false, false, false, v->lane.generic, words, end);
	sim_lane_unlock(&v->lane);
	sim_drain(&v->lane);
	if (v->lane.unsummed >= SIM_SUM_AT)
		sim_lane_sum(&v->lane);
	v->context = w.context;
	if (!counting)
		v->lane.records = records;
	return lost;
}
