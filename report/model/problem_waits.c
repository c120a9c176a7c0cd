/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what waits and other costs that are not memory's take in a problem. */
#include "report/model/problems.h"

#include <math.h>

#include "base/known.h"
#include "base/text_same.h"
#include "report/model/figures.h"

static bool same_property(const struct problem_item *a, const struct problem_item *b)
{
	return a->group == b->group && text_same(a->f->property, b->f->property);
}

/* True: a's path is the beginning of b's. */
static bool path_around(const struct problem_item *a, const struct problem_item *b)
{
	return a->f->npath < b->f->npath &&
		report_path_compare(a->f->path, a->f->npath, b->f->path, a->f->npath) == 0;
}

static void find_around(struct problem_item *items, int n, int g)
{
	for (int i = 0; i < n; i++) {
		items[i].around = -1;
		for (int k = 0; k < n && items[i].group == g; k++)
			if (same_property(&items[k], &items[i]) &&
			    path_around(&items[k], &items[i]) && (items[i].around < 0 ||
			    items[k].f->npath > items[items[i].around].f->npath))
				items[i].around = k;
	}
}

/* The severity at a path: of several processes, those inside may be of more processes, and more
 * together. */
static double path_severity(const struct problem_item *items, int n, int at)
{
	double inside = 0, own = known_amount(items[at].f->severity_share);

	for (int i = 0; i < n; i++)
		if (items[i].group == items[at].group && items[i].around == at)
			inside += path_severity(items, n, i);
	return inside > own ? inside : own;
}

/* What a property takes of all time: what its finding about the phase says, if that holds in all
 * processes. */
static double most_of_phase(const struct report *r, const struct problem_item *items, int n,
	const struct report_finding *of)
{
	for (int i = 0; i < n; i++) {
		const struct report_finding *f = items[i].f;

		if (f->npath == 1 && f->nprocesses == r->nprocs &&
		    f->over_processes == of->over_processes &&
		    f->severity_is_time && text_same(f->property, of->property))
			return f->severity_share;
	}
	return 1;
}

/* The severity of the property of item `first` in its group, and the number of paths that it is the
 * sum of. */
static double waits_sum(const struct report *r, const struct problem_item *items, int n, int first,
	int *paths)
{
	const struct report_finding *of = items[first].f;
	double sum = 0, largest = known_amount(of->severity_share), most;

	*paths = 1;
	if (!of->severity_is_time || of->severity_is_index)
		return of->severity_share;
	*paths = 0;
	for (int i = 0; i < n; i++) {
		double one;

		if (!same_property(&items[i], &items[first]) || items[i].around >= 0)
			continue;
		one = path_severity(items, n, i);
		sum += one;
		largest = one > largest ? one : largest;
		*paths += one > 0;
	}
	most = most_of_phase(r, items, n, of);
	most = most > largest ? most : largest;
	return sum < most ? sum : most;
}

void problems_waits(const struct report *r, struct problem_item *items, int n, int g,
	struct report_problem *p)
{
	find_around(items, n, g);
	for (int i = 0; i < n; i++) {
		bool before = items[i].group != g;
		double sum;
		int paths;

		for (int k = 0; k < i && !before; k++)
			before = same_property(&items[k], &items[i]);
		if (before)
			continue;
		sum = waits_sum(r, items, n, i, &paths);
		if (isnan(sum) || p->share >= sum)
			continue;
		p->share = sum;
		p->lead = items[i].f;
		p->npaths = paths;
	}
}
