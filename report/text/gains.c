/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what fixes would save (--what-if): for each structure the changes that were tried, best
 * first, then the bound for all changes, then the changes that were not tried with the reason. */
#include <math.h>
#include <string.h>

#include "report/model/figures.h"
#include "base/text_same.h"
#include "report/words/problem_words.h"
#include "report/text/text.h"
#include "report/words/words.h"

#define STALL_COLUMNS 18        /* "-12.5% to -10.1%" */
#define TIME_COLUMNS 12
#define WORTH 0.01              /* share of the phase's time; changes that save less are useless */

static bool same_structure(const struct report_gain *a, const struct report_gain *b)
{
	return text_same(a->structure, b->structure) && text_same(a->scope, b->scope) &&
		text_same(a->declared, b->declared);
}

const struct report_gain *report_gain_best(const struct report *r, const struct report_finding *f)
{
	for (int i = 0; i < r->ngains; i++) {
		const struct report_gain *g = &r->gains[i];

		if (!g->reason && !report_gain_bounds(g) &&
		    (!isnan(g->time_share) || !isnan(g->most)) && (!f || report_gain_of(g, f)))
			return g;
	}
	return NULL;
}

/* --- text ---------------------------------------------------------------------------------- */

static void shares(const struct text_report *t, const struct report_gain *g, struct buf *out)
{
	double stall = t->r->stall_cycles;
	char figure[2][PAGE_FIGURE];
	const char *least = page_percent(figure[0], stall > 0 ? g->least / stall : NAN);
	const char *most = page_percent(figure[1], stall > 0 ? g->most / stall : NAN);

	if (strcmp(least, most) == 0)
		buf_puts(out, most);
	else
		buf_printf(out, "%s to %s", least, most);
}

static void put_gain(struct text_report *t, const struct report_gain *g)
{
	struct buf b = BUF_INIT;
	char figure[PAGE_FIGURE];

	page_spaces(&t->page, 2);
	page_cell(&t->page, g->change, t->page.width - 2 - STALL_COLUMNS - TIME_COLUMNS, PAGE_LEFT);
	shares(t, g, &b);
	page_cell(&t->page, buf_str(&b), STALL_COLUMNS, PAGE_RIGHT);
	page_cell(&t->page, page_percent(figure, g->time_share), TIME_COLUMNS, PAGE_RIGHT);
	page_end_line(&t->page);
	t->dash |= isnan(g->time_share);
	if (b.failed)
		t->page.out.failed = true;
	buf_free(&b);
}

static void put_reason(struct text_report *t, const struct report_gain *g)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s%snot tried: %s", tried_fix_names[g->fix], g->fix ? ": " : "", g->reason);
	page_spaces(&t->page, 2);
	page_wrap_buf(&t->page, 2, 4, &b);
	buf_free(&b);
}

/* "b, COMMON work (b.f:3): above 1, 4": the ranks of the findings about it. */
static void put_structure(struct text_report *t, const struct report_gain *g)
{
	struct buf b = BUF_INIT;
	int n = 0;

	buf_puts(&b, g->structure);
	if (g->scope)
		buf_printf(&b, ", %s", g->scope);
	if (g->declared)
		buf_printf(&b, " (%s)", g->declared);
	for (int i = 0; i < t->shown; i++)
		if (report_gain_of(g, &t->r->findings[i]))
			buf_printf(&b, "%s%d", n++ ? ", " : ": above ", i + 1);
	page_wrap_buf(&t->page, 0, 2, &b);
	buf_free(&b);
}

/* True: an earlier gain is of the same structure, so its group is printed already. */
static bool printed_before(const struct report *r, int i)
{
	for (int k = 0; k < i; k++)
		if (same_structure(&r->gains[k], &r->gains[i]))
			return true;
	return false;
}

/* True: an earlier change of the same kind has the same reason. */
static bool reason_before(const struct report *r, int i)
{
	for (int k = 0; k < i; k++)
		if (same_structure(&r->gains[k], &r->gains[i]) &&
		    r->gains[k].fix == r->gains[i].fix &&
		    text_same(r->gains[k].reason, r->gains[i].reason))
			return true;
	return false;
}

/* Prints all gains of one structure.  They are ranked: changes come before the bound. */
static void put_group(struct text_report *t, int first)
{
	const struct report_gain *g = &t->r->gains[first];

	put_structure(t, g);
	for (int i = first; i < t->r->ngains; i++)
		if (!t->r->gains[i].reason && same_structure(g, &t->r->gains[i]))
			put_gain(t, &t->r->gains[i]);
	for (int i = first; i < t->r->ngains; i++)
		if (t->r->gains[i].reason && same_structure(g, &t->r->gains[i]) &&
		    !reason_before(t->r, i))
			put_reason(t, &t->r->gains[i]);
}

/* As the problems say. */
static void saved(struct text_report *t, const struct report_gain *best, struct buf *b)
{
	problem_gain_saves(b, t->r, best);
}

/* Prints one sentence: the change to try first, or that none helps. */
static void verdict(struct text_report *t)
{
	const struct report_gain *best = report_gain_best(t->r, NULL);
	struct buf b = BUF_INIT, share = BUF_INIT;
	bool little;

	if (!best || !(t->r->stall_cycles > 0))
		return;
	little = isnan(best->time_share) ? best->most < WORTH * t->r->stall_cycles :
		best->time_share < WORTH;
	if (little && words_unsure(t->r)) {
		buf_puts(&b,
			"What a change saves is as uncertain as what memory costs: a try tells.");
	} else if (little) {
		buf_puts(&b, "No change that was tried saves 1% of the phase's time: where these "
			"structures lie is not what it waits for. Look at the order in which they are "
			"accessed, and at how much of what is fetched is used.");
	} else {
		shares(t, best, &share);
		buf_printf(&b, "Worth trying first: %s: %s; saves ", best->structure, best->change);
		saved(t, best, &b);
		buf_printf(&b, "%s%s.", isnan(best->most) ? "" : "; latency saved: ",
			isnan(best->most) ? "" : buf_str(&share));
	}
	if (share.failed)
		b.failed = true;
	page_wrap_buf(&t->page, 0, 2, &b);
	buf_free(&share);
	buf_free(&b);
}

static void legend(struct text_report *t)
{
	struct buf b = BUF_INIT;
	char figure[PAGE_FIGURE];

	buf_printf(&b,
		"latency saved: share of the phase's misses x their extra latency (%s cycles an "
		"execution; not time) that is gone when the phase is simulated again with the change, "
		"all else being equal; negative: the change adds misses.",
		page_count(figure, t->r->stall_cycles));
	page_dim(&t->page, true);
	page_wrap_buf(&t->page, 0, 2, &b);
	page_wrap(&t->page, 0, 2,
		"time saved: estimated share of the phase's processor time: what memory "
		"costs now by the middle of the estimate, times the share of the misses' time that the change takes off.");
	page_dim(&t->page, false);
	buf_free(&b);
}

void text_gains(struct text_report *t)
{
	const struct report *r = t->r;
	bool figures = false;

	if (r->ngains <= 0)
		return;
	for (int i = 0; i < r->ngains; i++)
		figures |= !r->gains[i].reason;
	page_heading(&t->page,
		"What a fix would save (modelled: the phase simulated again with it)");
	if (figures) {
		verdict(t);
		page_spaces(&t->page, 2);
		page_cell(&t->page, "", t->page.width - 2 - STALL_COLUMNS - TIME_COLUMNS,
			PAGE_LEFT);
		page_cell(&t->page, "latency saved", STALL_COLUMNS, PAGE_RIGHT);
		page_cell(&t->page, "time saved", TIME_COLUMNS, PAGE_RIGHT);
		page_end_line(&t->page);
	}
	for (int i = 0; i < r->ngains; i++)
		if (!printed_before(r, i))
			put_group(t, i);
	if (figures)
		legend(t);
}
