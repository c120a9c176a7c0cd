/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes the logs of timelines. */
#include "monitor/client/column_log.h"
#include <stdlib.h>
#include <string.h>

struct columns_reader {
	const struct mon_columns *part;
	uint32_t n;
	uint32_t i, at;         /* of the next byte: part, and place in its log */
	bool bad;
	uint64_t width, position;       /* of columns; where the next one begins */
	enum { BETWEEN, IN_COLUMN, IN_MODULES, IN_SITES } state;
	bool sites;             /* behind the modules */
	uint32_t cell;          /* its number, in a column */
	struct columns_item now;
	struct { uint32_t context, object; } known[TIMELINE_LOG_CELLS];
};

static bool fail(struct columns_reader *r)
{
	r->bad = true;
	return false;
}

/* Moves to the next byte; false: there is none. */
static bool more(struct columns_reader *r)
{
	while (r->i < r->n && r->at >= r->part[r->i].bytes) {
		r->i++;
		r->at = 0;
	}
	return r->i < r->n;
}

static uint64_t number(struct columns_reader *r)
{
	uint64_t n = 0;

	for (uint32_t shift = 0; more(r); shift += 7) {
		const uint8_t byte = r->part[r->i].log[r->at++];

		if (shift > 63 || (shift == 63 && byte > 1))
			break;
		n |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return n;
	}
	r->bad = true;
	return 0;
}

/* A count or a position. */
static uint64_t plausible(struct columns_reader *r)
{
	const uint64_t n = number(r);

	r->bad = r->bad || n >> COLUMNS_BITS;
	return n;
}

static uint32_t number32(struct columns_reader *r)
{
	const uint64_t n = number(r);

	r->bad = r->bad || n > UINT32_MAX;
	return (uint32_t)n;
}

/* Goes on by n columns; false: no execution is so long. */
static bool advance(struct columns_reader *r, uint64_t n)
{
	const uint64_t most = (UINT64_C(1) << COLUMNS_BITS) - r->position;

	if (n > most / r->width)
		return fail(r);
	r->position += n * r->width;
	return true;
}

/* --- items ------------------------------------------------------------------------------------ */

static bool read_site(struct columns_reader *r, struct columns_item *out)
{
	const uint32_t line = number32(r);

	if (r->bad)
		return false;
	if (!line) {
		r->state = IN_COLUMN;
		return false;
	}
	r->now.kind = COLUMNS_SITE;
	r->now.line = line;
	r->now.first = plausible(r);
	r->now.last = plausible(r);
	*out = r->now;
	return !r->bad;
}

static bool read_module(struct columns_reader *r, struct columns_item *out)
{
	const uint32_t module = number32(r);

	if (r->bad || module > TIMELINE_LOG_MODULES)
		return fail(r);
	if (!module) {
		r->state = r->sites ? IN_SITES : IN_COLUMN;
		return false;
	}
	r->now.kind = COLUMNS_MODULE;
	r->now.module = module - 1;
	r->now.last = plausible(r);
	*out = r->now;
	return !r->bad;
}

static void read_counts(struct columns_reader *r, uint64_t mask)
{
	memset(r->now.count, 0, sizeof r->now.count);
	for (uint32_t f = 0; f < TIMELINE_FIELDS; f++)
		if (mask >> (f + TIMELINE_FIRST_FIELD) & 1)
			r->now.count[f] = plausible(r);
}

static bool read_cell(struct columns_reader *r, struct columns_item *out)
{
	const uint64_t gap = number(r);
	uint64_t mask;

	if (r->bad)
		return false;
	if (!gap) {
		r->state = BETWEEN;
		return false;
	}
	mask = number(r);
	if (gap >= TIMELINE_LOG_CELLS - r->cell || mask >> (TIMELINE_FIELDS + TIMELINE_FIRST_FIELD))
		return fail(r);
	r->cell += (uint32_t)gap;
	if (mask & TIMELINE_NEW) {
		r->known[r->cell].context = number32(r);
		r->known[r->cell].object = number32(r);
	}
	r->now.kind = COLUMNS_CELL;
	r->now.context = r->known[r->cell].context;
	r->now.object = r->known[r->cell].object;
	read_counts(r, mask);
	r->sites = mask & TIMELINE_SITES;
	r->state = mask & TIMELINE_MODULES ? IN_MODULES : r->sites ? IN_SITES : IN_COLUMN;
	*out = r->now;
	return !r->bad;
}

static bool begin_column(struct columns_reader *r, uint64_t skipped)
{
	if (!advance(r, skipped))
		return false;
	r->now.from = r->position;
	if (!advance(r, 1))
		return false;
	r->now.to = r->position;
	r->cell = 0;
	r->state = IN_COLUMN;
	return false;
}

static bool read_end(struct columns_reader *r, struct columns_item *out)
{
	*out = (struct columns_item){ .kind = COLUMNS_END };
	out->execution = number32(r);
	out->to = plausible(r);
	r->position = 0;
	return !r->bad;
}

static bool read_mark(struct columns_reader *r, struct columns_item *out)
{
	uint64_t distance;

	*out = (struct columns_item){ .kind = COLUMNS_MARK };
	out->mark = number(r);
	distance = plausible(r);
	out->from = r->position + distance;
	return !r->bad && out->from >> COLUMNS_BITS == 0 ? true : fail(r);
}

/* true: *out is an item; false: go on, unless r->bad. */
static bool read_item(struct columns_reader *r, struct columns_item *out)
{
	const uint64_t kind = number(r);

	if (r->bad)
		return false;
	if (kind == TIMELINE_END)
		return read_end(r, out);
	if (kind == TIMELINE_MARK)
		return read_mark(r, out);
	if (kind >= TIMELINE_COLUMN)
		return begin_column(r, kind - TIMELINE_COLUMN);
	r->width *= 2;
	return r->width >> COLUMNS_BITS ? fail(r) : false;
}

bool columns_next(struct columns_reader *r, struct columns_item *out)
{
	while (!r->bad && (r->state != BETWEEN || more(r)))
		if (r->state == IN_SITES ? read_site(r, out) : r->state == IN_MODULES ?
		    read_module(r, out) : r->state == IN_COLUMN ? read_cell(r, out) :
		    read_item(r, out))
			return true;
	return false;
}

bool columns_whole(const struct columns_reader *r)
{
	return !r->bad && r->i == r->n;
}

void columns_rewind(struct columns_reader *r)
{
	const struct mon_columns *part = r->part;
	const uint32_t n = r->n;

	memset(r, 0, sizeof *r);
	r->part = part;
	r->n = n;
	r->width = n ? part->width : 1;
}

struct columns_reader *columns_open(const struct mon_columns *part, uint32_t n)
{
	struct columns_reader *r = malloc(sizeof *r);

	if (r) {
		r->part = part;
		r->n = n;
		columns_rewind(r);
	}
	return r;
}

void columns_close(struct columns_reader *r)
{
	free(r);
}

uint32_t columns_parts(const struct mon_columns *part, uint32_t n)
{
	uint32_t i = 0;

	while (i < n && part[i].thread == part[0].thread)
		i++;
	return i;
}
