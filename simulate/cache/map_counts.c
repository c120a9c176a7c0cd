/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts accesses and misses by address and column of time. */
#include "simulate/cache/map_counts.h"
#include "simulate/cache/gaps.h"
#include "simulate/cache/sim.h"
#include <string.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Numbers beyond those of objects: of memory that has no rows, of pages with several objects, and
 * of objects that there was no room for. */
enum { ADDRESS_BITS = 48, PAGE_SHIFT = 12, PIECE_SHIFT = 12, NO_NUMBER = MAP_OBJECTS,
	SEVERAL_NUMBERS, NO_ROOM = MAP_NO_ROOM };
enum { OBJECTS_MOST = MAP_OBJECTS / 4 * 3, RUN = 8 };
#define ADDRESS_MASK ((UINT64_C(1) << ADDRESS_BITS) - 1)
/* What a record that the program overwrote says beyond is not believed. */
#define POSITION_MOST (UINT64_C(1) << 48)

/* --- the table of counts ---------------------------------------------------------------------- */

static uint32_t key_of(uint32_t number, uint32_t column, uint32_t row)
{
	return 1 + (number << 18 | column << 8 | row);
}

/* The place of a key, which may be new: there is one that is free.  RUN rows of a column, which are
 * counted at about one time, lie side by side: the processor's cache misses once for all. */
static struct sim_map_count *count_at(const struct sim_map_table *t, uint32_t key)
{
	const uint32_t run = (uint32_t)((key - 1) / RUN * UINT64_C(0x9e3779b97f4a7c15) >> 40);
	uint32_t slot = (run * RUN | (key - 1) % RUN) & (t->room - 1);

	while (t->count[slot].key && t->count[slot].key != key)
		slot = (slot + 1) & (t->room - 1);
	return &t->count[slot];
}

static void count_add(struct sim_maps *m, uint32_t key, const uint32_t n[MAP_FIELDS])
{
	struct sim_map_count *c = count_at(&m->table[m->used], key);

	m->ncounts += !c->key;
	c->key = key;
	for (int f = 0; f < MAP_FIELDS; f++)
		c->n[f] += n[f];
}

/* Moves all counts to the other table, which gets this room: columns become narrower by `halve`
 * halvings, and row r of the object `number` becomes to[r].  false: no
 * memory, nothing is changed. */
static bool move_counts(struct sim_core *core, uint32_t room, uint32_t halve, uint32_t number,
	const uint16_t *to)
{
	struct sim_maps *m = core->maps;
	struct sim_map_table *from = &m->table[m->used], *other = &m->table[!m->used];

	if (other->room < room) {
		struct sim_map_count *count = core->sim->env->get(room * sizeof *count);

		if (!count)
			return false;
		*other = (struct sim_map_table){ count, room };
	}
	m->used = !m->used;
	m->ncounts = 0;
	m->width <<= halve;
	for (uint32_t i = 0; i < from->room; i++) {
		const struct sim_map_count *c = &from->count[i];
		const uint32_t object = c->key ? sim_map_object(c) : NO_NUMBER;

		if (c->key)
			count_add(m, key_of(object, sim_map_column(c) >> halve,
				object == number ? to[sim_map_row(c)] : sim_map_row(c)), c->n);
	}
	memset(from->count, 0, from->room * sizeof *from->count);
	return true;
}

/* Moves counts as move_counts() does; without memory the map takes no more. */
static bool rearrange(struct sim_core *core, uint32_t room, uint32_t halve, uint32_t number,
	const uint16_t *to)
{
	if (!core->maps->full && !move_counts(core, room, halve, number, to))
		core->maps->full = true;
	return !core->maps->full;
}

bool sim_maps_widen(struct sim_core *core)
{
	return rearrange(core, core->maps->table[core->maps->used].room, 1, NO_NUMBER, NULL);
}

/* Makes room for another count, if there is none. */
static void make_room(struct sim_core *core)
{
	struct sim_maps *m = core->maps;
	uint32_t room = m->table[m->used].room;

	while (m->ncounts >= room / 2) {
		if (!(room == MAP_COUNTS ? sim_maps_widen(core) : rearrange(core, MAP_GROWTH * room,
		    0, NO_NUMBER, NULL)))
			return;
		room = m->table[m->used].room;
	}
}

uint64_t sim_map_samples(const uint32_t n[MAP_FIELDS])
{
	const uint64_t samples = n[MAP_SAMPLED] / MAP_ACCESSES + (n[MAP_FIRST] + n[MAP_LAST]) /
		MAP_MISSES;

	return samples ? samples : 1;
}

static void count(struct sim_core *core, uint32_t number, uint32_t row, uint64_t position,
	const uint32_t n[MAP_FIELDS])
{
	struct sim_maps *m = core->maps;

	while (position / m->width >= MAP_COLUMNS && sim_maps_widen(core))
		;
	make_room(core);
	if (m->full)
		m->left_out += sim_map_samples(n);
	else
		count_add(m, key_of(number, (uint32_t)(position / m->width), row), n);
}

/* --- misses of the present column ------------------------------------------------------------- */

static void flush(struct sim_core *core)
{
	struct sim_maps *m = core->maps;

	for (uint32_t i = 0; i < m->nmissed; i++) {
		const uint32_t at = m->row_missed[i];
		const uint32_t n[MAP_FIELDS] = { [MAP_FIRST] = (uint32_t)m->missed[at],
			[MAP_LAST] = (uint32_t)(m->missed[at] >> 32) };

		m->missed[at] = 0;
		count(core, at / MAP_ROWS, at % MAP_ROWS, m->at, n);
	}
	m->nmissed = 0;
}

void sim_maps_border(struct sim_core *core, uint64_t next)
{
	flush(core);
	core->maps->at = next;
}

/* --- several blocks --------------------------------------------------------------------------- */

static uint16_t *piece_slot(struct sim_map_pieces *p, uint64_t piece)
{
	uint32_t slot = (uint32_t)(piece * UINT64_C(0x9e3779b97f4a7c15) >> 40) % (2 * MAP_ROWS);

	while (p->slot[slot] && p->at[p->slot[slot] - 1] != piece)
		slot = (slot + 1) % (2 * MAP_ROWS);
	return &p->slot[slot];
}

/* The row of a piece, which gets one if there is room; MAP_ROWS: there is none. */
static uint32_t piece_row(struct sim_map_pieces *p, uint64_t piece)
{
	uint16_t *slot = piece_slot(p, piece);

	if (likely(*slot))
		return *slot - 1u;
	if (p->n == MAP_ROWS)
		return MAP_ROWS;
	p->at[p->n] = piece;
	*slot = (uint16_t)++p->n;
	return p->n - 1;
}

/* Makes pieces longer until half of the rows are free. */
static void pieces_widen(struct sim_core *core, uint32_t number)
{
	struct sim_map_pieces *p = core->maps->object[number].pieces, longer = *p;
	uint16_t to[MAP_ROWS];

	flush(core);
	for (uint32_t i = 0; i < MAP_ROWS; i++)
		to[i] = (uint16_t)i;
	do {
		const struct sim_map_pieces before = longer;

		longer = (struct sim_map_pieces){ .shift = before.shift + 1 };
		for (uint32_t i = 0; i < MAP_ROWS; i++)
			to[i] = (uint16_t)piece_row(&longer, before.at[to[i]] >> 1);
	} while (longer.n > MAP_ROWS / 2);
	if (rearrange(core, core->maps->table[core->maps->used].room, 0, number, to))
		*p = longer;
}

/* Another block of a structure is met: the rows of the first one become pieces. */
static void becomes_several(struct sim_core *core, struct sim_map_object *o)
{
	struct sim_map_pieces *p = core->sim->env->get(sizeof *p);
	const uint64_t bytes = o->hi - o->lo;
	uint16_t to[MAP_ROWS];

	flush(core);
	if (!p) {
		o->lost = true;
		return;
	}
	p->shift = PIECE_SHIFT;
	while (bytes >> p->shift >= MAP_ROWS / 2)
		p->shift++;
	for (uint32_t i = 0; i < MAP_ROWS; i++)
		to[i] = (uint16_t)piece_row(p,
			(o->lo + (uint64_t)((i + 0.5) / o->scale)) >> p->shift);
	if (rearrange(core, core->maps->table[core->maps->used].room, 0,
	    (uint32_t)(o - core->maps->object), to))
		o->pieces = p;
}

/* --- structures ------------------------------------------------------------------------------- */

/* The entry of an object, which may be free. */
static struct sim_map_object *object_at(struct sim_maps *m, uint32_t object)
{
	uint32_t slot = object * UINT32_C(0x9e3779b1) >> 23;

	while (m->object[slot].hi && m->object[slot].object != object)
		slot = (slot + 1) % MAP_OBJECTS;
	return &m->object[slot];
}

uint32_t sim_maps_object(struct sim_core *core, void *asker, uint64_t address, uint32_t object)
{
	struct sim_maps *m = core->maps;
	struct sim_map_object *o = object_at(m, object);
	uint64_t lo, hi;

	if (o->hi)
		return o->lost ? NO_ROOM : (uint32_t)(o - m->object);
	if (!core->sim->env->range(asker, address, &lo, &hi))
		return NO_NUMBER;
	if (m->nobjects == OBJECTS_MOST)
		return NO_ROOM;
	m->nobjects++;
	*o = (struct sim_map_object){ .lo = lo, .hi = hi, .scale = MAP_ROWS / (double)(hi - lo),
		.object = object };
	return (uint32_t)(o - m->object);
}

/* The row of an address beyond the first block, or of one of several. */
static __attribute__((noinline)) uint32_t row_of_several(struct sim_core *core, uint32_t number,
	uint64_t address)
{
	struct sim_map_object *o = &core->maps->object[number];
	uint32_t row = MAP_ROWS;

	if (!o->pieces && !o->lost && !core->maps->full)
		becomes_several(core, o);
	while (o->pieces && !core->maps->full &&
	       (row = piece_row(o->pieces, address >> o->pieces->shift)) == MAP_ROWS)
		pieces_widen(core, number);
	return row;
}

/* The row of an address in its only block. */
static inline uint32_t row_in(const struct sim_map_object *o, uint64_t address)
{
	return (uint32_t)(((double)(int64_t)(address - o->lo) + 0.5) * o->scale);
}

/* The row of a program's address; MAP_ROWS: none. */
static inline uint32_t row_of(struct sim_core *core, uint32_t number, uint64_t address)
{
	const struct sim_map_object *o = &core->maps->object[number];

	if (unlikely(o->pieces || address - o->lo >= o->hi - o->lo))
		return row_of_several(core, number, address);
	return row_in(o, address);
}

void sim_maps_add(struct sim_core *core, uint32_t number, uint64_t address, uint64_t position,
	const uint32_t n[MAP_FIELDS])
{
	const uint32_t row = position < POSITION_MOST ? row_of(core, number,
		address & ADDRESS_MASK) : MAP_ROWS;

	if (row < MAP_ROWS)
		count(core, number, row, position, n);
	else
		core->maps->left_out++;
}

/* --- misses ----------------------------------------------------------------------------------- */

/* What is known of a normalised page: a word that may be 0; NULL: no memory, or a
 * page beyond the last block. */
static uint64_t *page_at(struct sim_core *core, uint64_t page)
{
	uint64_t **block;

	if (page / MAP_PAGES >= MAP_PAGE_BLOCKS)
		return NULL;
	block = &core->maps->page[page / MAP_PAGES];
	if (!*block)
		*block = core->sim->env->get(MAP_PAGES * sizeof **block);
	return *block ? &(*block)[page % MAP_PAGES] : NULL;
}

/* whole: all of the page is this object's. */
static void note_page(struct sim_core *core, uint64_t page, uint64_t number, uint64_t delta,
	bool whole)
{
	uint64_t *word = page_at(core, page);

	if (!word)
		return;
	if (!whole && *word && *word >> ADDRESS_BITS != number + 1)
		number = SEVERAL_NUMBERS;
	*word = (number + 1) << ADDRESS_BITS | (-delta & ADDRESS_MASK);
}

/* The word of a normalised page; 0: nothing is known of it. */
static inline uint64_t page_word(const struct sim_maps *m, uint64_t page)
{
	const uint64_t *block = likely(page / MAP_PAGES < MAP_PAGE_BLOCKS) ?
		m->page[page / MAP_PAGES] : NULL;

	return likely(block != NULL) ? block[page % MAP_PAGES] : 0;
}

/* The page of an address is known to be this object's, or to be several objects'. */
static inline bool page_is_known(const struct sim_maps *m, uint64_t address,
	const struct sim_place *at)
{
	const uint64_t word = page_word(m, (address + at->delta) >> m->page_shift),
		number = (word >> ADDRESS_BITS) - 1;

	return ((word + at->delta) & ADDRESS_MASK) == 0 && (at->delta & (m->page_bytes - 1)) == 0 &&
		number <= NO_ROOM &&
		(number >= MAP_OBJECTS || m->object[number].object == at->object);
}

/* All pages of the place: a translation may be of more of them than that of the address. */
void sim_maps_place(struct sim_core *core, void *asker, uint64_t address,
	const struct sim_place *at)
{
	const struct sim_maps *m = core->maps;
	const uint64_t first = (at->lo + at->delta) >> m->page_shift,
		last = (at->hi - 1 + at->delta) >> m->page_shift;
	uint32_t number;

	if (page_is_known(m, address, at))
		return;
	number = sim_maps_object(core, asker, address, at->object);
	for (uint64_t page = first; page <= last && !m->wide; page++) {
		const uint64_t lo = page << m->page_shift, hi = lo + m->page_bytes;

		note_page(core, page, number, at->delta, lo >= at->lo + at->delta &&
			hi <= at->hi + at->delta);
	}
}

bool sim_maps_where(const struct sim_maps *m, uint64_t normalised, uint64_t *address,
	const struct sim_map_object **of)
{
	const uint64_t word = page_word(m, normalised >> m->page_shift),
		number = (word >> ADDRESS_BITS) - 1;

	*address = (normalised + word) & ADDRESS_MASK;
	*of = number < MAP_OBJECTS ? &m->object[number] : NULL;
	return *of ? !(*of)->lost : number == SEVERAL_NUMBERS;
}

const struct sim_map_object *sim_maps_entry(const struct sim_maps *m, uint32_t object)
{
	const struct sim_map_object *o = object_at((struct sim_maps *)(uintptr_t)m, object);

	return o->hi && !o->lost ? o : NULL;
}

/* The number of the object that a miss is of, where its page does not tell.
 * NO_NUMBER: it has no rows. */
static uint32_t number_of_cell(struct sim_maps *m, const struct sim_cell *cell)
{
	const struct sim_map_object *o = object_at(m, (uint32_t)cell->key);

	if (o->hi)
		return o->lost ? NO_ROOM : (uint32_t)(o - m->object);
	return m->nobjects == OBJECTS_MOST ? NO_ROOM : NO_NUMBER;
}

/* Adds to the misses of a row: n in the lower half, of the nearest level, or in the
 * upper half, of the last. */
static inline void add_missed(struct sim_maps *m, uint32_t row, uint64_t n)
{
	const uint64_t before = m->missed[row];

	if (unlikely(!before))
		m->row_missed[m->nmissed++] = row;
	m->missed[row] = before + n;
}

/* A miss at a program's address.  number: of its page, UINT64_MAX if nothing is known of that. */
static __attribute__((noinline)) void miss_elsewhere(struct sim_core *core, uint64_t address,
	const struct sim_cell *cell, uint64_t number, uint64_t n)
{
	struct sim_maps *m = core->maps;
	uint32_t row = MAP_ROWS;

	if (number == SEVERAL_NUMBERS || m->wide)
		number = number_of_cell(m, cell);
	if (number == NO_NUMBER)
		return;
	if (number < MAP_OBJECTS)
		row = row_of(core, (uint32_t)number, address);
	if (row < MAP_ROWS)
		add_missed(m, (uint32_t)number * MAP_ROWS + row, n);
	else
		m->left_out++;
}

static inline void miss(struct sim_core *core, uint64_t first, const struct sim_cell *cell,
	uint64_t n)
{
	struct sim_maps *m = core->maps;
	const uint64_t word = page_word(m, first >> m->page_shift);
	const uint64_t address = (first + word) & ADDRESS_MASK, number = (word >> ADDRESS_BITS) - 1;
	const struct sim_map_object *o = likely(number < MAP_OBJECTS) ? &m->object[number] : NULL;

	if (likely(o && !o->pieces && address - o->lo < o->hi - o->lo))
		add_missed(m, (uint32_t)number * MAP_ROWS + row_in(o, address), n);
	else
		miss_elsewhere(core, address, cell, number, n);
}

/* The distance to the next miss that is counted, of about one in `most`. */
static inline uint32_t miss_gap(struct sim_maps *m, uint32_t most)
{
	return sim_gap(&m->random, 2 * most - 2) - most + 2;
}

void sim_maps_recur(struct sim_core *core, uint64_t first, const struct sim_cell *cell, uint64_t n)
{
	struct sim_maps *m = core->maps;
	uint64_t counted;

	if (m->skip_recurring >= n) {
		m->skip_recurring -= (uint32_t)n;
		return;
	}
	counted = 1 + (n - m->skip_recurring - 1) / MAP_RECURRING;
	m->skip_recurring = miss_gap(m, MAP_RECURRING) - 1;
	miss(core, first, cell, (uint32_t)(counted * MAP_RECURRING));
}

void sim_maps_last(struct sim_core *core, uint64_t first, const struct sim_cell *cell)
{
	struct sim_maps *m = core->maps;

	if (m->skip_last) {
		m->skip_last--;
		return;
	}
	m->skip_last = miss_gap(m, MAP_MISSES) - 1;
	miss(core, first, cell, (uint64_t)MAP_MISSES << 32);
}

void sim_maps_misses(struct sim_core *core, const struct sim_miss *queued, uint32_t n)
{
	struct sim_maps *m = core->maps;
	const struct sim_miss *end = queued + n;

	for (queued += m->skip; queued < end; queued += miss_gap(m, MAP_MISSES))
		if (!(queued->class & SIM_TOUCH))
			miss(core, queued->first, queued->site->cell, MAP_MISSES);
	m->skip = (uint32_t)(queued - end);
}

/* --- records that are drawn ------------------------------------------------------------------- */

static uint64_t position_of(const struct sim_core *core)
{
	return core->records + core->warmed + core->ranged - core->maps->begun;
}

uint64_t sim_maps_room(const struct sim_core *core)
{
	const uint64_t column = core->border - core->records, position = position_of(core);
	const uint64_t record = core->maps->due > position ? core->maps->due - position : 0;

	return record < column ? record : column;
}

void sim_maps_note(struct sim_core *core, const uint64_t *at, uint32_t context, uint64_t iterated)
{
	struct sim_maps *m = core->maps;
	const uint64_t position = position_of(core), due = m->due;

	if (position > due)
		m->due = position + sim_gap_any(&m->random, MAP_ACCESSES);
	else if (iterated < MAP_ACCESSES)
		return;
	if (m->nnotes == MAP_NOTES)
		m->left_out++;
	else
		m->note[m->nnotes++] = (struct sim_map_note){ at, position, context };
}

/* --- begin ------------------------------------------------------------------------------------ */

void sim_maps_begin(struct sim_core *core, uint64_t width)
{
	const struct sim *s = core->sim;
	struct sim_maps *m = s->maps && s->env->range ? s->env->get(sizeof *m) : NULL;

	if (m)
		m->table[0] =
			(struct sim_map_table){ s->env->get(MAP_COUNTS_FIRST *
			sizeof *m->table->count), MAP_COUNTS_FIRST };
	if (!m || !m->table[0].count)
		return;
	m->width = width;
	m->begun = core->records + core->warmed + core->ranged;
	m->wide = s->wide;
	m->page_shift = s->page < PAGE_SHIFT ? s->page : PAGE_SHIFT;
	m->page_bytes = UINT64_C(1) << m->page_shift;
	m->due = sim_gap_any(&m->random, MAP_ACCESSES);
	core->maps = core->drawn = m;
}
