/* SPDX-License-Identifier: BSD-3-Clause */
/* Aligns the threads of a timeline at the barriers that they passed together. */
#include "report/model/timeline_axis.h"

#include <math.h>

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
				x->end[c->thread] = fmax(x->end[c->thread],
					(s[k]->point[s[k]->n - 1].at + 1) * width);
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

double time_axis_at(const struct time_axis *x, int thread, double position)
{
	return joined_axis_at(&x->joined, (uint32_t)thread, own_unit(x, thread, position), false);
}

/* The place on the axis at which a position ends: where the thread waits then, before the wait. */
static double end_at(const struct time_axis *x, int thread, double position)
{
	return joined_axis_at(&x->joined, (uint32_t)thread, own_unit(x, thread, position), true);
}

int time_axis_make(struct time_axis *x, struct arena *arena, const struct report_timeline *t,
	const double *own)
{
	const size_t n = (size_t)t->nmarks;
	struct axis_mark *m = arena_array(arena, n, sizeof *m);

	*x = (struct time_axis){ .t = t, .own = own };
	x->end = arena_array(arena, (size_t)t->threads, sizeof *x->end);
	if (!m || !x->end)
		return -1;
	find_ends(x);
	for (size_t i = 0; i < n; i++) {
		const struct report_time_mark *from = &t->marks[i];

		m[i] = (struct axis_mark){ (uint32_t)from->thread, (uint32_t)from->number,
			own_unit(x, from->thread, (double)from->at) };
	}
	if (joined_axis_make(&x->joined, arena, (uint32_t)t->threads, m, n))
		return -1;
	x->aligned = x->joined.joined;
	for (int i = 0; i < t->threads; i++)
		x->span = fmax(x->span, end_at(x, i, x->end[i]));
	x->span = fmax(x->span, 1);
	return 0;
}

/* A column in the thread's own unit. */
static void own_column(const struct time_axis *x, int thread, int column, double *from, double *to)
{
	const double width = (double)x->t->width;
	double end = (column + 1) * width;

	if (column == x->t->columns - 1 || end > x->end[thread])
		end = fmax(x->end[thread], column * width);
	*from = own_unit(x, thread, column * width);
	*to = own_unit(x, thread, end);
}

/* Where the piece that begins at `own` ends: at the thread's next mark, or at `to`.  A thread may
 * wait at the mark, so that the pieces of a column lie far apart. */
static double piece_end(const struct time_axis *x, int thread, double own, double to)
{
	return fmin(joined_axis_next(&x->joined, (uint32_t)thread, own), to);
}

static void place_piece(
	const struct time_axis *x, int thread, double own, double end, double *from, double *to)
{
	*from = joined_axis_at(&x->joined, (uint32_t)thread, own, false) / x->span;
	*to = fmax(*from, joined_axis_at(&x->joined, (uint32_t)thread, end, true) / x->span);
}

void time_axis_column(const struct time_axis *x, int thread, int column, double *from, double *to)
{
	double own, last, longest = 0;

	own_column(x, thread, column, &own, &last);
	place_piece(x, thread, own, own, from, to);
	for (double end; own < last; own = end) {
		end = piece_end(x, thread, own, last);
		if (end - own > longest) {
			longest = end - own;
			place_piece(x, thread, own, end, from, to);
		}
	}
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

/* Divides a value evenly among the bins between two places of the axis. */
static void spread(double from, double to, double value, double *into, int bins)
{
	const int a = clamp(from * bins, bins), b = clamp(to * bins, bins);

	if (a == b || (to - from) * bins < 1e-9) {
		into[a] += value;
		return;
	}
	for (int i = a; i <= b; i++) {
		const double lo = fmax(from * bins, i),
			hi = i == b ? to * bins : fmin(to * bins, i + 1);

		into[i] += value * fmax(0, hi - lo) / ((to - from) * bins);
	}
}

void time_axis_add(const struct time_axis *x, int thread, int column, double value, double *into,
	int bins)
{
	double begin, last, from, to;

	own_column(x, thread, column, &begin, &last);
	if (!(last > begin)) {
		place_piece(x, thread, begin, begin, &from, &to);
		spread(from, to, value, into, bins);
	}
	for (double own = begin, end; own < last; own = end) {
		end = piece_end(x, thread, own, last);
		place_piece(x, thread, own, end, &from, &to);
		spread(from, to, value * (end - own) / (last - begin), into, bins);
	}
}
