/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes random descriptors and records, and expands them access by access. */
#ifndef TESTS_MONITOR_RECORDS_H
#define TESTS_MONITOR_RECORDS_H

#include "tests/simulate/neighbours.h"

enum { DESC_WORDS = 2048, DESC_GROUPS = 80 };
struct desc {
	struct psc_segment s;
	uint32_t d[DESC_WORDS + DESC_GROUPS];   /* with lines */
	uint64_t step[DESC_GROUPS];     /* those that stand in the record */
};

static inline uint32_t size_some(uint32_t largest)
{
	uint32_t size = 1u << rnd() % 7;

	return size < largest ? size : largest;
}

/* A group of several accesses within span bytes; returns its words. */
static inline uint32_t many_make(uint32_t *d, uint32_t flags, uint32_t most, uint32_t largest)
{
	uint32_t n = 2 + (uint32_t)(rnd() % (rnd() % 8 ? 4 : 30)), span = 0;
	uint32_t stride = rnd() % 3 ? 8 : 40, least = PSC_GROUP_SPAN;

	d[1] = d[2] = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t size = size_some(largest), store = rnd() % 4 == 0;
		uint32_t offset = (uint32_t)(rnd() % 2 ? i * stride : rnd() % most);

		if (offset + size > PSC_GROUP_SPAN)
			offset = 0;
		if (offset + size > span)
			span = offset + size;
		if (offset < least)
			least = offset;
		d[3 + i] = offset << 16 | size << 2 | store;
		d[1 + store] += (1 << 16) + size;
	}
	for (uint32_t i = 0; i < n; i++)
		d[3 + i] -= least << 16;
	d[0] = PSC_GROUP_MANY | flags | (span - least) << 8 | n;
	return 3 + n;
}

static bool no_blocks;  /* no ranges are made */

static inline uint32_t group_make(struct desc *o, uint32_t *d, bool loop, bool moves, uint32_t largest)
{
	uint32_t flags = loop && rnd() % 5 == 0 ? PSC_GROUP_TAIL : 0;
	uint32_t kind = rnd() % 3 == 0 ? PSC_STORE : PSC_LOAD, n, what = rnd() % 8;

	switch (no_blocks && what == 2 ? 4 : what) {
	case 0: case 1:
		n = many_make(d, flags, rnd() % 2 ? 24 : 200, largest);
		o->s.naccess += PSC_MANY_N(*d);
		return n;
	case 2:
		if (!loop && rnd() % 2) {
			*d = PSC_LOAD_RANGE | kind;
			o->s.nwords++;
		} else {
			*d = (1 + (uint32_t)(rnd() % 100)) << 2 | PSC_LOAD_RANGE | kind | flags;
		}
		break;
	case 3:
		if (loop && !moves) {
			*d = flags | PSC_GROUP_SPIN | 8 << 2 | PSC_LOAD;
			break;
		}
		/* fall through */
	default:
		*d = flags | size_some(largest) << 2 | kind;
	}
	o->s.naccess++;
	return 1;
}

static uint32_t only_line;      /* of all groups; 0: each its own */

/* Groups have the lines 11, 12, ..., 16 and 0 in turn. */
static inline uint32_t line_of_group(uint32_t g)
{
	if (only_line)
		return only_line;
	return g % 7 == 6 ? 0 : 11 + g % 7;
}

/* ngroups groups with the given steps; NULL: no loop. */
static inline void desc_make(struct desc *o, uint32_t ngroups, const int64_t *step, uint32_t largest)
{
	uint32_t at = 0;

	memset(o, 0, sizeof *o);
	for (uint32_t g = 0; g < ngroups && at + 70 < DESC_WORDS; g++) {
		if (step && (rnd() % 4 == 0 || step[g] != (int32_t)step[g])) {
			o->d[at++] = (uint32_t)PSC_STEP_WORD;
			o->step[g] = (uint64_t)step[g];
			o->s.nwords++;
		} else if (step) {
			o->d[at++] = (uint32_t)(int32_t)step[g];
		}
		at += group_make(o, o->d + at, step != NULL,
			step && (step[g] || o->d[at - 1] == (uint32_t)PSC_STEP_WORD), largest);
		o->s.nwords++;
		o->s.ngroups++;
	}
	o->s.length = (uint16_t)at;
	o->s.line = only_line;
	for (uint32_t g = 0; g < o->s.ngroups; g++)
		o->d[at + g] = line_of_group(g);
}

/* One group at one address. */
typedef void group_fn(void *arg, const uint32_t *d, uint64_t address, uint64_t length);

static uint32_t expanded_line;  /* of the group that record_expand() has passed last */

/* Expands one record into its accesses; returns the word after it. */
static inline const uint64_t *record_expand(const uint64_t *at, group_fn *fn, void *arg)
{
	bool loop = PSC_REC_TAG(*at) & PSC_REC_LOOP;
	const struct desc *o = (const struct desc *)(uintptr_t)(*at++ & ~(uint64_t)7);
	uint64_t count = loop ? *at++ : 1;
	const uint64_t *words = at;

	for (uint64_t i = 0; i < count; i++) {
		const uint32_t *d = o->d;

		at = words;
		for (uint32_t g = 0; g < o->s.ngroups; g++) {
			int64_t step = loop ? (int32_t)*d++ : 0;
			uint64_t address = *at++, length;
			bool tail = *d & PSC_GROUP_TAIL, spin = *d & PSC_GROUP_SPIN;

			if (loop && step == PSC_STEP_WORD)
				step = (int64_t)*at++;
			length = (*d & ~PSC_GROUP_FLAGS) >> 2;
			if (!(*d & PSC_GROUP_MANY) && *d & 2 && !length)
				length = *at++;
			expanded_line = line_of_group(g);
			if (address && !(tail && i == count - 1) && !(spin && i))
				fn(arg, d, address + i * (uint64_t)step, length);
			d += *d & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*d) : 1;
		}
	}
	return count ? at : words + o->s.nwords;
}
#endif
