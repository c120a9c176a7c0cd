/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what each data structure costs in each region: a matrix of the largest ones. */
#include "report/html/html.h"

#include <math.h>
#include <stdlib.h>

#include "base/known.h"

enum { ROWS = 24, COLUMNS = 12 };

struct matrix {
	struct html *h;
	enum html_measure measure;
	double all;                     /* that cells are shares of */
	int rows[ROWS], nrows;          /* regions, in the order of the tree */
	int ncolumns;                   /* structures, the first ones */
};

/* Calls are the same as the functions called. */
static bool is_shown(const struct html_region *region)
{
	return region->cost->type != REGION_CALL || region->nchildren != 1;
}

/* Chooses the regions with the largest values. */
static void choose_rows(struct matrix *m)
{
	const struct html *h = m->h;

	for (int i = 0; i < h->nregions; i++) {
		double v = known_amount(html_measure(h, h->regions[i].cost, m->measure));
		int at = m->nrows;

		if (!(v >= 0.001 * m->all) || !is_shown(&h->regions[i]))
			continue;
		while (at > 0 && v > known_amount(html_measure(h, h->regions[m->rows[at - 1]].cost,
		       m->measure)))
			at--;
		if (at == ROWS)
			continue;
		for (int k = m->nrows < ROWS ? m->nrows : ROWS - 1; k > at; k--)
			m->rows[k] = m->rows[k - 1];
		m->rows[at] = i;
		m->nrows += m->nrows < ROWS;
	}
}

static int by_index(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void cell(struct matrix *m, double v)
{
	char figure[PAGE_FIGURE];
	double share = v / m->all;

	if (!(share >= 0.0005)) {
		buf_puts(&m->h->out, "<td class='n h0'>\302\267");
		return;
	}
	buf_printf(&m->h->out, "<td class='n %s' data-v=%.6g>", html_heat(share), v);
	html_put(m->h, page_percent(figure, share));
}

static void row(struct matrix *m, int i)
{
	struct html *h = m->h;
	const struct html_region *region = &h->regions[i];
	double values[COLUMNS] = { 0 };

	for (int k = 0; k < region->nparts; k++) {
		int at = html_structure_of_cost(h, &region->parts[k]);

		if (at >= 0 && at < m->ncolumns)
			values[at] += known_amount(html_measure(h, &region->parts[k], m->measure));
	}
	buf_printf(&h->out, "<tr><th scope=row style='padding-left:%dem'><a href='#r%d'>",
		region->depth < 8 ? region->depth : 8, i + 1);
	html_region_name(h, region);
	buf_puts(&h->out, "</a>");
	for (int k = 0; k < m->ncolumns; k++)
		cell(m, values[k]);
	cell(m, html_measure(h, region->cost, m->measure));
	buf_puts(&h->out, "</tr>\n");
}

static int columns(const struct html *h)
{
	int n = 0;

	while (n < h->nstructures && n < COLUMNS && h->structures[n].whole)
		n++;
	return n;
}

/* Estimates, or misses where there are none.  False: there is nothing to show. */
static bool begin(struct matrix *m, const struct html *h)
{
	*m = (struct matrix){ .measure = HTML_ESTIMATE };
	if (h->nregions < 2)
		return false;
	m->ncolumns = columns(h);
	m->all = html_measure(h, h->regions[0].cost, m->measure);
	if (!(m->all > 0)) {
		m->measure = HTML_MISSES;
		m->all = html_measure(h, h->regions[0].cost, m->measure);
	}
	return m->all > 0 && m->ncolumns;
}

bool html_has_matrix(const struct html *h)
{
	struct matrix m;

	return begin(&m, h);
}

void html_matrix(struct html *h)
{
	struct matrix m;

	if (!begin(&m, h))
		return;
	m.h = h;
	choose_rows(&m);
	qsort(m.rows, (size_t)m.nrows, sizeof *m.rows, by_index);
	html_heading(h, "matrix", "Which data, where");
	buf_puts(&h->out,
		"<div class=wide tabindex=0 role=region aria-label='Structures by region'>"
		"<table class=matrix><thead><tr><th>region");
	for (int k = 0; k < m.ncolumns; k++) {
		buf_printf(&h->out, "<th class=n><a href='#o%d'>", k + 1);
		html_put(h, h->structures[k].name);
		buf_puts(&h->out, "</a>");
	}
	buf_puts(&h->out, "<th class=n>all</tr></thead><tbody>\n");
	for (int i = 0; i < m.nrows; i++)
		row(&m, m.rows[i]);
	buf_printf(&h->out,
		"</tbody></table></div>\n<p class=small>%s; a region with all that it calls. The %d region%s "
		"and %d structure%s that have most.</p>\n", m.measure == HTML_ESTIMATE ?
		"Share of what the phase loses to memory" :
		"Share of the phase's misses of the last cache level", m.nrows, m.nrows == 1 ? "" :
		"s", m.ncolumns, m.ncolumns == 1 ? "" : "s");
}
