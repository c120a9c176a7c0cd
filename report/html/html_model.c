/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects what the HTML page shows beside findings: the data structures
 * and the tree of regions. */
#include "report/html/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"

/* --- structures ------------------------------------------------------------------------------- */

int html_structure_named(const struct html *h, const char *name, const char *scope,
	const char *declared)
{
	for (int i = 0; i < h->nstructures; i++) {
		const struct html_structure *s = &h->structures[i];

		if (text_same(s->name, name) && text_same(s->scope, scope) &&
		    text_same(s->declared, declared))
			return i;
	}
	return -1;
}

static int find_structure(const struct html *h, const struct report_finding *f)
{
	const struct report_node *n = report_place(f);

	if (n->type != REGION_DATA_STRUCTURE)
		return -1;
	return html_structure_named(h, report_own_name(n), n->scope, f->declared);
}

int html_structure_of(const struct html *h, const struct report_finding *f)
{
	return h->structure_of[f - h->r->findings];
}

int html_structure_of_cost(const struct html *h, const struct report_cost *c)
{
	return c->structure ? html_structure_named(h, c->structure, c->scope, c->declared) : -1;
}

static void add_finding(struct html *h, const struct report_finding *f)
{
	const struct report_node *n = report_place(f);
	int at = find_structure(h, f);

	if (n->type != REGION_DATA_STRUCTURE)
		return;
	if (at < 0) {
		at = h->nstructures++;
		h->structures[at] = (struct html_structure){ .name = report_own_name(n),
			.scope = n->scope, .declared = f->declared, .share = NAN };
	}
	if (!h->structures[at].first)
		h->structures[at].first = f;
}

/* Structures that cost nothing are left out, unless there is a finding about them. */
static void add_cost(struct html *h, const struct report_cost *c)
{
	double all = report_base_time(h->r);
	int at = html_structure_of_cost(h, c);

	if (at < 0 && !(c->est_stall > 0) && !(isnan(c->est_stall) && c->misses[0] > 0))
		return;
	if (at < 0) {
		at = h->nstructures++;
		h->structures[at] = (struct html_structure){ .name = c->structure,
			.scope = c->scope, .declared = c->declared };
	}
	h->structures[at].whole = c;
	h->structures[at].share = c->est_stall / all;
}

/* The largest first; those without a share last, in the order of their findings. */
static int by_share(const void *pa, const void *pb)
{
	const struct html_structure *a = pa, *b = pb;
	double x = isnan(a->share) ? -1 : a->share, y = isnan(b->share) ? -1 : b->share;

	if (x != y)
		return x > y ? -1 : 1;
	if (a->first != b->first)
		return a->first && (!b->first || a->first < b->first) ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void collect_structures(struct html *h)
{
	for (int i = 0; i < h->r->nfindings; i++)
		add_finding(h, &h->r->findings[i]);
	for (int i = 0; h->nregions && i < h->regions[0].nparts; i++)
		add_cost(h, &h->regions[0].parts[i]);
	if (h->nstructures > 1)
		qsort(h->structures, (size_t)h->nstructures, sizeof *h->structures, by_share);
	for (int i = 0; i < h->r->nfindings; i++)
		h->structure_of[i] = find_structure(h, &h->r->findings[i]);
}

/* --- regions ---------------------------------------------------------------------------------- */

/* Index of the region with that row of the costs; -1: none.  Regions are in
 * the order of their rows. */
static int region_of_row(const struct html *h, int row)
{
	for (int i = h->nregions - 1; i >= 0; i--)
		if (h->regions[i].cost <= &h->r->costs[row])
			return h->regions[i].cost == &h->r->costs[row] ? i : -1;
	return -1;
}

static void add_region(struct html *h, int at)
{
	const struct report *r = h->r;
	const struct report_cost *c = &r->costs[at];
	struct html_region *region = &h->regions[h->nregions];
	int around = report_cost_around(r, at), parent = around < 0 ? -1 : region_of_row(h, around);

	*region = (struct html_region){ .cost = c, .parent = parent, .parts = c + 1 };
	if (parent >= 0) {
		region->depth = h->regions[parent].depth + 1;
		h->regions[parent].nchildren++;
	}
	for (int i = at + 1; i < r->ncosts && r->costs[i].structure &&
	     strcmp(r->costs[i].region, c->region) == 0; i++)
		region->nparts++;
	h->nregions++;
}

static void collect_regions(struct html *h)
{
	const struct report *r = h->r;

	h->nearest = h->level = -1;
	for (int i = 0; i < r->ncosts; i++)
		if (!r->costs[i].structure)
			add_region(h, i);
	for (int l = 0; h->nregions && l < REPORT_LEVELS; l++)
		if (!isnan(h->regions[0].cost->misses[l])) {
			h->nearest = h->nearest < 0 ? l : h->nearest;
			h->level = l;
		}
}

double html_measure(const struct html *h, const struct report_cost *c, enum html_measure m)
{
	switch (m) {
	case HTML_TIME: return c->time;
	case HTML_ESTIMATE: return c->est_stall;
	case HTML_MISSES: return h->level >= 0 ? c->misses[h->level] : NAN;
	default: return NAN;
	}
}

/* The last part of the key: "loop 1" of "ssor.f:ssor/loop 1"; of a function its name. */
static const char *last_name(const char *key)
{
	const char *from = report_key_function(key), *next;

	if ((next = strrchr(from, '/')))
		return next + 1;
	next = strchr(from, ':');
	return next && next[1] ? next + 1 : from;
}

int html_region_of_key(const struct html *h, const char *key)
{
	for (int i = 0; i < h->nregions; i++)
		if (text_same(h->regions[i].cost->region, key))
			return i;
	return -1;
}

void html_region_name(struct html *h, const struct html_region *region)
{
	const struct report_cost *c = region->cost;

	html_put(h, last_name(c->region));
	if (c->file && *c->file) {
		buf_puts(&h->out, " ");
		html_put(h, c->file);
		buf_printf(&h->out, ":%d", c->line);
	}
}

/* --- life ------------------------------------------------------------------------------------- */

int html_collect(struct html *h)
{
	size_t n = (size_t)h->r->ncosts + 1;

	h->structures = calloc((size_t)h->r->nfindings + n, sizeof *h->structures);
	h->regions = calloc(n, sizeof *h->regions);
	h->structure_of = calloc((size_t)h->r->nfindings + 1, sizeof *h->structure_of);
	if (!h->structures || !h->structure_of || !h->regions || html_facts_collect(h)) {
		html_collect_free(h);
		return -1;
	}
	collect_regions(h);
	collect_structures(h);
	return 0;
}

void html_collect_free(struct html *h)
{
	html_facts_free(h);
	free(h->structures);
	free(h->structure_of);
	free(h->regions);
	h->structures = NULL;
	h->structure_of = NULL;
	h->regions = NULL;
}
