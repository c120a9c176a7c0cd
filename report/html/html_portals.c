/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes portals as tables: structures by thread, structures by memory node. */
#include "report/html/html.h"

#include <math.h>
#include <stdlib.h>

#include "report/words/timeline_words.h"

enum { ROWS = 24, COLUMNS = 16 };

static void heads(struct html *h, const char *what, int n, int most)
{
	buf_puts(&h->out, "<th>variable");
	for (int i = 0; i < n && i < most; i++)
		buf_printf(&h->out, "<th class=n>%s %d", what, i);
	buf_printf(&h->out, "%s<th class=n>all<th class=n>share</tr></thead><tbody>\n", n > most ?
		"<th class=n>others" : "");
}

/* A row of n values and their sum; `largest`: of the table's cells, NAN: no bars. */
static void values(struct html *h, const double *v, int n, double largest, double all)
{
	double sum = 0, others = 0;

	for (int i = 0; i < n; i++) {
		sum += v[i];
		others += i >= COLUMNS ? v[i] : 0;
	}
	for (int i = 0; i < n && i < COLUMNS; i++)
		html_count(h, v[i], v[i] / largest);
	if (n > COLUMNS)
		html_count(h, others, NAN);
	html_count(h, sum, NAN);
	html_share(h, sum / all);
	buf_puts(&h->out, "</tr>\n");
}

struct portal {
	struct html *h;
	const struct time_facts *f;
	const char *label, *what;       /* of the table, and of its columns */
	double *v;                      /* by structure * n + column */
	int n;
};

static double largest(const struct portal *p)
{
	double most = 0;

	for (int i = 0; i < p->f->t->nstructures * p->n; i++)
		most = fmax(most, p->v[i]);
	return most;
}

static void rows(const struct portal *p, double *sums, double *others)
{
	const double most = largest(p);
	double all = 0;

	for (int i = 0; i < p->f->t->nstructures * p->n; i++)
		all += p->v[i];
	for (int i = 0; i < p->f->t->nstructures; i++) {
		const double *v = p->v + p->f->order[i] * p->n;

		for (int k = 0; k < p->n; k++) {
			sums[k] += v[k];
			others[k] += i >= ROWS ? v[k] : 0;
		}
		if (i >= ROWS)
			continue;
		buf_puts(&p->h->out, "<tr><th scope=row>");
		html_structure_name(p->h, p->f, p->f->order[i]);
		values(p->h, v, p->n, most, all);
	}
	if (p->f->t->nstructures > ROWS) {
		buf_printf(&p->h->out, "<tr><th scope=row>others (%d)",
			p->f->t->nstructures - ROWS);
		values(p->h, others, p->n, NAN, all);
	}
	buf_puts(&p->h->out, "<tr class=sum><th scope=row>all");
	values(p->h, sums, p->n, NAN, all);
}

static void write_portal(const struct portal *p)
{
	double *sums = calloc(2 * (size_t)p->n + 1, sizeof *sums);

	if (!sums) {
		p->h->out.failed = true;
		return;
	}
	html_table_begin(p->h, p->f, p->label, false);
	heads(p->h, p->what, p->n, COLUMNS);
	rows(p, sums, sums + p->n);
	html_table_end(p->h);
	free(sums);
}

static double *cells(struct html *h, const struct time_facts *f, int n)
{
	double *v = calloc((size_t)f->t->nstructures * (size_t)n + 1, sizeof *v);

	if (!v)
		h->out.failed = true;
	return v;
}

static void by_thread(struct html *h, struct time_facts *f)
{
	struct portal p = { h, f, "Variables by thread", "thread", cells(h, f, f->t->threads),
		f->t->threads };

	for (int i = 0; p.v && i < f->t->nstructures * p.n; i++)
		p.v[i] = (double)time_accesses(&f->both[i]) / f->t->executions;
	if (p.v)
		write_portal(&p);
	free(p.v);
}

static void by_node(struct html *h, struct time_facts *f)
{
	struct portal p = { h, f, "Variables by node", "node", cells(h, f, f->t->nodes),
		f->t->nodes };

	for (int i = 0; p.v && i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];

		for (int k = 0; k < c->served.n; k++)
			p.v[(c->structure - 1) * p.n +
				(int)(c->served.point[k].at % (unsigned)p.n)] += (double)c->served.point[k].value / f->t->executions;
	}
	if (p.v)
		write_portal(&p);
	free(p.v);
}

void html_portals(struct html *h)
{
	struct buf ranks = BUF_INIT;

	html_heading(h, "portals", "Variables and threads");
	timeline_ranks_claim(&ranks, h->facts, h->r->ntimelines);
	if (ranks.len) {
		buf_puts(&h->out, "<p id=ranks-claim>");
		html_put_buf(h, &ranks);
		buf_puts(&h->out, "</p>\n");
	}
	h->out.failed |= ranks.failed;
	buf_free(&ranks);
	html_by_process(h, by_thread);
	buf_puts(&h->out,
		"<p class=small>Accesses, per phase execution; bars compare all cells of a table.</p>\n");
}

static void by_channel(struct html *h, struct time_facts *f)
{
	const int n = timeline_modules(f->t);
	struct portal p = { h, f, f->t->nodes > 1 ? "Variables by channel, those of node 0 first" :
		"Variables by channel", "channel", cells(h, f, n), n };

	for (int i = 0; p.v && i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];

		for (int k = 0; k < c->channels.n; k++)
			p.v[(c->structure - 1) * n +
				(int)(c->channels.point[k].at % (unsigned)n)] += (double)c->channels.point[k].value / f->t->executions;
	}
	if (p.v)
		write_portal(&p);
	free(p.v);
}

static void nodes_of(struct html *h, struct time_facts *f)
{
	if (f->t->nodes > 1)
		by_node(h, f);
	if (f->t->channels)
		by_channel(h, f);
}

void html_modules(struct html *h)
{
	html_heading(h, "modules", "Memory modules");
	html_by_process(h, nodes_of);
	buf_puts(&h->out,
		"<p class=small>Lines from memory by the node or channel of the machine model that serves them, per phase "
		"execution.</p>\n");
}
