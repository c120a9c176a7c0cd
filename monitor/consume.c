/* SPDX-License-Identifier: BSD-3-Clause */
/* From records to references: decodes a thread's words, finds out what each address means, and
 * plays the nearest cache level.  This loop is most of the cost of the `sim` collector. */
#include "monitor/consume.h"
#include "monitor/byright.h"
#include "base/tables.h"

enum {
	LOOP_EVENTS = 12,       /* iterations below which events do not pay */
	LOOP_MARCH = 4,         /* and those in step, with several threads */
	LOOP_SMALL = 1 << 16    /* iterations that need no bound */
};
/* No loop has more iterations, or moves an access farther. */
#define LOOP_COUNT (UINT64_C(1) << 36)
#define LOOP_EXTENT (UINT64_C(1) << 40)

/* --- descriptors ----------------------------------------------------------------------------- */

/* One group at d: how many descriptor words it has, 0 when it cannot be one; adds its accesses to
 * *n and says in *most how large the largest is. */
static uint32_t group_check(const uint32_t *d, const uint32_t *end, uint32_t *n, uint32_t *most)
{
	uint32_t bits = *d, count = PSC_MANY_N(bits), sum[2] = { 0 };
	uint32_t least = PSC_GROUP_SPAN, last = 0;

	if (!(bits & PSC_GROUP_MANY)) {
		uint32_t size = PSC_ACCESS_SIZE(bits);

		if (!(bits & 2) && !size)
			return 0;
		if (!(bits & 2) && size > *most)
			*most = size;
		++*n;
		return 1;
	}
	if (count < 2 || count > PSC_GROUP_MAX || bits & (PSC_GROUP_SPIN | PSC_GROUP_COPY) ||
	    PSC_MANY_SPAN(bits) > PSC_GROUP_SPAN || (size_t)(end - d) < 3 + count)
		return 0;
	for (const uint32_t *m = d + 3; m < d + 3 + count; m++) {
		uint32_t offset = PSC_MEMBER_OFFSET(*m), size = PSC_MEMBER_SIZE(*m);

		if (*m & 2 || !size)
			return 0;
		if (offset < least)
			least = offset;
		if (offset + size > last)
			last = offset + size;
		sum[*m & 1] += (1 << 16) + size;
		if (size > *most)
			*most = size;
	}
	*n += count;
	return !least && last == PSC_MANY_SPAN(bits) && sum[0] == d[1] && sum[1] == d[2] ?
		3 + count : 0;
}

/* A copy's halves follow each other, and nothing else has its flag. */
static bool copy_check(const uint32_t *d, const uint32_t *end, bool loop)
{
	uint32_t half = 0;

	for (d += loop; d < end; d = group_next(d) + loop) {
		uint32_t kind = *d & PSC_GROUP_MANY ? 0 : *d & 3;

		if (half && (kind != PSC_STORE_RANGE || (half ^ *d) & PSC_GROUP_TAIL))
			return false;
		half = *d & PSC_GROUP_COPY ? *d : 0;
		if (half && kind != PSC_LOAD_RANGE)
			return false;
	}
	return !half;
}

/* Whether a header may be followed: a stale or scribbled word must not crash the host.  All that
 * it says is checked here, once for all records of a generation. */
static bool segment_check(const struct psc_segment *s, uint64_t room, bool loop, uint32_t most,
	struct pscm_seg *out)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end;
	uint32_t words = 0, groups = 0, waits = 0, n = 0, largest = 0, behind = 0, got;
	bool ranges = false;

	if (room < sizeof *s || (room - sizeof *s) / sizeof *d < s->length)
		return false;
	for (end = d + s->length; d < end; d += got, groups++) {
		uint32_t before = n, bits;

		if (loop) {
			words += (int32_t)*d == PSC_STEP_WORD;
			if (++d == end)
				return false;
		}
		bits = *d;
		got = group_check(d, end, &n, &largest);
		if (!got || (!loop && bits & (PSC_GROUP_TAIL | PSC_GROUP_SPIN)))
			return false;
		if (bits & PSC_GROUP_TAIL)
			behind += n - before;
		if (bits & PSC_GROUP_SPIN && ((bits & 3) != PSC_LOAD || d[-1]))
			return false;
		waits += (bits & PSC_GROUP_SPIN) != 0;
		ranges |= !(bits & PSC_GROUP_MANY) && bits & 2;
		words++;
		if (!(bits & PSC_GROUP_MANY) && bits & 2 && !PSC_ACCESS_SIZE(bits)) {
			if (loop)
				return false;
			words++;
		}
	}
	out->behind = behind;
	out->waits = waits;
	out->idle = waits && waits == groups;
	out->plain = !waits && !ranges;
	out->big = largest > most;
	return words == s->nwords && groups == s->ngroups && n == s->naccess &&
		copy_check(PSC_SEGMENT_GROUPS(s), end, loop);
}

/* Packed descriptors, unpacked for as long as the view's places are valid. */
enum { UNPACKED = 1 << 14, UNPACKED_WORDS = 1 << 20 };
struct unpacked {
	struct { uint64_t word; uint32_t at; } index[UNPACKED];         /* open hash; word 0: free */
	uint32_t n, used;
	_Alignas(8) uint32_t words[UNPACKED_WORDS];
};

static void unpacked_forget(struct pscm_view *v)
{
	struct unpacked *u = v->unpacked;

	for (uint32_t i = 0; i < PSCM_SEGS; i++)
		v->seg[i].word = i ? 0 : 8;     /* no word of this slot */
	play_plans_forget(v);
	brief_forget(v);
	if (!u || !u->n)
		return;
	memset(u->index, 0, sizeof u->index);
	u->n = u->used = 0;
}

static const struct psc_segment *unpack(struct pscm_view *v, uint64_t word, uint64_t room, bool loop)
{
	const unsigned char *at = (const unsigned char *)(uintptr_t)(word & ~(uint64_t)7);
	struct unpacked *u = v->unpacked;
	uint32_t slot = (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 50), words;

	if (!u)
		u = v->unpacked = pscm_map(sizeof *u);
	if (!u)
		return NULL;
	for (; u->index[slot].word; slot = (slot + 1) % UNPACKED)
		if (u->index[slot].word == word)
			return (const struct psc_segment *)(const void *)&u->words[u->index[slot].at];
	if (u->n >= UNPACKED / 4 * 3 || UNPACKED_WORDS - u->used < UINT16_MAX + 8) {
		unpacked_forget(v);
		return unpack(v, word, room, loop);
	}
	words = tables_segment(at, at + room, loop, u->words + u->used, UNPACKED_WORDS - u->used);
	if (!words)
		return NULL;
	u->index[slot].word = word;
	u->index[slot].at = u->used;
	u->n++;
	u->used += (words + 1) & ~1u;
	return (const struct psc_segment *)(const void *)&u->words[u->index[slot].at];
}

static __attribute__((noinline)) bool segment_load(const struct work *w, uint64_t word,
	struct pscm_seg *out)
{
	struct pscm_view *v = w->v;
	unsigned tag = PSC_REC_TAG(word) & ~(unsigned)PSC_REC_PACKED;
	struct pscm_seg seg = { .word = word, .loop = tag == PSC_REC_LOOP };
	uint64_t at = word & ~(uint64_t)7, room;

	if (tag != PSC_REC_SEGMENT && !seg.loop)
		return false;
	if (at - v->seg_lo >= v->seg_len && !pscm_space_image(at, &v->seg_lo, &v->seg_len)) {
		v->seg_len = 0;
		return false;
	}
	room = v->seg_lo + v->seg_len - at;
	seg.s = (const struct psc_segment *)(uintptr_t)at;
	if (word & PSC_REC_PACKED) {
		seg.s = unpack(v, word, room, seg.loop);
		room = UINT64_MAX;
	}
	if (!seg.s || !segment_check(seg.s, room, seg.loop, w->most, &seg))
		return false;
	*out = seg;
	return true;
}

LRU_INLINE uint32_t seg_slot(uint64_t word)
{
	return (uint32_t)(word >> 3 ^ word >> 12) % PSCM_SEGS;
}

static void places_forget(struct pscm_view *v)
{
	for (uint32_t i = 0; i < PSCM_PLACES; i++)
		v->page[i].key = v->part[i].len = 0;
	for (uint32_t i = 0; i < PSCM_WIDE; i++)
		v->wide[i][0].len = v->wide[i][1].len = 0;
	v->absent_len = 0;
	v->seg_len = 0;
	unpacked_forget(v);
}

/* --- groups ---------------------------------------------------------------------------------- */

LRU_INLINE void one(struct work *w, const struct sim_cache *l1, bool wide, bool sampled,
	bool shared, uint32_t bits, uint64_t address)
{
	const uint32_t shift = l1->shift, line = 1u << shift, size = PSC_ACCESS_SIZE(bits);
	const struct pscm_page *p = &w->v->page[page_slot(address, w->context)];
	uint64_t first;

	if (unlikely(p->key != PSCM_PAGE_KEY(address, w->context))) {
		if (address < NOWHERE)     /* did not take place */
			return;
		p = play_part(w, address);
		if (unlikely(!p))
			return;
	}
	first = address + p->delta;
	if (unlikely(((uint32_t)first & (line - 1)) + size > line) &&
	    !(sampled && sample_none(w->sample, first, size) && address % 4096 + size <= 4096 &&
	      p->key == PSCM_PAGE_KEY(address, w->context))) {
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
	const struct pscm_page *p = &w->v->page[page_slot(address, w->context)];
	uint64_t first, rest = 4096 - address % 4096;

	if (unlikely(p->key != PSCM_PAGE_KEY(address, w->context))) {
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
	const struct pscm_page *p;

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
			const struct pscm_page *p = play_place(w, address, &before, &rest);

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
LRU_INLINE bool byright(struct work *w, bool common, struct pscm_seg *seg,
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
	bool shared, bool big, struct pscm_seg *seg, const struct psc_segment *s,
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
		struct pscm_seg *seg = &w->v->seg[seg_slot(*at)];
		const struct psc_segment *s;

		if (unlikely(seg->word != *at)) {
			if (PSC_REC_TAG(*at) == PSC_REC_CONTEXT) {
				w->context = (uint32_t)(*at++ >> 3);
				continue;
			}
			if (!segment_load(w, *at, seg))
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

size_t pscm_consume(struct pscm_view *v, const uint64_t *words, const uint64_t *end,
	bool counting, bool play)
{
	struct work w = { .v = v, .lane = &v->lane, .sample = v->lane.sim->sample,
		.l1 = v->lane.level[0],
		.context = v->context, .most = v->lane.sim->line_min, .counting = counting,
		.wide = v->lane.sim->wide };
	pthread_mutex_t *lock = v->lane.lock;
	uint32_t generation = atomic_load(&pscm_space_generation) << 1 | counting;
	uint64_t records = v->lane.records;
	size_t lost;

	if (v->places != generation) {
		places_forget(v);
		v->places = generation;
	}
	if (counting && !v->lane.counting)
		sim_lane_count(&v->lane);
	pthread_mutex_lock(lock);
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
	pthread_mutex_unlock(lock);
	sim_drain(&v->lane);
	if (v->lane.unsummed >= SIM_SUM_AT)
		sim_lane_sum(&v->lane);
	v->context = w.context;
	if (!counting)
		v->lane.records = records;
	return lost;
}
