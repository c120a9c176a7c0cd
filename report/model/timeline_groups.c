/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds structures that are always used together, and the lanes of threads that this is seen in. */
#include "report/model/timeline_facts.h"

#include <math.h>
#include <string.h>

#define ALIKE 0.9               /* cosine of the columns of two structures that are used together */
enum { COARSE = 4 };            /* columns of the axis that are compared as one */
#define LEAST 0.01              /* of all accesses, for a structure to be compared */

static void add_series(const struct time_facts *f, int thread, const struct report_series *s,
	double *into, int bins)
{
	for (int i = 0; i < s->n; i++)
		time_axis_add(&f->axis, thread, (int)s->point[i].at, (double)s->point[i].value,
			into, bins);
}

void time_lane(const struct time_facts *f, int structure, int thread, double *reads, double *writes,
	int bins)
{
	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];

		if ((structure >= 0 && c->structure != structure + 1) ||
		    (thread >= 0 && c->thread != thread))
			continue;
		add_series(f, c->thread, &c->reads, reads, bins);
		add_series(f, c->thread, &c->writes, writes, bins);
	}
}

void time_lanes(const struct time_facts *f, int structure, double *reads, double *writes, int bins)
{
	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];
		const size_t at = (size_t)c->thread * (size_t)bins;

		if (c->structure != structure + 1)
			continue;
		add_series(f, c->thread, &c->reads, reads + at, bins);
		add_series(f, c->thread, &c->writes, writes + at, bins);
	}
}

static double sum_of(const double *v, int from, int n)
{
	double sum = 0;

	for (int i = from; i < n && i < from + COARSE; i++)
		sum += v[i];
	return sum;
}

/* Of coarser columns: what a loop uses one after the other in each of
 * its turns is used together. */
static double cosine(const double *a, const double *b, int n)
{
	double ab = 0, aa = 0, bb = 0;

	for (int i = 0; i < n; i += COARSE) {
		const double x = sum_of(a, i, n), y = sum_of(b, i, n);

		ab += x * y;
		aa += x * x;
		bb += y * y;
	}
	return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* A structure joins the first one, of those with more accesses, that it is alike
 * to and that leads a group. */
static void join(struct time_facts *f, int at)
{
	struct time_structure *s = &f->structure[f->order[at]];

	for (int i = 0; i < at; i++) {
		struct time_structure *other = &f->structure[f->order[i]];

		if (other->use && other->leader == f->order[i] &&
		    cosine(other->use, s->use, f->columns) > ALIKE) {
			s->leader = f->order[i];
			return;
		}
	}
}

int time_groups_make(struct time_facts *f)
{
	for (int i = 0; i < f->t->nstructures; i++) {
		struct time_structure *s = &f->structure[f->order[i]];

		if (s->share < LEAST)
			break;
		s->use = arena_array(f->arena, (size_t)f->columns, sizeof *s->use);
		if (!s->use)
			return -1;
		time_lane(f, f->order[i], -1, s->use, s->use, f->columns);
		join(f, i);
	}
	return 0;
}
