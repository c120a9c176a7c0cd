/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums misses by source line. */
#include "config.h"
#include "foreign/result_sites.h"

#include <stdlib.h>

static struct {
	struct mon_site *row;
	uint32_t n, room;
} sites;

void result_sites_begin(void)
{
	sites.n = 0;
}

void result_sites_end(void)
{
	free(sites.row);
	sites.row = NULL;
	sites.n = sites.room = 0;
}

static struct mon_site *add(const struct mon_count_row *r, uint32_t line)
{
	if (sites.n == sites.room) {
		const uint32_t room = sites.room ? 2 * sites.room : 1024;
		struct mon_site *more = realloc(sites.row, room * sizeof *more);

		if (!more)
			return NULL;
		sites.row = more;
		sites.room = room;
	}
	sites.row[sites.n] = (struct mon_site){ .context = r->context, .object = r->object,
		.line = line };
	return &sites.row[sites.n++];
}

/* A site's part of the misses of its row, taken out of the rest. */
static uint64_t take(uint64_t *rest, uint64_t site, uint64_t cell, uint64_t row)
{
	uint64_t n = cell ? (uint64_t)((double)site / (double)cell * (double)row) : 0;

	if (n > *rest)
		n = *rest;
	*rest -= n;
	return n;
}

uint32_t result_sites_add(const struct sim_core *core, uint32_t cell, const struct mon_count_row *r)
{
	const struct sim_cell *c = &core->cells[cell];
	const uint32_t last = core->nlevels - 1;
	uint64_t rest[2] = { r->load_miss[0] + r->store_miss[0],
		r->load_miss[last] + r->store_miss[last] };
	const uint64_t row[2] = { rest[0], rest[1] };
	struct mon_site *site;

	if (!(rest[0] | rest[1]))
		return MON_DROP_NONE;
	for (uint32_t i = core->sites->rest[cell].next; i; i = core->sites->site[i - 1].next) {
		const struct sim_site *s = &core->sites->site[i - 1];

		site = add(r, s->line);
		if (!site)
			return MON_DROP_MEMORY;
		site->first = take(&rest[0], s->first, c->miss[0][0] + c->miss[0][1], row[0]);
		site->last = take(&rest[1], s->last, c->miss[last][0] + c->miss[last][1], row[1]);
	}
	site = add(r, 0);
	if (!site)
		return MON_DROP_MEMORY;
	site->first = rest[0];
	site->last = rest[1];
	return MON_DROP_NONE;
}

static int by_place(const void *a, const void *b)
{
	const struct mon_site *x = a, *y = b;

	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* A miss of the last level costs about as much as 30 of the first (report/words/sites.c). */
static uint64_t weight(const struct mon_site *s)
{
	return s->first + 30 * s->last;
}

/* Lines without a number stay first: they take what does not fit. */
static int by_weight(const void *a, const void *b)
{
	const struct mon_site *x = a, *y = b;

	if (!x->line || !y->line)
		return x->line ? 1 : -1;
	return weight(x) > weight(y) ? -1 : weight(x) < weight(y);
}

static uint32_t merge(void)
{
	uint32_t n = 0;

	if (sites.n)
		qsort(sites.row, sites.n, sizeof *sites.row, by_place);
	for (uint32_t i = 0; i < sites.n; i++) {
		if (n && by_place(&sites.row[n - 1], &sites.row[i]) == 0) {
			sites.row[n - 1].first += sites.row[i].first;
			sites.row[n - 1].last += sites.row[i].last;
		} else {
			sites.row[n++] = sites.row[i];
		}
	}
	return n;
}

/* Writes n lines of a context and object, of which the first is line 0. */
static uint32_t write_some(struct mon_site *row, uint32_t n, struct mon_site *out, uint32_t room)
{
	uint32_t wrote = 0;

	qsort(row, n, sizeof *row, by_weight);
	for (uint32_t i = MON_SITES_EACH + 1; i < n; i++) {
		row[0].first += row[i].first;
		row[0].last += row[i].last;
	}
	for (uint32_t i = 0; i < n && i <= MON_SITES_EACH && wrote < room; i++)
		if (row[i].first | row[i].last)
			out[wrote++] = row[i];
	return wrote;
}

uint32_t result_sites_write(struct mon_site out[MON_SITES])
{
	const uint32_t n = merge();
	uint32_t wrote = 0;

	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && sites.row[end].context == sites.row[i].context &&
		     sites.row[end].object == sites.row[i].object; )
			end++;
		wrote += write_some(sites.row + i, end - i, out + wrote, MON_SITES - wrote);
	}
	return wrote;
}
