/* SPDX-License-Identifier: BSD-3-Clause */
/* What trials (--try) found. */
#include "report/html/html.h"
#include "report/words/trial_words.h"

static void paragraph(struct html *h, const char *kind, struct buf *b)
{
	if (b->len || b->failed) {
		buf_printf(&h->out, "<p%s>", kind);
		html_put_buf(h, b);
		buf_puts(&h->out, "</p>\n");
	}
	buf_free(b);
}

void html_trials(struct html *h)
{
	html_heading(h, "tried", "Tried in the program");
	for (int i = 0; i < h->r->ntrials; i++) {
		struct buf b = BUF_INIT, advice = BUF_INIT;

		words_trial(&b, h->r, &h->r->trials[i]);
		paragraph(h, "", &b);
		words_trial_advice(&advice, &h->r->trials[i]);
		paragraph(h, " class=small", &advice);
	}
}
