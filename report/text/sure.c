/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the last part of the report of one screen: how sure it is, what was asked, what to do
 * next. */
#include <math.h>
#include <string.h>

#include "report/model/figures.h"
#include "base/text_same.h"
#include "report/words/problem_words.h"
#include "report/text/text.h"
#include "report/words/words.h"

enum { TEXT_AT = 7 };
#define MOST_NAMED 0.995        /* share of the accesses below which the report tells the misses
				 * named, too */
#define UNSEEN_LEAST 0.05       /* share of the time from which the report tells what no slice
				 * saw */
#define OTHERS_LEAST 0.05       /* share of the CPUs from which other programs are mentioned */
#define UNSTEADY 0.5            /* spread of the executions from which what is told by their times
				 * is doubtful */

static void labelled(struct text_report *t, const char *label, const struct buf *text)
{
	page_bold(&t->page, true);
	page_cell(&t->page, label, TEXT_AT, PAGE_LEFT);
	page_bold(&t->page, false);
	page_wrap_buf(&t->page, TEXT_AT, TEXT_AT, text);
}

/* Are counts those of a part, and of which? */
static void partly(struct buf *b, const struct report *r)
{
	char figure[PAGE_FIGURE];

	if (isnan(r->unseen_share) || isnan(r->sample_share)) {
		buf_puts(b, "of a sample");
		return;
	}
	buf_printf(b, r->bursts ? "of bursts, %s of the accesses" : "of slices, %s of an execution",
		page_percent(figure, r->sample_share));
	if (r->slowdown_limited)
		buf_puts(b, " (--max-slowdown none: all)");
}

static void counts(struct buf *b, const struct report *r)
{
	struct report_ledger total;
	double accesses = NAN, misses = NAN;
	char figure[PAGE_FIGURE];

	if (r->nledger <= 0)
		return;
	buf_printf(b, "%scounts ", b->len ? "; " : "");
	if (r->sampled)
		partly(b, r);
	else
		buf_puts(b, r->nthreads > 1 ? "modelled (threads)" : "exact");
	if (r->unseen_share >= UNSEEN_LEAST)
		buf_printf(b, " without %s of the time (-v)",
			page_percent(figure, r->unseen_share));
	report_ledger_total(r, &total);
	for (int i = 0; i < r->nledger; i++)
		if (r->ledger[i].cause == LEDGER_NAMED)
			accesses = r->ledger[i].accesses, misses = r->ledger[i].misses;
	if (!(total.accesses > 0) || isnan(accesses))
		return;
	buf_printf(b, ", %s of accesses", page_percent(figure, accesses / total.accesses));
	/* What is not named are mostly scalars and the stack, which do not miss. */
	if (accesses < MOST_NAMED * total.accesses && misses <= total.misses && total.misses > 0)
		buf_printf(b, " and %s of misses", page_percent(figure, misses / total.misses));
	buf_puts(b, " named");
}

static void times(struct buf *b, const struct report *r, bool unicode)
{
	if (isnan(r->phase_time) || (isnan(r->time_spread) && r->executions_used <= 0))
		return;
	buf_printf(b, "%stime", b->len ? "; " : "");
	if (!isnan(r->time_spread))
		buf_printf(b, " %s%.*f %%", unicode ? "\302\261" : "+-", r->time_spread < 0.01,
			100 * r->time_spread);
	if (r->bursts)
		buf_puts(b, " by samples");
	else if (r->executions_used > 0)
		buf_printf(b, " of %lld execution%s", (long long)r->executions_used,
			r->executions_used == 1 ? "" : "s");
	if (r->runs > 1)
		buf_printf(b, " in %d runs", r->runs);
	if (words_loaded(r))
		buf_printf(b, ", others held it up%s", r->nthreads > 1 ?
			": threads that run in turn take no lines from each other; "
			"run again when idle" : "");
	else if (r->others_share >= OTHERS_LEAST)
		buf_printf(b, ", others had %.0f %% of the cores", 100 * r->others_share);
	else if (!isnan(r->others_share))
		buf_puts(b, ", machine idle");
	if (text_some(r->unlike))
		buf_puts(b, "; executions differ");
	if (r->time_spread > UNSTEADY)
		buf_puts(b, "; unsteady: run again");
}

/* Why an estimate that is printed may be as high as the upper end of its range. */
static void ends(struct buf *b, const struct report *r)
{
	bool any = false;

	for (int i = 0; i < r->problems.n && !any; i++)
		any = problem_is_all(r, &r->problems.problem[i]);
	if (any)
		buf_printf(b,
			"%san estimate at its upper end is all that computing leaves of the time",
			b->len ? "; " : "");
}

static void sure(struct text_report *t)
{
	const struct report *r = t->r;
	struct buf b = BUF_INIT;

	if (words_unsure(r))
		buf_puts(&b, "unsure (a wide range; --compare after a change tells)");
	ends(&b, r);
	counts(&b, r);
	times(&b, r, t->page.unicode);
	if (r->costs_source)
		buf_puts(&b, b.len ? "; costs " : "costs ");
	words_costs_brief(&b, r);
	if (b.len || b.failed)
		labelled(t, "SURE", &b);
	buf_free(&b);
}

static bool is_asked(const struct report *r, const char *set)
{
	for (int i = 0; i < r->nasked; i++)
		if (strcmp(r->asked[i].set, set) == 0)
			return true;
	return false;
}

static void asked(struct text_report *t)
{
	static const char *const library[] = { "memory", "sharing", "faults", "levels", "balance",
		"numa" };
	const struct report *r = t->r;
	struct buf b = BUF_INIT;
	int n = 0;

	if (!r->nasked)
		return;
	for (int i = 0; i < r->nasked; i++)
		buf_printf(&b, "%s%s%s", i ? ", " : "", r->asked[i].name,
			r->nthreads == 1 && strcmp(r->asked[i].set, "sharing") == 0 ?
			" (1 thread)" : "");
	if (words_locks(r) && !is_asked(r, "openmp"))
		buf_printf(&b, "%s%s", n++ ? ", " : ". Not asked: ", words_locks(r));
	for (size_t i = 0; i < sizeof library / sizeof library[0]; i++)
		if (!is_asked(r, library[i]))
			buf_printf(&b, "%s%s", n++ ? ", " : ". Not asked: ", library[i]);
	labelled(t, "ASKED", &b);
	buf_free(&b);
}

static void next(struct text_report *t, const struct report_style *style)
{
	struct buf b = BUF_INIT;

	if (text_some(style->psc)) {
		buf_printf(&b, "psc_report -v %s: every finding", style->psc);
		if (t->r->nnotes > 0)
			buf_printf(&b, ", %d note%s", t->r->nnotes, t->r->nnotes == 1 ? "" : "s");
		buf_puts(&b, "; --html: a page");
	} else {
		buf_puts(&b, "psc_frontend -v: every finding with its path");
	}
	labelled(t, "NEXT", &b);
	buf_free(&b);
}

void text_sure(struct text_report *t, const struct report_style *style)
{
	buf_puts(&t->page.out, "\n");
	sure(t);
	asked(t);
	next(t, style);
}
