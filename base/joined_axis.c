/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins the positions of threads at the marks that they passed together. */
#include "base/joined_axis.h"

#include <math.h>
#include <stdlib.h>

#include "base/by_field.h"

/* --- threads that meet ------------------------------------------------------------------------ */

/* The thread that stands for all that have met this one.  Ways to it become shorter. */
static uint32_t group_of(uint32_t *met, uint32_t thread)
{
	while (met[thread] != thread) {
		met[thread] = met[met[thread]];
		thread = met[thread];
	}
	return thread;
}

bool joined_axis_met(const struct joined_axis *x, uint32_t a, uint32_t b)
{
	return x->met[a] == x->met[b];
}

/* --- marks ------------------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
	const struct axis_mark *x = a, *y = b;

	BY(number);
	BY(thread);
	BY(own);
	return 0;
}

/* The last knot of a thread of which `known` are there. */
static struct axis_knot *last_knot(const struct joined_axis *x, uint32_t thread,
	const size_t *known)
{
	return &x->knot[x->first[thread] + known[thread] - 1];
}

/* How far the threads that passed a mark have come on the axis: as far as the one with most. */
static double meet(struct joined_axis *x, const size_t *known, const struct axis_mark *m, size_t n)
{
	double common = 0;

	for (size_t i = 0; i < n; i++) {
		const struct axis_knot *k = last_knot(x, m[i].thread, known);

		common = fmax(common, k->common + fmax(0, m[i].own - k->own));
		x->met[group_of(x->met, m[i].thread)] = group_of(x->met, m[0].thread);
	}
	return common;
}

/* Adds a knot to each of the n threads that passed a mark, unless it is where the thread's last one
 * is. */
static void join_at(struct joined_axis *x, size_t *known, const struct axis_mark *m, size_t n)
{
	const double common = meet(x, known, m, n);

	for (size_t i = 0; i < n; i++) {
		struct axis_knot *k = last_knot(x, m[i].thread, known);

		if (m[i].own < k->own || common <= k->common)
			continue;
		k[1] = (struct axis_knot){ m[i].own, common };
		known[m[i].thread]++;
		x->joined |= n > 1;
	}
}

static void join_all(struct joined_axis *x, size_t *known, const struct axis_mark *marks, size_t n)
{
	for (size_t i = 0, k; i < n; i += k) {
		for (k = 1; i + k < n && marks[i + k].number == marks[i].number; k++)
			;
		join_at(x, known, marks + i, k);
	}
}

/* Leaves each thread's knots behind one another. */
static void close_gaps(struct joined_axis *x, const size_t *known)
{
	size_t n = 0;

	for (uint32_t t = 0; t < x->threads; t++) {
		const size_t from = x->first[t];

		x->first[t] = n;
		for (size_t i = 0; i < known[t]; i++)
			x->knot[n++] = x->knot[from + i];
	}
	x->first[x->threads] = n;
}

int joined_axis_make(struct joined_axis *x, struct arena *arena, uint32_t threads,
	struct axis_mark *marks, size_t n)
{
	size_t *known = arena_array(arena, threads, sizeof *known);

	*x = (struct joined_axis){ .threads = threads,
		.knot = arena_array(arena, n + threads, sizeof *x->knot),
		.first = arena_array(arena, threads + (size_t)1, sizeof *x->first),
		.met = arena_array(arena, threads, sizeof *x->met) };
	if (!known || !x->knot || !x->first || !x->met)
		return -1;
	for (size_t i = 0; i < n; i++)
		x->first[marks[i].thread + 1]++;
	for (uint32_t t = 0; t < threads; t++) {
		x->first[t + 1] += x->first[t] + 1;
		x->met[t] = t;
		known[t] = 1;
	}
	if (n)
		qsort(marks, n, sizeof *marks, by_number);
	join_all(x, known, marks, n);
	close_gaps(x, known);
	for (uint32_t t = 0; t < threads; t++)
		x->met[t] = group_of(x->met, t);
	return 0;
}

/* --- positions -------------------------------------------------------------------------------- */

/* The last knot of a thread before a position, or at it unless ends. */
static size_t knot_before(const struct joined_axis *x, uint32_t thread, double own, bool ends)
{
	size_t low = x->first[thread], high = x->first[thread + 1];

	while (high - low > 1) {
		const size_t mid = low + (high - low) / 2;

		if (ends ? x->knot[mid].own < own : x->knot[mid].own <= own)
			low = mid;
		else
			high = mid;
	}
	return low;
}

double joined_axis_at(const struct joined_axis *x, uint32_t thread, double own, bool ends)
{
	const size_t at = knot_before(x, thread, own, ends);
	const struct axis_knot *k = &x->knot[at];

	/* Behind its last knot a thread goes on at its own pace. */
	if (at + 1 == x->first[thread + 1])
		return k->common + (own - k->own);
	return k[1].own == k->own ?
		k->common :
		k->common + (own - k->own) * (k[1].common - k->common) / (k[1].own - k->own);
}

double joined_axis_next(const struct joined_axis *x, uint32_t thread, double own)
{
	const size_t at = knot_before(x, thread, own, false);

	return at + 1 == x->first[thread + 1] ? HUGE_VAL : x->knot[at + 1].own;
}
