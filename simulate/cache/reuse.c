/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows a sample of lines and finds how many others missed between two misses of a line. */
#include <stddef.h>
#include <string.h>
#include "simulate/cache/reuse.h"

_Static_assert(REUSE_SLOTS == 1 << (32 - 19), "slot_of()");

void reuse_begin(struct reuse *r, uint32_t shift)
{
	r->shift = shift;
	r->most = UINT32_MAX >> shift;
}

/* --- times with a line ------------------------------------------------------------------------ */

static void sum_add(struct reuse *r, uint32_t time, int n)
{
	for (uint32_t i = time + 1; i <= REUSE_TIMES; i += i & -i)
		r->sum[i] = (uint16_t)(r->sum[i] + n);
}

/* How many times before this one have a line. */
static uint32_t sum_before(const struct reuse *r, uint32_t time)
{
	uint32_t n = 0;

	for (uint32_t i = time; i; i &= i - 1)
		n += r->sum[i];
	return n;
}

/* --- followed lines -------------------------------------------------------------------------- */

/* The line's slot, or the free one where it belongs.  The highest bits of a followed line's hash
 * are 0, so it is mixed once more. */
static uint16_t *slot_of(struct reuse *r, uint32_t line)
{
	uint32_t at = (reuse_hash(line) * UINT32_C(0x85ebca6b)) >> 19;

	while (r->slot[at] && r->line[r->slot[at] - 1] != line)
		at = (at + 1) % REUSE_SLOTS;
	return &r->slot[at];
}

static void time_set(struct reuse *r, uint16_t *slot, uint32_t line, uint16_t owner)
{
	r->line[r->time] = line;
	r->owner[r->time] = owner;
	sum_add(r, r->time, 1);
	*slot = (uint16_t)++r->time;
}

/* Numbers the times of the lines that are still followed anew, in their order. */
static void renumber(struct reuse *r)
{
	const uint32_t end = r->time, begun = r->begun;

	r->lines = r->time = 0;
	memset(r->slot, 0, sizeof r->slot);
	memset(r->sum, 0, sizeof r->sum);
	r->begun = 0;
	for (uint32_t from = 0; from < end; from++) {
		const uint32_t line = r->line[from];

		if (from == begun)
			r->begun = r->time;
		r->line[from] = 0;
		if (!line || reuse_hash(line) > r->most)
			continue;
		time_set(r, slot_of(r, line), line, r->owner[from]);
		r->lines++;
	}
	if (begun >= end)
		r->begun = r->time;
}

static void make_room(struct reuse *r)
{
	/* Ends: the hash is a bijection of 32 bits, so few lines have a small one. */
	while (r->lines == REUSE_LINES) {
		r->most = UINT32_MAX >> ++r->shift;
		renumber(r);
	}
	if (r->time == REUSE_TIMES)
		renumber(r);
}

bool reuse_take(struct reuse *r, uint32_t line, uint16_t owner, struct reuse_last *last)
{
	uint16_t *slot;
	bool again;

	make_room(r);
	if (!line || reuse_hash(line) > r->most)
		return false;
	slot = slot_of(r, line);
	again = *slot;
	if (again) {
		const uint32_t time = *slot - 1u;

		last->distance = (uint64_t)(r->lines - sum_before(r, time) - 1) << r->shift;
		last->within = time >= r->begun && r->owner[time] == owner;
		r->line[time] = 0;
		sum_add(r, time, -1);
	} else {
		r->lines++;
	}
	time_set(r, slot, line, owner);
	return again;
}

uint32_t reuse_count(struct reuse *r, uint32_t line, uint16_t owner, uint32_t shift,
	uint64_t counts[REUSE_CLASSES])
{
	struct reuse_last last;
	uint32_t cause;

	if (!reuse_take(r, line, owner, &last))
		return 0;
	counts[reuse_class(last.distance << shift)] += UINT64_C(1) << r->shift;
	cause = last.within ? REUSE_WITHIN : 0;
	for (uint32_t l = 0; l < MACHINE_LEVELS; l++)
		if (last.distance < r->near[l])
			cause |= 1u << l;
	return cause;
}
