/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws a sample of a thread's records by address and time. */
#include "simulate/loop/map_samples.h"
#include "simulate/access/descriptor.h"
#include "simulate/loop/reread.h"

enum { PIECES = 1024 };         /* of a loop, at most */
/* What a record that the program overwrote says beyond is not believed. */
#define MOVES_MOST (UINT64_C(1) << 40)
#define NEVER 1e-9              /* a probability that is taken for 0 */
#define SURE 1.01               /* the most that a record is multiplied by that stands for itself */

/* --- records ---------------------------------------------------------------------------------- */

/* A part of the execution: [from, from + length), of which a record's accesses
 * are multiplied by weight. */
struct drawn { uint64_t from, length; double weight; };

/* The number of the object at an address; MAP_OBJECTS: none is drawn; MAP_NO_ROOM: it would
 * be, but there was no room. */
static uint32_t number_at(struct work *w, uint64_t address)
{
	uint64_t before, rest;
	const struct sim_page *p = address < NOWHERE ? NULL : play_place(w, address, &before,
		&rest);

	return p && p->cell != w->core->cells ?
		sim_maps_object(w->core, w->v->asker, address, (uint32_t)p->cell->key) :
		MAP_OBJECTS;
}

/* Draws n executions of a group that move by `step`, spread over that part of the execution. */
static void draw_moves(struct work *w, const uint32_t *d, uint64_t address, uint64_t step,
	uint64_t n, const struct drawn *part)
{
	const struct sim_maps *m = w->core->maps;
	const uint32_t number = n && n < MOVES_MOST ? number_at(w, address) : MAP_OBJECTS;
	const struct group_sum sum = group_sum(d);
	uint64_t pieces = 1, bytes, row;

	if (number >= MAP_OBJECTS) {
		w->core->maps->left_out += number == MAP_NO_ROOM;
		return;
	}
	row = sim_map_row_bytes(&m->object[number]);
	bytes = ((int64_t)step < 0 ? -step : step) * n;
	if (n > 1)
		pieces = bytes / row + part->length / m->width + 1;
	if (pieces > PIECES)
		pieces = PIECES;
	if (pieces > n)
		pieces = n;
	for (uint64_t i = 0; i < pieces; i++) {
		const uint64_t first = n * i / pieces, middle = (first + n * (i + 1) / pieces) / 2;
		const double times = (double)(n * (i + 1) / pieces - first) * part->weight;
		uint32_t counts[MAP_FIELDS] = { (uint32_t)(times * sum.n[0] + 0.5),
			(uint32_t)(times * sum.n[1] + 0.5) };

		counts[MAP_SAMPLED] = part->weight > SURE ? counts[MAP_READS] + counts[MAP_WRITES] :
			0;
		sim_maps_add(w->core, number, address + step * middle, part->from + part->length *
			i / pieces, counts);
	}
}

static void draw_loop(struct work *w, const struct psc_segment *s, const uint64_t *at,
	const struct drawn *part)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;
	const uint64_t count = *at++;

	for (; d < end; d = group_next(d)) {
		uint64_t address, step;

		d = group_step(d, &at, &address, &step);
		if (!(*d & PSC_GROUP_SPIN))
			draw_moves(w, d, address, step, count - (*d & PSC_GROUP_TAIL ? 1 : 0),
				part);
	}
}

enum { WORD = 8 };              /* bytes of an access of a block */

/* A range counts as accesses of WORD bytes. */
static void draw_range(struct work *w, uint32_t bits, uint64_t address, uint64_t length,
	const struct drawn *part)
{
	const uint32_t word = WORD << 2 | (bits & 1);

	draw_moves(w, &word, address, WORD, (length + WORD - 1) / WORD, part);
}

static void draw_segment(struct work *w, const struct psc_segment *s, const uint64_t *at,
	const struct drawn *part)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;

	for (uint32_t i = 0; d < end; i++, d = group_next(d)) {
		if (reread_is_range(d)) {
			const uint64_t address = at[i];

			draw_range(w, *d, address, reread_length(d, at, &i), part);
		} else {
			draw_moves(w, d, at[i], 0, 1, part);
		}
	}
}

/* The references of a record. */
static uint64_t references(const struct sim_segment *seg, const uint64_t *at)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(seg->s), *end = d + seg->s->length;
	uint64_t n = seg->s->naccess;

	if (seg->loop)
		return seg->idle ? n : *at * n - (*at ? seg->behind : 0);
	if (!(seg->facts & FACT_RANGES))
		return n;
	for (uint32_t i = 0; d < end; i++, d = group_next(d))
		n += reread_is_range(d) ? reread_length(d, at, &i) / WORD : 0;
	return n;
}

/* --- batches ---------------------------------------------------------------------------------- */

/* The record of a note; NULL: it is not valid any more. */
static const struct sim_segment *segment_of(struct work *w, const struct sim_map_note *note,
	const uint64_t *end)
{
	const uint64_t word = *note->at;
	struct sim_segment *seg = &w->v->seg[sim_segment_slot(word)];

	/* The simulation has checked it, but may have forgotten it since. */
	if (seg->word != word && !descriptor_load(w->v, word, w->most, seg))
		return NULL;
	return (size_t)(end - note->at) > (size_t)seg->s->nwords + seg->loop ? seg : NULL;
}

/* The probability that a record of n accesses is drawn, of which each would
 * be with 1 / MAP_ACCESSES. */
static double chance(uint64_t n)
{
	double none = 1, power = 1 - 1.0 / MAP_ACCESSES;

	for (; n && none > NEVER; n >>= 1, power *= power)
		none *= n & 1 ? power : 1;
	return 1 - none;
}

static void draw(struct work *w, const struct sim_map_note *note, const struct sim_segment *seg)
{
	const uint64_t *at = note->at + 1, n = references(seg, at);
	const struct drawn part = { note->end - n, n, seg->loop && n >= MAP_ACCESSES ? 1 :
		1 / chance(n) };

	if (!n || n > note->end)
		return;
	w->context = note->context;
	if (seg->loop)
		draw_loop(w, seg->s, at, &part);
	else
		draw_segment(w, seg->s, at, &part);
}

void sim_maps_draw(struct work *w, const uint64_t *end)
{
	const struct sim_maps *m = w->core->maps;

	for (uint32_t i = 0; i < m->nnotes; i++) {
		const struct sim_segment *seg = segment_of(w, &m->note[i], end);

		if (seg)
			draw(w, &m->note[i], seg);
	}
}
