/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints tables of counts with bars: variables by threads or processes, threads by variables,
 * variables by memory nodes. */
#include "report/text/over_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/text/plot.h"

enum { NAME = 10, ALL = 6, CELL_LEAST = 16, CELL_MOST = 24, COUNT = 8, ROWS = 10 };

struct table {
	int rows, columns;
	char **row, **column;           /* names */
	double *value;                  /* by row * columns + column */
	double *by_row, *by_column, all;
	int *row_order, *column_order;  /* of those printed, most first; columns: in their own
					 * order */
	int nrows, ncolumns;            /* printed; the others are one row, one column */
	struct time_facts **rank;       /* owned; of each process, if these are the columns */
	int nranks;
};

static double *cell(const struct table *t, int row, int column)
{
	return &t->value[(size_t)row * (size_t)t->columns + (size_t)column];
}

/* --- counts ----------------------------------------------------------------------------------- */

static double count_of(const struct over_time *o, const struct time_sums *s)
{
	switch (o->style->count) {
	case PORTAL_READS: return (double)s->reads;
	case PORTAL_WRITES: return (double)s->writes;
	case PORTAL_BYTES: return (double)s->bytes;
	case PORTAL_MISSES: return (double)s->misses[o->f->nearest];
	case PORTAL_MEMORY: return (double)s->memory;
	default: return (double)time_accesses(s);
	}
}

static int size(struct over_time *o, struct table *t, int rows, int columns)
{
	struct arena *a = o->f->arena;

	*t = (struct table){ .rows = rows, .columns = columns };
	t->row = arena_array(a, (size_t)rows, sizeof *t->row);
	t->column = arena_array(a, (size_t)columns, sizeof *t->column);
	t->value = arena_array(a, (size_t)rows * (size_t)columns, sizeof *t->value);
	t->by_row = arena_array(a, (size_t)rows, sizeof *t->by_row);
	t->by_column = arena_array(a, (size_t)columns, sizeof *t->by_column);
	t->row_order = arena_array(a, (size_t)rows, sizeof *t->row_order);
	t->column_order = arena_array(a, (size_t)columns, sizeof *t->column_order);
	return t->row && t->column && t->value && t->by_row && t->by_column && t->row_order &&
		t->column_order ? 0 :
		err_nomem(o->err);
}

static int name(struct over_time *o, char **to, const char *text)
{
	*to = arena_strdup(o->f->arena, text);
	return *to ? 0 : err_nomem(o->err);
}

static int numbered(struct over_time *o, char **to, const char *what, int n)
{
	*to = arena_printf(o->f->arena, "%s %d", what, n);
	return *to ? 0 : err_nomem(o->err);
}

/* Variables by the threads of a process. */
static int by_thread(struct over_time *o, struct table *t)
{
	const struct time_facts *f = o->f;

	if (size(o, t, f->t->nstructures, f->t->threads))
		return -1;
	for (int i = 0; i < t->rows; i++) {
		if (name(o, &t->row[i], timeline_short_name(f->structure[i].s)))
			return -1;
		for (int k = 0; k < t->columns; k++)
			*cell(t, i, k) = count_of(o,
				&f->both[(size_t)i * (size_t)f->t->threads + (size_t)k]) /
				f->t->executions;
	}
	for (int k = 0; k < t->columns; k++)
		if (numbered(o, &t->column[k], "thread", k))
			return -1;
	return 0;
}

/* --- several processes ------------------------------------------------------------------------ */

struct joined {
	const struct report_time_structure **s;
	int n;
};

static int number_of(struct joined *j, const struct report_time_structure *s)
{
	for (int i = 0; i < j->n; i++)
		if (time_structure_same(j->s[i], s))
			return i;
	j->s[j->n] = s;
	return j->n++;
}

static int join(struct over_time *o, struct joined *j)
{
	size_t most = 0;

	for (int p = 0; p < o->r->ntimelines; p++)
		most += (size_t)o->r->timelines[p].nstructures;
	j->n = 0;
	j->s = arena_array(o->f->arena, most, sizeof *j->s);
	if (!j->s)
		return err_nomem(o->err);
	for (int p = 0; p < o->r->ntimelines; p++)
		for (int i = 0; i < o->r->timelines[p].nstructures; i++)
			number_of(j, &o->r->timelines[p].structures[i]);
	return 0;
}

/* Variables by processes. */
static int by_process(struct over_time *o, struct table *t)
{
	struct joined j;

	if (join(o, &j) || size(o, t, j.n, o->r->ntimelines))
		return -1;
	t->rank = arena_array(o->f->arena, (size_t)t->columns, sizeof *t->rank);
	if (!t->rank)
		return err_nomem(o->err);
	for (int i = 0; i < t->rows; i++)
		if (name(o, &t->row[i], timeline_short_name(j.s[i])))
			return -1;
	for (int p = 0; p < t->columns; p++) {
		struct time_facts *f = time_facts_new(&o->r->timelines[p]);

		if (!f)
			return err_nomem(o->err);
		t->rank[t->nranks++] = f;
		for (int i = 0; i < f->t->nstructures; i++)
			*cell(t, number_of(&j, &f->t->structures[i]), p) += count_of(o,
				&f->structure[i].sums) / f->t->executions;
		if (numbered(o, &t->column[p], "process", o->r->timelines[p].process))
			return -1;
	}
	return 0;
}

/* --- memory nodes ----------------------------------------------------------------------------- */

static int by_node(struct over_time *o, struct table *t)
{
	const struct time_facts *f = o->f;

	if (size(o, t, f->t->nstructures, f->t->nodes))
		return -1;
	for (int i = 0; i < t->rows; i++)
		if (name(o, &t->row[i], timeline_short_name(f->structure[i].s)))
			return -1;
	for (int k = 0; k < t->columns; k++)
		if (numbered(o, &t->column[k], "node", k))
			return -1;
	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];

		for (int p = 0; p < c->served.n; p++)
			*cell(t, c->structure - 1,
				(int)(c->served.point[p].at % (unsigned)f->t->nodes)) += (double)c->served.point[p].value / f->t->executions;
	}
	return 0;
}

static int turn(struct over_time *o, struct table *t)
{
	struct table turned;

	if (size(o, &turned, t->columns, t->rows))
		return -1;
	turned.rank = t->rank;
	turned.nranks = t->nranks;
	for (int i = 0; i < t->columns; i++)
		turned.row[i] = t->column[i];
	for (int k = 0; k < t->rows; k++) {
		turned.column[k] = t->row[k];
		for (int i = 0; i < t->columns; i++)
			*cell(&turned, i, k) = *cell(t, k, i);
	}
	*t = turned;
	return 0;
}

/* --- order ------------------------------------------------------------------------------------ */

struct ranked {
	double value;
	int at;
};

static int most_first(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return x->value != y->value ? (x->value < y->value ? 1 : -1) : x->at - y->at;
}

static int own_order(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Puts the `most` largest into out; returns their number.  One place is left for all
 * others, where there are more. */
static int rank(struct over_time *o, const double *value, size_t stride, int n, int most, int *out)
{
	struct ranked *r = arena_array(o->f->arena, (size_t)n, sizeof *r);

	if (!r)
		return err_nomem(o->err);
	for (int i = 0; i < n; i++)
		r[i] = (struct ranked){ value[(size_t)i * stride], i };
	qsort(r, (size_t)n, sizeof *r, most_first);
	most = n > most ? most - 1 : n;
	for (int i = 0; i < most; i++)
		out[i] = r[i].at;
	return most;
}

/* Spaces do not matter. */
static bool same_head(const char *head, const char *want)
{
	for (;;) {
		head += strspn(head, " ");
		want += strspn(want, " ");
		if (*head != *want)
			return false;
		if (!*head)
			return true;
		head++;
		want++;
	}
}

/* The column to sort by, "thread0" as "thread 0"; t->columns: the sums of all. */
static int sort_column(struct over_time *o, const struct table *t)
{
	const char *want = o->style->sort;

	if (!want || strcmp(want, "all") == 0)
		return t->columns;
	for (int k = 0; k < t->columns; k++)
		if (same_head(t->column[k], want))
			return k;
	return err_set(o->err, "--portal-sort: the table has no column \"%s\"", want);
}

static int order(struct over_time *o, struct table *t, int columns)
{
	const int by = sort_column(o, t), rows = o->style->top > 0 ? o->style->top : ROWS;

	if (by < 0)
		return -1;
	for (int i = 0; i < t->rows; i++)
		for (int k = 0; k < t->columns; k++) {
			t->by_row[i] += *cell(t, i, k);
			t->by_column[k] += *cell(t, i, k);
			t->all += *cell(t, i, k);
		}
	t->nrows = by == t->columns ? rank(o, t->by_row, 1, t->rows, rows, t->row_order) :
		rank(o, t->value + by, (size_t)t->columns, t->rows, rows, t->row_order);
	t->ncolumns = rank(o, t->by_column, 1, t->columns, columns, t->column_order);
	if (t->nrows < 0 || t->ncolumns < 0)
		return -1;
	if (o->style->portal != PORTAL_THREADS)
		qsort(t->column_order, (size_t)t->ncolumns, sizeof *t->column_order, own_order);
	return 0;
}

/* --- printing --------------------------------------------------------------------------------- */

static void put_number(struct over_time *o, double n, int width)
{
	struct buf b = BUF_INIT;

	timeline_count(&b, n);
	page_cell(&o->page, buf_str(&b), width, PAGE_RIGHT);
	o->page.out.failed |= b.failed;
	buf_free(&b);
}

static void put_all(struct over_time *o, const struct table *t, double n)
{
	struct buf b = BUF_INIT;

	timeline_share(&b, t->all > 0 ? n / t->all : 0);
	page_cell(&o->page, buf_str(&b), ALL, PAGE_RIGHT);
	o->page.out.failed |= b.failed;
	buf_free(&b);
	page_end_line(&o->page);
}

/* Sum of a row's columns, or of a column's rows, that are not printed themselves. */
static double rest_of(double all, const double *value, size_t stride, const int *order, int n)
{
	for (int i = 0; i < n; i++)
		all -= value[(size_t)order[i] * stride];
	return all > 0 ? all : 0;
}

/* A row: of `one` table row; -1: the others; -2: the totals, which have no bars. */
static double value_at(const struct table *t, int one, int column)
{
	if (one >= 0)
		return *cell(t, one, column);
	return one == -2 ? t->by_column[column] :
		rest_of(t->by_column[column], t->value + column, (size_t)t->columns, t->row_order,
			t->nrows);
}

static double sum_at(const struct table *t, int one)
{
	return one >= 0 ? t->by_row[one] : one == -2 ? t->all : rest_of(t->all, t->by_row, 1,
		t->row_order, t->nrows);
}

static void put_row(struct over_time *o, const struct table *t, const char *label, int one,
	double most, int width)
{
	double rest = sum_at(t, one);

	page_cell(&o->page, label, NAME - 1, PAGE_LEFT);
	page_spaces(&o->page, 1);
	for (int k = 0; k <= t->ncolumns; k++) {
		double v = rest;

		if (k == t->ncolumns && t->ncolumns == t->columns)
			break;
		if (k < t->ncolumns) {
			v = value_at(t, one, t->column_order[k]);
			rest -= v;
		}
		if (one == -2)
			page_spaces(&o->page, width - COUNT - 1);
		else
			plot_bar(&o->page.out, most > 0 ? v / most : 0, width - COUNT - 1,
				o->style->unicode);
		put_number(o, fmax(0, v), COUNT);
		page_spaces(&o->page, 1);
	}
	put_all(o, t, sum_at(t, one));
}

static void put_heads(struct over_time *o, const struct table *t, int width)
{
	char others[32];

	page_cell(&o->page, o->style->portal == PORTAL_THREADS ? "" : "variable", NAME, PAGE_LEFT);
	for (int k = 0; k < t->ncolumns; k++) {
		page_cell(&o->page, t->column[t->column_order[k]], width - 1, PAGE_RIGHT);
		page_spaces(&o->page, 1);
	}
	if (t->ncolumns < t->columns) {
		snprintf(others, sizeof others, "%d others", t->columns - t->ncolumns);
		page_cell(&o->page, others, width - 1, PAGE_RIGHT);
		page_spaces(&o->page, 1);
	}
	page_cell(&o->page, "all", ALL, PAGE_RIGHT);
	page_end_line(&o->page);
}

/* The largest cell that is printed. */
static double largest(const struct table *t)
{
	double most = 0;

	for (int i = 0; i < t->nrows; i++)
		for (int k = 0; k < t->ncolumns; k++)
			most = fmax(most, *cell(t, t->row_order[i], t->column_order[k]));
	return most;
}

static void put_table(struct over_time *o, const struct table *t, int width)
{
	const double most = largest(t);
	char others[32];

	put_heads(o, t, width);
	for (int i = 0; i < t->nrows; i++)
		put_row(o, t, t->row[t->row_order[i]], t->row_order[i], most, width);
	if (t->nrows < t->rows) {
		snprintf(others, sizeof others, "%d others", t->rows - t->nrows);
		put_row(o, t, others, -1, most, width);
	}
	put_row(o, t, "all", -2, most, width);
}

static void head(struct over_time *o, const struct table *t)
{
	static const enum timeline_view views[PORTALS] = {
		[PORTAL_VARIABLES] = VIEW_VARIABLES, [PORTAL_THREADS] = VIEW_THREADS,
		[PORTAL_MODULES] = VIEW_MODULES,
	};
	static const char *const counts[PORTAL_COUNTS] = {
		[PORTAL_ACCESSES] = "Accesses", [PORTAL_READS] = "Reads",
		[PORTAL_WRITES] = "Writes", [PORTAL_BYTES] = "Bytes",
		[PORTAL_MISSES] = "Misses of the first level",
		[PORTAL_MEMORY] = "Lines from memory",
	};
	struct buf b = BUF_INIT;

	if (o->r->ntimelines == 1 || o->style->process >= 0 || o->style->portal == PORTAL_MODULES)
		timeline_claim(&b, o->f, views[o->style->portal]);
	else
		timeline_ranks_claim(&b, t->rank, t->nranks);
	over_time_claim(o, &b);
	buf_clear(&b);
	if (o->style->portal == PORTAL_MODULES) {
		timeline_reading(&b, o->f, VIEW_MODULES);
		buf_puts(&b, " Bars compare all cells. ");
	} else {
		buf_printf(&b, "%s of one execution; bars compare all cells. ",
			counts[o->style->count]);
	}
	buf_printf(&b, "Sorted by %s (--portal-sort, --portal-count).", o->style->sort ?
		o->style->sort : "all");
	over_time_reading(o, &b);
	buf_free(&b);
	page_end_line(&o->page);
}

static int fill_table(struct over_time *o, struct table *t)
{
	if (o->style->portal == PORTAL_MODULES)
		return by_node(o, t);
	if (o->r->ntimelines > 1 && o->style->process < 0)
		return by_process(o, t);
	return by_thread(o, t);
}

static int print_table(struct over_time *o)
{
	const int room = o->page.width - NAME - ALL;
	struct table t = { .rows = 0 };
	int rc = fill_table(o, &t), width;

	if (!rc && o->style->portal == PORTAL_THREADS)
		rc = turn(o, &t);
	if (!rc && !order(o, &t, room / CELL_LEAST)) {
		width = room / (t.ncolumns + (t.ncolumns < t.columns) + !t.columns);
		head(o, &t);
		put_table(o, &t, width > CELL_MOST ? CELL_MOST : width);
	} else {
		rc = -1;
	}
	for (int i = 0; i < t.nranks; i++)
		time_facts_free(t.rank[i]);
	return rc;
}

int over_time_portal(struct over_time *o)
{
	const bool channels = o->style->portal == PORTAL_MODULES && o->f->t->channels;

	if ((!channels || o->f->t->nodes > 1) && print_table(o))
		return -1;
	return channels ? over_time_channels(o, o->f->t->nodes > 1) : 0;
}
