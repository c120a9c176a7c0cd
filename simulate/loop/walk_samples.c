/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at a sample of a thread's records for the way in which their accesses move. */
#include "simulate/loop/walk_samples.h"
#include "simulate/cache/gaps.h"
#include "simulate/loop/reread.h"
#include <string.h>

_Static_assert((int)WALK_SEGMENTS == (int)SIM_SEGMENTS, "one slot each");

/* --- the table -------------------------------------------------------------------------------- */

static bool same(const struct sim_walk *a, const struct sim_walk *b)
{
	return a->context == b->context && a->object == b->object && a->line == b->line &&
		a->size == b->size && a->store == b->store;
}

static struct sim_walk *walk_of(struct sim_walks *t, const struct sim_walk *key)
{
	const uint64_t mixed =
		((uint64_t)key->context << 32 ^ (uint64_t)key->object << 12 ^ key->line ^ (uint64_t)key->size << 52 ^ (uint64_t)key->store << 63) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t slot = (uint32_t)(mixed >> 40) % WALKS;

	for (; t->walk[slot].used; slot = (slot + 1) % WALKS)
		if (same(&t->walk[slot], key))
			return &t->walk[slot];
	if (t->n == WALKS / 4 * 3)
		return NULL;
	t->n++;
	t->walk[slot] = *key;
	t->walk[slot].used = 1;
	return &t->walk[slot];
}

/* Counts a move; where there is no room it takes the place, and the number, of the rarest one. */
static void count_step(struct sim_walk *k, int64_t step, uint64_t n)
{
	uint32_t rarest = 0;

	for (uint32_t i = 0; i < WALK_STEPS; i++) {
		if (k->step[i].n && k->step[i].step == step) {
			k->step[i].n += n;
			return;
		}
		if (k->step[i].n < k->step[rarest].n)
			rarest = i;
	}
	k->step[rarest].step = step;
	k->step[rarest].n += n;
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Notes what a group of a record touches, in accesses of one size, of the bytes that a step
 * passes. */
static void touch(struct sim_walks *t, struct sim_walk *k, uint64_t address, uint32_t bytes,
	int64_t step)
{
	const uint64_t length = (uint64_t)(step < 0 ? -step : step), slots = length / k->size;
	uint64_t at;

	if (k->record != t->looked) {
		k->record = t->looked;
		k->begin = address;
		k->touched = 0;
	}
	at = address - k->begin + length;       /* of the step before, or of this one */
	if (!slots || slots > 64 || at >= 2 * length)
		return;
	for (uint32_t i = 0; i < bytes / k->size; i++)
		k->touched |= UINT64_C(1) << (at % length / k->size + i) % slots;
	bytes = (uint32_t)__builtin_popcountll(k->touched) * k->size;
	if (bytes > k->bytes)
		k->bytes = (uint16_t)bytes;
}

/* The walk of a group at an address, which moves by a step; NULL: nowhere, or no room. */
static struct sim_walk *group_walk(struct work *w, const uint32_t *d, uint64_t address,
	int64_t step)
{
	const bool many = *d & PSC_GROUP_MANY, block = !many && *d & 2;
	const struct group_sum sum = group_sum(d);
	struct sim_walk key = { .context = w->context };
	uint64_t before, rest;
	const struct sim_page *p = address < NOWHERE ? NULL : play_place(w, address, &before,
		&rest);
	struct sim_walk *k;

	if (!p || p->cell == w->core->cells)
		return NULL;
	key.object = (uint32_t)p->cell->key;
	key.line = sim_source_line(w->core, group_number(d), p->cell);
	key.store = block ? *d & 1 : sum.n[1] > 0;
	key.size = block ? 0 : (uint16_t)(many ? sum.bytes / (sum.n[0] + sum.n[1]) : sum.bytes);
	key.per = (uint16_t)(block ? 1 : sum.n[0] + sum.n[1]);
	key.bytes = (uint16_t)(block ? 0 : sum.span);
	k = walk_of(w->core->walks, &key);
	if (!k)
		w->core->walks->lost++;
	else if (key.size)
		touch(w->core->walks, k, address, key.bytes, step);
	return k;
}

static void look_at_loop(struct work *w, const struct psc_segment *s, const uint64_t *at)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;
	const uint64_t count = *at++;

	w->core->walks->looked++;
	for (; d < end && count > 1; d = group_next(d)) {
		uint64_t address, step;
		struct sim_walk *k;

		d = group_step(d, &at, &address, &step);
		if (*d & PSC_GROUP_SPIN)
			continue;
		k = group_walk(w, d, address, (int64_t)step);
		if (!k)
			continue;
		k->seen += count - 1;
		count_step(k, (int64_t)step, count - 1);
	}
}

static void look_at_block(struct work *w, const uint32_t *d, uint64_t address, uint64_t length)
{
	struct sim_walk *k = length < PSC_COPY_LEAST ? NULL : group_walk(w, d, address, 0);

	if (!k)
		return;
	k->seen++;
	k->length += length;
}

enum { BLOCK_LONG = 8 * WALK_LONG };

/* before: the words of the record's last execution; NULL: not known. */
static void look_at_segment(struct work *w, const struct psc_segment *s, const uint64_t *at,
	const uint64_t *before)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;

	w->core->walks->looked++;
	for (uint32_t i = 0; d < end; i++, d = group_next(d)) {
		struct sim_walk *k;
		int64_t step;

		if (reread_is_range(d)) {
			const uint64_t address = at[i], length = reread_length(d, at, &i);

			if (length < BLOCK_LONG)
				look_at_block(w, d, address, length);
			continue;
		}
		if (!before || before[i] < NOWHERE || *d & PSC_GROUP_LOCK)
			continue;
		step = (int64_t)(at[i] - before[i]);
		k = group_walk(w, d, at[i], step);
		if (!k)
			continue;
		k->seen++;
		count_step(k, step, 1);
	}
}

/* --- batches ---------------------------------------------------------------------------------- */

static void look(struct work *w, const uint64_t *next, const uint64_t *end)
{
	struct sim_walks *t = w->core->walks;
	const uint64_t *at;

	for (struct sim_segment *seg; (seg = reread_next(w, &next, end, &at)); t->record--) {
		const uint64_t word = at[-1], **last = &t->last[sim_segment_slot(word)];

		if (!t->record) {
			t->record = sim_gap(&t->random, WALK_RECORDS);
			if (seg->loop && *at < WALK_LONG)
				look_at_loop(w, seg->s, at);
			else if (!seg->loop)
				look_at_segment(w, seg->s, at, *last && (*last)[-1] == word ?
					*last : NULL);
		}
		*last = at;
	}
}

/* Short batches may be all there is of a phase, and cost little. */
enum { SHORT = 1024 };

/* NULL: no memory. */
static struct sim_walks *walks_of(struct sim_core *core)
{
	if (!core->walks)
		core->walks = core->sim->env->get(sizeof *core->walks);
	return core->walks;
}

void sim_walks_loop(struct work *w, const struct loop *l)
{
	if (walks_of(w->core))
		look_at_loop(w, l->s, l->words - 1);
}

void sim_walks_blocks(struct work *w, struct sim_segment *seg, const uint64_t *words)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(seg->s), *end = d + seg->s->length;

	if (!walks_of(w->core))
		return;
	for (uint32_t i = 0; d < end; i++, d = group_next(d)) {
		const uint64_t address = words[i];
		uint64_t length;

		if (!reread_is_range(d))
			continue;
		length = reread_length(d, words, &i);
		if (length >= BLOCK_LONG || !seg->walked)
			look_at_block(w, d, address, length);
	}
	seg->walked = true;
}

void sim_walks_look(struct work *w, const uint64_t *words, const uint64_t *end)
{
	struct sim_walks *t = walks_of(w->core);

	if (!t)
		return;
	if (end - words > SHORT && t->wait) {
		t->wait--;
		return;
	}
	if (end - words > SHORT)
		t->wait = sim_gap(&t->random, WALK_BATCHES);
	memset(t->last, 0, sizeof t->last);
	look(w, words, end);
}
