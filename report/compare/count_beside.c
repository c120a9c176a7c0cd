/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins what two collectors counted of one program (--collector A,B), structure by structure. */
#include "report/compare/count_beside.h"

#include <math.h>
#include <stdlib.h>

#include "base/text_same.h"
#include "report/model/figures.h"

/* The costs of a name in the whole phase: structures of one name together, since collectors may
 * tell their scopes apart in different ways. */
struct sum {
	char *name;                     /* owned; without lines; NULL: all memory */
	struct report_cost cost;        /* strings of the first of them */
};

struct sums {
	struct sum *sum;                /* owned, by name: all memory is first */
	int n, levels;
	double base;                    /* s that estimates are shares of */
};

static int by_name(const void *a, const void *b)
{
	return text_compare(((const struct sum *)a)->name, ((const struct sum *)b)->name);
}

static void sums_free(struct sums *s)
{
	for (int i = 0; i < s->n; i++)
		free(s->sum[i].name);
	free(s->sum);
}

/* Adds up those of one name, which stand one behind the other. */
static void join(struct sums *s)
{
	int kept = 0;

	for (int i = 1; i < s->n; i++) {
		if (text_same(s->sum[kept].name, s->sum[i].name)) {
			report_cost_add(&s->sum[kept].cost, &s->sum[i].cost);
			free(s->sum[i].name);
		} else {
			s->sum[++kept] = s->sum[i];
		}
	}
	s->n = s->n ? kept + 1 : 0;
}

/* 0; -1: memory, in which case there is nothing to free. */
static int sums_make(struct sums *s, const struct report *r)
{
	*s = (struct sums){ .sum = calloc((size_t)r->ncosts + 1, sizeof *s->sum),
		.base = report_base_time(r) };
	for (int i = 0; s->sum && i < r->ncosts &&
	     text_same(r->costs[i].region, r->costs[0].region); i++) {
		struct buf name = BUF_INIT;

		if (r->costs[i].structure)
			report_key_name(&name, r->costs[i].structure);
		s->sum[s->n++] = (struct sum){ buf_take(&name), r->costs[i] };
		if (r->costs[i].structure && !s->sum[s->n - 1].name) {
			sums_free(s);
			return -1;
		}
	}
	if (!s->sum)
		return -1;
	if (s->n)
		qsort(s->sum, (size_t)s->n, sizeof *s->sum, by_name);
	join(s);
	while (s->n && s->levels < REPORT_LEVELS && !isnan(s->sum[0].cost.misses[s->levels]))
		s->levels++;
	return 0;
}

/* --- figures ---------------------------------------------------------------------------------- */

static struct report_count count_of(const struct sums *s, const struct report_cost *c)
{
	const int last = s->levels - 1;

	if (!c || last < 0)
		return (struct report_count){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	return (struct report_count){
		.access_share = c->accesses / s->sum[0].cost.accesses,
		.first_rate = c->misses[0] / c->accesses,
		.last_rate = c->misses[last] / c->accesses,
		.first_error = c->errors[0] / c->accesses,
		.last_error = c->errors[last] / c->accesses,
		.coherence_rate = c->coherence / c->accesses,
		.stall = c->est_stall / s->base,
		.low = c->est_stall_low / s->base, .high = c->est_stall_high / s->base };
}

/* Beyond both errors, and beyond what is called alike; not where one is not known. */
static bool rate_differs(double a, double a_error, double b, double b_error)
{
	const double by = fabs(a - b);

	return by > REPORT_ALIKE &&
		by > (isnan(a_error) ? 0 : a_error) + (isnan(b_error) ? 0 : b_error);
}

static void judge(struct report_counted *c)
{
	const struct report_count *a = &c->one, *b = &c->other;

	c->rates_differ = rate_differs(a->first_rate, a->first_error, b->first_rate,
		b->first_error) ||
		rate_differs(a->last_rate, a->last_error, b->last_rate, b->last_error) ||
		rate_differs(a->coherence_rate, NAN, b->coherence_rate, NAN);
	c->stalls_differ = fabs(a->stall - b->stall) > REPORT_ALIKE &&
		((a->stall < b->low && b->stall > a->high) ||
		(a->stall > b->high && b->stall < a->low));
}

static int by_cost(const void *a, const void *b)
{
	return report_counted_compare(a, b);
}

static bool matters(const struct report_count *c)
{
	return c->access_share >= REPORT_COUNTED_LEAST || c->stall >= REPORT_COUNTED_LEAST;
}

/* One row: a, b are the same structure; NULL: that collector does not know it. */
static int put(struct report *r, const struct sums *one, const struct sum *a,
	const struct sums *other, const struct sum *b)
{
	const struct report_cost *names = a ? &a->cost : &b->cost;
	struct report_counted row = {
		.one = count_of(one, a ? &a->cost : NULL),
		.other = count_of(other, b ? &b->cost : NULL) };

	if (!matters(&row.one) && !matters(&row.other))
		return 0;
	row.structure = names->structure ? arena_strdup(r->arena, names->structure) : NULL;
	row.scope = names->scope ? arena_strdup(r->arena, names->scope) : NULL;
	row.declared = names->declared ? arena_strdup(r->arena, names->declared) : NULL;
	judge(&row);
	r->counted[r->ncounted++] = row;
	return (names->structure && !row.structure) || (names->scope && !row.scope) ||
		(names->declared && !row.declared) ? -1 : 0;
}

static int put_all(struct report *r, const struct sums *one, const struct sums *other)
{
	int rc = 0;

	r->counted = arena_array(r->arena, (size_t)(one->n + other->n) + 1, sizeof *r->counted);
	if (!r->counted)
		return -1;
	for (int i = 0, k = 0; (i < one->n || k < other->n) && !rc;) {
		const struct sum *a = i < one->n ? &one->sum[i] : NULL,
			*b = k < other->n ? &other->sum[k] : NULL;
		const int order = !a ? 1 : !b ? -1 : by_name(a, b);

		rc = put(r, one, order <= 0 ? a : NULL, other, order >= 0 ? b : NULL);
		i += order <= 0;
		k += order >= 0;
	}
	if (r->ncounted > 1)
		qsort(r->counted, (size_t)r->ncounted, sizeof *r->counted, by_cost);
	return rc;
}

int count_beside(struct report *r, const char *collector, const struct report *other,
	const char *other_collector)
{
	struct sums one, two;
	int rc;

	r->collector = arena_strdup(r->arena, collector);
	r->other_collector = arena_strdup(r->arena, other_collector);
	r->other_source = arena_strdup(r->arena, other->counts_source ? other->counts_source : "");
	if (!r->collector || !r->other_collector || !r->other_source || sums_make(&one, r))
		return -1;
	if (sums_make(&two, other)) {
		sums_free(&one);
		return -1;
	}
	rc = put_all(r, &one, &two);
	sums_free(&one);
	sums_free(&two);
	return rc;
}
