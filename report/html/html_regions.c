/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the regions of the phase as an icicle, one for each measure, and lists them. */
#include "report/html/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 22, OPEN_AT_MOST = 24 };
#define NARROWEST 0.1           /* percent of the width: less is not drawn */
#define LABELLED 2              /* what has room for a name */

static const char *const measure_names[HTML_MEASURES] = { "processor time", "lost to memory",
	"misses" };

/* Where a region is drawn, in percent of the width. */
struct box {
	double x, width;
	double used;            /* by its children so far */
	double scale;           /* of its children: their sum can exceed it by errors of
				 * measurement */
	int row;
};

/* A call of one function is drawn as the function. */
static bool is_hidden(const struct html_region *region)
{
	return region->cost->type == REGION_CALL && region->nchildren == 1;
}

static double value(const struct html *h, int i, enum html_measure m)
{
	double v = html_measure(h, h->regions[i].cost, m);

	return v > 0 ? v : 0;
}

static void lay_out(const struct html *h, enum html_measure m, struct box *box)
{
	for (int i = 0; i < h->nregions; i++)
		if (h->regions[i].parent >= 0)
			box[h->regions[i].parent].used += value(h, i, m);
	for (int i = 0; i < h->nregions; i++) {
		const struct html_region *region = &h->regions[i];
		struct box *up = region->parent >= 0 ? &box[region->parent] : NULL;
		double all = value(h, i, m), sum = box[i].used;

		box[i].width = i == 0 ? 100 : up ? all * up->scale : 0;
		box[i].x = up ? up->x + up->used : 0;
		box[i].row = up ? up->row + !is_hidden(&h->regions[region->parent]) : 0;
		box[i].scale = all > 0 ? box[i].width / (sum > all ? sum : all) : 0;
		box[i].used = 0;
		if (up)
			up->used += box[i].width;
	}
}

/* What the colour says: the part of the region's time that is lost to memory. */
static double heat(const struct html *h, const struct report_cost *c)
{
	if (!isnan(h->r->modelled_time) || isnan(c->time))
		return c->est_stall / h->regions[0].cost->est_stall;
	return c->est_stall / c->time;
}

static void tip(struct html *h, const struct report_cost *c)
{
	const double base = report_base_time(h->r);
	char figure[PAGE_FIGURE];

	if (!isnan(c->time))
		buf_printf(&h->out, ", %s", page_seconds(figure, c->time));
	if (page_not_known(c->est_stall_low / base, c->est_stall_high / base))
		buf_puts(&h->out, ", what is lost to memory is not known");
	else if (!isnan(c->est_stall))
		buf_printf(&h->out, ", %s lost to memory", page_seconds(figure, c->est_stall));
}

static void draw(struct html *h, int i, const struct box *box)
{
	const struct html_region *region = &h->regions[i];
	const char *class = html_heat(heat(h, region->cost));

	buf_printf(&h->out, "<a href='#r%d'><title>", i + 1);
	html_region_name(h, region);
	tip(h, region->cost);
	buf_puts(&h->out, "</title>");
	if (box->width < LABELLED) {
		buf_printf(&h->out,
			"<rect x='%.3f%%' y='%d' width='%.3f%%' height='%d' class=%s /></a>",
			box->x, box->row * ROW, box->width, ROW - 1, class);
		return;
	}
	buf_printf(&h->out,
		"<svg x='%.3f%%' y='%d' width='%.3f%%' height='%d' class=%s><rect width='100%%' "
		"height='100%%'/><text x='4' y='%d'>", box->x, box->row * ROW, box->width, ROW - 1,
		class, ROW - 7);
	html_region_name(h, region);
	buf_puts(&h->out, "</text></svg></a>");
}

static void icicle(struct html *h, enum html_measure m, struct box *box)
{
	int rows = 0, left_out = 0;

	memset(box, 0, (size_t)h->nregions * sizeof *box);
	lay_out(h, m, box);
	for (int i = 0; i < h->nregions; i++)
		if (box[i].width >= NARROWEST && box[i].row >= rows)
			rows = box[i].row + 1;
	buf_printf(&h->out,
		"<div class='icicle m%d'><svg width='100%%' height='%d' role=group aria-label='"
		"Regions by %s'>\n", (int)m, rows * ROW, measure_names[m]);
	for (int i = 0; i < h->nregions; i++) {
		if (box[i].width < NARROWEST)
			left_out++;
		else if (!is_hidden(&h->regions[i]))
			draw(h, i, &box[i]);
	}
	buf_puts(&h->out, "</svg>");
	if (left_out)
		buf_printf(&h->out, "<p class=small>%d regions are too narrow to be drawn.</p>",
			left_out);
	buf_puts(&h->out, "</div>\n");
}

void html_icicle(struct html *h)
{
	struct box *box;
	int first = -1;

	if (h->nregions < 2)
		return;
	box = calloc((size_t)h->nregions, sizeof *box);
	if (!box) {
		h->out.failed = true;
		return;
	}
	buf_puts(&h->out, "<div class=pick><span class=small>width:</span>\n");
	for (int m = 0; m < HTML_MEASURES; m++) {
		if (!(value(h, 0, (enum html_measure)m) > 0))
			continue;
		buf_printf(&h->out, "<input type=radio name=w id=m%d%s><label for=m%d>%s</label>\n",
			m, first < 0 ? " checked" : "", m, measure_names[m]);
		if (first < 0)
			first = m;
	}
	for (int m = 0; m < HTML_MEASURES; m++)
		if (value(h, 0, (enum html_measure)m) > 0)
			icicle(h, (enum html_measure)m, box);
	buf_puts(&h->out,
		"</div>\n<p class=small>Each region with all that it calls, under the one around it. Colour: "
		"the part of its time that is lost to memory: ");
	for (int i = 0; i < 6; i++) {
		static const char *const least[] = { "less", "0.5%", "5%", "15%", "35%",
			"60% and more" };

		buf_printf(&h->out, "<span class='key h%d'>%s</span> ", i, least[i]);
	}
	buf_puts(&h->out, "</p>\n");
	free(box);
}

/* --- the table -------------------------------------------------------------------------------- */

static void row(struct html *h, int i, int levels)
{
	const struct html_region *region = &h->regions[i];
	const struct report_cost *c = region->cost;
	double base = report_base_time(h->r);
	char figure[PAGE_FIGURE];

	buf_printf(&h->out, "<tr id=r%d><td class=d%d><a href='#r%d'>", i + 1,
		region->depth < HTML_DEEPEST ? region->depth + 1 : HTML_DEEPEST, i + 1);
	html_region_name(h, region);
	buf_puts(&h->out, "</a>");
	html_figure(h, page_seconds(figure, c->time), c->time, 0);
	html_figure(h, page_range(figure, c->est_stall / base, c->est_stall_low / base,
		c->est_stall_high / base), c->est_stall, c->est_stall / base);
	html_figure(h, page_count(figure, c->accesses), c->accesses, 0);
	for (int l = 0; l < levels; l++)
		html_figure(h, page_count(figure, c->misses[l]), c->misses[l], 0);
	buf_puts(&h->out, "</tr>\n");
}

void html_region_table(struct html *h)
{
	buf_printf(&h->out, "<details%s><summary>All %d region%s, with figures</summary>\n"
		"<div class=wide tabindex=0 role=region aria-label='Regions'><table class=sort id=regions><thead><tr>"
		"<th>region<th class=n>time<th class=n>memory<th class=n>accesses",
		h->nregions <= OPEN_AT_MOST ? " open" : "", h->nregions, h->nregions == 1 ? "" :
		"s");
	for (int l = 0; l <= h->level; l++)
		buf_printf(&h->out, "<th class=n>L%d misses", l + 1);
	buf_puts(&h->out, "</tr></thead><tbody>\n");
	for (int i = 0; i < h->nregions; i++)
		row(h, i, h->level + 1);
	buf_puts(&h->out, "</tbody></table></div></details>\n");
}
