/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws a sample of a thread's records by address and time. */
#include "simulate/loop/maps.h"
#include "simulate/cache/timeline.h"
#include "simulate/loop/reread.h"

enum { PIECES = 1024 };         /* of a loop, at most */
/* What a record that the program overwrote says beyond is not believed. */
#define POSITION_MOST (UINT64_C(1) << 48)
#define MOVES_MOST (UINT64_C(1) << 40)

/* --- the tables -------------------------------------------------------------------------------- */

/* The number of an object's entry; MAP_OBJECTS: it is several blocks, or there is no room. */
static uint32_t object_number(struct work *w, uint64_t address, uint32_t object)
{
	struct sim_maps *m = w->core->maps;
	uint32_t slot = object * UINT32_C(0x9e3779b1) >> 23;
	struct sim_map_object *o = &m->object[slot];
	uint64_t lo, hi;

	for (; o->hi && o->object != object; o = &m->object[slot])
		slot = (slot + 1) % MAP_OBJECTS;
	if (o->hi && address >= o->lo && address < o->hi)
		return o->several ? MAP_OBJECTS : slot;
	if (o->hi) {
		o->several = true;
		return MAP_OBJECTS;
	}
	if (m->nobjects == MAP_OBJECTS / 4 * 3 || !w->core->sim->env->range(w->v->asker, address, &lo, &hi))
		return MAP_OBJECTS;
	m->nobjects++;
	*o = (struct sim_map_object){ .lo = lo, .hi = hi, .object = object };
	return slot;
}

/* Adds accesses to a place of a block, at a position. */
static void draw_at(struct sim_maps *m, uint32_t number, uint64_t address, uint64_t position, const uint32_t n[2])
{
	const struct sim_map_object *o = &m->object[number];
	const uint64_t row = (address - o->lo) * MAP_ROWS / (o->hi - o->lo);

	if (address < o->lo || row >= MAP_ROWS || position >= POSITION_MOST)
		return;
	while (position / m->width >= MAP_COLUMNS)
		sim_maps_widen(m);
	while (!sim_maps_add(m, 1 + (uint32_t)(number << 18 | position / m->width << 8 | row), n))
		sim_maps_widen(m);
}

/* --- records ----------------------------------------------------------------------------------- */

/* A part of the execution: [from, from + length), of which a record's accesses are multiplied by weight. */
struct drawn { uint64_t from, length; double weight; };

/* The number of the object at an address; MAP_OBJECTS: none is drawn. */
static uint32_t number_at(struct work *w, uint64_t address)
{
	uint64_t before, rest;
	const struct sim_page *p = address < NOWHERE ? NULL : play_place(w, address, &before, &rest);

	return p && p->cell != w->core->cells ? object_number(w, address, (uint32_t)p->cell->key) : MAP_OBJECTS;
}

/* Draws n executions of a group that move by `step`, spread over that part of the execution. */
static void draw_moves(struct work *w, const uint32_t *d, uint64_t address, uint64_t step, uint64_t n, const struct drawn *part)
{
	struct sim_maps *m = w->core->maps;
	const uint32_t number = n && n < MOVES_MOST ? number_at(w, address) : MAP_OBJECTS;
	const struct group_sum sum = group_sum(d);
	uint64_t pieces = 1, bytes, row;

	if (number == MAP_OBJECTS)
		return;
	row = (m->object[number].hi - m->object[number].lo) / MAP_ROWS + 1;
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
		const uint32_t counts[2] = { (uint32_t)(times * sum.n[0] + 0.5), (uint32_t)(times * sum.n[1] + 0.5) };

		draw_at(m, number, address + step * middle, part->from + part->length * i / pieces, counts);
	}
}

static void draw_loop(struct work *w, const struct psc_segment *s, const uint64_t *at, const struct drawn *part)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;
	const uint64_t count = *at++;

	for (; d < end; d = group_next(d)) {
		uint64_t address, step;

		d = group_step(d, &at, &address, &step);
		if (!(*d & PSC_GROUP_SPIN))
			draw_moves(w, d, address, step, count - (*d & PSC_GROUP_TAIL ? 1 : 0), part);
	}
}

enum { WORD = 8 };              /* bytes of an access of a block */

/* A range counts as accesses of WORD bytes. */
static void draw_range(struct work *w, uint32_t bits, uint64_t address, uint64_t length, const struct drawn *part)
{
	const uint32_t word = WORD << 2 | (bits & 1);

	draw_moves(w, &word, address, WORD, (length + WORD - 1) / WORD, part);
}

static void draw_segment(struct work *w, const struct psc_segment *s, const uint64_t *at, const struct drawn *part)
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

/* --- batches ----------------------------------------------------------------------------------- */

static void next_gap(struct sim_maps *m)
{
	m->gap = reread_gap(&m->random, MAP_ACCESSES);
	m->since = 0;
}

static void record(struct work *w, const struct sim_segment *seg, const uint64_t *at, uint64_t position, uint64_t n)
{
	struct sim_maps *m = w->core->maps;
	struct drawn part = { position, n, 1 };

	m->since += n;
	if (!n || m->since < m->gap)
		return;
	part.weight = n < m->gap ? (double)m->since / (double)n : 1;
	if (seg->loop)
		draw_loop(w, seg->s, at, &part);
	else
		draw_segment(w, seg->s, at, &part);
	next_gap(m);
}

static void draw(struct work *w, const uint64_t *next, const uint64_t *end, uint64_t position)
{
	const uint64_t *at;

	for (const struct sim_segment *seg; (seg = reread_next(w, &next, end, &at)); ) {
		const uint64_t n = references(seg, at);

		record(w, seg, at, position, n);
		position += n;
	}
}

void sim_maps_draw(struct work *w, const uint64_t *words, const uint64_t *end, uint64_t position)
{
	struct sim_core *core = w->core;

	if (!core->maps) {
		core->maps = core->sim->env->get(sizeof *core->maps);
		if (!core->maps)
			return;
		core->maps->width = sim_columns_width(core);
		core->maps->execution = core->execution;
		next_gap(core->maps);
	}
	if (core->maps->execution == core->execution)
		draw(w, words, end, position);
}
