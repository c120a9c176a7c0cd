/* SPDX-License-Identifier: BSD-3-Clause */
/* Aligns the threads of a timeline at the barriers that they passed together. */
#include "report/model/timeline_axis.h"

#include <math.h>
#include <stdlib.h>

/* A thread ends with its last column that has accesses; all columns but that are full. */
static void find_ends(struct time_axis *x)
{
	const struct report_timeline *t = x->t;
	const double width = (double)t->width;

	for (int i = 0; i < t->ncells; i++) {
		const struct report_time_cell *c = &t->cells[i];
		const struct report_series *s[] = { &c->reads, &c->writes };

		for (int k = 0; k < 2; k++)
			if (s[k]->n)
				x->end[c->thread] = fmax(x->end[c->thread], (s[k]->point[s[k]->n - 1].at + 1) * width);
	}
	for (int i = 0; i < t->threads; i++)
		if (x->end[i] >= t->columns * width && (double)t->references > x->end[i] - width)
			x->end[i] = (double)t->references;
}

/* A position in the thread's own unit.  The last column holds all references behind it. */
static double own_unit(const struct time_axis *x, int thread, double position)
{
	const int columns = x->t->columns;
	const double *own, width = (double)x->t->width;
	double from, length;
	int column;

	if (!x->own)
		return position;
	own = x->own + (size_t)thread * ((size_t)columns + 1);
	column = position >= (columns - 1) * width ? columns - 1 : (int)(position / width);
	from = column * width;
	length = column == columns - 1 ? fmax(width, x->end[thread] - from) : width;
	return own[column] + fmin(1, (position - from) / length) * (own[column + 1] - own[column]);
}

/* The rows of one barrier: how far its threads have come on the axis. */
static double meet(const struct time_axis *x, const struct report_time_mark *m, int n, const struct time_knot *last)
{
	double most = 0;

	for (int i = 0; i < n; i++) {
		const struct time_knot *before = &last[m[i].thread];

		most = fmax(most, before->common + fmax(0, own_unit(x, m[i].thread, (double)m[i].at) - before->own));
	}
	return most;
}

static int together(const struct report_time_mark *m, int n)
{
	int k = 1;

	while (k < n && m[k].number == m[0].number)
		k++;
	return k;
}

/* Visits all barriers in order; put NULL: counts the knots of each thread, else fills them in. */
static void knots(struct time_axis *x, const struct report_time_mark *m, struct time_knot *last, int *count, bool put)
{
	const int n = x->t->nmarks;

	for (int i = 0; i < x->t->threads; i++) {
		last[i] = (struct time_knot){ 0, 0 };
		if (put)
			x->knot[x->first[i]] = last[i];
		count[i] = 1;
	}
	for (int i = 0, k; i < n; i += k) {
		double at;

		k = together(m + i, n - i);
		at = meet(x, m + i, k, last);
		for (int j = i; j < i + k; j++) {
			const int thread = m[j].thread;
			const double own = own_unit(x, thread, (double)m[j].at);

			/* A thread that did nothing goes on where the others have come to. */
			if (own < last[thread].own || at <= last[thread].common)
				continue;
			last[thread] = (struct time_knot){ own, at };
			if (put)
				x->knot[x->first[thread] + count[thread]] = last[thread];
			count[thread]++;
			x->aligned |= k > 1;
		}
	}
}

/* Behind its last knot a thread goes on at its own pace.  ends: of two knots at one place the
 * first one counts. */
static double place(const struct time_axis *x, int thread, double own, bool ends)
{
	const struct time_knot *k = x->knot + x->first[thread];
	const int n = x->first[thread + 1] - x->first[thread];
	int lo = 0, hi = n;

	while (hi - lo > 1) {
		const int mid = lo + (hi - lo) / 2;

		if (ends ? k[mid].own < own : k[mid].own <= own)
			lo = mid;
		else
			hi = mid;
	}
	if (lo + 1 == n)
		return k[lo].common + (own - k[lo].own);
	return k[lo].own == k[lo + 1].own ? k[lo].common : k[lo].common +
		(own - k[lo].own) * (k[lo + 1].common - k[lo].common) / (k[lo + 1].own - k[lo].own);
}

double time_axis_at(const struct time_axis *x, int thread, double position)
{
	return place(x, thread, own_unit(x, thread, position), false);
}

int time_axis_make(struct time_axis *x, struct arena *arena, const struct report_timeline *t, const double *own)
{
	const size_t threads = (size_t)t->threads, marks = (size_t)t->nmarks;
	struct report_time_mark *m = arena_array(arena, marks, sizeof *m);
	struct time_knot *last = arena_array(arena, threads, sizeof *last);
	int *count = arena_array(arena, threads, sizeof *count);

	*x = (struct time_axis){ .t = t, .own = own };
	x->end = arena_array(arena, threads, sizeof *x->end);
	x->first = arena_array(arena, threads + 1, sizeof *x->first);
	if (!m || !last || !count || !x->end || !x->first)
		return -1;
	for (size_t i = 0; i < marks; i++)
		m[i] = t->marks[i];
	qsort(m, marks, sizeof *m, time_mark_compare);
	find_ends(x);
	knots(x, m, last, count, false);
	for (int i = 0; i < t->threads; i++)
		x->first[i + 1] = x->first[i] + count[i];
	x->knot = arena_array(arena, (size_t)x->first[threads], sizeof *x->knot);
	if (!x->knot)
		return -1;
	knots(x, m, last, count, true);
	for (int i = 0; i < t->threads; i++)
		x->span = fmax(x->span, place(x, i, own_unit(x, i, x->end[i]), true));
	x->span = fmax(x->span, 1);
	return 0;
}

void time_axis_column(const struct time_axis *x, int thread, int column, double *from, double *to)
{
	const double width = (double)x->t->width;
	double end = (column + 1) * width;

	if (column == x->t->columns - 1 || end > x->end[thread])
		end = fmax(x->end[thread], column * width);
	*from = time_axis_at(x, thread, column * width) / x->span;
	*to = place(x, thread, own_unit(x, thread, end), true) / x->span;
}

double time_axis_border(const struct time_axis *x, int thread, int column)
{
	const double position = fmin(column * (double)x->t->width, x->end[thread]);

	return time_axis_at(x, thread, column == x->t->columns ? x->end[thread] : position);
}

int time_axis_used(const struct time_axis *x, int thread)
{
	const double used = ceil(x->end[thread] / (double)x->t->width);

	return used < x->t->columns ? (int)used : x->t->columns;
}

static int clamp(double v, int bins)
{
	return v <= 0 ? 0 : v >= bins - 1 ? bins - 1 : (int)v;
}

int time_axis_bin(const struct time_axis *x, int thread, int column, int bins)
{
	double from, to;

	time_axis_column(x, thread, column, &from, &to);
	return clamp((from + to) / 2 * bins, bins);
}

void time_axis_add(const struct time_axis *x, int thread, int column, double value, double *into, int bins)
{
	double from, to;
	int a, b;

	time_axis_column(x, thread, column, &from, &to);
	from *= bins;
	to *= bins;
	a = clamp(from, bins);
	b = clamp(to, bins);
	if (a == b || to - from < 1e-9) {
		into[a] += value;
		return;
	}
	for (int i = a; i <= b; i++) {
		const double lo = fmax(from, i), hi = i == b ? to : fmin(to, i + 1);

		into[i] += value * fmax(0, hi - lo) / (to - from);
	}
}
