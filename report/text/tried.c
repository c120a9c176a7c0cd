/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what trials (--try) found. */
#include "report/text/text.h"
#include "report/words/trial_words.h"

#define LABEL "TRIED  "
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
