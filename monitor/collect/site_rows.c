/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums misses by source line over the threads; keeps the worst lines of each context and object,
 * and puts the rest in line 0. */
#include "monitor/collect/site_rows.h"
#include "monitor/address/page_numbers.h"
#include "monitor/collect/armed.h"
#include <string.h>

static struct {
	struct mon_site *row;           /* NULL: no memory */
	uint32_t n, room;
	bool known;                     /* some line is */
} sites;

uint32_t site_rows_room(const struct sim_core *core)
{
	return core->sites && core->counting ? core->ncells + core->sites->nsites : 0;
}

void site_rows_begin(uint32_t room)
{
	sites.n = 0;
	sites.known = false;
	sites.row = room ? pscm_experiment_memory(room * sizeof *sites.row) : NULL;
	sites.room = sites.row ? room : 0;
}

/* --- a thread -------------------------------------------------------------------------------- */

static struct mon_site *row_add(const struct mon_count_row *r, uint32_t line)
{
	struct mon_site *row = &sites.row[sites.n++];

	*row = (struct mon_site){ .context = r->context, .object = r->object, .line = line };
	return row;
}

/* Moves a site's part of the misses of its cell, scaled from `cell` to `row`, out of the rest. */
static uint64_t part_take(uint64_t *rest, uint64_t site, uint64_t cell, uint64_t row)
{
	uint64_t n = row == cell ? site : (uint64_t)((double)site * ((double)row / (double)cell));

	if (n > *rest)
		n = *rest;
	*rest -= n;
	return n;
}

void site_rows_cell(const struct sim_core *core, const struct sim_cell *cell,
	const struct mon_count_row *r)
{
	const uint32_t last = core->nlevels - 1;
	const uint64_t first_row = r->load_miss[0] + r->store_miss[0],
		first_cell = cell->miss[0][0] + cell->miss[0][1];
	const uint64_t last_row = r->load_miss[last] + r->store_miss[last];
	const uint64_t last_cell = cell->miss[last][0] + cell->miss[last][1];
	struct mon_site *rest;

	if (!core->sites || sites.n == sites.room || !(first_row | last_row))
		return;
	rest = row_add(r, 0);
	rest->first = first_row;
	rest->last = last_row;
	for (uint32_t i = core->sites->rest[cell - core->cells].next; i && sites.n < sites.room; ) {
		const struct sim_site *s = &core->sites->site[i - 1];
		struct mon_site *row = row_add(r, s->line);

		row->first = part_take(&rest->first, s->first, first_cell, first_row);
		row->last = part_take(&rest->last, s->last, last_cell, last_row);
		sites.known |= row->first || row->last;
		i = s->next;
	}
}

/* --- all threads ----------------------------------------------------------------------------- */

static bool before(const struct mon_site *a, const struct mon_site *b)
{
	if (a->context != b->context)
		return a->context < b->context;
	return a->object != b->object ? a->object < b->object : a->line < b->line;
}

static void sift(struct mon_site *row, uint32_t i, uint32_t n)
{
	const struct mon_site moved = row[i];

	for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n && before(&row[child], &row[child + 1]);
		if (!before(&moved, &row[child]))
			break;
		row[i] = row[child];
	}
	row[i] = moved;
}

/* By context, object and line.  A heap sort: the C library's may allocate. */
static void sort(struct mon_site *row, uint32_t n)
{
	for (uint32_t i = n / 2; i-- > 0; )
		sift(row, i, n);
	for (uint32_t end = n; end-- > 1; ) {
		const struct mon_site last = row[end];

		row[end] = row[0];
		row[0] = last;
		sift(row, 0, end);
	}
}

/* Sums the rows of one line; returns the number of rows left. */
static uint32_t merge(struct mon_site *row, uint32_t n)
{
	uint32_t out = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (out && !before(&row[out - 1], &row[i])) {
			row[out - 1].first += row[i].first;
			row[out - 1].last += row[i].last;
		} else {
			row[out++] = row[i];
		}
	}
	return out;
}

/* A miss of the last level costs about as much as 30 of the first (report/words/sites.c). */
static uint64_t weight(const struct mon_site *s)
{
	return s->first + 30 * s->last;
}

static bool worse(const struct mon_site *a, const struct mon_site *b)
{
	return weight(a) != weight(b) ? weight(a) > weight(b) : a->last > b->last;
}

/* Keeps the worst lines of one context and object.  row[0] has line 0 and takes the others.
 * Returns the number of rows left. */
static uint32_t keep_worst(struct mon_site *row, uint32_t n)
{
	uint32_t kept = 1;

	for (uint32_t i = 1; i < n; i++) {
		const struct mon_site now = row[i];
		uint32_t at = kept;

		if (kept <= MON_SITES_EACH) {
			kept++;
		} else {
			const struct mon_site *out = worse(&now, &row[--at]) ? &row[at] : &now;

			row[0].first += out->first;
			row[0].last += out->last;
			if (out == &now)
				continue;
		}
		for (; at > 1 && worse(&now, &row[at - 1]); at--)
			row[at] = row[at - 1];
		row[at] = now;
	}
	return kept;
}

void site_rows_write(struct pscm_armed *a)
{
	struct mon_site *row = sites.row;
	uint32_t nrows;

	if (!sites.known || a->failed)
		return;
	sort(row, sites.n);
	nrows = merge(row, sites.n);
	for (uint32_t i = 0, end; i < nrows; i = end) {
		uint32_t kept;

		for (end = i; end < nrows && row[end].context == row[i].context &&
		     row[end].object == row[i].object; )
			end++;
		kept = keep_worst(row + i, end - i);
		for (uint32_t k = 0; k < kept; k++) {
			struct mon_site *out;

			if (!(row[i + k].first | row[i + k].last))
				continue;
			out = pscm_row_sites(a);
			if (!out)
				return;
			*out = row[i + k];
		}
	}
}
