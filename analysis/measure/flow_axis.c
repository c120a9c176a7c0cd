/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays the columns of all threads on one axis. */
#include "analysis/measure/flow_axis.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/use_intervals.h"

bool flow_axis_met(const struct flow_axis *x, uint32_t a, uint32_t b)
{
	return joined_axis_met(&x->joined, a, b);
}

/* --- positions -------------------------------------------------------------------------------- */

/* 0 / -1 (memory). */
static int join(struct flow_axis *x)
{
	const struct columns *c = x->c;
	struct axis_mark *marks = arena_array(x->arena, c->nmarks, sizeof *marks);

	if (!marks)
		return -1;
	for (size_t i = 0; i < c->nmarks; i++)
		marks[i] = (struct axis_mark){ c->mark[i].thread, c->mark[i].number,
			(double)c->mark[i].at };
	return joined_axis_make(&x->joined, x->arena, c->threads, marks, c->nmarks);
}

static double thread_end(const struct flow_axis *x, uint32_t thread)
{
	return joined_axis_at(
		&x->joined, thread, (double)x->columns[thread] * (double)x->c->width, true);
}

static void find_span(struct flow_axis *x)
{
	const struct columns *c = x->c;

	for (size_t i = 0; i < c->ncounts; i++) {
		uint32_t *n = &x->columns[c->count[i].thread];

		*n = c->count[i].column >= *n ? c->count[i].column + 1u : *n;
	}
	x->span = 1;
	for (uint32_t t = 0; t < c->threads; t++)
		x->span = fmax(x->span, thread_end(x, t));
}

/* --- shares ----------------------------------------------------------------------------------- */

/* Adds to the share of a part, which may be the last one of this column.  0 / -1 (memory). */
static int add_share(struct flow_axis *x, size_t begin, uint32_t part, double share)
{
	if (x->nshares > begin && x->share[x->nshares - 1].part == part) {
		x->share[x->nshares - 1].share += share;
		return 0;
	}
	if (x->nshares == x->cap) {
		const size_t cap = x->cap ? 2 * x->cap : 1024;
		struct flow_share *grown = realloc(x->share, cap * sizeof *grown);

		if (!grown)
			return -1;
		x->share = grown;
		x->cap = cap;
	}
	x->share[x->nshares++] = (struct flow_share){ part, share };
	return 0;
}

/* Divides a share of a column among the parts from..to, in parts.  0 / -1 (memory). */
static int add_piece(struct flow_axis *x, size_t begin, double from, double to, double share)
{
	uint32_t first = (uint32_t)fmin(from, FLOW_PARTS - 1),
		last = (uint32_t)fmin(to, FLOW_PARTS - 1);

	if (last > first && (double)last >= to)
		last--;
	for (uint32_t i = first; i <= last; i++) {
		const double of = first == last ? 1 :
			(fmin(to, i + 1.0) - fmax(from, i)) / (to - from);

		if (add_share(x, begin, i, share * of))
			return -1;
	}
	return 0;
}

static int add_column(struct flow_axis *x, uint32_t thread, uint32_t column)
{
	const double width = (double)x->c->width, per = FLOW_PARTS / x->span;
	const double to = (column + 1) * width;
	const size_t begin = x->nshares;

	for (double own = column * width, end; own < to; own = end) {
		const double from = joined_axis_at(&x->joined, thread, own, false);

		end = fmin(joined_axis_next(&x->joined, thread, own), to);
		if (add_piece(x, begin, from * per,
			joined_axis_at(&x->joined, thread, end, true) * per,
				(end - own) / width))
			return -1;
	}
	return 0;
}

static int make_shares(struct flow_axis *x)
{
	const uint32_t n = x->c->n;

	x->share_first = calloc((size_t)x->c->threads * n + 1, sizeof *x->share_first);
	if (!x->share_first)
		return -1;
	for (uint32_t t = 0; t < x->c->threads; t++) {
		for (uint32_t c = 0; c < n; c++) {
			if (c < x->columns[t] && add_column(x, t, c))
				return -1;
			x->share_first[(size_t)t * n + c + 1] = x->nshares;
		}
	}
	return 0;
}

/* --- all -------------------------------------------------------------------------------------- */

int flow_axis_make(struct flow_axis *x, const struct columns *c)
{
	*x = (struct flow_axis){ .c = c,
		.arena = arena_new(),
		.columns = calloc(c->threads + (size_t)1, sizeof *x->columns),
		.span = 1 };
	if (!x->arena || !x->columns || join(x))
		return -1;
	find_span(x);
	return make_shares(x);
}

void flow_axis_free(struct flow_axis *x)
{
	arena_free(x->arena);
	free(x->columns);
	free(x->share);
	free(x->share_first);
}

void flow_axis_spread(const struct flow_axis *x, uint32_t thread, uint32_t column, double value,
	double *parts)
{
	const size_t at = (size_t)thread * x->c->n + column;

	for (size_t i = x->share_first[at]; i < x->share_first[at + 1]; i++)
		parts[x->share[i].part] += value * x->share[i].share;
}
