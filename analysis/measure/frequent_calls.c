/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses brief regions by counted calls, and divides the time of the contexts around them. */
#include "analysis/measure/frequent_calls.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/measure/estimate_rows.h"
#include "analysis/measure/thread_times.h"

/* --- choosing -------------------------------------------------------------------------------- */

struct candidate {              /* a region of the SIR */
	double calls;
	bool brief;
	bool stays;             /* its markers must stay, or those of a region inside it */
};

/* Constructs divide the work of a team, and their markers tell waits. */
static bool may_be_brief(const struct sir_region *r)
{
	return r->nat && (r->type == REGION_SUB || r->type == REGION_LOOP ||
		r->type == REGION_CALL || r->type == REGION_USER);
}

static struct candidate *candidate_of(const struct measurements *p, struct candidate *all,
	uint32_t context)
{
	uint32_t region = p->contexts[context].region;

	return region < p->sir->nregions ? &all[region] : NULL;
}

static void add_calls(const struct measurements *p, const struct mon_result *r,
	struct candidate *all)
{
	double spent = p->expected_ns * (p->threads ? p->threads : 1);

	for (uint32_t i = 0; i < p->sir->nregions; i++)
		all[i].stays = !may_be_brief(&p->sir->regions[i]);
	for (uint32_t i = 0; i < r->ntimes; i++) {
		uint32_t context = r->times[i].context;
		struct candidate *c = context < p->ncontexts ? candidate_of(p, all, context) : NULL;

		if (!c)
			continue;
		c->calls += (double)r->times[i].calls;
		c->stays |= !context || r->times[i].brief == MON_BRIEF_NEVER;
	}
	for (uint32_t i = 0; i < p->sir->nregions; i++)
		all[i].brief = !all[i].stays && all[i].calls * FREQUENT_NS > spent;
}

/* Is every context of the region directly inside a brief one? */
static bool only_in_brief(const struct measurements *p, struct candidate *all,
	const struct candidate *c)
{
	for (uint32_t i = 1; i < p->ncontexts; i++) {
		const struct candidate *around;

		if (candidate_of(p, all, i) != c)
			continue;
		around = candidate_of(p, all, p->contexts[i].parent);
		if (!around || !around->brief)
			return false;
	}
	return true;
}

/* A region inside a brief one is brief, or the other is not.  true: changed. */
static bool settle(const struct measurements *p, struct candidate *all)
{
	bool changed = false;

	for (uint32_t i = p->ncontexts; i-- > 1;) {
		struct candidate *c = candidate_of(p, all, i), *around = candidate_of(p, all,
			p->contexts[i].parent);

		if (!around || !around->brief || (c && c->brief))
			continue;
		if (c && !c->stays && only_in_brief(p, all, c))
			c->brief = true;
		else
			around->brief = !(around->stays = true);
		changed = true;
	}
	return changed;
}

int frequent_calls_choose(struct measurements *p, const struct mon_result *r)
{
	struct candidate *all;

	if (p->nclean || !(p->expected_ns > 0) || !r->ntimes || !p->ncontexts)
		return 0;
	all = calloc(p->sir->nregions + (size_t)1, sizeof *all);
	if (!all)
		return -1;
	add_calls(p, r, all);
	while (settle(p, all))
		;
	for (uint32_t i = 1; i < p->ncontexts; i++) {
		const struct candidate *c = candidate_of(p, all, i);

		p->contexts[i].brief = c && c->brief;
		p->frequent |= p->contexts[i].brief;
	}
	free(all);
	return 0;
}

uint32_t frequent_calls_hooks(const struct measurements *p, struct mon_hook *out, uint32_t most)
{
	uint32_t n = 0;

	if (!p->frequent)
		return 0;
	for (uint32_t i = 1; i < p->ncontexts; i++) {
		const struct sir_region *r = p->contexts[i].brief ?
			&p->sir->regions[p->contexts[i].region] : NULL;
		bool known = false;

		for (uint32_t k = 0; r && k < n && !known; k++)
			known = out[k].hash == r->at[0].hash && out[k].index == r->at[0].index;
		for (uint32_t k = 0; r && !known && k < r->nat && n < most; k++)
			out[n++] = (struct mon_hook){ r->at[k].hash, r->at[k].index };
	}
	return n;
}

uint32_t frequent_calls_regions(const struct measurements *p)
{
	uint32_t n = 0;

	for (uint32_t i = 1; p->frequent && i < p->ncontexts; i++) {
		bool known = !p->contexts[i].brief;

		for (uint32_t k = 1; k < i && !known; k++)
			known = p->contexts[k].region == p->contexts[i].region;
		n += !known;
	}
	return n;
}

/* --- dividing -------------------------------------------------------------------------------- */

struct share {                  /* of a context, for one thread in one execution; ns */
	const struct mon_time_row *row; /* NULL: it has none */
	double own;             /* measured, without the contexts inside it */
	double model;           /* what the model says of it */
	double inside;          /* the same with the brief contexts inside it */
};

/* Reads the rows [first, end), of one thread in one execution. */
static int shares_read(const struct measurements *p, const struct mon_time_row *first,
	const struct mon_time_row *end, struct share *all)
{
	double *model = calloc(p->ncontexts, sizeof *model);

	if (!model)
		return -1;
	estimate_rows_model(p, first->thread, model);
	for (uint32_t i = 0; i < p->ncontexts; i++)
		all[i] = (struct share){ .model = model[i], .inside = model[i] };
	free(model);
	for (; first < end; first++) {
		uint32_t parent = p->contexts[first->context].parent;

		all[first->context].row = first;
		all[first->context].own += (double)first->cpu_ns;
		if (parent != NO_CONTEXT)
			all[parent].own -= (double)first->cpu_ns;
	}
	/* a context's number is higher than its parent's */
	for (uint32_t i = p->ncontexts; i-- > 1;)
		if (p->contexts[i].brief)
			all[p->contexts[i].parent].inside += all[i].inside;
	return 0;
}

/* The timed context around a brief one; NO_CONTEXT: the thread was not timed there. */
static uint32_t head_of(const struct measurements *p, const struct share *all, uint32_t context)
{
	while (context != NO_CONTEXT && p->contexts[context].brief)
		context = p->contexts[context].parent;
	return context != NO_CONTEXT && all[context].row ? context : NO_CONTEXT;
}

/* Appends the thread's rows of brief contexts to out; first: rows of no other thread have their
 * calls. Returns their number. */
static uint32_t shares_write(const struct measurements *p, const struct share *all, bool first,
	struct mon_time_row *out)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i < p->ncontexts; i++) {
		uint32_t head = p->contexts[i].brief && !all[i].row ? head_of(p, all, i) :
			NO_CONTEXT;
		struct mon_time_row row;

		if (head == NO_CONTEXT || !(all[i].inside > 0) || !(all[head].own > 0))
			continue;
		row = *all[head].row;
		row.context = i;
		row.brief = MON_BRIEF_YES;
		row.cpu_ns = row.wall_ns = (uint64_t)(all[head].own * all[i].inside /
			all[head].inside);
		row.wait_ns = row.startup_ns = row.pieces = row.counted = row.faults = row.sys_ns =
			0;
		row.calls = first ? (uint64_t)p->contexts[i].counted_calls : 0;
		out[n++] = row;
	}
	return n;
}

static uint32_t count_brief(const struct measurements *p)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i < p->ncontexts; i++)
		n += p->contexts[i].brief;
	return n;
}

static bool same_thread(const struct mon_time_row *a, const struct mon_time_row *b)
{
	return a->thread == b->thread && a->execution == b->execution;
}

static uint32_t count_threads(const struct mon_time_row *rows, uint32_t n)
{
	uint32_t groups = 0;

	for (uint32_t i = 0; i < n; i++)
		groups += !i || !same_thread(&rows[i], &rows[i - 1]);
	return groups;
}

int frequent_calls_rows(struct measurements *p, struct mon_time_row **rows, uint32_t *nrows)
{
	uint32_t n = *nrows, brief = count_brief(p), more = n;
	struct mon_time_row *all;
	struct share *share;

	if (!p->frequent || !n)
		return 0;
	all = malloc((n + (size_t)brief * count_threads(*rows, n)) * sizeof *all);
	share = malloc(p->ncontexts * sizeof *share);
	if (!all || !share)
		goto fail;
	memcpy(all, *rows, n * sizeof *all);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && same_thread(&all[i], &all[end]);)
			end++;
		if (shares_read(p, &all[i], all + end, share))
			goto fail;
		more += shares_write(p, share, !i || all[i].execution != all[i - 1].execution,
			all + more);
	}
	free(share);
	free(*rows);
	qsort(all, more, sizeof *all, time_row_order);
	*rows = all;
	*nrows = more;
	return 0;
fail:
	free(all);
	free(share);
	return -1;
}
