/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds sections that could run side by side: none uses memory that another of them writes, nor
 * anything that follows from it.  A section's part of a structure is taken to reach from its first
 * row to its last, so that rows which the sample lacks deny no dependence. */
#include "report/model/timeline_facts.h"

#include <string.h>

enum { SECTIONS = 16 };
#define LEAST 0.03              /* of all accesses, for a section to be named */

struct part { int from, to; };  /* rows; to < from: none */
static const struct part nothing = { 1, 0 };

struct section {
	int region;                     /* as in time_facts.section */
	int first, last;                /* columns in which it has most accesses */
	bool named;                     /* it has enough accesses to be named */
	int64_t reads, writes;          /* of the structure at hand .. */
	struct part read, written;      /* .. and where */
};

struct sections {
	struct section of[SECTIONS];
	int n;
	/* does k need i done before? */
	bool after[SECTIONS][SECTIONS];
	/* By region: the number of its section, from 1; 0: none of these. */
	int *number, numbers;
	double *by_column;              /* column * (numbers + 1) + number: accesses */
	int *most;                      /* by column: the number with most accesses; 0: none */
};

static void extend(struct part *p, int row)
{
	if (p->to < p->from)
		*p = (struct part){ row, row };
	p->from = row < p->from ? row : p->from;
	p->to = row > p->to ? row : p->to;
}

/* Adds the accesses of a structure (-1: all) by column and section. */
static void add_cells(const struct time_facts *f, struct sections *s, int structure)
{
	const size_t width = (size_t)s->numbers + 1;

	memset(s->by_column, 0, (size_t)f->columns * width * sizeof *s->by_column);
	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];
		const int number = s->number[f->section[c->region]];

		if (!number || (structure >= 0 && c->structure != structure + 1))
			continue;
		for (int writes = 0; writes < 2; writes++) {
			const struct report_series *v = writes ? &c->writes : &c->reads;

			for (int p = 0; p < v->n; p++)
				s->by_column[(size_t)time_axis_bin(&f->axis, c->thread,
					(int)v->point[p].at, f->columns) * width +
					(size_t)number] += (double)v->point[p].value;
			if (structure >= 0)
				*(writes ? &s->of[number - 1].writes : &s->of[number - 1].reads) +=
					series_sum(v);
		}
	}
	for (int c = 0; c < f->columns; c++) {
		const double *sum = s->by_column + (size_t)c * width;

		s->most[c] = 0;
		for (int k = 1; k <= s->numbers; k++)
			if (sum[k] > sum[s->most[c]])
				s->most[c] = k;
	}
}

/* Those that have most accesses in a column; none if there are too many. */
static void find_sections(const struct time_facts *f, struct sections *s)
{
	s->numbers = f->t->nregions;
	for (int r = 1; r <= s->numbers; r++)
		s->number[r] = r;
	add_cells(f, s, -1);
	memset(s->number, 0, ((size_t)s->numbers + 1) * sizeof *s->number);
	for (int c = 0; c < f->columns; c++) {
		const int region = s->most[c];

		if (region && !s->number[region]) {
			if (s->n == SECTIONS) {
				s->n = 0;
				return;
			}
			s->of[s->n] = (struct section){ .region = region, .first = c };
			s->number[region] = ++s->n;
		}
		if (region)
			s->of[s->number[region] - 1].last = c;
	}
	for (int i = 0; i < s->n; i++) {
		double all = 0;

		for (int c = 0; c < f->columns; c++)
			all += s->by_column[(size_t)c * ((size_t)s->numbers + 1) +
				(size_t)s->of[i].region];
		s->of[i].named = all >= LEAST * (double)time_accesses(&f->all);
	}
	s->numbers = s->n;
}

static void add_rows(const struct time_facts *f, struct sections *s, int thread,
	const struct report_series *v, bool writes)
{
	const int rows = f->t->rows;

	for (int i = 0; i < v->n; i++) {
		const int most = s->most[time_axis_bin(&f->axis, thread,
			(int)v->point[i].at / rows, f->columns)];

		if (most)
			extend(writes ? &s->of[most - 1].written : &s->of[most - 1].read,
				(int)v->point[i].at % rows);
	}
}

/* What is used without a row may be anywhere. */
static void complete(const struct time_facts *f, struct section *x)
{
	const struct part all = { 0, f->t->rows };

	if (x->reads && x->read.to < x->read.from)
		x->read = all;
	if (x->writes && x->written.to < x->written.from)
		x->written = all;
}

static bool meet(const struct part *a, const struct part *b)
{
	return a->from <= a->to && b->from <= b->to && a->from <= b->to && b->from <= a->to;
}

static void order(struct sections *s, int i, int k)
{
	if (s->of[i].first < s->of[k].last)
		s->after[i][k] = true;
	if (s->of[k].first < s->of[i].last)
		s->after[k][i] = true;
}

static void compare(const struct time_facts *f, struct sections *s, int structure)
{
	for (int i = 0; i < s->n; i++) {
		s->of[i].reads = s->of[i].writes = 0;
		s->of[i].read = s->of[i].written = nothing;
	}
	add_cells(f, s, structure);
	for (int i = 0; i < f->t->nmaps; i++) {
		const struct report_time_map *m = &f->t->maps[i];

		if (m->structure != structure + 1)
			continue;
		add_rows(f, s, m->thread, &m->reads, false);
		add_rows(f, s, m->thread, &m->writes, true);
	}
	for (int i = 0; i < s->n; i++)
		complete(f, &s->of[i]);
	for (int i = 0; i < s->n; i++)
		for (int k = 0; k < i; k++)
			if (meet(&s->of[i].written, &s->of[k].written) ||
				meet(&s->of[i].written, &s->of[k].read) ||
				meet(&s->of[i].read, &s->of[k].written))
				order(s, i, k);
}

static void close_over(struct sections *s)
{
	for (int m = 0; m < s->n; m++)
		for (int i = 0; i < s->n; i++)
			for (int k = 0; k < s->n; k++)
				s->after[i][k] |= s->after[i][m] && s->after[m][k];
}

/* Those with which section i can be, each also with all before it; returns their number. */
static int group(const struct sections *s, int i, int *out)
{
	int n = 0;

	out[n++] = i;
	for (int k = 0; k < s->n; k++) {
		bool free = k != i && s->of[k].named;

		for (int m = 0; m < n && free; m++)
			free = !s->after[out[m]][k] && !s->after[k][out[m]];
		if (free)
			out[n++] = k;
	}
	return n;
}

static void keep_largest(struct time_facts *f, const struct sections *s)
{
	for (int i = 0; i < s->n; i++) {
		int at[SECTIONS];
		const int n = group(s, i, at);

		if (!s->of[i].named || n <= f->nbeside || n < 2)
			continue;
		f->nbeside = n < TIME_BESIDE ? n : TIME_BESIDE;
		for (int k = 0; k < f->nbeside; k++)
			f->beside[k] = s->of[at[k]].region;
	}
}

int time_beside_make(struct time_facts *f)
{
	const size_t columns = (size_t)f->columns, regions = (size_t)f->t->nregions + 1;
	struct sections s = { .n = 0 };

	if (!f->t->rows || (f->t->threads > 1 && !f->ordered))
		return 0;
	s.number = arena_array(f->arena, regions, sizeof *s.number);
	s.by_column = arena_array(f->arena, columns * regions, sizeof *s.by_column);
	s.most = arena_array(f->arena, columns, sizeof *s.most);
	if (!s.number || !s.by_column || !s.most)
		return -1;
	find_sections(f, &s);
	/* Stacks and what else has no name belong to each section alone. */
	for (int i = 0; i < f->t->nstructures && s.n > 1; i++)
		if (f->structure[i].s->name[0] || f->structure[i].s->joined)
			compare(f, &s, i);
	close_over(&s);
	keep_largest(f, &s);
	return 0;
}
