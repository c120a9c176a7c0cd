/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts, by row of the drawn structures, how threads share the lines of
 * the coherence directory. */
#include "monitor/collect/use_rows.h"
#include "monitor/address/address_map.h"
#include "monitor/address/page_numbers.h"

enum { LINES = 64, ROOM = 2 * MON_USES };

/* Rows by place: an open hash in the experiment's memory. */
static struct {
	const struct sim_maps *maps[MON_THREADS];
	uint32_t nmaps, nrows;
	uint64_t lines;                 /* counted, or without room */
	bool full;
	struct mon_use *row;            /* of ROOM; bytes 0: free */
} uses;

void use_rows_begin(void)
{
	uses.nmaps = uses.nrows = 0;
	uses.lines = 0;
	uses.full = false;
	uses.row = pscm_experiment_memory(ROOM * sizeof *uses.row);
}

void use_rows_maps(const struct sim_maps *maps)
{
	if (uses.nmaps < MON_THREADS)
		uses.maps[uses.nmaps++] = maps;
}

/* The row of an object's address, without its counts. */
static struct mon_use place_of(const struct sim_map_object *o, uint64_t address)
{
	struct mon_use out = { .object = o->object, .lo = o->lo, .bytes = o->hi - o->lo };
	const uint32_t shift = o->pieces ? o->pieces->shift : 12;

	if (!o->pieces && address - o->lo < out.bytes) {
		out.row = (uint32_t)((double)(address - o->lo) * MON_MAP_ROWS / (double)out.bytes);
		return out;
	}
	out.row = MON_MAP_ROWS;
	out.lo = address >> shift << shift;
	out.bytes = UINT64_C(1) << shift;
	return out;
}

/* The entry of a row, which may be new; NULL: there is no room. */
static struct mon_use *entry_of(const struct mon_use *place)
{
	uint64_t at = ((place->lo >> 4) * 31 + place->row * UINT64_C(7919) + place->object) *
		UINT64_C(0x9e3779b97f4a7c15) >> 40;

	for (;; at++) {
		struct mon_use *r = &uses.row[at % ROOM];

		if (r->bytes && (r->object != place->object || r->row != place->row ||
		    r->lo != place->lo))
			continue;
		if (!r->bytes && uses.nrows == MON_USES) {
			uses.full = true;
			return NULL;
		}
		uses.nrows += !r->bytes;
		if (!r->bytes)
			*r = *place;
		return r;
	}
}

static enum mon_line_use kind_of(const struct share_use *use, uint64_t bit)
{
	if (!(use->many & bit))
		return MON_USE_ONE;
	if (!(use->wrote & bit))
		return MON_USE_READ;
	return use->writers & bit ? MON_USE_WRITTEN : MON_USE_ONE_WRITES;
}

/* The object at an address in a page of several; NULL: none that is drawn. */
static const struct sim_map_object *object_at(const struct sim_maps *m, uint64_t address)
{
	struct pscm_span s;

	pscm_address_map_find(address, &s);
	return sim_maps_entry(m, s.object);
}

/* Counts a line of whose page these maps know where it lies; false: they do not. */
static bool count_line(const struct sim_maps *m, uint64_t normalised, enum mon_line_use kind)
{
	const struct sim_map_object *of;
	struct mon_use place, *row;
	uint64_t address;

	if (!sim_maps_where(m, normalised, &address, &of))
		return false;
	if (!of)
		of = object_at(m, address);
	if (!of)
		return true;
	place = place_of(of, address);
	uses.lines++;
	row = entry_of(&place);
	if (row)
		row->lines[kind]++;
	return true;
}

void use_rows_page(void *unused, const struct share_use *use)
{
	(void)unused;
	for (uint32_t k = 0; k < LINES && uses.row; k++) {
		const uint64_t bit = UINT64_C(1) << k;

		if (!(use->touched & bit))
			continue;
		for (uint32_t i = 0; i < uses.nmaps; i++)
			if (count_line(uses.maps[i], use->first + (uint64_t)k * use->line,
			    kind_of(use, bit)))
				break;
	}
}

/* With too many rows none is written: the verdicts on a structure are of all its lines. */
void use_rows_write(struct pscm_armed *a)
{
	a->request->undrawn += uses.full ? uses.lines : 0;
	for (uint32_t i = 0; uses.row && !uses.full && i < ROOM; i++) {
		struct mon_use *row = uses.row[i].bytes ? pscm_row_uses(a) : NULL;

		if (row)
			*row = uses.row[i];
	}
}
