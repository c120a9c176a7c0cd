/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins the findings of a report to problems. */
#include "report/model/problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"

struct range { double value, low, high; };

struct item {                   /* a finding */
	const struct report_finding *f;
	int nregions;           /* steps of its path that are regions */
	int group;              /* index of the first item of its problem; -1: of none yet */
	bool memory, structure;
	struct range own;       /* its own part of what memory costs */
	int around;             /* not about memory: the nearest finding of its group and property around it; -1: none */
};

static double known(double v)
{
	return isnan(v) ? 0 : v;
}

/* The steps of the path that are regions; structures come after them. */
static int region_steps(const struct report_finding *f)
{
	int n = f->npath;

	while (n > 0 && f->path[n - 1].type == REGION_DATA_STRUCTURE)
		n--;
	return n;
}

static void fill(struct item *it, const struct report_finding *f)
{
	*it = (struct item){ .f = f, .nregions = region_steps(f), .group = -1, .memory = report_about_memory(f) };
	it->structure = it->nregions < f->npath;
	it->own = isnan(f->own_stall_share) ?
		(struct range){ known(f->est_stall_share), known(f->est_stall_low_share), known(f->est_stall_high_share) } :
		(struct range){ f->own_stall_share, known(f->own_stall_low_share), known(f->own_stall_high_share) };
}

static bool same_region(const struct item *a, const struct item *b)
{
	const struct report_node *x, *y;

	if (!a->nregions || !b->nregions)
		return a->nregions == b->nregions;
	x = &a->f->path[a->nregions - 1];
	y = &b->f->path[b->nregions - 1];
	return x->line == y->line && x->type == y->type && text_same(x->file, y->file) &&
		text_same(x->name, y->name);
}

/* True: b is in a region inside that of a, or in the same one. */
static bool inside(const struct item *a, const struct item *b)
{
	return a->nregions <= b->nregions &&
		report_path_compare(a->f->path, a->nregions, b->f->path, a->nregions) == 0;
}

/* The lines that a finding is about have most of what it costs. */
static bool same_lines(const struct report_finding *a, const struct report_finding *b)
{
	return a->source && text_same(a->source, b->source) && a->first_line > 0 && a->first_line == b->first_line &&
		a->last_line == b->last_line;
}

static bool of_one_problem(const struct item *a, const struct item *b)
{
	bool same_kind = text_same(a->f->kind, b->f->kind) || (report_same_structure(a->f, b->f) &&
		report_kind_shares(a->f->kind) && report_kind_shares(b->f->kind));

	if (a->memory != b->memory)
		return false;
	if (!a->memory)
		return a->f->over_processes == b->f->over_processes && same_region(a, b);
	if (!a->structure || !b->structure || (!same_kind && !same_lines(a->f, b->f)))
		return false;
	return (same_kind && same_region(a, b)) || (report_same_structure(a->f, b->f) &&
		!text_same(a->f->property, b->f->property) && (inside(a, b) || inside(b, a)));
}

static void join(struct item *items, int n, int from, int to)
{
	int first = from < to ? from : to, gone = from < to ? to : from;

	for (int i = 0; i < n && first != gone; i++)
		if (items[i].group == gone)
			items[i].group = first;
}

/* Groups all findings but those about memory in regions. */
static void group(struct item *items, int n)
{
	for (int i = 0; i < n; i++) {
		if (items[i].memory && !items[i].structure)
			continue;
		items[i].group = i;
		for (int k = 0; k < i; k++)
			if (items[k].group >= 0 && of_one_problem(&items[i], &items[k]))
				join(items, n, items[i].group, items[k].group);
	}
}

/* --- estimates -------------------------------------------------------------------------------- */

static bool same_part(const struct item *items, int i, int k)
{
	return items[k].group == items[i].group && items[k].structure && report_same_structure(items[k].f, items[i].f);
}

/* True: an earlier finding of the group is about the same structure. */
static bool structure_before(const struct item *items, int i)
{
	for (int k = 0; k < i; k++)
		if (same_part(items, i, k))
			return true;
	return false;
}

static void range_add(struct range *sum, const struct range *v)
{
	sum->value += v->value;
	sum->low += v->low;
	sum->high += v->high;
}

/* What the structure of item i costs in its group. */
static struct range structure_share(const struct item *items, int n, int i)
{
	struct range sum = { 0, 0, 0 };

	for (int k = 0; k < n; k++)
		if (same_part(items, i, k))
			range_add(&sum, &items[k].own);
	return sum;
}

static struct range group_share(const struct item *items, int n, int g)
{
	struct range sum = { 0, 0, 0 };

	for (int i = 0; i < n; i++) {
		struct range one = items[i].own;

		if (items[i].group != g || (items[i].structure && structure_before(items, i)))
			continue;
		if (items[i].structure)
			one = structure_share(items, n, i);
		range_add(&sum, &one);
	}
	return sum;
}

/* --- regions ---------------------------------------------------------------------------------- */

/* The group of the region's own place and kind; else -1. */
static int group_of_region(const struct item *items, int n, const struct item *region)
{
	for (int i = 0; i < n; i++)
		if (items[i].group >= 0 && items[i].memory && same_region(&items[i], region) &&
		    text_same(items[i].f->kind, region->f->kind))
			return items[i].group;
	return -1;
}

/* Puts a region's finding into a group: the largest of those inside, if these explain it. */
static void place_region(struct item *items, int n, int at)
{
	struct item *region = &items[at];
	int largest = -1, same = group_of_region(items, n, region);
	double most = 0;

	for (int i = 0; i < n; i++) {
		double share;

		if (items[i].group < 0 || !items[i].memory || !inside(region, &items[i]))
			continue;
		share = group_share(items, n, items[i].group).value;
		if (largest < 0 || share > most) {
			largest = items[i].group;
			most = share;
		}
	}
	if (largest >= 0 && !(region->own.value > REPORT_REST * known(region->f->est_stall_share))) {
		region->group = largest;
		region->own = (struct range){ 0, 0, 0 };
		return;
	}
	region->group = same >= 0 ? same : at;
}

/* Innermost regions first, so that what they have is taken off those around them. */
static void place_regions(struct item *items, int n)
{
	int deepest = 0;

	for (int i = 0; i < n; i++)
		if (items[i].nregions > deepest)
			deepest = items[i].nregions;
	for (int depth = deepest; depth >= 0; depth--)
		for (int i = 0; i < n; i++)
			if (items[i].group < 0 && items[i].nregions == depth)
				place_region(items, n, i);
}

/* --- structures and lines --------------------------------------------------------------------- */

/* Structures by estimate; without one, or with equal ones, in the report's order. */
static void add_structure(const struct report *r, struct report_problem *p, const struct report_finding *f, double estimate)
{
	int at = p->nstructures++;

	for (; at > 0 && p->structure[at - 1].share < estimate; at--) {
		p->structure[at] = p->structure[at - 1];
		p->structures[at] = p->structures[at - 1];
	}
	p->structure[at] = (struct report_problem_structure){ (int)(f - r->findings) + 1, estimate };
	p->structures[at] = f;
}

/* What findings of the property of item i say of its structure in the group, together. */
static double property_share(const struct item *items, int n, int i)
{
	double sum = 0;

	for (int k = 0; k < n; k++)
		if (same_part(items, i, k) && text_same(items[k].f->property, items[i].f->property))
			sum += known(items[k].f->est_stall_share);
	return sum;
}

/* The first finding of the property that says most of the structure of item i: its findings have disjoint misses. */
static int of_property(const struct item *items, int n, int i)
{
	int best = i;

	for (int k = i + 1; k < n; k++)
		if (same_part(items, i, k) && property_share(items, n, k) > property_share(items, n, best))
			best = k;
	return best;
}

/* Adds the misses by line of the findings that the estimate of a structure is of, those of item `of`, in the lead's
 * region: a finding of the phase around it has lines of other routines.  Lines of another file than the lead's are other
 * lines.  0 / -1 (memory). */
static int add_sites(struct arena *arena, struct report_problem *p, const struct item *items, int n, int of)
{
	const struct item *lead = &items[of];

	for (int i = 0; i < n; i++)
		if (items[i].f == p->lead)
			lead = &items[i];
	for (int i = 0; i < n; i++) {
		const struct report_finding *f = items[i].f;
		struct report_site *sites;

		if (items[i].group != items[of].group || !items[i].structure || !f->nsites ||
		    !report_same_structure(f, items[of].f) || !text_same(f->property, items[of].f->property) ||
		    !inside(lead, &items[i]))
			continue;
		sites = arena_array(arena, (size_t)f->nsites, sizeof *sites);
		if (!sites)
			return -1;
		for (int k = 0; k < f->nsites; k++) {
			sites[k] = f->sites[k];
			if (!text_same(f->source, p->lead->source))
				sites[k].line = 0;
		}
		if (report_sites_merge(arena, p->sites, p->nsites, sites, f->nsites, &p->sites, &p->nsites))
			return -1;
	}
	return 0;
}

/* After the lead is known.  0 / -1 (memory). */
static int collect_sites(struct arena *arena, const struct item *items, int n, int g, struct report_problem *p)
{
	for (int i = 0; i < n && p->memory; i++)
		if (items[i].group == g && items[i].structure && !structure_before(items, i) &&
		    add_sites(arena, p, items, n, of_property(items, n, i)))
			return -1;
	p->place_line = p->lead->source ? report_sites_place(p->sites, p->nsites) : 0;
	return 0;
}

/* --- waits ------------------------------------------------------------------------------------ */

static bool same_property(const struct item *a, const struct item *b)
{
	return a->group == b->group && text_same(a->f->property, b->f->property);
}

/* True: a's path is the beginning of b's. */
static bool path_around(const struct item *a, const struct item *b)
{
	return a->f->npath < b->f->npath &&
		report_path_compare(a->f->path, a->f->npath, b->f->path, a->f->npath) == 0;
}

static void find_around(struct item *items, int n, int g)
{
	for (int i = 0; i < n; i++) {
		items[i].around = -1;
		for (int k = 0; k < n && items[i].group == g; k++)
			if (same_property(&items[k], &items[i]) && path_around(&items[k], &items[i]) &&
			    (items[i].around < 0 || items[k].f->npath > items[items[i].around].f->npath))
				items[i].around = k;
	}
}

/* The severity at a path: of several processes, those inside may be of more processes, and more together. */
static double path_severity(const struct item *items, int n, int at)
{
	double inside = 0, own = known(items[at].f->severity_share);

	for (int i = 0; i < n; i++)
		if (items[i].group == items[at].group && items[i].around == at)
			inside += path_severity(items, n, i);
	return inside > own ? inside : own;
}

/* What a property takes of all time: what its finding about the phase says, if that holds in all processes. */
static double most_of_phase(const struct report *r, const struct item *items, int n, const struct report_finding *of)
{
	for (int i = 0; i < n; i++) {
		const struct report_finding *f = items[i].f;

		if (f->npath == 1 && f->nprocesses == r->nprocs && f->over_processes == of->over_processes &&
		    f->severity_is_time && text_same(f->property, of->property))
			return f->severity_share;
	}
	return 1;
}

/* The severity of the property of item `first` in its group, and the number of paths that it is the sum of. */
static double waits_sum(const struct report *r, const struct item *items, int n, int first, int *paths)
{
	const struct report_finding *of = items[first].f;
	double sum = 0, largest = known(of->severity_share), most;

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

/* Of a group that is not about memory: the largest of its properties' severities. */
static void collect_waits(const struct report *r, struct item *items, int n, int g, struct report_problem *p)
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

/* --- collecting ------------------------------------------------------------------------------- */

/* NAN is no limit. */
static double at_most(double v, double limit)
{
	return v > limit ? limit : v;
}

static int collect(struct report *r, struct item *items, int n, int g, struct report_problem *p)
{
	double base = report_base_time(r);
	struct range sum = group_share(items, n, g);
	bool estimated = false;

	p->members = arena_array(r->arena, (size_t)n, sizeof *p->members);
	p->structures = arena_array(r->arena, (size_t)n, sizeof *p->structures);
	p->structure = arena_array(r->arena, (size_t)n, sizeof *p->structure);
	if (!p->structure || !p->members || !p->structures)
		return -1;
	p->share = p->low = p->high = NAN;
	for (int i = 0; i < n; i++) {
		if (items[i].group != g)
			continue;
		p->members[p->nmembers++] = items[i].f;
		p->memory = items[i].memory;
		estimated |= items[i].memory && !isnan(items[i].f->est_stall_share);
		if (items[i].structure && !structure_before(items, i))
			add_structure(r, p, items[i].f, structure_share(items, n, i).value);
	}
	problems_lead(p);
	if (!p->memory)
		collect_waits(r, items, n, g, p);
	if (estimated) {
		p->share = at_most(sum.value, r->est_stall / base);
		p->low = at_most(sum.low, r->est_stall_low / base);
		p->high = at_most(sum.high, r->est_stall_high / base);
	}
	return collect_sites(r->arena, items, n, g, p);
}

static double weight(const struct report_problem *p)
{
	return isnan(p->share) ? known(p->members[0]->severity_share) : p->share;
}

/* Members are in the report's order, so the place of the first is a total order. */
static int by_weight(const void *pa, const void *pb)
{
	const struct report_problem *a = pa, *b = pb;
	/* The same time, added up in another order, differs in the last digits of a double. */
	float x = (float)weight(a), y = (float)weight(b);

	if (x != y)
		return x > y ? -1 : 1;
	return a->members[0] < b->members[0] ? -1 : a->members[0] > b->members[0];
}

int problems_group(struct report *r)
{
	struct item *items = calloc((size_t)r->nfindings + 1, sizeof *items);
	struct report_problem *problem = arena_array(r->arena, (size_t)r->nfindings + 1, sizeof *problem);
	int rc = items && problem ? 0 : -1, n = 0;

	r->problems = (struct report_problems){ problem, 0 };
	for (int i = 0; !rc && i < r->nfindings; i++)
		if (!report_own_property(&r->findings[i]))
			fill(&items[n++], &r->findings[i]);
	if (!rc) {
		group(items, n);
		place_regions(items, n);
	}
	for (int g = 0; !rc && g < n; g++) {
		/* join() names a group by its first item, place_region() by the region alone in it. */
		if (items[g].group == g)
			rc = collect(r, items, n, g, &problem[r->problems.n++]);
	}
	free(items);
	if (!rc && r->problems.n > 1)
		qsort(problem, (size_t)r->problems.n, sizeof *problem, by_weight);
	return rc;
}
