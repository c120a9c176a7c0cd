/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins problems of loops that stream over the same structures one after the other: one cure helps
 * all of them. */
#include "report/model/problems.h"

#include <math.h>

#include "base/text_same.h"
#include "report/model/figures.h"

#define ALIKE 4                 /* times the smaller cost: the larger one, of passes that are
				 * alike */
#define MOSTLY 0.5              /* of what a pass costs: the part of the structures in common */

/* What the structure of item i may cost in the item's pass: for a middle
 * of 0 the upper end counts. */
static double may_cost(const struct problem_item *items, int n, int i)
{
	double sum = 0;

	for (int k = 0; k < n; k++)
		if (items[k].pass == items[i].pass && items[k].structure &&
		    report_same_structure(items[k].f, items[i].f))
			sum += items[k].own.high;
	return sum;
}

/* True: an earlier item of the pass is about the same structure. */
static bool counted(const struct problem_item *items, int i)
{
	for (int k = 0; k < i; k++)
		if (items[k].pass == items[i].pass && items[k].structure &&
		    report_same_structure(items[k].f, items[i].f))
			return true;
	return false;
}

static bool in_pass(const struct problem_item *items, int n, int pass,
	const struct problem_item *of)
{
	for (int k = 0; k < n; k++)
		if (items[k].pass == pass && items[k].structure &&
		    report_same_structure(items[k].f, of->f))
			return true;
	return false;
}

/* What a pass may cost, and of that the structures that pass `other` is about, too. */
static void cost_of_pass(const struct problem_item *items, int n, int pass, int other, double *all,
	double *common)
{
	*all = *common = 0;
	for (int i = 0; i < n; i++) {
		double cost;

		if (items[i].pass != pass || !items[i].structure || counted(items, i))
			continue;
		cost = may_cost(items, n, i);
		*all += cost;
		if (in_pass(items, n, other, &items[i]))
			*common += cost;
	}
}

static bool same_data(const struct problem_item *items, int n, int a, int b)
{
	double all_a, all_b, common_a, common_b;

	cost_of_pass(items, n, a, b, &all_a, &common_a);
	cost_of_pass(items, n, b, a, &all_b, &common_b);
	return common_a > 0 && common_b > 0 && common_a >= MOSTLY * all_a &&
		common_b >= MOSTLY * all_b && common_a <= ALIKE * common_b &&
		common_b <= ALIKE * common_a;
}

static bool is_loop(enum region_type type)
{
	return type == REGION_LOOP || type == REGION_WORKSHARE_DO;
}

static bool is_call(enum region_type type)
{
	return type == REGION_CALL || type == REGION_SUB;
}

/* True: from step `from` of its path on, an item is in loops of one function: of that around, or of
 * one that it calls. */
static bool is_pass_from(const struct problem_item *it, int from)
{
	bool in_loop = false;

	for (int i = from; i < it->nregions; i++) {
		enum region_type type = it->f->path[i].type;

		in_loop |= is_loop(type);
		if (is_call(type) && (in_loop || i > from + 1))
			return false;
	}
	return in_loop;
}

static int common_steps(const struct problem_item *a, const struct problem_item *b)
{
	int k = 0;

	while (k < a->nregions && k < b->nregions &&
	       report_path_compare(&a->f->path[k], 1, &b->f->path[k], 1) == 0)
		k++;
	return k;
}

static bool is_between(const struct report_node *at, const struct report_node *a,
	const struct report_node *b)
{
	return text_same(at->file, a->file) && text_same(at->file, b->file) &&
		(at->line > a->line) == (at->line < b->line) && at->line != a->line &&
		at->line != b->line;
}

/* True: what is between both, after k steps of their paths, is about their structures, too. */
static bool are_apart(const struct problem_item *items, int n, const struct problem_item *a,
	const struct problem_item *b, int k)
{
	for (int i = 0; i < n; i++) {
		const struct problem_item *it = &items[i];

		if (it->pass != a->pass && it->pass != b->pass && it->memory && it->structure &&
		    it->nregions > k && common_steps(it, a) == k &&
		    is_between(&it->f->path[k], &a->f->path[k], &b->f->path[k]) &&
		    (in_pass(items, n, a->pass, it) || in_pass(items, n, b->pass, it)))
			return true;
	}
	return false;
}

/* True: both are loops, one after the other in a region around both. */
static bool in_sequence(const struct problem_item *items, int n, const struct problem_item *a,
	const struct problem_item *b)
{
	int k = common_steps(a, b);

	return k > 0 && is_pass_from(a, k) && is_pass_from(b, k) && !are_apart(items, n, a, b, k);
}

/* The item of the pass in the innermost region; NULL: the pass is no stream over structures. */
static const struct problem_item *place_of(const struct problem_item *items, int n, int pass)
{
	const struct problem_item *place = NULL;

	for (int i = 0; i < n; i++) {
		const struct report_finding *f = items[i].f;

		if (items[i].pass != pass || !items[i].memory || !items[i].structure)
			continue;
		if (f->kind != MISS_STREAM && f->kind != MISS_CAPACITY)
			return NULL;
		if (!place || items[i].nregions > place->nregions)
			place = &items[i];
	}
	return place;
}

void problems_find_passes(struct problem_item *items, int n)
{
	for (int i = 0; i < n; i++)
		items[i].pass = items[i].group;
	for (int i = 0; i < n; i++)
		items[i].place = items[i].pass == i ? place_of(items, n, i) : NULL;
}

bool problems_same_passes(const struct problem_item *items, int n, int a, int b)
{
	const struct problem_item *x = items[a].place, *y = items[b].place;

	return x && y && x->f->kind == y->f->kind && same_data(items, n, a, b) &&
		in_sequence(items, n, x, y);
}

/* --- what one pass instead of several saves --------------------------------------------------- */

/* What the structure of item i costs in group g, less the pass in which it costs most. */
static struct problem_range repeated(const struct problem_item *items, int n, int g, int i)
{
	struct problem_range sum = { 0, 0, 0 }, most = { 0, 0, 0 };

	for (int pass = 0; pass < n; pass++) {
		struct problem_range one = { 0, 0, 0 };

		for (int k = pass; k < n && items[pass].pass == pass; k++)
			if (items[k].group == g && items[k].pass == pass && items[k].structure &&
			    report_same_structure(items[k].f, items[i].f))
				problem_range_add(&one, &items[k].own);
		problem_range_add(&sum, &one);
		most.value = fmax(most.value, one.value);
		most.low = fmax(most.low, one.low);
		most.high = fmax(most.high, one.high);
	}
	return (struct problem_range){ sum.value - most.value, sum.low - most.low,
		sum.high - most.high };
}

static bool first_in_group(const struct problem_item *items, int g, int i)
{
	if (items[i].group != g || !items[i].structure)
		return false;
	for (int k = 0; k < i; k++)
		if (items[k].group == g && items[k].structure &&
		    report_same_structure(items[k].f, items[i].f))
			return false;
	return true;
}

static void one_pass_saves(const struct problem_item *items, int n, int g, struct report_problem *p)
{
	struct problem_range saved = { 0, 0, 0 };

	for (int i = 0; i < n; i++)
		if (first_in_group(items, g, i)) {
			struct problem_range one = repeated(items, n, g, i);

			problem_range_add(&saved, &one);
		}
	p->saves = saved.value;
	p->saves_low = saved.low;
	/* What one pass fetches may hide behind the computing of all of them. */
	p->saves_high = p->high;
}

/* --- rows ------------------------------------------------------------------------------------- */

static struct report_pass make_pass(const struct problem_item *items, int n, int pass)
{
	const struct problem_item *place = items[pass].place;
	const struct report_node *region = &place->f->path[place->nregions - 1];
	int line = place->f->place_line;
	struct report_pass row = { region->file, line > 0 ? line : region->line, 0 };

	for (int i = 0; i < n; i++)
		if (items[i].pass == pass && items[i].structure)
			row.share += items[i].own.value;
	return row;
}

/* Keeps the rows in order. */
static void insert(struct report_problem *p, struct report_pass row)
{
	int at = p->npasses++;

	for (; at > 0; at--) {
		const struct report_pass *before = &p->passes[at - 1];
		int c = text_compare(before->file, row.file);

		if (c < 0 || (c == 0 && before->line <= row.line))
			break;
		p->passes[at] = *before;
	}
	p->passes[at] = row;
}

/* The passes of the group; most problems have one. */
static int passes_of(const struct problem_item *items, int n, int g)
{
	int passes = 0;

	for (int pass = 0; pass < n; pass++)
		passes += items[pass].group == g && items[pass].place;
	return passes;
}

int problems_passes(struct arena *arena, const struct problem_item *items, int n, int g,
	struct report_problem *p)
{
	int passes = passes_of(items, n, g);

	p->saves = p->saves_low = p->saves_high = NAN;
	if (passes < 2)
		return 0;
	p->passes = arena_array(arena, (size_t)passes, sizeof *p->passes);
	if (!p->passes)
		return -1;
	for (int pass = 0; pass < n; pass++)
		if (items[pass].group == g && items[pass].place)
			insert(p, make_pass(items, n, pass));
	one_pass_saves(items, n, g, p);
	return 0;
}
