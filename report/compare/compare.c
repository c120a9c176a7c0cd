/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares two reports: matches their costs and findings by name, and tells what differs. */
#include "report/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"

/* --- what differs ---------------------------------------------------------------------------- */

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static bool estimate_differs(const struct report_cost *before, const struct report_cost *after)
{
	static const struct report_cost none;
	const struct report_cost *a = before ? before : &none, *b = after ? after : &none;

	return (a->est_stall < b->est_stall_low && b->est_stall > a->est_stall_high) ||
		(a->est_stall > b->est_stall_high && b->est_stall < a->est_stall_low);
}

bool compare_time_differs(const struct compare *c)
{
	const struct report *a = c->before, *b = c->after;
	double by = fabs(b->cpu_time - a->cpu_time);

	if (b->time_most < a->time_least || b->time_least > a->time_most)
		return true;
	return by > COMPARE_TIMES * fmin(a->cpu_time, b->cpu_time) &&
		by > COMPARE_QUARTILES * (a->time_spread * a->cpu_time + b->time_spread *
		b->cpu_time);
}

bool compare_time_unclear(const struct compare *c)
{
	const double a = c->before->cpu_time, b = c->after->cpu_time;

	return !compare_time_differs(c) && fabs(b - a) > COMPARE_TIMES * fmin(a, b);
}

double compare_figure(const struct report_cost *cost, int figure)
{
	if (!cost)
		return 0;
	if (figure == COMPARE_ESTIMATE)
		return cost->est_stall;
	if (figure == COMPARE_COHERENCE)
		return cost->coherence;
	return figure == COMPARE_ACCESSES ? cost->accesses : cost->misses[figure - 1];
}

static double figure_error(const struct report_cost *cost, int figure)
{
	double error = cost && figure >= 1 && figure <= REPORT_LEVELS ? cost->errors[figure - 1] :
		NAN;

	return isnan(error) ? 0 : error;
}

/* Misses of level 1 in the whole phase, the larger number of both reports. */
static double phase_misses(const struct compare *c)
{
	double a = c->before->ncosts ? c->before->costs[0].misses[0] : 0;
	double b = c->after->ncosts ? c->after->costs[0].misses[0] : 0;

	return larger(isnan(a) ? 0 : a, isnan(b) ? 0 : b);
}

bool compare_figure_differs(const struct compare *c, const struct compare_costs *costs, int figure)
{
	double a = compare_figure(costs->before, figure), b = compare_figure(costs->after, figure);
	double error = figure_error(costs->before, figure) + figure_error(costs->after, figure);
	bool near = figure == 1 || figure == COMPARE_ACCESSES;

	if (figure == COMPARE_ESTIMATE)
		return estimate_differs(costs->before, costs->after);
	if (c->before->nthreads > 1 || c->after->nthreads > 1) {
		error += (near ? COMPARE_THREADS : COMPARE_THREADS_FAR) * larger(a, b);
		error += COMPARE_FLOOR * phase_misses(c);
	}
	return fabs(b - a) > error;     /* false for NAN */
}

const char *compare_figure_name(int figure)
{
	static const char *const names[COMPARE_FIGURES] = { "memory's part", "level-1 misses",
		"level-2 misses", "level-3 misses", "level-4 misses", "coherence misses",
		"accesses" };

	return names[figure];
}

const char *compare_state_name(enum compare_state state)
{
	static const char *const names[COMPARE_STATES] = { "gone", "new", "changed",
		"little changed",
		"unchanged" };

	return names[state];
}

int compare_main_figure(const struct compare *c, const struct compare_costs *costs)
{
	double most = 0;
	int found = -1;

	if (compare_figure_differs(c, costs, COMPARE_ESTIMATE))
		return COMPARE_ESTIMATE;
	for (int i = 1; i < COMPARE_FIGURES; i++) {
		double d = fabs(compare_figure(costs->after, i) - compare_figure(costs->before, i));

		if (compare_figure_differs(c, costs, i) && d > most &&
		    (i < COMPARE_ACCESSES || found < 0)) {
			most = d;
			found = i;
		}
	}
	return found;
}

static bool is_little(const struct compare *c, const struct compare_costs *costs)
{
	for (int i = 0; i < COMPARE_FIGURES; i++) {
		double a = compare_figure(costs->before, i), b = compare_figure(costs->after, i);

		if (compare_figure_differs(c, costs, i) && fabs(b - a) >= COMPARE_LITTLE * larger(a,
		    b))
			return false;
	}
	return true;
}

enum compare_state compare_judge_costs(const struct compare *c, const struct compare_costs *costs)
{
	if (!costs->before || !costs->after)
		return costs->before ? COMPARE_GONE : COMPARE_NEW;
	if (compare_main_figure(c, costs) < 0)
		return COMPARE_SAME;
	return is_little(c, costs) ? COMPARE_LITTLE_CHANGED : COMPARE_CHANGED;
}

/* --- keys ------------------------------------------------------------------------------------ */

/* A copy without the lines in it.  NULL: memory. */
static const char *without_lines(struct arena *arena, const char *s)
{
	struct buf name = BUF_INIT;
	const char *kept;

	if (!text_some(s))
		return "";
	report_key_name(&name, s);
	kept = name.failed ? NULL : arena_strdup(arena, buf_str(&name));
	buf_free(&name);
	return kept;
}

/* The key of a region as seen from the phase. */
static const char *inside(const char *key, const char *phase)
{
	size_t n = phase ? strlen(phase) : 0;

	return n && strncmp(key, phase, n) == 0 ? key + n : key;
}

int compare_finding_key(struct arena *arena, const struct report *r, const struct report_finding *f,
	struct compare_key *out)
{
	const struct report_node *n = report_place(f);
	struct buf key = BUF_INIT;
	const char *kept;

	report_finding_key(f, &key);
	kept = key.failed ? NULL : arena_strdup(arena, buf_str(&key));
	buf_free(&key);
	if (!kept)
		return -1;
	*out = (struct compare_key){ inside(kept, r->phase.name_path),
		without_lines(arena, n->type == REGION_DATA_STRUCTURE ? report_own_name(n) : NULL),
		without_lines(arena, n->scope), f->property };
	return out->structure && out->scope ? 0 : -1;
}

int compare_cost_key(struct arena *arena, const struct report *r, const struct report_cost *cost,
	struct compare_key *out)
{
	*out = (struct compare_key){ inside(cost->region, r->costs[0].region),
		without_lines(arena, cost->structure), without_lines(arena, cost->scope), "" };
	return out->structure && out->scope ? 0 : -1;
}

struct keyed {
	struct compare_key key;
	const char *declared;   /* only orders those that are alike otherwise */
	const void *of;         /* struct report_cost, struct report_finding */
};

static int compare_keys(const struct compare_key *a, const struct compare_key *b)
{
	int c = strcmp(a->region, b->region);

	if (!c)
		c = strcmp(a->structure, b->structure);
	if (!c)
		c = strcmp(a->scope, b->scope);
	return c ? c : strcmp(a->property, b->property);
}

/* "a.c:9" before "a.c:10". */
static int compare_declared(const char *a, const char *b)
{
	const char *x = strrchr(a, ':'), *y = strrchr(b, ':');
	long i = x ? atol(x + 1) : 0, k = y ? atol(y + 1) : 0;

	return i != k ? (i < k ? -1 : 1) : strcmp(a, b);
}

static int by_key(const void *pa, const void *pb)
{
	const struct keyed *a = pa, *b = pb;
	int c = compare_keys(&a->key, &b->key);

	return c ? c : compare_declared(a->declared, b->declared);
}

/* Walks two sorted lists side by side and calls `take` with each pair; NULL: only one has it. */
typedef void take_pair(struct compare *c, const void *before, const void *after);
static void match(struct compare *c, const struct keyed *a, int na, const struct keyed *b, int nb,
	take_pair *take)
{
	int i = 0, k = 0;

	while (i < na || k < nb) {
		int order = i == na ? 1 : k == nb ? -1 : compare_keys(&a[i].key, &b[k].key);

		take(c, order <= 0 ? a[i].of : NULL, order >= 0 ? b[k].of : NULL);
		i += order <= 0;
		k += order >= 0;
	}
}

/* The costs of the whole phase, sorted; NULL: memory. */
static struct keyed *phase_keys(struct compare *c, const struct report *r, int *n)
{
	struct keyed *keys = arena_array(c->arena, (size_t)r->ncosts + 1, sizeof *keys);

	*n = 0;
	for (int i = 0; keys && i < r->ncosts && strcmp(r->costs[i].region, r->costs[0].region) ==
	     0; i++) {
		const struct report_cost *cost = &r->costs[i];

		keys[i] = (struct keyed){ .declared = cost->declared ? cost->declared : "",
			.of = cost };
		if (compare_cost_key(c->arena, r, cost, &keys[i].key))
			return NULL;
		++*n;
	}
	if (*n)
		qsort(keys, (size_t)*n, sizeof *keys, by_key);
	return keys;
}

static struct keyed *finding_keys(struct compare *c, const struct report *r)
{
	struct keyed *keys = arena_array(c->arena, (size_t)r->nfindings + 1, sizeof *keys);

	for (int i = 0; keys && i < r->nfindings; i++) {
		const struct report_finding *f = &r->findings[i];

		keys[i] = (struct keyed){ .declared = f->declared ? f->declared : "", .of = f };
		if (compare_finding_key(c->arena, r, f, &keys[i].key))
			return NULL;
	}
	if (keys && r->nfindings)
		qsort(keys, (size_t)r->nfindings, sizeof *keys, by_key);
	return keys;
}

/* --- costs of a finding in the other report -------------------------------------------------- */

/* The cost in `r` of what `cost` is in `other`; NULL: none. */
static const struct report_cost *counterpart(struct compare *c, const struct report *r,
	const struct report *other, const struct report_cost *cost)
{
	struct compare_key wanted, its;

	c->failed |= compare_cost_key(c->arena, other, cost, &wanted) != 0;
	for (int i = 0; i < r->ncosts && !c->failed; i++) {
		const struct report_cost *t = &r->costs[i];

		if (!t->structure != !cost->structure ||
		    strcmp(inside(t->region, r->costs[0].region), wanted.region) != 0)
			continue;
		c->failed |= compare_cost_key(c->arena, r, t, &its) != 0;
		if (!c->failed && compare_keys(&its, &wanted) == 0)
			return t;
	}
	return NULL;
}

/* Do the costs of memory say whether the finding still holds?  Not for waits, balance and such. */
static bool is_of_memory(const struct report_finding *f)
{
	return !isnan(f->est_stall_share) && f->est_stall_share > 0;
}

static enum compare_state judge_finding(const struct compare *c, const struct compare_finding *f)
{
	const struct report_finding *one = f->before ? f->before : f->after;
	enum compare_state missing = f->before ? COMPARE_GONE : COMPARE_NEW;
	bool both = f->before && f->after, known = f->costs.before || f->costs.after;
	double a, b;
	int figure;

	if (!known || !is_of_memory(one)) {
		a = both ? f->before->severity : NAN;
		b = both ? f->after->severity : NAN;
		return !both ? missing : b <= a / 2 || b >= 2 * a ? COMPARE_CHANGED : COMPARE_SAME;
	}
	if (both || f->costs.state >= COMPARE_LITTLE_CHANGED)
		return f->costs.state;
	if (f->costs.state < COMPARE_CHANGED)
		return missing;
	figure = compare_main_figure(c, &f->costs);
	a = compare_figure(f->costs.before, figure);
	b = compare_figure(f->costs.after, figure);
	return (f->before && b <= a / 2) || (f->after && b >= 2 * a) ? missing : COMPARE_CHANGED;
}

static void take_finding(struct compare *c, const void *before, const void *after)
{
	struct compare_finding *f = &c->findings[c->nfindings++];

	*f = (struct compare_finding){ .before = before, .after = after };
	if (c->before->ncosts && c->after->ncosts) {
		const struct report_cost *a = f->before ? report_cost_of(c->before, f->before,
			&c->failed) : NULL;
		const struct report_cost *b = f->after ? report_cost_of(c->after, f->after,
			&c->failed) : NULL;

		if (!a && b)
			a = counterpart(c, c->before, c->after, b);
		else if (!b && a)
			b = counterpart(c, c->after, c->before, a);
		f->costs = (struct compare_costs){ a, b, COMPARE_SAME };
		if (a || b)
			f->costs.state = compare_judge_costs(c, &f->costs);
	}
	f->state = judge_finding(c, f);
	c->count[f->state]++;
}

static void take_structure(struct compare *c, const void *before, const void *after)
{
	struct compare_costs *s = &c->structures[c->nstructures++];

	*s = (struct compare_costs){ before, after, COMPARE_SAME };
	s->state = compare_judge_costs(c, s);
}

/* --- order ----------------------------------------------------------------------------------- */

static double estimate_of(const struct report_cost *cost)
{
	double v = compare_figure(cost, COMPARE_ESTIMATE);

	return isnan(v) ? 0 : v;
}

/* By the estimated time between both, then by misses of the nearest level. */
static int by_difference(const struct compare_costs *a, const struct compare_costs *b)
{
	double x = fabs(estimate_of(a->after) - estimate_of(a->before));
	double y = fabs(estimate_of(b->after) - estimate_of(b->before));

	if (x == y) {
		x = fabs(compare_figure(a->after, 1) - compare_figure(a->before, 1));
		y = fabs(compare_figure(b->after, 1) - compare_figure(b->before, 1));
	}
	return x > y ? -1 : x < y;
}

static int order_structures(const void *pa, const void *pb)
{
	const struct compare_costs *a = pa, *b = pb;
	const struct report_cost *x = a->before ? a->before : a->after, *y = b->before ? b->before :
		b->after;
	int c;

	if (!x->structure != !y->structure)
		return x->structure ? 1 : -1;
	c = by_difference(a, b);
	return c ? c : report_cost_compare(x, y);
}

static int order_findings(const void *pa, const void *pb)
{
	const struct compare_finding *a = pa, *b = pb;
	const struct report_finding *x = a->before ? a->before : a->after, *y = b->before ?
		b->before : b->after;
	int c = (int)a->state - (int)b->state;

	if (!c && (a->costs.before || a->costs.after) && (b->costs.before || b->costs.after))
		c = by_difference(&a->costs, &b->costs);
	if (!c)
		c = report_path_compare(x->path, x->npath, y->path, y->npath);
	return c ? c : strcmp(x->property, y->property);
}

/* --- the whole ------------------------------------------------------------------------------- */

static void note(struct compare *c, const char *text)
{
	c->failed |= !text;
	if (text && c->nnotes < (int)(sizeof c->notes / sizeof *c->notes))
		c->notes[c->nnotes++] = text;
}

static bool same_asked(const struct report *a, const struct report *b)
{
	bool same = a->nasked == b->nasked;

	for (int i = 0; i < a->nasked && same; i++)
		same = text_same(a->asked[i].set, b->asked[i].set);
	return same;
}

static void add_notes(struct compare *c)
{
	const struct report *a = c->before, *b = c->after;

	if (!text_same(a->phase.name_path, b->phase.name_path) && a->phase.name_path &&
	    b->phase.name_path)
		note(c, arena_printf(c->arena, "the phases differ: %s, %s", a->phase.name_path,
			b->phase.name_path));
	if (a->nprocs != b->nprocs || a->nthreads != b->nthreads)
		note(c, arena_printf(c->arena, "processes and threads differ: %d x %d, %d x %d",
			a->nprocs, a->nthreads, b->nprocs, b->nthreads));
	if (!text_same(a->machine, b->machine))
		note(c, arena_printf(c->arena, "the machines differ: %s; %s", a->machine ?
			a->machine : "unknown", b->machine ? b->machine : "unknown"));
	if (!same_asked(a, b))
		note(c,
			"other properties were asked for: what only one of them tests is gone or new");
	if (a->costs_source != b->costs_source || !text_same(a->costs_host, b->costs_host) ||
	    a->costs_when != b->costs_when)
		note(c,
			"the costs of misses come from different sources: estimates differ by that, too");
	if (a->partial || b->partial)
		note(c, "an analysis is partial");
	if (!a->ncosts || !b->ncosts)
		note(c, arena_printf(c->arena, "%s has no costs of regions (accesses were lost): "
			"only times and findings are compared", a->ncosts ? c->after_name :
			c->before_name));
}

static int fill(struct compare *c)
{
	int na, nb;
	struct keyed *a = phase_keys(c, c->before, &na), *b = phase_keys(c, c->after, &nb);

	c->structures = arena_array(c->arena, (size_t)na + (size_t)nb + 1, sizeof *c->structures);
	c->findings = arena_array(c->arena, (size_t)c->before->nfindings +
		(size_t)c->after->nfindings + 1, sizeof *c->findings);
	if (!a || !b || !c->structures || !c->findings)
		return -1;
	if (na && nb)
		match(c, a, na, b, nb, take_structure);
	a = finding_keys(c, c->before);
	b = finding_keys(c, c->after);
	if (!a || !b)
		return -1;
	match(c, a, c->before->nfindings, b, c->after->nfindings, take_finding);
	if (c->nstructures)
		qsort(c->structures, (size_t)c->nstructures, sizeof *c->structures,
			order_structures);
	if (c->nfindings)
		qsort(c->findings, (size_t)c->nfindings, sizeof *c->findings, order_findings);
	add_notes(c);
	return c->failed ? -1 : 0;
}

int compare_reports(struct compare *c, const struct report *before, const char *before_name,
	const struct report *after, const char *after_name, struct err *err)
{
	*c = (struct compare){ .before = before, .after = after, .before_name = before_name,
		.after_name = after_name, .arena = arena_new() };
	c->exact = before->nthreads <= 1 && after->nthreads <= 1 && !before->sampled &&
		!after->sampled;
	if (!c->arena || fill(c)) {
		compare_free(c);
		return err_nomem(err);
	}
	return 0;
}

void compare_free(struct compare *c)
{
	arena_free(c->arena);
	c->arena = NULL;
}

void compare_label(const struct compare_finding *f, struct compare_label *out)
{
	const struct report_finding *of = f->after ? f->after : f->before;
	const struct report_node *n = report_place(of), *region = n;
	const char *colon, *from;

	*out = (struct compare_label){ of->property, "", "", "", 0, 0 };
	if (n->type == REGION_DATA_STRUCTURE) {
		out->structure = report_own_name(n);
		region = of->npath > 1 ? n - 1 : n;
	}
	out->file = region->file;
	out->line = region->line;
	colon = region->name_path ? strchr(region->name_path, ':') : NULL;
	from = colon ? colon + 1 : region->name;
	out->function = from;
	out->function_length = (int)strcspn(from, "/");
}

int compare_alike(const struct compare *c, int i)
{
	const struct compare_finding *f = &c->findings[i];
	int n = 1;

	while (f->costs.before && i + n < c->nfindings && f[n].state == f->state &&
			f[n].costs.before == f->costs.before && f[n].costs.after == f->costs.after)
		n++;
	return n;
}
