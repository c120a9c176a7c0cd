/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of threads: their order, and which of them behave alike. */
#include "report/model/thread_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"

/* --- order ----------------------------------------------------------------------------------- */

static int compare_real(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return a < b ? -1 : a > b;
}

/* Processes without MPI all have number 0: the figures make the order of their rows total. */
static int by_order(const void *pa, const void *pb)
{
	const struct report_thread *a = pa, *b = pb;
	const int ints[][2] = { { a->order, b->order }, { a->process, b->process },
		{ a->thread, b->thread } };
	const double reals[][2] = { { a->time, b->time }, { a->barrier_wait, b->barrier_wait },
		{ a->mpi_wait, b->mpi_wait }, { a->other_wait, b->other_wait },
			{ a->modelled_time, b->modelled_time },
		{ a->est_stall, b->est_stall }, { a->est_stall_low, b->est_stall_low },
		{ a->est_stall_high, b->est_stall_high }, { a->accesses, b->accesses },
		{ a->first_misses, b->first_misses }, { a->last_misses, b->last_misses } };
	int c = 0;

	for (size_t i = 0; i < sizeof ints / sizeof ints[0] && !c; i++)
		c = (ints[i][0] > ints[i][1]) - (ints[i][0] < ints[i][1]);
	if (!c)
		c = text_compare(a->region, b->region);
	for (size_t i = 0; i < sizeof reals / sizeof reals[0] && !c; i++)
		c = compare_real(reals[i][0], reals[i][1]);
	return c;
}

void report_thread_rows_keep(struct report *r)
{
	if (r->nthread_rows > 1)
		qsort(r->thread_rows, (size_t)r->nthread_rows, sizeof *r->thread_rows, by_order);
	if (r->nthread_rows <= REPORT_THREAD_ROWS)
		return;
	r->thread_rows_left_out += r->nthread_rows - REPORT_THREAD_ROWS;
	r->nthread_rows = REPORT_THREAD_ROWS;
}

int thread_regions(const struct report *r, const struct report_thread *out[REPORT_THREAD_REGIONS])
{
	int n = 0;

	for (int i = 0; i < r->nthread_rows && n < REPORT_THREAD_REGIONS; i++) {
		const struct report_thread *row = &r->thread_rows[i];
		int k = 0;

		while (k < n && !text_same(out[k]->region, row->region))
			k++;
		if (k == n && row->order > 0)
			out[n++] = row;
	}
	return n;
}

/* NAN is never the larger one. */
static double larger(double a, double b)
{
	return b > a ? b : a;
}

/* --- figures --------------------------------------------------------------------------------- */

double thread_part(const struct report_thread *t, enum thread_part part)
{
	double running = isnan(t->modelled_time) ? t->time : t->modelled_time;
	double memory = t->est_stall > running ? running : t->est_stall;

	switch (part) {
	case THREAD_COMPUTING: return isnan(t->est_stall) ? running : running - memory;
	case THREAD_MEMORY: return memory;
	default: return isnan(t->modelled_time) ? t->barrier_wait + t->mpi_wait + t->other_wait :
		NAN;
	}
}

static double length(const struct report_thread *t)
{
	double sum = 0;

	for (int i = 0; i < THREAD_PARTS; i++) {
		double v = thread_part(t, (enum thread_part)i);

		sum += v > 0 ? v : 0;
	}
	return sum;
}

/* --- alike ----------------------------------------------------------------------------------- */

struct limits {
	double part, first_misses, last_misses;
};

static bool near(double a, double b, double limit)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= limit;
}

static bool alike(const struct report_thread *a, const struct report_thread *b,
	const struct limits *l)
{
	for (int i = 0; i < THREAD_PARTS; i++)
		if (!near(thread_part(a, (enum thread_part)i), thread_part(b, (enum thread_part)i),
		    l->part))
			return false;
	return near(a->first_misses, b->first_misses, l->first_misses) &&
		near(a->last_misses, b->last_misses, l->last_misses);
}

static struct limits limits_of(const struct thread_bars *b)
{
	struct limits l = { 0, 0, 0 };

	for (int i = 0; i < b->n; i++) {
		l.part = larger(l.part, THREADS_ALIKE * length(b->rows[i]));
		l.first_misses = larger(l.first_misses, THREADS_ALIKE * b->rows[i]->first_misses);
		l.last_misses = larger(l.last_misses, THREADS_ALIKE * b->rows[i]->last_misses);
	}
	return l;
}

/* The index behind the last row of the process whose first row is `at`. */
static int end_of_process(const struct thread_bars *b, int at)
{
	int end = at + 1;

	while (end < b->n && b->rows[end]->process == b->rows[at]->process)
		end++;
	return end;
}

static bool same_process(const struct thread_bars *b, int x, int y, const struct limits *l)
{
	int n = end_of_process(b, x) - x;

	if (end_of_process(b, y) - y != n)
		return false;
	for (int i = 0; i < n; i++)
		if (b->rows[x + i]->thread != b->rows[y + i]->thread ||
		    !alike(b->rows[x + i], b->rows[y + i], l))
			return false;
	return true;
}

/* Each process joins the first group whose first process it is like. */
static void group_processes(struct thread_bars *b, const struct limits *l)
{
	for (int at = 0, end; at < b->n; at = end) {
		int to = 0;

		end = end_of_process(b, at);
		while (to < at && (b->group[to] != to || !same_process(b, to, at, l)))
			to = end_of_process(b, to);
		for (int i = at; i < end; i++)
			b->group[i] = to;
	}
}

static int processes_of(const struct thread_bars *b, int group)
{
	int n = 0;

	for (int at = 0; at < b->n; at = end_of_process(b, at))
		n += b->group[at] == group;
	return n;
}

/* The index behind the last thread of the process that is like the row `at`. */
static int end_of_run(const struct thread_bars *b, int at, int end, const struct limits *l)
{
	int i = at + 1;

	while (i < end && b->rows[i]->thread - 1 == b->rows[i - 1]->thread &&
	       alike(b->rows[at], b->rows[i], l))
		i++;
	return i;
}

static void add_rest(struct thread_bars *b, int at, int end, int processes)
{
	for (int i = at; i < end; i++)
		for (int k = 0; k < THREAD_PARTS; k++)
			b->rest[k] += processes * thread_part(b->rows[i], (enum thread_part)k);
	b->nrest += processes * (end - at);
}

/* Makes a bar of each thread of the first process of each group, or of each run
 * of threads that are alike. */
static void make_bars(struct thread_bars *b, const struct limits *l, bool runs, int most)
{
	for (int group = 0; group < b->n; group = end_of_process(b, group)) {
		int processes = b->group[group] == group ? processes_of(b, group) : 0;
		int end = end_of_process(b, group);

		for (int at = group, to; processes && at < end; at = to) {
			to = runs ? end_of_run(b, at, end, l) : at + 1;
			if (b->nbars == most)
				add_rest(b, at, to, processes);
			else
				b->bar[b->nbars++] = (struct thread_bar){ b->rows[at],
					b->rows[to - 1]->thread, group, processes * (to - at) };
		}
	}
}

static int leaders(const struct thread_bars *b)
{
	int n = 0;

	for (int at = 0; at < b->n; at = end_of_process(b, at))
		n += b->group[at] == at ? end_of_process(b, at) - at : 0;
	return n;
}

/* --- bars ------------------------------------------------------------------------------------ */

static int by_process(const void *pa, const void *pb)
{
	const struct report_thread *a = *(const struct report_thread *const *)pa;
	const struct report_thread *b = *(const struct report_thread *const *)pb;

	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return a->thread != b->thread ? (a->thread < b->thread ? -1 : 1) : a < b ? -1 : a > b;
}

int thread_bars(const struct report *r, const char *region, int most, struct thread_bars *out)
{
	struct limits l;

	*out = (struct thread_bars){ .rows = calloc((size_t)r->nthread_rows + 1, sizeof *out->rows),
		.group = calloc((size_t)r->nthread_rows + 1, sizeof *out->group) };
	if (!out->rows || !out->group) {
		thread_bars_free(out);
		return -1;
	}
	for (int i = 0; i < r->nthread_rows; i++)
		if (text_same(r->thread_rows[i].region, region)) {
			out->rows[out->n++] = &r->thread_rows[i];
			out->longest = larger(out->longest, length(&r->thread_rows[i]));
		}
	if (out->n > 1)
		qsort(out->rows, (size_t)out->n, sizeof *out->rows, by_process);
	l = limits_of(out);
	group_processes(out, &l);
	make_bars(out, &l, leaders(out) > most, most < THREAD_BARS ? most : THREAD_BARS);
	return 0;
}

void thread_bars_free(struct thread_bars *b)
{
	free((void *)b->rows);
	free(b->group);
	b->rows = NULL;
	b->group = NULL;
}

/* Appends a number to an ascending list of numbers and ranges; *first to *last: the range at its
 * end, of which only
 * *first is written yet. */
static void list_number(struct buf *out, int n, int *first, int *last)
{
	if (*last >= *first && n - 1 == *last) {
		*last = n;
		return;
	}
	if (*last > *first)
		buf_printf(out, "%s%d", *last > *first + 1 ? "-" : ", ", *last);
	buf_printf(out, "%s%d", *last >= *first ? ", " : "", n);
	*first = *last = n;
}

void thread_bar_processes(struct buf *out, const struct thread_bars *b,
	const struct thread_bar *bar)
{
	int first = 0, last = -1;

	for (int at = 0; at < b->n; at = end_of_process(b, at))
		if (b->group[at] == bar->group)
			list_number(out, b->rows[at]->process, &first, &last);
	if (last > first)
		buf_printf(out, "%s%d", last > first + 1 ? "-" : ", ", last);
}

void thread_bar_threads(struct buf *out, const struct thread_bar *bar)
{
	buf_printf(out, "%d", bar->row->thread);
	if (bar->last_thread > bar->row->thread)
		buf_printf(out, "-%d", bar->last_thread);
}
