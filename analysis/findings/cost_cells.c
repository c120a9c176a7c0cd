/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides the cost cells of a process among its findings: what memory costs,
 * and what page faults cost. */
#include "analysis/findings/cost_cells.h"

#include <math.h>
#include <stdlib.h>


struct cell { double value, low, high, number; };

struct claim {                  /* a finding, and the cells that its counts have */
	struct report_finding *f;
	const struct cost_place *place;
	struct cell sum;        /* of its cells, s and number */
};

struct division {
	const struct measurements *measured;
	struct claim *claim;
	uint32_t n;
	bool faults;            /* divides page faults; else memory */
};

static struct cell cell_of(const struct division *d, const struct tally_estimate *e)
{
	return d->faults ? (struct cell){ e->fault_time, e->fault_low, e->fault_high, e->faults } :
		(struct cell){ e->stall, e->low, e->high, 0 };
}

static void cell_add(struct cell *a, const struct cell *b, double by)
{
	a->value += by * b->value;
	a->low += by * b->low;
	a->high += by * b->high;
	a->number += by * b->number;
}

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

/* Counts are of a context with those inside: what this one has is not the own cost of the one
 * around it. */
static void divide(const struct division *d, uint32_t context, uint32_t object,
	const struct cell *cost)
{
	uint32_t around = d->measured->contexts[context].parent;
	struct claim *here = owner(d, context, object);
	struct claim *there = around == NO_CONTEXT ? NULL : owner(d, around, object);

	if (here == there)
		return;
	if (here)
		cell_add(&here->sum, cost, 1);
	if (there)
		cell_add(&there->sum, cost, -1);
}

static void divide_context(const struct division *d, uint32_t context)
{
	uint32_t *objects, n = measured_objects_of(d->measured, context, &objects);
	struct cell rest, one;
	struct tally t;

	if (!measured_tally(d->measured, context, MON_ANY, &t)) {
		free(objects);
		return;
	}
	rest = cell_of(d, &t.estimate);
	for (uint32_t i = 0; i < n; i++) {
		if (!measured_tally(d->measured, context, objects[i], &t))
			continue;
		one = cell_of(d, &t.estimate);
		divide(d, context, objects[i], &one);
		cell_add(&rest, &one, -1);
	}
	divide(d, context, MON_ANY, &rest);
	free(objects);
}

/* A difference of rounded figures may be less than 0. */
static double least_zero(double v)
{
	return v < 0 ? 0 : v;
}

static void set_memory(struct report_finding *f, const struct cell *sum, double base)
{
	f->own_stall_share = least_zero(sum->value / base);
	f->own_stall_low_share = least_zero(sum->low / base);
	f->own_stall_high_share = least_zero(sum->high / base);
}

static void set_faults(struct report_finding *f, const struct cell *sum, double base)
{
	f->fault_share = least_zero(sum->value / base);
	f->fault_low_share = least_zero(sum->low / base);
	f->fault_high_share = least_zero(sum->high / base);
	f->page_faults = least_zero(sum->number);
}

static bool claims(const struct division *d, const struct report_finding *f)
{
	return d->faults ? f->about == ABOUT_FAULTS : report_about_memory(f) &&
		!isnan(f->est_stall_share);
}

/* The findings of which the division is, none of which has a cell yet. */
static void claim(struct division *d, struct report *r, const struct cost_place *places)
{
	d->n = 0;
	for (int i = 0; i < r->nfindings; i++)
		if (claims(d, &r->findings[i]))
			d->claim[d->n++] = (struct claim){ &r->findings[i], &places[i],
				{ 0, 0, 0, 0 } };
	for (uint32_t i = 0; d->n && i < d->measured->ncontexts; i++)
		divide_context(d, i);
}

int findings_divide(const struct measurements *measured, struct report *r,
	const struct cost_place *places, double base)
{
	struct division d = { .measured = measured,
		.claim = calloc((size_t)r->nfindings + 1, sizeof *d.claim) };

	if (!d.claim)
		return -1;
	for (int i = 0; i < r->nfindings; i++) {
		struct report_finding *f = &r->findings[i];

		f->own_stall_share = f->own_stall_low_share = f->own_stall_high_share = NAN;
		f->fault_share = f->fault_low_share = f->fault_high_share = f->page_faults = NAN;
	}
	claim(&d, r, places);
	for (uint32_t i = 0; i < d.n; i++)
		set_memory(d.claim[i].f, &d.claim[i].sum, base);
	d.faults = true;
	claim(&d, r, places);
	for (uint32_t i = 0; i < d.n; i++)
		set_faults(d.claim[i].f, &d.claim[i].sum, base);
	free(d.claim);
	return 0;
}
