/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the rows of problems: numbers, keys and places, and from their numbers the findings that
 * they refer to. */
#include "report/model/problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"

/* --- the finding that explains it ------------------------------------------------------------- */

bool report_same_structure(const struct report_finding *a, const struct report_finding *b)
{
	const struct report_node *x = report_place(a), *y = report_place(b);

	return text_same(report_own_name(x), report_own_name(y)) &&
		text_same(x->scope, y->scope) && text_same(a->declared, b->declared);
}

static bool is_estimate(const struct report_finding *f)
{
	return fabs(f->severity_share - f->est_stall_share) <= 1e-6 * f->severity_share;
}

/* True: a explains more than b, for findings about one structure or none.  What waits for other
 * threads is told by properties of their own; else the property whose severity is the estimate
 * comes first. */
static bool explains_more(const struct report_finding *a, const struct report_finding *b)
{
	bool sharing = miss_kind_shares(a->kind);
	bool stall_a = is_estimate(a), stall_b = is_estimate(b);

	if (report_explains(a) != report_explains(b))
		return report_explains(a);
	if (a->severity_is_index != b->severity_is_index)
		return b->severity_is_index;
	return stall_a != stall_b && stall_a != sharing;
}

void problems_lead(struct report_problem *p)
{
	const struct report_finding *of = p->nstructures ? p->structures[0] : p->members[0];

	p->lead = of;
	for (int i = 0; i < p->nmembers; i++) {
		const struct report_finding *f = p->members[i];
		bool candidate = p->nstructures ? report_place(f)->type == REGION_DATA_STRUCTURE &&
			report_same_structure(f, of) : p->memory;

		if (candidate && explains_more(f, p->lead))
			p->lead = f;
	}
}

static const char *cause(const struct report_problem *p)
{
	const struct report_finding *f = p->lead;
	bool of_data = !f->over_processes && f->about == ABOUT_MEMORY &&
		report_place(f)->type == REGION_DATA_STRUCTURE;

	if (f->about == ABOUT_FAULTS)
		return "page faults";
	return (p->memory || of_data) && f->kind ? miss_kind_name(f->kind) : f->property;
}

bool report_problem_faults(const struct report_problem *p)
{
	return p->lead && p->lead->about == ABOUT_FAULTS;
}

bool report_problem_nodes(const struct report_problem *p)
{
	return p->lead && p->lead->about == ABOUT_NODES;
}

bool report_problem_savable(const struct report_problem *p)
{
	return p->memory || report_problem_faults(p) || report_problem_nodes(p);
}

double report_problem_base(const struct report *r, const struct report_problem *p)
{
	return p->memory || report_problem_nodes(p) ? report_base_time(r) :
		report_problem_faults(p) ? r->cpu_time : r->phase_time;
}

/* --- keys and places -------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	return text_compare(*(const char *const *)a, *(const char *const *)b);
}

static int region_steps(const struct report_finding *f)
{
	int n = f->npath;

	while (n > 0 && f->path[n - 1].type == REGION_DATA_STRUCTURE)
		n--;
	return n;
}

int report_problem_around(const struct report_problem *p)
{
	int steps = region_steps(p->lead);

	for (int i = 0; i < p->nmembers && p->npasses; i++) {
		const struct report_finding *f = p->members[i];
		int most = region_steps(f), same = 0;

		if (most == f->npath)
			continue;
		while (same < steps && same < most &&
		       report_path_compare(&f->path[same], 1, &p->lead->path[same], 1) == 0)
			same++;
		steps = same;
	}
	return steps;
}

/* "heat.c:main/loop 1 > heat.c:f/loop 2; a, b; strided".  NULL: memory. */
static const char *make_key(struct report *r, const struct report_problem *p)
{
	const char **name = calloc((size_t)p->nstructures + 1, sizeof *name), *kept;
	struct buf key = BUF_INIT;

	for (int i = 0; name && i < p->nstructures; i++)
		name[i] = report_own_name(report_place(p->structures[i]));
	if (name && p->nstructures > 1)
		qsort(name, (size_t)p->nstructures, sizeof *name, by_name);
	for (int i = 0; i < report_problem_around(p); i++)
		report_key_extend(&key, p->lead->path[i].name_path);
	buf_puts(&key, "; ");
	for (int i = 0; name && i < p->nstructures; i++) {
		buf_puts(&key, i ? ", " : "");
		report_key_name(&key, name[i]);
	}
	buf_printf(&key, "; %s", p->cause);
	kept = name && !key.failed ? arena_strdup(r->arena, buf_str(&key)) : NULL;
	buf_free(&key);
	free(name);
	return kept;
}

static const struct report_node *region_of(const struct report_finding *f)
{
	int n = region_steps(f);

	return n > 0 ? &f->path[n - 1] : NULL;
}

void report_problem_range(const struct report_problem *p, int *first, int *last)
{
	const struct report_finding *f = p->lead;

	*first = f->first_line;
	*last = f->last_line;
	for (int i = 0; i < p->nstructures && f->source; i++) {
		const struct report_finding *other = p->structures[i];

		if (!text_same(other->source, f->source) || other->first_line <= 0)
			continue;
		*first = other->first_line < *first ? other->first_line : *first;
		*last = other->last_line > *last ? other->last_line : *last;
	}
}

/* The lines of the lead where they are known, else its region. */
static void set_place(struct report_problem *p)
{
	const char *slash = p->lead->source ? strrchr(p->lead->source, '/') : NULL;
	int last;

	p->file = p->region && p->region->file ? p->region->file : "";
	p->line = p->region ? p->region->line : 0;
	if (!slash || p->lead->first_line <= 0)
		return;
	p->file = slash + 1;
	p->line = p->place_line;
	if (p->line <= 0)
		report_problem_range(p, &p->line, &last);
}

/* --- from numbers ----------------------------------------------------------------------------- */

/* False: the problem refers to what is not its own. */
static bool number_ok(const struct report *r, const struct report_problem *p)
{
	return p->finding >= 1 && p->finding <= r->nfindings &&
		r->findings[p->finding - 1].problem == p->number &&
		p->gain >= 0 && p->gain <= r->ngains;
}

/* 0; 1: a number is wrong; -1: memory. */
static int link_structures(const struct report *r, struct report_problem *p)
{
	p->structures = arena_array(r->arena, (size_t)p->nstructures, sizeof *p->structures);
	if (!p->structures)
		return -1;
	for (int i = 0; i < p->nstructures; i++) {
		if (p->structure[i].finding < 1 || p->structure[i].finding > r->nfindings ||
		    r->findings[p->structure[i].finding - 1].problem != p->number)
			return 1;
		p->structures[i] = &r->findings[p->structure[i].finding - 1];
	}
	return 0;
}

/* Gives each problem its findings, in the report's order.  0 / -1 (memory) / 1: a number is out of
 * range. */
static int link_members(struct report *r)
{
	const struct report_problems *all = &r->problems;
	const struct report_finding **member = arena_array(r->arena, (size_t)r->nfindings + 1,
		sizeof *member);

	if (!member)
		return -1;
	for (int k = 0; k < all->n; k++)
		all->problem[k].nmembers = 0;
	for (int i = 0; i < r->nfindings; i++) {
		int number = r->findings[i].problem;

		if (number < 0 || number > all->n)
			return 1;
		if (number)
			all->problem[number - 1].nmembers++;
	}
	for (int k = 0; k < all->n; k++) {
		all->problem[k].members = member;
		member += all->problem[k].nmembers;
		all->problem[k].nmembers = 0;
	}
	for (int i = 0; i < r->nfindings; i++)
		if (r->findings[i].problem) {
			struct report_problem *p = &all->problem[r->findings[i].problem - 1];

			p->members[p->nmembers++] = &r->findings[i];
		}
	return 0;
}

int report_problems_link(struct report *r)
{
	const struct report_problems *all = &r->problems;
	int rc = link_members(r);

	for (int k = 0; !rc && k < all->n; k++) {
		struct report_problem *p = &all->problem[k];

		if (p->number != k + 1 || !number_ok(r, p) || link_structures(r, p))
			return 1;
		p->lead = &r->findings[p->finding - 1];
		p->region = region_of(p->lead);
	}
	return rc;
}

/* Problems alike in all that their keys say: from the second on, the key has
 * a number.  NULL: memory. */
static const char *unlike_key(struct report *r, int k)
{
	const char *key = r->problems.problem[k].key;
	size_t n = key ? strlen(key) : 0;
	int alike = 1;

	for (int i = 0; key && i < k; i++) {
		const char *other = r->problems.problem[i].key;

		alike += strncmp(other, key, n) == 0 &&
			(!other[n] || strncmp(other + n, " #", 2) == 0);
	}
	return key && alike > 1 ? arena_printf(r->arena, "%s #%d", key, alike) : key;
}

int report_finish(struct report *r)
{
	report_rank(r);
	for (int i = 0; i < r->nfindings; i++)
		r->findings[i].problem = 0;
	if (problems_group(r))
		return -1;
	for (int k = 0; k < r->problems.n; k++) {
		struct report_problem *p = &r->problems.problem[k];

		p->number = k + 1;
		p->finding = (int)(p->lead - r->findings) + 1;
		for (int i = 0; i < p->nmembers; i++)
			r->findings[p->members[i] - r->findings].problem = p->number;
	}
	if (report_problems_link(r))
		return -1;
	for (int k = 0; k < r->problems.n; k++) {
		struct report_problem *p = &r->problems.problem[k];

		p->cause = cause(p);
		set_place(p);
		p->key = make_key(r, p);
		p->key = unlike_key(r, k);
		if (!p->key)
			return -1;
	}
	problems_save(r);
	return 0;
}
