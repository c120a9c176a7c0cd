/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what trials (--try) found, and what a placement file (--placement) has done. */
#include "report/text/text.h"
#include "report/words/placed_words.h"
#include "report/words/trial_words.h"

#define LABEL "TRIED  "
#define PLACED "PLACED "
enum { AT = sizeof LABEL - 1 };

static void put(struct text_report *t, const char *label, const struct buf *b)
{
	if (!b->len && !b->failed)
		return;
	buf_printf(&t->page.out, "%-*s", AT, label);
	page_wrap_buf(&t->page, AT, AT, b);
}

static void put_one(struct text_report *t, const struct report_trial *trial)
{
	struct buf b = BUF_INIT, advice = BUF_INIT;

	words_trial(&b, t->r, trial);
	put(t, LABEL, &b);
	words_trial_advice(&advice, trial);
	put(t, "", &advice);
	buf_free(&b);
	buf_free(&advice);
}

void text_trials(struct text_report *t)
{
	if (t->r->ntrials <= 0)
		return;
	page_heading(&t->page, "Tried in the program");
	for (int i = 0; i < t->r->ntrials; i++)
		put_one(t, &t->r->trials[i]);
}

void text_placed(struct text_report *t)
{
	for (int i = 0; i < t->r->nplaced; i++) {
		struct buf b = BUF_INIT;

		words_placed(&b, &t->r->placed[i]);
		put(t, PLACED, &b);
		buf_free(&b);
	}
}
