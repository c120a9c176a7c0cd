/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes who uses what when as tables: what threads do one after the other, and what is done with
 * structures; whose the parts of structures are. */
#include "report/html/html.h"

#include <math.h>

#include "report/model/timeline_facts.h"
#include "report/words/timeline_words.h"

enum { STRUCTURES = 8, THREADS = 16 };

/* --- intervals ------------------------------------------------------------------------------- */

static void head(struct html *h)
{
	buf_puts(&h->out,
		"<th class=n>from<th class=n>to<th>thread<th>structure<th>region<th class=n>reads<th class=n>writes"
		"<th class=n>from memory</tr></thead><tbody>\n");
}

/* Where on the axis a column begins. */
static void position(struct html *h, const struct time_facts *f, int column)
{
	struct buf b = BUF_INIT;
	const double at = f->axis.span * column / f->columns;

	timeline_count(&b, at);
	html_figure(h, buf_str(&b), at, 0);
	h->out.failed |= b.failed;
	buf_free(&b);
}

static void interval(struct html *h, const struct time_facts *f, const struct time_interval *v)
{
	const double n = f->t->executions;
	struct buf region = BUF_INIT;

	buf_puts(&h->out, "<tr>");
	position(h, f, v->from);
	position(h, f, v->to);
	buf_printf(&h->out, "<td>%d<td>", v->thread);
	html_structure_name(h, f, v->structure);
	buf_puts(&h->out, "<td>");
	timeline_run(&region, f, v->run);
	html_put_buf(h, &region);
	buf_free(&region);
	html_count(h, (double)v->sums.reads / n, NAN);
	html_count(h, (double)v->sums.writes / n, NAN);
	html_count(h, (double)v->sums.memory / n, NAN);
	buf_puts(&h->out, "</tr>\n");
}

static void intervals(struct html *h, struct time_facts *f, int structure, int thread)
{
	const struct time_interval *v;
	int n = time_intervals(f, structure, thread, &v);

	if (n < 0)
		h->out.failed = true;
	for (int i = 0; i < n; i++)
		interval(h, f, &v[i]);
}

static void of_threads(struct html *h, struct time_facts *f)
{
	html_table_begin(h, f, "Threads over time", false);
	head(h);
	for (int i = 0; i < f->t->threads && i < THREADS; i++)
		intervals(h, f, -1, i);
	html_table_end(h);
	if (f->t->threads > THREADS)
		buf_printf(&h->out, "<p class=small>The first %d of %d threads.</p>\n", THREADS,
			f->t->threads);
}

static void of_structures(struct html *h, struct time_facts *f)
{
	int n = f->t->nstructures < STRUCTURES ? f->t->nstructures : STRUCTURES;

	html_table_begin(h, f, "Structures over time", false);
	head(h);
	for (int i = 0; i < n; i++)
		intervals(h, f, f->order[i], -1);
	html_table_end(h);
	if (n < f->t->nstructures)
		buf_printf(&h->out,
			"<p class=small>The %d structures with most accesses of %d.</p>\n", n,
			f->t->nstructures);
}

static void legend(struct html *h)
{
	buf_puts(&h->out,
		"<p class=small>Per phase execution; from, to: accesses of the thread that does most, aligned at "
		"barriers. Short intervals are left out.</p>\n");
}

void html_gantt(struct html *h)
{
	html_heading(h, "gantt", "Threads over time");
	html_by_process(h, of_threads);
	legend(h);
}

void html_flows(struct html *h)
{
	html_heading(h, "flows", "Flows");
	html_by_process(h, of_structures);
	legend(h);
}

/* --- sharing --------------------------------------------------------------------------------- */

static void sharing(struct html *h, const struct time_facts *f, int structure)
{
	const struct time_structure *s = &f->structure[structure];
	struct buf words = BUF_INIT;

	if (!s->row)
		return;
	buf_puts(&h->out, "<tr><th scope=row>");
	html_structure_name(h, f, structure);
	html_bytes(h, (double)s->s->bytes);
	for (int k = SHARING_PRIVATE; k < SHARINGS; k++)
		html_share(h, s->sharing[k]);
	buf_puts(&h->out, "<td>");
	timeline_sharing(&words, f, structure);
	html_put_buf(h, &words);
	buf_free(&words);
	buf_puts(&h->out, "</tr>\n");
}

static void parts(struct html *h, struct time_facts *f)
{
	if (time_view_absent(f, VIEW_CARTOGRAPHY))
		return;
	html_table_begin(h, f, "Addresses by thread", true);
	buf_puts(&h->out,
		"<th>structure<th class=n>size<th class=n>private<th class=n>handed over<th class=n>read only"
		"<th class=n>shared, written<th>in words</tr></thead><tbody>\n");
	for (int i = 0; i < f->t->nstructures && i < 3 * STRUCTURES; i++)
		sharing(h, f, f->order[i]);
	html_table_end(h);
}

void html_cartography(struct html *h)
{
	html_heading(h, "cartography", "Addresses by thread");
	html_by_process(h, parts);
	buf_puts(&h->out,
		"<p class=small>Parts of what is touched, by row: private: of one thread, which touched it first; "
		"handed over: written by the first, then used by one other alone; read only: only its first toucher wrote it.</p>\n");
}
