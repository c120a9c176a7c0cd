/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides the cost cells of a process among its findings about memory. */
#include "analysis/findings/cost_cells.h"

#include <math.h>
#include <stdlib.h>


struct claim {                  /* a finding, and the cells that its counts have */
	struct report_finding *f;
	const struct cost_place *place;
};

struct division {
	const struct measurements *measured;
	struct claim *claim;
	uint32_t n;
	double base;
};

static bool covers(const struct division *d, const struct claim *c, uint32_t context)
{
	bool in = measured_within(d->measured, context, c->place->context);

	for (uint32_t i = 0; i < c->place->nless && in; i++)
		in = !measured_within(d->measured, context, c->place->less[i]);
	return in;
}

/* True: a is in a context inside that of b; in the same one, it stands before b in the report. */
static bool goes_before(const struct division *d, const struct claim *a, const struct claim *b)
{
	if (a->place->context != b->place->context)
		return measured_within(d->measured, a->place->context, b->place->context);
	return report_finding_compare(a->f, b->f) < 0;
}

/* The owner of a cell; object MON_ANY: of what no structure has.  NULL: none. */
static struct claim *owner(const struct division *d, uint32_t context, uint32_t object)
{
	struct claim *best = NULL;

	for (uint32_t i = 0; i < d->n; i++) {
		struct claim *c = &d->claim[i];

		if (c->place->object == object && covers(d, c, context) &&
		    (!best || goes_before(d, c, best)))
			best = c;
	}
	return best || object == MON_ANY ? best : owner(d, context, MON_ANY);
}

static void give(const struct division *d, struct claim *to, const struct tally_estimate *cost,
	double sign)
{
	if (!to)
		return;
	to->f->own_stall_share += sign * cost->stall / d->base;
	to->f->own_stall_low_share += sign * cost->low / d->base;
	to->f->own_stall_high_share += sign * cost->high / d->base;
}

/* Counts are of a context with those inside: what this one has is not the own cost of the one
 * around it. */
static void divide(const struct division *d, uint32_t context, uint32_t object,
	const struct tally_estimate *cost)
{
	uint32_t around = d->measured->contexts[context].parent;
	struct claim *here = owner(d, context, object);
	struct claim *there = around == NO_CONTEXT ? NULL : owner(d, around, object);

	if (here == there)
		return;
	give(d, here, cost, 1);
	give(d, there, cost, -1);
}

static void divide_context(const struct division *d, uint32_t context)
{
	uint32_t *objects, n = measured_objects_of(d->measured, context, &objects);
	struct tally t;
	struct tally_estimate rest;

	if (!measured_tally(d->measured, context, MON_ANY, &t)) {
		free(objects);
		return;
	}
	rest = t.estimate;
	for (uint32_t i = 0; i < n; i++) {
		if (!measured_tally(d->measured, context, objects[i], &t))
			continue;
		divide(d, context, objects[i], &t.estimate);
		rest.stall -= t.estimate.stall;
		rest.low -= t.estimate.low;
		rest.high -= t.estimate.high;
	}
	divide(d, context, MON_ANY, &rest);
	free(objects);
}

/* A difference of rounded figures may be less than 0. */
static double least_zero(double v)
{
	return v < 0 ? 0 : v;
}

int findings_divide(const struct measurements *measured, struct report *r,
	const struct cost_place *places, double base)
{
	struct division d = { .measured = measured, .base = base,
		.claim = calloc((size_t)r->nfindings + 1, sizeof *d.claim) };

	if (!d.claim)
		return -1;
	for (int i = 0; i < r->nfindings; i++) {
		struct report_finding *f = &r->findings[i];

		f->own_stall_share = f->own_stall_low_share = f->own_stall_high_share = NAN;
		if (!report_about_memory(f) || isnan(f->est_stall_share))
			continue;
		f->own_stall_share = f->own_stall_low_share = f->own_stall_high_share = 0;
		d.claim[d.n++] = (struct claim){ f, &places[i] };
	}
	for (uint32_t i = 0; d.n && i < measured->ncontexts; i++)
		divide_context(&d, i);
	for (uint32_t i = 0; i < d.n; i++) {
		struct report_finding *f = d.claim[i].f;

		f->own_stall_share = least_zero(f->own_stall_share);
		f->own_stall_low_share = least_zero(f->own_stall_low_share);
		f->own_stall_high_share = least_zero(f->own_stall_high_share);
	}
	free(d.claim);
	return 0;
}
