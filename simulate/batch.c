/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates a batch: decodes the words of a thread's records and simulates their accesses.  This
 * loop is most of the cost of the `sim` collector. */
#include "simulate/simulate.h"
#include "simulate/access/core_work.h"
#include "simulate/access/descriptor.h"
#include "simulate/access/first_level.h"
#include "simulate/cache/column_writer.h"
#include "simulate/loop/loop.h"
#include "simulate/loop/map_samples.h"
#include "simulate/loop/overwrites.h"
#include "simulate/loop/walk_samples.h"

/* The class of a group's misses, unless their addresses are regular. */
LRU_INLINE uint8_t class_of(uint32_t bits)
{
	static const uint8_t class[] = { [PSC_DEP_NONE] = MISS_GATHER,
		[PSC_DEP_BRANCH] = MISS_BRANCH,
		[PSC_DEP_CONTROL] = MISS_CONTROL, [PSC_DEP_CHAINED] = MISS_CHAINED };

	return class[PSC_GROUP_DEPENDENCE(bits)];
}

/* Notes what is known of a group beyond its accesses: how its address depends on
 * others, and that it is a lock. */
LRU_INLINE void note_group(struct work *w, const uint32_t *d, uint64_t address)
{
	w->core->irregular = class_of(*d);
	if (unlikely(*d & PSC_GROUP_LOCK) && w->core->sharing)
		share_lock(w->core->sharing, address,
			*d & PSC_GROUP_MANY ? PSC_MANY_SPAN(*d) : PSC_ACCESS_SIZE(*d));
}

/* special: some groups have FACT_DEPENDS or FACT_LOCKS. */
LRU_INLINE void segment(struct work *w, const struct level1 *k, const struct psc_segment *s,
	const uint64_t *at, bool special)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;

	while (d < end) {
		uint64_t address = *at++;

		if (unlikely(special))
			note_group(w, d, address);
		if (unlikely((*d & ~PSC_GROUP_FLAGS) <= PSC_STORE_RANGE && *d & 2)) {
			uint64_t length = *at++;

			w->core->group = group_number(d);
			play_block(w, *d, address, length);
			d++;
		} else {
			d = group(w, k, d, address);
		}
	}
	if (unlikely(special))
		w->core->irregular = MISS_GATHER;
}

/* A word between records: a change of context, or a call. */
static void marker(struct work *w, uint64_t word)
{
	if (PSC_REC_IS_CALL(word)) {
		if (PSC_REC_CALL_LINE(word) != PSC_CALL_SAME)
			w->core->call[w->context % SIM_CALLS] =
				(struct sim_call){ w->context, PSC_REC_CALL_LINE(word) };
	} else {
		w->context = (uint32_t)(word >> 3);
		w->work = CORE_WORK_NONE;
	}
}

/* The references that are left until a column of the core's timeline ends, or
 * the next record is drawn. */
static uint64_t room_of(const struct sim_core *core)
{
	return core->drawn ? sim_maps_room(core) : core->border - core->records;
}

/* Adds references to those of the core, ends a column of its timeline if it is full, and notes the
 * record at `at` (NULL: none) if it is to be drawn; iterated: the accesses of a loop.  Returns
 * room_of().  Not inlined: records() has no registers to spare. */
static __attribute__((noinline)) uint64_t passed(struct work *w, uint64_t records,
	const uint64_t *at, uint64_t iterated)
{
	struct sim_core *core = w->core;

	core->records += records;
	core->unsummed += records;
	if (sim_core_passes(core, core->records))
		sim_columns_border(core);
	if (core->drawn && at)
		sim_maps_note(core, at, w->context, iterated);
	return room_of(core);
}

/* Behind a record with ranges.  Not inlined, as passed(). */
static __attribute__((noinline)) uint64_t ranges_passed(struct work *w, struct sim_segment *seg,
	const uint64_t *at, bool play)
{
	if (play && w->v->walked && w->counting)
		sim_walks_blocks(w, seg, at);
	return passed(w, 0, at - 1, 0);
}

LRU_INLINE size_t records(struct work *w, struct level1 k, bool play, const uint64_t *at,
	const uint64_t *end)
{
	const bool each = k.each;
	uint64_t records = 0, room = room_of(w->core);

	while (at < end) {
		struct sim_segment *seg = &w->v->seg[sim_segment_slot(*at)];
		const struct psc_segment *s;

		if (unlikely(seg->word != *at)) {
			if (PSC_REC_TAG(*at) == PSC_REC_CONTEXT) {
				marker(w, *at++);
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
			/* The border may lie in the midst of a range. */
			if (unlikely(records > room || seg->facts & FACT_RANGES)) {
				room = passed(w, records, seg->facts & FACT_RANGES ? NULL : at - 1,
					0);
				records = 0;
			}
			if (play && w->worked)
				core_work_segment(w, seg);
			k.each = each || seg->facts & FACT_EACH;
			if (play)
				segment(w, &k, s, at, seg->facts & (FACT_DEPENDS | FACT_LOCKS));
			if (unlikely(seg->facts & FACT_RANGES))
				room = ranges_passed(w, seg, at, play);
			if (k.told)
				share_pass(w->core->sharing, s->naccess);
		} else {
			bool played;

			/* The addresses of a loop are affine; where it begins may be chained. */
			if (unlikely(seg->facts & FACT_DEPENDS))
				w->core->irregular = MISS_CHAINED;
			w->core->records += records;
			w->core->unsummed += records;
			records = 0;
			played = !*at || loop_play(w, seg, at, play);
			room = unlikely(w->core->drawn) ? passed(w, 0, at - 1, seg->idle ? 0 :
				*at * s->naccess) :
				w->core->border - w->core->records;
			w->core->irregular = MISS_GATHER;
			if (!played) {
				at--;
				break;
			}
			if (play && w->worked)
				core_work_loop(w, seg, *at);
			at++;
		}
		at += s->nwords;
	}
	w->core->records += records;
	w->core->unsummed += records;
	return (size_t)(end - at);
}

/* Separate functions, so that the compiler allocates registers for each variant of the nearest
 * level. */
static __attribute__((noinline)) size_t records_numbered(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	return records(w, level1_of(w), false, words, end);
}

static __attribute__((noinline)) size_t records_common(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	return records(w, level1_common(w), true, words, end);
}

static __attribute__((noinline)) size_t records_narrow(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	struct level1 k = level1_of(w);

	k.wide = false;
	k.each = w->facts & FACT_EACH;
	return records(w, k, true, words, end);
}

static __attribute__((noinline)) size_t records_wide(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	struct level1 k = level1_of(w);

	k.wide = true;
	k.each = w->facts & FACT_EACH;
	return records(w, k, true, words, end);
}

static __attribute__((noinline)) size_t records_sampled(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	struct level1 k = level1_of(w);

	k.wide = false;
	k.sampled = true;
	return records(w, k, true, words, end);
}

static __attribute__((noinline)) size_t records_sampled_wide(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	struct level1 k = level1_of(w);

	k.wide = true;
	k.sampled = true;
	return records(w, k, true, words, end);
}

static __attribute__((noinline)) size_t records_told(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	struct level1 k = level1_of(w);

	k.told = true;
	k.each = w->facts & FACT_EACH;
	return records(w, k, true, words, end);
}

static __attribute__((noinline)) size_t records_told_common(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	struct level1 k = level1_common(w);

	k.told = true;
	k.each = w->facts & FACT_EACH;
	return records(w, k, true, words, end);
}

static size_t records_of(struct work *w, const uint64_t *words, const uint64_t *end, bool play)
{
	if (!play)
		return records_numbered(w, words, end);
	if (w->core->sharing)
		return level1_is_common(w) ? records_told_common(w, words, end) :
			records_told(w, words, end);
	if (w->sample)
		return (w->wide ? records_sampled_wide : records_sampled)(w, words, end);
	if (w->wide)
		return records_wide(w, words, end);
	return level1_is_common(w) && !(w->facts & FACT_EACH) ? records_common(w, words, end) :
		records_narrow(w, words, end);
}

/* Reads the batch again, from its first context on, for what is known of
 * its records, or of a sample of them. */
static __attribute__((noinline)) void read_again(struct work *w, const uint64_t *words,
	const uint64_t *end)
{
	const uint32_t context = w->context;

	w->context = w->v->context;
	if (w->v->walked)
		sim_walks_look(w, words, end);
	if (w->core->drawn)
		sim_maps_draw(w, end);
	w->context = w->v->context;
	if (w->core->sim->unread)
		overwrites_look(w, words, end);
	w->context = context;
}

size_t sim_batch(struct sim_thread *t, const uint64_t *words, const uint64_t *end, bool counting,
	bool play)
{
	struct sim_core *core = &t->core;
	struct work w = { .v = t, .core = core, .sample = core->sim->sample, .l1 = core->level[0],
		.context = t->context, .most = core->sim->line_min, .counting = counting,
		.work = CORE_WORK_NONE, .worked = counting && !t->whole,
		.wide = core->sim->wide,
		.facts = (core->sharing ? FACT_TOLD : 0) | (core->sim->sample ? FACT_SAMPLED : 0) };
	uint32_t generation = t->generation << 1 | counting;
	uint64_t records = core->records;
	size_t lost;

	/* The fast paths report whole groups to the directory only if its lines have the nearest
	 * level's length, and all sets are simulated. */
	if (core->generic || (core->sharing && (w.sample || core->sharing->shift != w.l1->shift)))
		w.facts |= FACT_EACH;
	if (t->places != generation) {
		if (t->began)
			play_places_forget(t);
		descriptor_forget(t);
		t->places = generation;
	}
	t->began = true;
	sim_columns_execution(core);
	if (counting && !core->counting) {
		sim_core_count(core);
		sim_columns_begin(core);
		t->chained = false;
	}
	core->passing = !counting;
	sim_core_follow(core);
	sim_core_lock(core);
	lost = records_of(&w, words, end, play);
	if (counting && play && !lost)
		read_again(&w, words, end);
	else if (counting)
		unread_bytes_forget(core->sim->unread);
	if (core->maps)
		core->maps->nnotes = 0;
	sim_core_unlock(core);
	core_work_flush(t);
	sim_drain(core);
	if (core->unsummed >= SIM_SUM_AT)
		sim_core_sum(core);
	t->context = w.context;
	if (!counting) {
		core->warmed += core->records - records;
		core->records = records;
	}
	return lost;
}
