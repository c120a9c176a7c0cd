/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates a loop iteration by iteration: the reference for all other engines. */
#include "simulate/loop/loop.h"
#include "simulate/access/first_level.h"

/* Simulates iterations [from, to).  out: mask of the first 64 groups; a set bit skips a group
 * without a sampled line. A spinning group takes part in the first iteration only. */
LRU_INLINE uint64_t iterations(struct work *w, const struct level1 *k, const struct loop *l,
	uint64_t out, uint64_t from, uint64_t to)
{
	const struct psc_segment *s = l->s;
	const uint32_t *end = PSC_SEGMENT_GROUPS(s) + s->length;

	for (uint64_t i = from; i < to; i++) {
		const uint32_t *d = PSC_SEGMENT_GROUPS(s);
		const uint64_t *at = l->words;

		for (uint64_t left = out; d < end; left >>= 1) {
			uint64_t address, step;

			d = group_step(d, &at, &address, &step);
			if (k->sampled && left & 1)
				d = group_next(d);
			else if (unlikely(*d & (PSC_GROUP_TAIL | PSC_GROUP_SPIN)) &&
			    ((*d & PSC_GROUP_TAIL && i == l->count - 1) ||
			    (*d & PSC_GROUP_SPIN && i)))
				d = group_next(d);
			else
				d = group(w, k, d, address + i * step);
		}
		if (k->told && !(l->facts & FACT_IN_TURN))
			share_pass(w->core->sharing, l->per);
		w->core->unsummed += l->per;
		if (unlikely(w->core->unsummed >= SIM_SUM_AT))
			sim_core_sum(w->core);
	}
	return to;
}

static __attribute__((noinline)) uint64_t iterations_common(struct work *w, const struct loop *l,
	uint64_t from, uint64_t to)
{
	const struct level1 k = level1_common(w);

	return iterations(w, &k, l, 0, from, to);
}

static __attribute__((noinline)) uint64_t iterations_sampled(struct work *w, const struct loop *l,
	uint64_t out, uint64_t from, uint64_t to)
{
	struct level1 k = level1_of(w);

	k.wide = false;
	k.sampled = true;
	return iterations(w, &k, l, out, from, to);
}

static __attribute__((noinline)) uint64_t iterations_told(struct work *w, const struct loop *l,
	uint64_t from, uint64_t to)
{
	struct level1 k = level1_of(w);

	k.told = true;
	k.each = l->facts & FACT_EACH;
	return iterations(w, &k, l, 0, from, to);
}

static __attribute__((noinline)) uint64_t iterations_other(struct work *w, const struct loop *l,
	uint64_t out, uint64_t from, uint64_t to)
{
	struct level1 k = level1_of(w);

	k.sampled = l->facts & FACT_SAMPLED;
	k.each = l->facts & FACT_EACH;
	return iterations(w, &k, l, out, from, to);
}

/* Counts a group and returns true if none of its lines is in the sample. */
static bool left_out(struct work *w, const uint32_t *d, uint64_t address, uint64_t step, uint64_t n)
{
	const struct group_sum sum = group_sum(d);
	uint64_t way, before, rest;
	const struct sim_page *p;

	if ((!(*d & PSC_GROUP_MANY) && *d & 2) || *d & PSC_GROUP_SPIN || !n)
		return false;
	way = (n - 1) * ((int64_t)step < 0 ? -step : step);
	if ((int64_t)step < 0)
		address -= way;
	if (way > 4096 || address < NOWHERE)
		return false;
	p = play_place(w, address, &before, &rest);
	if (!p || way + sum.span > rest ||
	    !sample_none(w->sample, address + p->delta, (uint32_t)(way + sum.span)))
		return false;
	loop_count(p->cell, &sum, n);
	return true;
}

/* Counts iterations [from, to) of those of the first 64 groups that have no line in the
 * sample, and returns their mask. */
static uint64_t which_left_out(struct work *w, const struct loop *l, uint64_t from, uint64_t to)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(l->s), *end = d + l->s->length;
	const uint64_t *at = l->words;
	uint64_t out = 0;

	for (uint32_t g = 0; d < end && g < 64; d = group_next(d), g++) {
		uint64_t address, step, last;

		d = group_step(d, &at, &address, &step);
		last = *d & PSC_GROUP_TAIL && to == l->count ? to - 1 : to;
		out |= (uint64_t)left_out(w, d, address + from * step, step, last - from) << g;
	}
	return out;
}

/* A short loop touches so few lines that testing them against the sample beforehand pays. */
static __attribute__((noinline)) uint64_t iterations_of_sample(struct work *w, const struct loop *l,
	uint64_t from, uint64_t to)
{
	uint64_t out = l->count < LOOP_LEAST && !(l->facts & FACT_EACH) ? which_left_out(w, l, from,
		to) : 0;

	if (l->s->ngroups <= 64 && !(~out << (64 - l->s->ngroups))) {
		w->core->unsummed += (to - from) * l->per;
		return to;
	}
	if (w->wide || l->facts & FACT_EACH)
		return iterations_other(w, l, out, from, to);
	return iterations_sampled(w, l, out, from, to);
}

uint64_t iterations_play(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	if (l->facts & FACT_TOLD)
		return iterations_told(w, l, from, to);
	if (l->facts & FACT_SAMPLED)
		return iterations_of_sample(w, l, from, to);
	if (level1_is_common(w) && !(l->facts & FACT_EACH))
		return iterations_common(w, l, from, to);
	return iterations_other(w, l, 0, from, to);
}
