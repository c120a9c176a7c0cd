/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the descriptors of records and unpacks packed ones. */
#include "simulate/access/descriptor.h"
#include "simulate/access/core_work.h"
#include "simulate/access/play.h"
#include "base/unit_tables.h"
#include <string.h>

/* Checks one group.  Returns its descriptor words; 0: invalid.  Adds its accesses to *n and raises
 * *most to its largest access. */
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
	if (count < 2 || count > PSC_GROUP_MAX || bits & PSC_GROUP_SPIN ||
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

/* Checks that each load half of a copy is followed by its store half, and of others only plain
 * groups of loops have the flag.  *copies: some have. */
static bool copy_check(const uint32_t *d, const uint32_t *end, bool loop, bool *copies)
{
	uint32_t half = 0;

	*copies = false;
	for (d += loop; d < end; d = group_next(d) + loop) {
		uint32_t kind = *d & PSC_GROUP_MANY ? 0 : *d & 3;

		if (half && (kind != PSC_STORE_RANGE || (half ^ *d) & PSC_GROUP_TAIL))
			return false;
		half = *d & PSC_GROUP_COPY && kind & 2 ? *d : 0;
		if (half && kind != PSC_LOAD_RANGE)
			return false;
		*copies |= *d & PSC_GROUP_COPY && !half;
	}
	return !half && (loop || !*copies);
}

/* Checks a descriptor completely, once for all records of a generation; false: invalid.  A stale or
 * overwritten word must not crash the host. */
static bool segment_check(const struct psc_segment *s, bool loop, uint32_t most,
	struct sim_segment *out)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end;
	uint32_t words = 0, groups = 0, waits = 0, n = 0, largest = 0, behind = 0, got;
	bool ranges = false, depends = false, locks = false, copies;

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
		depends |= PSC_GROUP_DEPENDENCE(bits) != PSC_DEP_NONE;
		locks |= (bits & PSC_GROUP_LOCK) != 0;
		words++;
		if (!(bits & PSC_GROUP_MANY) && bits & 2 && !PSC_ACCESS_SIZE(bits)) {
			if (loop)
				return false;
			words++;
		}
	}
	if (!copy_check(PSC_SEGMENT_GROUPS(s), end, loop, &copies))
		return false;
	out->behind = behind;
	out->facts = (uint16_t)((waits ? FACT_WAITS : 0) | (ranges ? FACT_RANGES : 0) |
		(depends ? FACT_DEPENDS : 0) | (locks ? FACT_LOCKS : 0) | (copies ? FACT_COPIES :
		0) | (s->work.statements || s->work.flags ? FACT_WORKS : 0) |
		(largest > most ? FACT_EACH : 0));
	out->idle = waits && waits == groups;
	out->chained = s->work.flags & PSC_WORK_IN_CHAIN;
	return words == s->nwords && groups == s->ngroups && n == s->naccess;
}

/* Unpacked copies of descriptors, valid until descriptor_forget(). */
enum { UNPACKED = 1 << 14 };
struct unpacked {
	/* open hash; word 0: free */
	struct { uint64_t word; uint32_t at; } index[UNPACKED];
	uint32_t n, used;
	uint16_t slot[UNPACKED];                        /* those of index that are not free: n */
	_Alignas(8) uint32_t words[2 * DESCRIPTOR_WORDS];       /* the second half: numbers of
								 * groups */
};

void descriptor_forget(struct sim_thread *v)
{
	struct unpacked *u = v->unpacked;

	if (v->began)
		core_work_flush(v);
	for (uint32_t i = 1; v->began && i < SIM_SEGMENTS; i++)
		v->seg[i].word = 0;
	v->seg[0].word = 8;             /* 0 maps to this slot; this word does not */
	v->seg_len = 0;
	v->descriptors++;
	play_plans_forget(v);
	sim_groups_forget(&v->core);
	if (!u)
		return;
	while (u->n)
		u->index[u->slot[--u->n]].word = 0;
	u->used = 0;
}

/* Copies a descriptor, unpacked and with lines, to at most `max` words.  Returns the number of
 * words; 0:
 * invalid.  An unpacked one without lines has one line. */
static uint32_t copy_unpacked(uint64_t word, uint64_t room, uint32_t *out, uint32_t max)
{
	const void *from = (const void *)(uintptr_t)(word & ~(uint64_t)7);
	const struct psc_segment *s = from;
	size_t words;

	if (word & PSC_REC_PACKED)
		return tables_segment(from, (const unsigned char *)from + room, PSC_REC_TAG(word),
			out, max);
	if (room < sizeof *s || (room - sizeof *s) / sizeof *out < (size_t)s->length + s->ngroups *
	    (word & PSC_REC_LINES))
		return 0;
	words = sizeof *s / sizeof *out + s->length;
	memcpy(out, s, (words + s->ngroups * (word & PSC_REC_LINES)) * sizeof *out);
	for (uint32_t i = 0; !(word & PSC_REC_LINES) && i < s->ngroups; i++)
		out[words + i] = s->line;
	return (uint32_t)words + s->ngroups;
}

_Static_assert(SIM_LINE_OF_CALLEE == PSC_LINE_OF_CALLEE, "lines are passed on as they are");

/* Numbers the groups of a valid descriptor. */
static void number_groups(struct sim_core *core, const struct psc_segment *s, bool loop)
{
	uint32_t *d = (uint32_t *)(uintptr_t)PSC_SEGMENT_GROUPS(s), *end = d + s->length;

	for (const uint32_t *line = end; d < end; line++) {
		d += loop;
		d[DESCRIPTOR_WORDS] = sim_group(core, *line);
		d += group_next(d) - d;
	}
}

/* Finds or makes the unpacked copy of a descriptor; *new: it was made, and is to be checked. */
static const struct psc_segment *unpack(struct sim_thread *v, uint64_t word, uint64_t room,
	bool *new)
{
	struct unpacked *u = v->unpacked;
	uint32_t slot = (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 50), words;

	*new = false;
	if (!u)
		u = v->unpacked = sim_thread_room(v, sizeof *u);
	if (!u)
		return NULL;
	for (; u->index[slot].word; slot = (slot + 1) % UNPACKED)
		if (u->index[slot].word == word)
			return (const struct psc_segment *)(const void *)&u->words[u->index[slot].at];
	if (u->n >= UNPACKED / 4 * 3 || DESCRIPTOR_WORDS - u->used < 2 * UINT16_MAX + 16) {
		descriptor_forget(v);
		return unpack(v, word, room, new);
	}
	words = copy_unpacked(word, room, u->words + u->used, DESCRIPTOR_WORDS - u->used);
	if (!words)
		return NULL;
	u->index[slot].word = word;
	u->index[slot].at = u->used;
	u->slot[u->n++] = (uint16_t)slot;
	u->used += (words + 1) & ~1u;
	*new = true;
	return (const struct psc_segment *)(const void *)&u->words[u->index[slot].at];
}

bool __attribute__((noinline)) descriptor_load(struct sim_thread *v, uint64_t word, uint32_t most,
	struct sim_segment *out)
{
	struct sim_segment seg = { .word = word, .loop = PSC_REC_TAG(word) & PSC_REC_LOOP };
	uint64_t at = word & ~(uint64_t)7;
	bool new;

	if (PSC_REC_TAG(word) == PSC_REC_CONTEXT)
		return false;
	if (at - v->seg_lo >= v->seg_len && !v->core.sim->env->readable(at, &v->seg_lo,
	    &v->seg_len)) {
		v->seg_len = 0;
		return false;
	}
	seg.s = unpack(v, word, v->seg_lo + v->seg_len - at, &new);
	if (!seg.s || !segment_check(seg.s, seg.loop, most, &seg))
		return false;
	if (new)
		number_groups(&v->core, seg.s, seg.loop);
	core_work_drop(v, out);
	*out = seg;
	return true;
}
