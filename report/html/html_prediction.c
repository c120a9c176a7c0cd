/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what is predicted for more threads: a sentence for each number of threads, and lines from
 * memory by structure. */
#include "report/html/html.h"

#include <math.h>

#include "report/words/timeline_words.h"

enum { STRUCTURES = 12, COLUMNS = 6 };

/* What is predicted of one process. */
struct predicted {
	struct time_facts *f;
	struct time_prediction p[TIME_PREDICTIONS];
	int n;
};

static bool predict(struct html *h, struct time_facts *f, struct predicted *out)
{
	int threads[TIME_PREDICTIONS];
	struct err err;

	*out = (struct predicted){ .f = f };
	out->n = time_predicted_threads(f->t, threads);
	for (int i = 0; i < out->n; i++)
		if (time_predict(f, threads[i], &out->p[i], &err)) {
			h->out.failed = true;
			return false;
		}
	return true;
}

static void put(struct html *h, const char *begin, struct buf *words, const char *end)
{
	buf_puts(&h->out, begin);
	html_put_buf(h, words);
	buf_puts(&h->out, end);
	buf_free(words);
}

static void sentences(struct html *h, const struct predicted *d)
{
	struct buf words = BUF_INIT;

	buf_puts(&h->out, "<ul>\n");
	for (int i = 0; i < d->n; i++) {
		timeline_prediction_claim(&words, d->f, &d->p[i]);
		put(h, "<li>", &words, "</li>\n");
	}
	buf_puts(&h->out, "</ul>\n");
	timeline_prediction_reading(&words, d->f, &d->p[0]);
	put(h, "<p class=small>", &words, "</p>\n");
}

static void cell(struct html *h, const struct more_range *r)
{
	struct buf words = BUF_INIT;

	timeline_range(&words, r);
	html_figure(h, buf_str(&words), r->value, 0);
	h->out.failed |= words.failed;
	buf_free(&words);
}

/* The structure with most lines that is not told yet; -1: none has any. */
static int next_structure(const struct predicted *d, const bool *told)
{
	double most = 0;
	int best = -1;

	for (int i = 0; i < d->f->t->nstructures; i++) {
		const double n = fmax(
			(double)d->f->structure[i].sums.memory,
			d->p[d->n - 1].lines.structure[i].high);

		if (!told[i] && n > most) {
			most = n;
			best = i;
		}
	}
	return best;
}

static void row(struct html *h, const struct predicted *d, int structure)
{
	buf_puts(&h->out, "<tr><th scope=row>");
	html_structure_name(h, d->f, structure);
	html_count(h, (double)d->f->structure[structure].sums.memory / d->f->t->executions, NAN);
	for (int i = 0; i < d->n && i < COLUMNS; i++)
		cell(h, &d->p[i].lines.structure[structure]);
	buf_puts(&h->out, "</tr>\n");
}

static void sums(struct html *h, const struct predicted *d)
{
	buf_puts(&h->out, "<tr class=sum><th scope=row>all");
	html_count(h, (double)d->f->all.memory / d->f->t->executions, NAN);
	for (int i = 0; i < d->n && i < COLUMNS; i++)
		cell(h, &d->p[i].lines.all);
	buf_puts(&h->out, "</tr>\n");
}

static void lines(struct html *h, const struct predicted *d)
{
	bool *told = arena_array(d->f->arena, (size_t)d->f->t->nstructures, sizeof *told);

	if (!told) {
		h->out.failed = true;
		return;
	}
	html_table_begin(h, d->f, "Lines from memory with more threads", false);
	buf_printf(&h->out, "<th>variable<th class=n>now, %d", d->f->t->threads);
	for (int i = 0; i < d->n && i < COLUMNS; i++)
		buf_printf(&h->out, "<th class=n>%d threads", d->p[i].lines.threads);
	buf_puts(&h->out, "</tr></thead><tbody>\n");
	for (int i, n = 0; n < STRUCTURES && (i = next_structure(d, told)) >= 0; n++) {
		told[i] = true;
		row(h, d, i);
	}
	sums(h, d);
	html_table_end(h);
}

static void process(struct html *h, struct time_facts *f)
{
	struct predicted d;

	if (time_view_absent(f, VIEW_PREDICTION) || !predict(h, f, &d))
		return;
	sentences(h, &d);
	lines(h, &d);
}

void html_prediction(struct html *h)
{
	html_heading(h, "prediction", "With more threads");
	html_by_process(h, process);
	buf_puts(&h->out,
		"<p class=small>Lines from memory, per phase execution, on the same machine model: "
		"an estimate, and its range.</p>\n");
}
