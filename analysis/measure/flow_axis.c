/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays the columns of all threads on one axis.  Time and memory are linear in marks, columns and threads. */
#include "analysis/measure/flow_axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/flow.h"
#include "base/by_field.h"

/* --- threads that meet ------------------------------------------------------------------------- */

static uint32_t group_of(const struct flow_axis *x, uint32_t thread)
{
	while (x->met[thread] != thread)
		thread = x->met[thread];
	return thread;
}

bool flow_axis_met(const struct flow_axis *x, uint32_t a, uint32_t b)
{
	return x->met[a] == x->met[b];
}

/* --- marks ------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	const struct column_mark *x = a, *y = b;

	BY(number);
	BY(thread);
	return 0;
}

/* The last knot of a thread of which `known` are there. */
static struct flow_knot *last_knot(const struct flow_axis *x, uint32_t thread, const size_t *known)
{
	return &x->knot[x->first[thread] + known[thread] - 1];
}

/* Adds a knot to each of the n threads that passed a mark, unless it is where the thread's last one is. */
static void join_at(struct flow_axis *x, size_t *known, const struct column_mark *m, size_t n)
{
	double common = 0;

	for (size_t i = 0; i < n; i++) {
		const struct flow_knot *k = last_knot(x, m[i].thread, known);

		common = fmax(common, k->common + fmax(0, (double)m[i].at - k->own));
		x->met[group_of(x, m[i].thread)] = group_of(x, m[0].thread);
	}
	for (size_t i = 0; i < n; i++) {
		struct flow_knot *k = last_knot(x, m[i].thread, known);

		if ((double)m[i].at < k->own || common <= k->common)
			continue;
		k[1] = (struct flow_knot){ (double)m[i].at, common };
		known[m[i].thread]++;
	}
}

static void join_all(struct flow_axis *x, size_t *known, struct column_mark *marks)
{
	const size_t n = x->c->nmarks;

	if (n)
		memcpy(marks, x->c->mark, n * sizeof *marks);
	qsort(marks, n, sizeof *marks, by_number);
	for (size_t i = 0, k; i < n; i += k) {
		for (k = 1; i + k < n && marks[i + k].number == marks[i].number; k++)
			;
		join_at(x, known, marks + i, k);
	}
}

/* Leaves each thread's knots behind one another. */
static void close_gaps(struct flow_axis *x, const size_t *known)
{
	size_t n = 0;

	for (uint32_t t = 0; t < x->c->threads; t++) {
		const size_t from = x->first[t];

		x->first[t] = n;
		for (size_t i = 0; i < known[t]; i++)
			x->knot[n++] = x->knot[from + i];
	}
	x->first[x->c->threads] = n;
}

/* 0 / -1 (memory). */
static int make_knots(struct flow_axis *x)
{
	const struct columns *c = x->c;
	struct column_mark *marks = malloc((c->nmarks + 1) * sizeof *marks);
	size_t *known = malloc((c->threads + (size_t)1) * sizeof *known);
	const bool ok = marks && known;

	if (ok) {
		for (size_t i = 0; i < c->nmarks; i++)
			x->first[c->mark[i].thread + 1]++;
		for (uint32_t t = 0; t < c->threads; t++) {
			x->first[t + 1] += x->first[t] + 1;
			x->met[t] = t;
			known[t] = 1;
		}
		join_all(x, known, marks);
		close_gaps(x, known);
		for (uint32_t t = 0; t < c->threads; t++)
			x->met[t] = group_of(x, t);
	}
	free(marks);
	free(known);
	return ok ? 0 : -1;
}

/* --- positions --------------------------------------------------------------------------------- */

/* The position of the axis at `own`, which lies behind knot k and not behind the next one of the thread. */
static double position(const struct flow_knot *k, const struct flow_knot *end, double own)
{
	return k + 1 == end ? k->common + own - k->own :
		k->common + (own - k->own) * (k[1].common - k->common) / (k[1].own - k->own);
}

/* A walk through a thread's positions in their order. */
struct walk { const struct flow_knot *k, *end; };

/* Goes to the last knot at or before `own`: a thread that waited goes on behind its wait. */
static void walk_to(struct walk *w, double own)
{
	while (w->k + 1 < w->end && w->k[1].own <= own)
		w->k++;
}

static struct walk walk_of(const struct flow_axis *x, uint32_t thread)
{
	return (struct walk){ &x->knot[x->first[thread]], &x->knot[x->first[thread + 1]] };
}

/* The end of the piece that begins at `own`: the next knot, or `to`. */
static double piece_end(const struct walk *w, double to)
{
	return w->k + 1 < w->end && w->k[1].own < to ? w->k[1].own : to;
}

static double thread_end(const struct flow_axis *x, uint32_t thread)
{
	struct walk w = walk_of(x, thread);
	const double to = (double)x->columns[thread] * (double)x->c->width;

	while (piece_end(&w, to) < to)
		w.k++;
	return to > 0 ? position(w.k, w.end, to) : 0;
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

/* --- shares ------------------------------------------------------------------------------------ */

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
	uint32_t first = (uint32_t)fmin(from, FLOW_PARTS - 1), last = (uint32_t)fmin(to, FLOW_PARTS - 1);

	if (last > first && (double)last >= to)
		last--;
	for (uint32_t i = first; i <= last; i++) {
		const double of = first == last ? 1 : (fmin(to, i + 1.0) - fmax(from, i)) / (to - from);

		if (add_share(x, begin, i, share * of))
			return -1;
	}
	return 0;
}

static int add_column(struct flow_axis *x, struct walk *w, uint32_t column)
{
	const double width = (double)x->c->width, per = FLOW_PARTS / x->span;
	const double to = (column + 1) * width;
	const size_t begin = x->nshares;

	for (double own = column * width, end; own < to; own = end) {
		walk_to(w, own);
		end = piece_end(w, to);
		if (add_piece(x, begin, position(w->k, w->end, own) * per, position(w->k, w->end, end) * per, (end - own) / width))
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
		struct walk w = walk_of(x, t);

		for (uint32_t c = 0; c < n; c++) {
			if (c < x->columns[t] && add_column(x, &w, c))
				return -1;
			x->share_first[(size_t)t * n + c + 1] = x->nshares;
		}
	}
	return 0;
}

/* --- all --------------------------------------------------------------------------------------- */

int flow_axis_make(struct flow_axis *x, const struct columns *c)
{
	const size_t threads = c->threads;

	*x = (struct flow_axis){ .c = c, .knot = calloc(c->nmarks + threads + 1, sizeof *x->knot),
		.first = calloc(threads + 2, sizeof *x->first), .met = calloc(threads + 1, sizeof *x->met),
		.columns = calloc(threads + 1, sizeof *x->columns), .span = 1 };
	if (!x->knot || !x->first || !x->met || !x->columns || make_knots(x))
		return -1;
	find_span(x);
	return make_shares(x);
}

void flow_axis_free(struct flow_axis *x)
{
	free(x->knot);
	free(x->first);
	free(x->met);
	free(x->columns);
	free(x->share);
	free(x->share_first);
}

void flow_axis_spread(const struct flow_axis *x, uint32_t thread, uint32_t column, double value, double *parts)
{
	const size_t at = (size_t)thread * x->c->n + column;

	for (size_t i = x->share_first[at]; i < x->share_first[at + 1]; i++)
		parts[x->share[i].part] += value * x->share[i].share;
}
