/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches the problems of two reports by their keys, and tells which of them a change removed, made
 * smaller or brought. */
#include "report/compare/compare_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"

#define MUCH 2                  /* factor of the figure that differs most */
#define REMAINS 0.1             /* share of the estimate, more than which is not gone */
#define POSSIBLE 0.1            /* share of the phase's time, an upper end from which a problem is
				 * looked at though its middle is little */

/* --- places ----------------------------------------------------------------------------------- */

struct place {                  /* of a finding: what its problem is made of */
	const struct report_problem *problem;
	struct compare_key key;
	bool leads;             /* the region is that of the problem's key */
};

struct side {                   /* a report */
	const struct report *r;
	struct place *place;
	int nplaces;
	int *row;               /* of each problem */
};

/* True: the region is `outer`, or inside it. */
static bool region_inside(const char *region, const char *outer)
{
	size_t n = strlen(outer);

	return strncmp(region, outer, n) == 0 &&
		(!region[n] || region[n] == '/' || region[n] == ' ');
}

static bool same_structure(const struct compare_key *a, const struct compare_key *b)
{
	return strcmp(a->structure, b->structure) == 0 && strcmp(a->scope, b->scope) == 0;
}

static bool key_inside(const struct compare_key *inner, const struct compare_key *outer)
{
	return same_structure(inner, outer) && region_inside(inner->region, outer->region);
}

/* The findings of a problem that say where its memory is: those about structures, where it has
 * any. */
static bool is_place(const struct report_problem *p, const struct report_finding *f)
{
	return !p->memory || !p->nstructures || report_place(f)->type == REGION_DATA_STRUCTURE;
}

static int find_places(struct arena *arena, const struct report *r, struct side *out)
{
	*out = (struct side){ .r = r };
	out->place = arena_array(arena, (size_t)r->nfindings + 1, sizeof *out->place);
	out->row = arena_array(arena, (size_t)r->problems.n + 1, sizeof *out->row);
	if (!out->place || !out->row)
		return -1;
	for (int i = 0; i < r->problems.n; i++) {
		const struct report_problem *p = &r->problems.problem[i];
		struct compare_key lead;

		out->row[i] = -1;
		if (compare_finding_key(arena, r, p->lead, &lead))
			return -1;
		for (int k = 0; k < p->nmembers; k++) {
			struct place *at = &out->place[out->nplaces];

			if (!is_place(p, p->members[k]))
				continue;
			at->problem = p;
			if (compare_finding_key(arena, r, p->members[k], &at->key))
				return -1;
			at->leads = strcmp(at->key.region, lead.region) == 0;
			out->nplaces++;
		}
	}
	return 0;
}

/* The problem of memory in the innermost place around a cost; NULL: none. */
static const struct report_problem *owner(const struct side *s, const struct compare_key *cost)
{
	const struct place *best = NULL;

	for (int i = 0; i < s->nplaces; i++)
		if (s->place[i].problem->memory && key_inside(cost, &s->place[i].key) &&
		    (!best || strlen(s->place[i].key.region) > strlen(best->key.region)))
			best = &s->place[i];
	return best ? best->problem : NULL;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* How well a problem of the one report is one of the other: a structure of one is a structure of
 * the other in a region around, in the same region, in the regions of both keys; equal keys. */
enum likeness { UNLIKE, NESTED, ALIKE, SAME, EQUAL };

static enum likeness likeness(const struct side *a, const struct report_problem *before,
	const struct side *b, const struct report_problem *after)
{
	enum likeness best = UNLIKE;

	if (strcmp(before->key, after->key) == 0)
		return EQUAL;
	for (int i = 0; i < a->nplaces && before->memory == after->memory; i++)
		for (int k = 0; k < b->nplaces && a->place[i].problem == before; k++) {
			const struct compare_key *x = &a->place[i].key, *y = &b->place[k].key;
			bool in = key_inside(y, x), around = key_inside(x, y);

			if (b->place[k].problem != after ||
			    (!before->memory && strcmp(x->property, y->property) != 0))
				continue;
			if (in && around && a->place[i].leads && b->place[k].leads)
				return SAME;
			if (in && around)
				best = ALIKE;
			else if (best == UNLIKE && before->memory && (in || around))
				best = NESTED;
		}
	return best;
}

/* True: a place of the problem after is in one of memory before, whose row has it. */
static bool has_owner(const struct side *a, const struct side *b,
	const struct report_problem *after)
{
	for (int k = 0; k < b->nplaces && after->memory; k++)
		if (b->place[k].problem == after && owner(a, &b->place[k].key))
			return true;
	return false;
}

/* Puts problem k after into row i if they are so much alike. */
static void try_pair(struct compare_problems *l, const struct side *a, struct side *b, int i, int k,
	enum likeness least)
{
	const struct report_problem *after = &b->r->problems.problem[k];

	if (b->row[k] >= 0 || likeness(a, l->problem[i].before, b, after) < least)
		return;
	l->problem[i].after = after;
	b->row[k] = i;
}

/* Makes a row of each problem before, with the one after that is most alike, and of those after
 * that are left. */
static void pair(struct compare_problems *l, struct side *a, struct side *b)
{
	const int na = a->r->problems.n, nb = b->r->problems.n;

	for (l->n = 0; l->n < na; l->n++) {
		l->problem[l->n].before = &a->r->problems.problem[l->n];
		a->row[l->n] = l->n;
	}
	for (enum likeness least = EQUAL; least > UNLIKE; least--)
		for (int i = 0; i < na; i++)
			for (int k = 0; k < nb && !l->problem[i].after; k++)
				try_pair(l, a, b, i, k, least);
	for (int k = 0; k < nb; k++) {
		const struct report_problem *p = &b->r->problems.problem[k];

		if (b->row[k] < 0 && !has_owner(a, b, p)) {
			b->row[k] = l->n;
			l->problem[l->n++].after = p;
		}
	}
}

/* --- what it costs ---------------------------------------------------------------------------- */

static void add_cost(struct report_cost *sum, const struct report_cost *cost, int sign)
{
	sum->accesses += sign * cost->accesses;
	sum->coherence += sign * cost->coherence;
	sum->est_stall += sign * cost->est_stall;
	sum->est_stall_low += sign * cost->est_stall_low;
	sum->est_stall_high += sign * cost->est_stall_high;
	for (int k = 0; k < REPORT_LEVELS; k++) {
		sum->misses[k] += sign * cost->misses[k];
		sum->errors[k] += sign * cost->errors[k];
	}
}

static double least_zero(double v)
{
	return v < 0 ? 0 : v;
}

/* A difference of rounded figures may be less than 0. */
static void clip(struct report_cost *sum)
{
	sum->accesses = least_zero(sum->accesses);
	sum->coherence = least_zero(sum->coherence);
	sum->est_stall = least_zero(sum->est_stall);
	sum->est_stall_low = least_zero(sum->est_stall_low);
	sum->est_stall_high = least_zero(sum->est_stall_high);
	for (int k = 0; k < REPORT_LEVELS; k++) {
		sum->misses[k] = least_zero(sum->misses[k]);
		sum->errors[k] = least_zero(sum->errors[k]);
	}
}

/* The row that has a cost of either report: that of the problem before there, else of the one
 * after; -1: none. */
static int row_of_cost(const struct side *a, const struct side *b, const struct compare_key *cost)
{
	const struct report_problem *p = owner(a, cost);

	if (p)
		return a->row[p->number - 1];
	p = owner(b, cost);
	return p ? b->row[p->number - 1] : -1;
}

static bool is_around(const struct report_cost *outer, const struct report_cost *inner)
{
	return strcmp(outer->region, inner->region) != 0 &&
		region_inside(inner->region, outer->region) &&
		text_same(outer->structure, inner->structure) &&
		text_same(outer->scope, inner->scope) &&
		text_same(outer->declared, inner->declared);
}

/* The innermost cost around costs[i] of the same structure; -1: none. */
static int cost_around(const struct report *r, int i)
{
	const struct report_cost *c = &r->costs[i];

	for (int k = i - 1; k >= 0; k--)
		if (is_around(&r->costs[k], c))
			return k;
	return -1;
}

static struct report_cost **sum_of(struct compare_problem *p, bool after)
{
	return after ? &p->after_sum : &p->before_sum;
}

/* Adds each cost of a report to its row, and takes it off the row that has the cost around it.
 * 0 / -1 (memory). */
static int add_costs(struct compare_problems *l, const struct side *a, const struct side *b,
	bool after)
{
	const struct report *r = after ? b->r : a->r;
	int *row = arena_array(l->arena, (size_t)r->ncosts + 1, sizeof *row);

	for (int i = 0; row && i < r->ncosts; i++) {
		int around = cost_around(r, i);
		struct report_cost **sum;
		struct compare_key key;

		if (compare_cost_key(l->arena, r, &r->costs[i], &key))
			return -1;
		row[i] = row_of_cost(a, b, &key);
		if (around >= 0 && row[around] >= 0 && row[around] != row[i])
			add_cost(*sum_of(&l->problem[row[around]], after), &r->costs[i], -1);
		if (row[i] < 0 || (around >= 0 && row[around] == row[i]))
			continue;
		sum = sum_of(&l->problem[row[i]], after);
		if (*sum) {
			add_cost(*sum, &r->costs[i], 1);
		} else {
			*sum = arena_array(l->arena, 1, sizeof **sum);
			if (!*sum)
				return -1;
			**sum = r->costs[i];
		}
	}
	return row ? 0 : -1;
}

/* The cost of a problem by its own report, in s. */
static double own_time(const struct report *r, const struct report_problem *p)
{
	return p->share * report_problem_base(r, p);
}

/* Without costs: an estimate alone, as the report has it.  NULL: memory. */
static struct report_cost *own_cost(struct arena *arena, const struct report *r,
	const struct report_problem *p)
{
	double base = report_base_time(r);
	struct report_cost *cost = arena_array(arena, 1, sizeof *cost);

	if (cost)
		*cost = (struct report_cost){ .accesses = NAN, .misses = { NAN, NAN, NAN, NAN },
			.coherence = NAN, .est_stall = p->share * base,
			.est_stall_low = p->low * base, .est_stall_high = p->high * base };
	return cost;
}

/* The time on a side by the costs of the row; those of a problem without structures are of its
 * whole region. */
static double time_of(const struct compare_problem *p, const struct report_cost *cost)
{
	if (!(p->before ? p->before : p->after)->nstructures)
		return NAN;
	return cost ? cost->est_stall : p->costs.before || p->costs.after ? 0 : NAN;
}

/* Fills in costs and times of a row.  0 / -1 (memory). */
static int fill_costs(struct compare_problems *l, const struct compare *c,
	struct compare_problem *p)
{
	if (p->before_sum)
		clip(p->before_sum);
	if (p->after_sum)
		clip(p->after_sum);
	p->costs.before = p->before_sum;
	p->costs.after = p->after_sum;
	p->was = p->before ? own_time(c->before, p->before) : time_of(p, p->costs.before);
	p->is = p->before ? time_of(p, p->costs.after) : own_time(c->after, p->after);
	if (p->before && p->after && isnan(p->is))
		p->is = own_time(c->after, p->after);
	if (p->costs.before || p->costs.after || !(p->before ? p->before : p->after)->memory)
		return 0;
	if (p->before && !(p->costs.before = own_cost(l->arena, c->before, p->before)))
		return -1;
	return p->after && !(p->costs.after = own_cost(l->arena, c->after, p->after)) ? -1 : 0;
}

const char *compare_outcome_name(enum compare_outcome outcome)
{
	static const char *const names[COMPARE_PROBLEM_OUTCOMES] = { "gone", "much less", "less",
		"more", "new", "changed", "as before", "little" };

	return names[outcome];
}

/* --- what became of it ------------------------------------------------------------------------ */

static double share_or_severity(const struct report_problem *p)
{
	return isnan(p->share) ? p->members[0]->severity_share : p->share;
}

/* Waits, balance and such have no costs of structures. */
static enum compare_outcome judge_severity(const struct compare_problem *p)
{
	double a, b;

	if (!p->before || !p->after)
		return p->before ? COMPARE_PROBLEM_GONE : COMPARE_PROBLEM_NEW;
	a = isnan(p->was) || isnan(p->is) ? share_or_severity(p->before) : p->was;
	b = isnan(p->was) || isnan(p->is) ? share_or_severity(p->after) : p->is;
	return b <= a / MUCH ? COMPARE_PROBLEM_MUCH_LESS : b >= a * MUCH ? COMPARE_PROBLEM_MORE :
		COMPARE_PROBLEM_SAME;
}

/* Is more left than what is as good as gone?  Without a time of its own: of the whole region. */
static bool remains(const struct compare *c, const struct compare_problem *p)
{
	if (p->is >= COMPARE_LITTLE * report_base_time(c->after))
		return true;
	return isnan(p->is) || isnan(p->was) ?
		!(p->costs.after->est_stall <= REMAINS * p->costs.before->est_stall) :
		p->is > REMAINS * p->was;
}

static enum compare_outcome judge_costs_of(const struct compare *c, const struct compare_problem *p)
{
	double a, b, by;
	int figure;

	if (!p->costs.before || !p->costs.after)
		return p->costs.before ? COMPARE_PROBLEM_GONE : COMPARE_PROBLEM_NEW;
	if (compare_judge_costs(c, &p->costs) >= COMPARE_LITTLE_CHANGED)
		return COMPARE_PROBLEM_SAME;
	figure = compare_main_figure(c, &p->costs);
	a = compare_figure(p->costs.before, figure);
	b = compare_figure(p->costs.after, figure);
	by = p->costs.after->est_stall - p->costs.before->est_stall;
	if ((b < a && (by > 0 || p->is > p->was)) || (b > a && by < 0))
		return COMPARE_PROBLEM_OTHER;
	if (b <= a / MUCH)
		return p->after || remains(c, p) ? COMPARE_PROBLEM_MUCH_LESS : COMPARE_PROBLEM_GONE;
	if (!p->before && b >= a * MUCH)
		return COMPARE_PROBLEM_NEW;
	return b < a ? COMPARE_PROBLEM_LESS : COMPARE_PROBLEM_MORE;
}

/* The most that a problem may cost, as share of the phase's time; 0: nothing is known. */
static double most(const struct report *r, const struct report_problem *p,
	const struct report_cost *cost)
{
	double share = p ? p->high : cost ? cost->est_stall_high / report_base_time(r) : 0;

	return isnan(share) ? 0 : share;
}

/* By the middle of both estimates it costs little: their upper ends say something where the time
 * changed, too. */
static enum compare_outcome judge_bounds(const struct compare *c, const struct compare_problem *p)
{
	const double a = most(c->before, p->before, p->costs.before);
	const double b = most(c->after, p->after, p->costs.after);

	if (a < POSSIBLE && b < POSSIBLE)
		return COMPARE_PROBLEM_LITTLE;
	if (!compare_time_differs(c))
		return COMPARE_PROBLEM_SAME;
	if (b <= a / MUCH)
		return p->after ? COMPARE_PROBLEM_MUCH_LESS : COMPARE_PROBLEM_GONE;
	return !p->before && b >= a * MUCH ? COMPARE_PROBLEM_NEW : COMPARE_PROBLEM_SAME;
}

/* A report that does not list the problem has nothing to say against it where its time is not
 * known. */
static bool is_little(const struct report *r, const struct report_problem *listed, double time)
{
	return time < COMPARE_LITTLE * report_base_time(r) || (!listed && isnan(time));
}

static enum compare_outcome judge(const struct compare *c, const struct compare_problem *p)
{
	if ((p->before || p->after) && is_little(c->before, p->before, p->was) &&
	    is_little(c->after, p->after, p->is))
		return judge_bounds(c, p);
	return p->costs.before || p->costs.after ? judge_costs_of(c, p) : judge_severity(p);
}

/* --- the list --------------------------------------------------------------------------------- */

static int join(struct compare_problems *l, const struct compare *c)
{
	struct side a, b;

	l->problem = arena_array(l->arena,
		(size_t)c->before->problems.n + (size_t)c->after->problems.n + 1,
		sizeof *l->problem);
	if (!l->problem || find_places(l->arena, c->before, &a) ||
	    find_places(l->arena, c->after, &b))
		return -1;
	pair(l, &a, &b);
	if (add_costs(l, &a, &b, false) || add_costs(l, &a, &b, true))
		return -1;
	for (int i = 0; i < l->n; i++) {
		struct compare_problem *p = &l->problem[i];

		if (fill_costs(l, c, p))
			return -1;
		p->outcome = judge(c, p);
		l->count[p->outcome]++;
	}
	return 0;
}

static double larger_time(const struct compare_problem *p)
{
	return isnan(p->was) ? p->is : isnan(p->is) || p->was > p->is ? p->was : p->is;
}

/* Insertion keeps the order of the reports where times are equal or not known. */
static void order(struct compare_problems *l)
{
	for (int i = 1; i < l->n; i++) {
		struct compare_problem one = l->problem[i];
		int at = i;

		for (; at > 0 && larger_time(&one) > larger_time(&l->problem[at - 1]); at--)
			l->problem[at] = l->problem[at - 1];
		l->problem[at] = one;
	}
}

int compare_problems_find(struct compare_problems *out, const struct compare *c)
{
	*out = (struct compare_problems){ .arena = arena_new() };
	if (!out->arena || join(out, c)) {
		compare_problems_free(out);
		return -1;
	}
	order(out);
	return 0;
}

void compare_problems_free(struct compare_problems *p)
{
	arena_free(p->arena);
}
