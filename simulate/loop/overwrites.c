/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the accesses of records in their order to the bytes that are stored to and not read. */
#include "simulate/loop/overwrites.h"
#include "simulate/cache/unread_bytes.h"
#include "simulate/loop/reread.h"

enum {
	APART_STORES = 8,       /* of a loop whose groups may be taken one by one, at most */
	LINE = 1 << UNREAD_LINE
};

/* --- accesses --------------------------------------------------------------------------------- */

/* The place of the last access. */
struct spot {
	uint64_t lo, length, delta;     /* length 0: none yet */
	struct sim_cell *cell;          /* NULL: accesses are skipped */
};

static void spot_find(struct work *w, struct spot *s, uint64_t address)
{
	uint64_t before, rest;
	const struct sim_page *p = play_place(w, address, &before, &rest);

	*s = (struct spot){ .lo = address - before, .length = before + rest };
	if (!p)
		return;
	s->delta = p->delta;
	s->cell = p->cell;
}

static void access_bytes(struct work *w, struct spot *s, uint64_t address, uint64_t length,
	bool store)
{
	const uint64_t end = address + length;

	for (uint64_t n; address < end; address += n) {
		if (unlikely(address - s->lo >= s->length))
			spot_find(w, s, address);
		n = s->lo + s->length - address;
		n = n < end - address ? n : end - address;
		if (!s->cell)
			continue;
		s->cell->stored += store ? n : 0;
		unread_bytes_access(w->core, address + s->delta, n, store ? s->cell : NULL);
	}
}

/* One execution of a group that is no range.  A lock is read by whoever waits for it. */
static void access_group(struct work *w, struct spot *s, const uint32_t *d, uint64_t address)
{
	if (unlikely(address < NOWHERE))
		return;
	if (unlikely(*d & PSC_GROUP_LOCK)) {
		access_bytes(w, s, address, group_sum(d).span, false);
		return;
	}
	if (!(*d & PSC_GROUP_MANY)) {
		access_bytes(w, s, address, PSC_ACCESS_SIZE(*d), *d & 1);
		return;
	}
	for (const uint32_t *m = d + 3, *end = m + PSC_MANY_N(*d); m < end; m++)
		access_bytes(w, s, address + PSC_MEMBER_OFFSET(*m), PSC_MEMBER_SIZE(*m), *m & 1);
}

/* --- loops ------------------------------------------------------------------------------------ */

/* A group of a loop: it takes part in iterations [0, n), and touches [lo, hi). */
struct part {
	const uint32_t *d;
	uint64_t address, step, n, lo, hi;
	struct spot spot;
};

static void part_of(struct part *p, const uint32_t *d, uint64_t count)
{
	const uint64_t bytes = reread_is_range(d) ? PSC_ACCESS_SIZE(*d) : group_sum(d).span;
	uint64_t last;

	p->d = d;
	p->n = *d & PSC_GROUP_SPIN ? 1 : count - (*d & PSC_GROUP_TAIL ? 1 : 0);
	p->spot = (struct spot){ 0 };
	last = p->address + (p->n ? p->n - 1 : 0) * p->step;
	p->lo = (int64_t)p->step < 0 ? last : p->address;
	p->hi = ((int64_t)p->step < 0 ? p->address : last) + bytes;
}

static bool stores(const uint32_t *d)
{
	return *d & PSC_GROUP_MANY ? PSC_MANY_COUNT(d[2]) > 0 : *d & 1;
}

static void touch_part(struct work *w, struct part *p, uint64_t i)
{
	const uint64_t address = p->address + i * p->step;

	if (unlikely(reread_is_range(p->d)))
		access_bytes(w, &p->spot, address, PSC_ACCESS_SIZE(*p->d), *p->d & 1);
	else
		access_group(w, &p->spot, p->d, address);
}

/* Which bytes of one execution of a group are loaded, and stored to once after that: a bit each.
 * false: there are more than 64, or the order is another one. */
static bool bytes_of(const uint32_t *d, uint64_t bytes[2])
{
	bytes[0] = bytes[1] = 0;
	if (!(*d & PSC_GROUP_MANY)) {
		bytes[*d & 1] = UINT64_MAX;
		return true;
	}
	if (group_sum(d).span > 64)
		return false;
	for (const uint32_t *m = d + 3, *end = m + PSC_MANY_N(*d); m < end; m++) {
		const uint64_t member = UINT64_MAX >> (64 - PSC_MEMBER_SIZE(*m)) <<
			PSC_MEMBER_OFFSET(*m);

		if (bytes[1] & (*m & 1 ? member : UINT64_MAX))
			return false;
		bytes[*m & 1] |= member;
	}
	return true;
}

/* Does each execution begin where the one before ends, and load all of its bytes or none, then
 * store to all or none?  Then their order does not matter, and they are ranges. */
static bool is_dense(const struct part *p, uint64_t bytes[2])
{
	const uint64_t span = reread_is_range(p->d) ? PSC_ACCESS_SIZE(*p->d) : group_sum(p->d).span,
		all = UINT64_MAX >> (span < 64 ? 64 - span : 0);

	return p->n && p->lo >= NOWHERE && p->hi - p->lo == p->n * span &&
		!(*p->d & PSC_GROUP_LOCK) && bytes_of(p->d, bytes) &&
		(!bytes[0] || (bytes[0] & all) == all) && (!bytes[1] || (bytes[1] & all) == all);
}

/* All iterations of a group, which meets no other one of its loop. */
static void touch_alone(struct work *w, struct part *p)
{
	uint64_t bytes[2];

	if (!is_dense(p, bytes)) {
		for (uint64_t i = 0; i < p->n; i++)
			touch_part(w, p, i);
		return;
	}
	for (int store = 0; store < 2; store++)
		if (bytes[store])
			access_bytes(w, &p->spot, p->lo, p->hi - p->lo, store);
}

/* No group touches a line of those that another one stores to, so the order among them does not
 * matter. */
static bool apart(const struct part *p, uint32_t n)
{
	uint32_t nstores = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!stores(p[i].d))
			continue;
		if (++nstores > APART_STORES)
			return false;
		for (uint32_t k = 0; k < n; k++)
			if (k != i && p[i].lo < p[k].hi + LINE && p[k].lo < p[i].hi + LINE)
				return false;
	}
	return true;
}

static void look_at_loop(struct work *w, const struct psc_segment *s, const uint64_t *at)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;
	const uint64_t count = *at++;
	struct part part[LOOP_GROUPS];
	uint32_t n = 0;

	if (!count)
		return;
	/* Too many groups: what they store is not known, and all of it may be read. */
	if (s->ngroups > LOOP_GROUPS) {
		unread_bytes_forget(w->core->sim->unread);
		return;
	}
	for (; d < end; d = group_next(d), n++) {
		d = group_step(d, &at, &part[n].address, &part[n].step);
		part_of(&part[n], d, count);
	}
	if (count > 1 && apart(part, n)) {
		for (uint32_t k = 0; k < n; k++)
			touch_alone(w, &part[k]);
		return;
	}
	for (uint64_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < n; k++)
			if (i < part[k].n)
				touch_part(w, &part[k], i);
}

/* --- batches ---------------------------------------------------------------------------------- */

static void look_at_segment(struct work *w, const struct psc_segment *s, const uint64_t *at)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;

	for (uint32_t i = 0; d < end; i++, d = group_next(d)) {
		const bool range = reread_is_range(d);
		const uint64_t address = at[i], length = range ? reread_length(d, at, &i) : 0;
		struct spot spot = { 0 };

		if (!range)
			access_group(w, &spot, d, address);
		else if (address >= NOWHERE)
			access_bytes(w, &spot, address, length, *d & 1);
	}
}

void overwrites_look(struct work *w, const uint64_t *words, const uint64_t *end)
{
	struct sim_core *core = w->core;
	const uint64_t *at;

	for (;;) {
		const struct sim_segment *seg = reread_next(w, &words, end, &at);

		if (unlikely(w->read))
			unread_bytes_forget(core->sim->unread);
		if (!seg || !unread_bytes_begin(core))
			return;
		if (seg->loop)
			look_at_loop(w, seg->s, at);
		else
			look_at_segment(w, seg->s, at);
	}
}
