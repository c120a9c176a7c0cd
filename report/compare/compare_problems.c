/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches the problems of two reports, and tells which of them a change removed, made smaller or brought. */
#include "report/compare/compare_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"

#define MUCH 2                  /* factor of the figure that differs most */
#define REMAINS 0.1             /* share of the estimate, more than which is not gone */
#define POSSIBLE 0.1            /* share of the phase's time, an upper end from which a problem is looked at though its middle is little */

/* --- where a problem is ----------------------------------------------------------------------- */

/* A problem and the costs of its structures in its regions, none of which contains another. */
struct placed {
	const struct report_problem *problem;
	struct compare_costs *costs;
	int ncosts;
	const struct placed *other;     /* the problem of the other report that stands in the same row; NULL: none */
	bool inside;            /* only in the report after, in the place of one before: that row has its costs */
};

/* True: inner is the cost of the same structure in the same region or in one inside it. */
static bool cost_contains(const struct report_cost *outer, const struct report_cost *inner)
{
	size_t n = outer ? strlen(outer->region) : 0;

	return outer && inner && text_same(outer->structure, inner->structure) &&
		text_same(outer->scope, inner->scope) && text_same(outer->declared, inner->declared) &&
		strncmp(inner->region, outer->region, n) == 0 && (inner->region[n] == '\0' ||
		inner->region[n] == '/' || inner->region[n] == ' ');
}

static bool contains(const struct compare_costs *outer, const struct compare_costs *inner)
{
	return cost_contains(outer->before, inner->before) || cost_contains(outer->after, inner->after);
}

/* Keeps the outermost regions, or the innermost ones: findings of one property about a structure are in a region that
 * contains those of others. */
static void add_costs(struct placed *at, const struct compare_costs *costs, bool innermost)
{
	int kept = 0;

	for (int i = 0; i < at->ncosts; i++)
		if (innermost ? contains(costs, &at->costs[i]) : contains(&at->costs[i], costs))
			return;
	for (int i = 0; i < at->ncosts; i++)
		if (innermost ? !contains(&at->costs[i], costs) : !contains(costs, &at->costs[i]))
			at->costs[kept++] = at->costs[i];
	at->costs[kept++] = *costs;
	at->ncosts = kept;
}

/* The finding in the comparison; it has the path of the ranked copy's. */
static const struct compare_finding *compared(const struct compare *c, const struct report_finding *f, bool after)
{
	for (int i = 0; i < c->nfindings; i++) {
		const struct report_finding *its = after ? c->findings[i].after : c->findings[i].before;

		if (its && its->path == f->path && strcmp(its->property, f->property) == 0)
			return &c->findings[i];
	}
	return NULL;
}

static int place_in(struct arena *arena, const struct compare *c, const struct report_problem *p, bool after,
	bool innermost, struct placed *out)
{
	*out = (struct placed){ .problem = p };
	out->costs = arena_array(arena, (size_t)p->nmembers + 1, sizeof *out->costs);
	if (!out->costs)
		return -1;
	for (int i = 0; i < p->nmembers && p->memory; i++) {
		const struct compare_finding *f = compared(c, p->members[i], after);

		if (p->nstructures && report_place(p->members[i])->type != REGION_DATA_STRUCTURE)
			continue;
		if (f && (f->costs.before || f->costs.after))
			add_costs(out, &f->costs, innermost);
	}
	return 0;
}

/* How far the costs of the place are from the problem's own, s. */
static double distance(const struct compare *c, const struct placed *at, bool after)
{
	double sum = 0;

	for (int i = 0; i < at->ncosts; i++)
		sum += compare_figure(after ? at->costs[i].after : at->costs[i].before, COMPARE_ESTIMATE);
	return fabs(sum - at->problem->share * report_base_time(after ? c->after : c->before));
}

/* A finding in a region around has what others in it do not have: the place is where the costs are the problem's. */
static int place(struct arena *arena, const struct compare *c, const struct report_problem *p, bool after,
	struct placed *out)
{
	struct placed inner;

	if (place_in(arena, c, p, after, false, out) || place_in(arena, c, p, after, true, &inner))
		return -1;
	if (distance(c, &inner, after) < distance(c, out, after))
		*out = inner;
	return 0;
}

static struct placed *place_all(struct arena *arena, const struct compare *c, const struct report_problems *all,
	bool after)
{
	struct placed *at = arena_array(arena, (size_t)all->n + 1, sizeof *at);

	for (int i = 0; at && i < all->n; i++)
		if (place(arena, c, &all->problem[i], after, &at[i]))
			return NULL;
	return at;
}

static bool finding_in_common(const struct compare *c, const struct report_problem *before,
	const struct report_problem *after)
{
	for (int i = 0; i < before->nmembers; i++) {
		const struct compare_finding *f = compared(c, before->members[i], false);

		for (int k = 0; f && f->after && k < after->nmembers; k++)
			if (f->after->path == after->members[k]->path &&
			    strcmp(f->after->property, after->members[k]->property) == 0)
				return true;
	}
	return false;
}

/* How well a problem of the one report is one of the other: costs of one structure in the same region, in one around it. */
enum likeness { UNLIKE, NESTED, ALIKE };

static enum likeness likeness(const struct compare *c, const struct placed *before, const struct placed *after)
{
	enum likeness best = UNLIKE;

	if (before->problem->memory != after->problem->memory)
		return UNLIKE;
	for (int i = 0; i < before->ncosts; i++)
		for (int k = 0; k < after->ncosts; k++) {
			bool in = contains(&before->costs[i], &after->costs[k]);
			bool around = contains(&after->costs[k], &before->costs[i]);

			if (in && around)
				return ALIKE;
			best = in || around ? NESTED : best;
		}
	if ((!before->ncosts || !after->ncosts) && finding_in_common(c, before->problem, after->problem))
		best = NESTED;
	return best;
}

/* True: a cost of the one place is inside one of the other. */
static bool is_inside(const struct placed *outer, const struct placed *inner)
{
	for (int i = 0; i < outer->ncosts; i++)
		for (int k = 0; k < inner->ncosts; k++)
			if (contains(&outer->costs[i], &inner->costs[k]))
				return true;
	return false;
}

/* Makes pairs, of the same region before others; each problem is in one. */
static void pair(const struct compare *c, struct placed *a, int na, struct placed *b, int nb)
{
	for (enum likeness least = ALIKE; least > UNLIKE; least--)
		for (int i = 0; i < na; i++)
			for (int k = 0; k < nb && !a[i].other; k++)
				if (!b[k].other && likeness(c, &a[i], &b[k]) >= least) {
					a[i].other = &b[k];
					b[k].other = &a[i];
				}
	for (int k = 0; k < nb; k++)
		for (int i = 0; i < na && !b[k].other; i++)
			b[k].inside |= is_inside(&a[i], &b[k]);
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
		if (sign > 0)
			sum->errors[k] += cost->errors[k];
	}
}

static double least_zero(double v)
{
	return v < 0 ? 0 : v;
}

/* Takes off what another row has of a place. */
static void take_off(struct report_cost *sum, const struct report_cost *cost)
{
	add_cost(sum, cost, -1);
	sum->accesses = least_zero(sum->accesses);
	sum->coherence = least_zero(sum->coherence);
	sum->est_stall = least_zero(sum->est_stall);
	sum->est_stall_low = least_zero(sum->est_stall_low);
	sum->est_stall_high = least_zero(sum->est_stall_high);
	for (int k = 0; k < REPORT_LEVELS; k++)
		sum->misses[k] = least_zero(sum->misses[k]);
}

static const struct report_cost *side(const struct compare_costs *costs, bool after)
{
	return after ? costs->after : costs->before;
}

/* Takes the costs of one row's place off those of a place around it. */
static void take_row_off(struct report_cost *sum, const struct placed *at, const struct placed *row, bool after)
{
	for (int i = 0; i < row->ncosts; i++)
		for (int k = 0; k < at->ncosts; k++)
			if (contains(&at->costs[k], &row->costs[i]) && !contains(&row->costs[i], &at->costs[k]) &&
			    side(&row->costs[i], after))
				take_off(sum, side(&row->costs[i], after));
}

/* The sum of one side, without the places of the n other rows; *out is NULL where nothing of it is accessed there.
 * 0 / -1 (memory). */
static int add_up(struct arena *arena, const struct placed *at, struct placed *const *rows, int n, bool after,
	const struct report_cost **out)
{
	struct report_cost *sum = NULL;

	for (int i = 0; i < at->ncosts; i++) {
		const struct report_cost *cost = side(&at->costs[i], after);

		if (cost && !sum) {
			sum = arena_array(arena, 1, sizeof *sum);
			if (!sum)
				return -1;
			*sum = *cost;
		} else if (cost) {
			add_cost(sum, cost, 1);
		}
	}
	for (int i = 0; i < n && sum; i++)
		take_row_off(sum, at, rows[i], after);
	*out = sum;
	return 0;
}

/* The cost of a problem by its own report, in s. */
static double own_time(const struct report *r, const struct report_problem *p)
{
	return p->memory ? p->share * report_base_time(r) : p->share * r->phase_time;
}

/* Without costs: an estimate alone, as the reports have it. */
static int own_cost(struct arena *arena, const struct report *r, const struct report_problem *p,
	const struct report_cost **out)
{
	double base = report_base_time(r);
	struct report_cost *cost = arena_array(arena, 1, sizeof *cost);

	if (!cost)
		return -1;
	*cost = (struct report_cost){ .accesses = NAN, .misses = { NAN, NAN, NAN, NAN }, .coherence = NAN,
		.est_stall = p->share * base, .est_stall_low = p->low * base, .est_stall_high = p->high * base };
	*out = cost;
	return 0;
}

/* The time on the side that does not list the problem. */
static double other_time(const struct report_problem *listed, const struct compare_costs *costs, bool after)
{
	const struct report_cost *cost = after ? costs->after : costs->before;

	if (!listed->nstructures)       /* the costs are of the whole region, the problem is a part of it */
		return NAN;
	return cost ? cost->est_stall : costs->before || costs->after ? 0 : NAN;
}

/* Fills costs and times; `at` is the problem before, or of the report after where that alone has it. */
static int fill_costs(struct compare_problems *l, const struct compare *c, struct compare_problem *p, const struct placed *at,
	struct placed *const *rows, int n)
{
	const struct report_problem *listed = p->before ? p->before : p->after;

	if (add_up(l->arena, at, rows, n, false, &p->costs.before) || add_up(l->arena, at, rows, n, true, &p->costs.after))
		return -1;
	p->was = p->before ? own_time(c->before, p->before) : other_time(listed, &p->costs, false);
	p->is = p->before ? other_time(listed, &p->costs, true) : own_time(c->after, p->after);
	if (p->before && p->after && isnan(p->is))
		p->is = own_time(c->after, p->after);
	if (at->ncosts || !listed->memory)
		return 0;
	if (p->before && own_cost(l->arena, c->before, p->before, &p->costs.before))
		return -1;
	return p->after ? own_cost(l->arena, c->after, p->after, &p->costs.after) : 0;
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
	return b <= a / MUCH ? COMPARE_PROBLEM_MUCH_LESS : b >= a * MUCH ? COMPARE_PROBLEM_MORE : COMPARE_PROBLEM_SAME;
}

/* Is more left than what is as good as gone?  Without a time of its own: of the whole region. */
static bool remains(const struct compare *c, const struct compare_problem *p)
{
	if (p->is >= COMPARE_LITTLE * report_base_time(c->after))
		return true;
	return isnan(p->is) || isnan(p->was) ? !(p->costs.after->est_stall <= REMAINS * p->costs.before->est_stall) :
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
	if (b <= a / MUCH)
		return p->after || remains(c, p) ? COMPARE_PROBLEM_MUCH_LESS : COMPARE_PROBLEM_GONE;
	if (!p->before && b >= a * MUCH)
		return COMPARE_PROBLEM_NEW;
	if ((b < a && by > 0) || (b > a && by < 0))
		return COMPARE_PROBLEM_OTHER;
	return b < a ? COMPARE_PROBLEM_LESS : COMPARE_PROBLEM_MORE;
}

/* The most that a problem may cost, as share of the phase's time; 0: nothing is known. */
static double most(const struct report *r, const struct report_problem *p, const struct report_cost *cost)
{
	double share = p ? p->high : cost ? cost->est_stall_high / report_base_time(r) : 0;

	return isnan(share) ? 0 : share;
}

/* By the middle of both estimates it costs little: their upper ends say something where the time changed, too. */
static enum compare_outcome judge_bounds(const struct compare *c, const struct compare_problem *p)
{
	const double a = most(c->before, p->before, p->costs.before), b = most(c->after, p->after, p->costs.after);

	if (a < POSSIBLE && b < POSSIBLE)
		return COMPARE_PROBLEM_LITTLE;
	if (!compare_time_differs(c))
		return COMPARE_PROBLEM_SAME;
	if (b <= a / MUCH)
		return p->after ? COMPARE_PROBLEM_MUCH_LESS : COMPARE_PROBLEM_GONE;
	return !p->before && b >= a * MUCH ? COMPARE_PROBLEM_NEW : COMPARE_PROBLEM_SAME;
}

/* A report that does not list the problem has nothing to say against it where its time is not known. */
static bool is_little(const struct report *r, const struct report_problem *listed, double time)
{
	return time < COMPARE_LITTLE * report_base_time(r) || (!listed && isnan(time));
}

static enum compare_outcome judge(const struct compare *c, const struct compare_problem *p)
{
	if ((p->before || p->after) && is_little(c->before, p->before, p->was) && is_little(c->after, p->after, p->is))
		return judge_bounds(c, p);
	return p->costs.before || p->costs.after ? judge_costs_of(c, p) : judge_severity(p);
}

/* --- the list --------------------------------------------------------------------------------- */

static int add(struct compare_problems *l, const struct compare *c, struct placed *const *rows, int n,
	const struct report_problem *before, const struct report_problem *after, const struct placed *at)
{
	struct compare_problem *p = &l->problem[l->n];

	*p = (struct compare_problem){ .before = before, .after = after };
	if (fill_costs(l, c, p, at, rows, n))
		return -1;
	p->outcome = judge(c, p);
	l->count[p->outcome]++;
	l->n++;
	return 0;
}

/* A row is at the place of the problem before, if there is one. */
static int join(struct compare_problems *l, const struct compare *c)
{
	const int na = c->before->problems.n, nb = c->after->problems.n;
	struct placed *a = place_all(l->arena, c, &c->before->problems, false);
	struct placed *b = place_all(l->arena, c, &c->after->problems, true);
	struct placed **rows = arena_array(l->arena, (size_t)na + (size_t)nb + 1, sizeof *rows);
	int n = na;

	l->problem = arena_array(l->arena, (size_t)na + (size_t)nb + 1, sizeof *l->problem);
	if (!a || !b || !rows || !l->problem)
		return -1;
	pair(c, a, na, b, nb);
	for (int i = 0; i < na; i++)
		rows[i] = &a[i];
	for (int k = 0; k < nb; k++)
		if (!b[k].other && !b[k].inside)
			rows[n++] = &b[k];
	for (int i = 0; i < n; i++) {
		const struct report_problem *its = rows[i]->problem, *other = rows[i]->other ? rows[i]->other->problem : NULL;

		if (add(l, c, rows, n, i < na ? its : NULL, i < na ? other : its, rows[i]))
			return -1;
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
