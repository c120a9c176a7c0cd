/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins the findings of a report to problems. */
#include "report/model/problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/known.h"
#include "base/text_same.h"
#include "report/model/figures.h"

/* The steps of the path that are regions; structures come after them. */
static int region_steps(const struct report_finding *f)
{
	int n = f->npath;

	while (n > 0 && f->path[n - 1].type == REGION_DATA_STRUCTURE)
		n--;
	return n;
}

static void fill(struct problem_item *it, const struct report_finding *f)
{
	*it = (struct problem_item){ .f = f, .nregions = region_steps(f), .group = -1, .pass = -1,
		.memory = report_about_memory(f) };
	it->structure = it->nregions < f->npath;
	it->faults = f->about == ABOUT_FAULTS;
	it->nodes = f->about == ABOUT_NODES;
	it->own = it->nodes ? problem_nodes_range(f) : it->faults ?
		(struct problem_range){ known_amount(f->fault_share),
		known_amount(f->fault_low_share), known_amount(f->fault_high_share) } :
		isnan(f->own_stall_share) ?
		(struct problem_range){ known_amount(f->est_stall_share),
			known_amount(f->est_stall_low_share),
			known_amount(f->est_stall_high_share) } :
		(struct problem_range){ f->own_stall_share, known_amount(f->own_stall_low_share),
			known_amount(f->own_stall_high_share) };
}

static bool same_region(const struct problem_item *a, const struct problem_item *b)
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
static bool inside(const struct problem_item *a, const struct problem_item *b)
{
	return a->nregions <= b->nregions &&
		report_path_compare(a->f->path, a->nregions, b->f->path, a->nregions) == 0;
}

/* The lines that a finding is about have most of what it costs. */
static bool same_lines(const struct report_finding *a, const struct report_finding *b)
{
	return a->source && text_same(a->source, b->source) && a->first_line > 0 &&
		a->first_line == b->first_line &&
		a->last_line == b->last_line;
}

/* The same of page faults: one change removes them. */
static bool of_one_cause(const struct problem_item *a, const struct problem_item *b)
{
	if (a->f->fault_cause != b->f->fault_cause)
		return false;
	return problems_faults_everywhere(a->f->fault_cause) || (a->structure && b->structure ?
		report_same_structure(a->f, b->f) : a->structure == b->structure &&
		same_region(a, b));
}

static bool of_one_problem(const struct problem_item *a, const struct problem_item *b)
{
	bool same_kind = a->f->kind == b->f->kind || (miss_kind_shares(a->f->kind) &&
		miss_kind_shares(b->f->kind) && report_same_structure(a->f, b->f));

	if (a->memory != b->memory || a->faults != b->faults || a->nodes != b->nodes)
		return false;
	if (a->nodes)           /* the change names the structure */
		return text_same(a->f->property, b->f->property) &&
			report_same_structure(a->f, b->f);
	if (a->faults)
		return of_one_cause(a, b);
	if (!a->memory)
		return a->f->over_processes == b->f->over_processes && same_region(a, b);
	if (!a->structure || !b->structure || (!same_kind && !same_lines(a->f, b->f)))
		return false;
	return (same_kind && same_region(a, b)) || (!text_same(a->f->property, b->f->property) &&
		report_same_structure(a->f, b->f) && (inside(a, b) || inside(b, a)));
}

static void join(struct problem_item *items, int n, int from, int to)
{
	int first = from < to ? from : to, gone = from < to ? to : from;

	for (int i = 0; i < n && first != gone; i++)
		if (items[i].group == gone)
			items[i].group = first;
}

/* Groups all findings but those about memory in regions. */
static void group(struct problem_item *items, int n)
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

static bool same_part(const struct problem_item *items, int i, int k)
{
	return items[k].group == items[i].group && items[k].structure &&
		report_same_structure(items[k].f, items[i].f);
}

/* True: an earlier finding of the group is about the same structure. */
static bool structure_before(const struct problem_item *items, int i)
{
	for (int k = 0; k < i; k++)
		if (same_part(items, i, k))
			return true;
	return false;
}

void problem_range_add(struct problem_range *sum, const struct problem_range *v)
{
	sum->value += v->value;
	sum->low += v->low;
	sum->high += v->high;
}

/* What the structure of item i costs in its group. */
static struct problem_range structure_share(const struct problem_item *items, int n, int i)
{
	struct problem_range sum = { 0, 0, 0 };

	for (int k = 0; k < n; k++)
		if (same_part(items, i, k))
			problem_range_add(&sum, &items[k].own);
	return sum;
}

static struct problem_range group_share(const struct problem_item *items, int n, int g)
{
	struct problem_range sum = { 0, 0, 0 };

	for (int i = 0; i < n; i++) {
		struct problem_range one = items[i].own;

		if (items[i].group != g || (items[i].structure && structure_before(items, i)))
			continue;
		if (items[i].structure)
			one = structure_share(items, n, i);
		problem_range_add(&sum, &one);
	}
	return sum;
}

/* --- what others have ------------------------------------------------------------------------- */

/* True: nearly all that the group's findings cost is other findings' own. */
static bool is_explained(const struct problem_item *items, int n, int g)
{
	double all = 0;

	for (int i = 0; i < n; i++)
		if (items[i].group == g && known_amount(items[i].f->est_stall_share) > all)
			all = items[i].f->est_stall_share;
	return all > 0 && !(group_share(items, n, g).value > REPORT_REST * all);
}

/* The group that costs most of those about one structure of group g, around it or inside; -1:
 * none. */
static int explaining(const struct problem_item *items, int n, int g)
{
	int largest = -1;
	double most = 0;

	for (int i = 0; i < n; i++)
		for (int k = 0; k < n && items[i].group == g; k++) {
			double share;

			if (items[k].group < 0 || items[k].group == g ||
			    !items[k].memory || !items[k].structure ||
			    !report_same_structure(items[i].f, items[k].f) ||
			    (!inside(&items[i], &items[k]) && !inside(&items[k], &items[i])))
				continue;
			share = group_share(items, n, items[k].group).value;
			if (share > most) {
				largest = items[k].group;
				most = share;
			}
		}
	return largest;
}

static void join_explained(struct problem_item *items, int n)
{
	for (int g = 0; g < n; g++) {
		int by = items[g].group == g && items[g].memory && is_explained(items, n, g) ?
			explaining(items, n, g) : -1;

		if (by >= 0)
			join(items, n, g, by);
	}
}

/* --- passes ----------------------------------------------------------------------------------- */

static void join_passes(struct problem_item *items, int n)
{
	problems_find_passes(items, n);
	for (int a = 0; a < n; a++)
		for (int b = 0; b < a && items[a].place; b++)
			if (items[a].group != items[b].group &&
			    problems_same_passes(items, n, a, b))
				join(items, n, items[a].group, items[b].group);
}

/* --- regions ---------------------------------------------------------------------------------- */

/* The group of the region's own place and kind; else -1. */
static int group_of_region(const struct problem_item *items, int n,
	const struct problem_item *region)
{
	for (int i = 0; i < n; i++)
		if (items[i].group >= 0 && items[i].memory && same_region(&items[i], region) &&
		    items[i].f->kind == region->f->kind)
			return items[i].group;
	return -1;
}

/* Puts a region's finding into a group: the largest of those inside, if these explain it. */
static void place_region(struct problem_item *items, int n, int at)
{
	struct problem_item *region = &items[at];
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
	if (largest >= 0 &&
	    !(region->own.value > REPORT_REST * known_amount(region->f->est_stall_share))) {
		region->group = largest;
		region->own = (struct problem_range){ 0, 0, 0 };
		return;
	}
	region->group = same >= 0 ? same : at;
}

/* Innermost regions first, so that what they have is taken off those around them. */
static void place_regions(struct problem_item *items, int n)
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
static void add_structure(const struct report *r, struct report_problem *p,
	const struct report_finding *f, double estimate)
{
	int at = p->nstructures++;

	for (; at > 0 && p->structure[at - 1].share < estimate; at--) {
		p->structure[at] = p->structure[at - 1];
		p->structures[at] = p->structures[at - 1];
	}
	p->structure[at].finding = (int)(f - r->findings) + 1;
	p->structure[at].share = estimate;
	p->structures[at] = f;
}

/* What findings of the property of item i say of its structure in the group, together. */
static double property_share(const struct problem_item *items, int n, int i)
{
	double sum = 0;

	for (int k = 0; k < n; k++)
		if (same_part(items, i, k) && text_same(items[k].f->property, items[i].f->property))
			sum += known_amount(items[k].f->est_stall_share);
	return sum;
}

/* The first finding of the property that says most of the structure of item i: its findings have
 * disjoint misses. */
static int of_property(const struct problem_item *items, int n, int i)
{
	int best = i;

	for (int k = i + 1; k < n; k++)
		if (same_part(items, i, k) &&
		    property_share(items, n, k) > property_share(items, n, best))
			best = k;
	return best;
}

/* Adds the misses by line of the findings that the estimate of a structure is of, those of item
 * `of`, in the lead's region: a finding of the phase around it has lines of other routines.  Lines
 * of another file than the lead's are other lines.  0 / -1 (memory). */
static int add_sites(struct arena *arena, struct report_problem *p,
	const struct problem_item *items, int n, int of)
{
	const struct problem_item *lead = &items[of];

	for (int i = 0; i < n; i++)
		if (items[i].f == p->lead)
			lead = &items[i];
	for (int i = 0; i < n; i++) {
		const struct report_finding *f = items[i].f;
		struct report_site *sites;

		if (items[i].group != items[of].group || !items[i].structure || !f->nsites ||
		    !report_same_structure(f, items[of].f) ||
		    !text_same(f->property, items[of].f->property) ||
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
		if (report_sites_merge(arena, p->sites, p->nsites, sites, f->nsites, &p->sites,
		    &p->nsites))
			return -1;
	}
	return 0;
}

/* After the lead is known.  0 / -1 (memory). */
static int collect_sites(struct arena *arena, const struct problem_item *items, int n, int g,
	struct report_problem *p)
{
	for (int i = 0; i < n && (p->memory || p->lead->about == ABOUT_NODES); i++)
		if (items[i].group == g && items[i].structure && !structure_before(items, i) &&
		    add_sites(arena, p, items, n, of_property(items, n, i)))
			return -1;
	p->place_line = p->lead->source ? report_sites_place(p->sites, p->nsites) : 0;
	return 0;
}

/* --- collecting ------------------------------------------------------------------------------- */

/* NAN is no limit. */
static double at_most(double v, double limit)
{
	return v > limit ? limit : v;
}

static int collect(struct report *r, struct problem_item *items, int n, int g,
	struct report_problem *p)
{
	double base = report_base_time(r);
	struct problem_range sum = group_share(items, n, g);
	bool estimated = false;
	size_t members = 0;

	for (int i = 0; i < n; i++)
		members += items[i].group == g;
	p->members = arena_array(r->arena, members, sizeof *p->members);
	p->structures = arena_array(r->arena, members, sizeof *p->structures);
	p->structure = arena_array(r->arena, members, sizeof *p->structure);
	if (!p->structure || !p->members || !p->structures)
		return -1;
	p->share = p->low = p->high = p->page_faults = NAN;
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
	if (p->lead->about == ABOUT_FAULTS)
		problems_faults(r, items, n, g, p);
	else if (p->lead->about == ABOUT_NODES)
		problems_nodes(items, n, g, p);
	else if (!p->memory)
		problems_waits(r, items, n, g, p);
	if (estimated) {
		p->share = at_most(sum.value, r->est_stall / base);
		p->low = at_most(sum.low, r->est_stall_low / base);
		p->high = at_most(sum.high, r->est_stall_high / base);
	}
	if (p->memory && problems_passes(r->arena, items, n, g, p))
		return -1;
	return collect_sites(r->arena, items, n, g, p);
}

static double weight(const struct report_problem *p)
{
	return isnan(p->share) ? known_amount(p->members[0]->severity_share) : p->share;
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
	struct problem_item *items = calloc((size_t)r->nfindings + 1, sizeof *items);
	struct report_problem *problem = arena_array(r->arena, (size_t)r->nfindings + 1,
		sizeof *problem);
	int rc = items && problem ? 0 : -1, n = 0;

	r->problems = (struct report_problems){ problem, 0 };
	for (int i = 0; !rc && i < r->nfindings; i++)
		if (!report_own_property(&r->findings[i]))
			fill(&items[n++], &r->findings[i]);
	if (!rc) {
		group(items, n);
		join_explained(items, n);
		join_passes(items, n);
		place_regions(items, n);
	}
	for (int g = 0; !rc && g < n; g++) {
		/* join() names a group by its first item, place_region() by its only one. */
		if (items[g].group == g)
			rc = collect(r, items, n, g, &problem[r->problems.n++]);
	}
	free(items);
	if (!rc && r->problems.n > 1)
		qsort(problem, (size_t)r->problems.n, sizeof *problem, by_weight);
	return rc;
}
