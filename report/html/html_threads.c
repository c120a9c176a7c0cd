/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws what each thread of each process spends its time on, as bars in
 * a table with the figures. */
#include "report/html/html.h"

#include <math.h>

#include "report/model/thread_groups.h"

enum { REGION_BARS = 16, BAR_HEIGHT = 16, COLUMNS = 7 };        /* columns without that of
								 * processes */

static const struct { const char *class, *name; } parts[THREAD_PARTS] = {
	{ "tc", "computing" }, { "tm", "memory" }, { "tw", "waiting" },
};

/* --- a table --------------------------------------------------------------------------------- */

static void head(struct html *h, bool processes)
{
	buf_printf(&h->out, "<thead><tr>%s<th class=n>thread<th class=picture>time", processes ?
		"<th>process" : "");
	for (int i = 0; i < THREAD_PARTS; i++)
		buf_printf(&h->out, "<th class=n>%s", parts[i].name);
	if (h->level > h->nearest)
		buf_printf(&h->out, "<th class=n>L%d misses<th class=n>L%d misses</tr></thead>\n",
			h->nearest + 1, h->level + 1);
	else
		buf_puts(&h->out, "<th class=n>misses<th class=n>of the last level</tr></thead>\n");
}

/* The table has the figures of the picture. */
static void picture(struct html *h, const struct report_thread *t, double longest)
{
	double x = 0;

	buf_printf(&h->out,
		"<td class=picture><svg width='100%%' height=%d aria-hidden=true focusable=false>",
		BAR_HEIGHT);
	for (int i = 0; i < THREAD_PARTS; i++) {
		double width = 100 * thread_part(t, (enum thread_part)i) / longest;

		if (!(width > 0))
			continue;
		buf_printf(&h->out, "<rect x='%.2f%%' width='%.2f%%' height=%d class=%s />", x,
			width, BAR_HEIGHT, parts[i].class);
		x += width;
	}
	buf_puts(&h->out, "</svg>");
}

static void row(struct html *h, const struct thread_bars *b, const struct thread_bar *bar,
	bool processes)
{
	const struct report_thread *t = bar->row;
	struct buf text = BUF_INIT;
	char figure[PAGE_FIGURE];

	buf_puts(&h->out, "<tr>");
	if (processes) {
		buf_puts(&h->out, "<th scope=row>");
		thread_bar_processes(&text, b, bar);
		html_put_buf(h, &text);
		buf_clear(&text);
	}
	thread_bar_threads(&text, bar);
	buf_puts(&h->out, processes ? "<td class=n>" : "<th scope=row class=n>");
	html_put_buf(h, &text);
	buf_free(&text);
	picture(h, t, b->longest);
	for (int i = 0; i < THREAD_PARTS; i++)
		html_number(h, page_seconds(figure, thread_part(t, (enum thread_part)i)));
	html_number(h, page_count(figure, t->first_misses));
	html_number(h, page_count(figure, t->last_misses));
	buf_puts(&h->out, "</tr>\n");
}

static bool stands_for_several(const struct thread_bars *b)
{
	for (int i = 0; i < b->nbars; i++)
		if (b->bar[i].nthreads > 1)
			return true;
	return false;
}

/* A line below the bars for the threads that have none. */
static void rest(struct html *h, const struct thread_bars *b, int columns)
{
	char figure[PAGE_FIGURE];

	if (!b->nrest)
		return;
	buf_printf(&h->out, "<tr><td colspan=%d>%d more threads, together", columns, b->nrest);
	for (int i = 0; i < THREAD_PARTS; i++)
		if (!isnan(b->rest[i]))
			buf_printf(&h->out, "%s %s %s", i ? "," : "",
				page_seconds(figure, b->rest[i]), parts[i].name);
	buf_puts(&h->out, "</tr>\n");
}

/* The rows of a region.  True: a row stands for several threads. */
static bool rows(struct html *h, const struct report_thread *region, int most)
{
	bool processes = h->r->nprocs > 1, several;
	struct thread_bars b;

	if (thread_bars(h->r, region->region, most, &b)) {
		h->out.failed = true;
		return false;
	}
	for (int i = 0; i < b.nbars; i++)
		row(h, &b, &b.bar[i], processes);
	rest(h, &b, COLUMNS + processes);
	several = stands_for_several(&b);
	thread_bars_free(&b);
	return several;
}

static void begin(struct html *h, const char *label)
{
	buf_printf(&h->out,
		"<div class=wide tabindex=0 role=region aria-label='%s'><table class=threads>",
		label);
	head(h, h->r->nprocs > 1);
}

/* --- the part -------------------------------------------------------------------------------- */

static void region_name(struct html *h, const struct report_thread *t)
{
	int at = html_region_of_key(h, t->region);
	struct report_node node = { .type = t->type, .name = "", .file = t->file, .line = t->line };

	if (at < 0) {
		html_region(h, &node);
		return;
	}
	buf_printf(&h->out, "<a href='#r%d'>", at + 1);
	html_region_name(h, &h->regions[at]);
	buf_puts(&h->out, "</a>");
}

/* True: a row stands for several threads. */
static bool regions(struct html *h)
{
	const struct report_thread *region[REPORT_THREAD_REGIONS];
	int n = thread_regions(h->r, region);
	bool several = false;

	if (!n)
		return false;
	buf_printf(&h->out, "<details><summary>The same by region (%d)</summary>\n", n);
	begin(h, "Threads by region");
	for (int i = 0; i < n; i++) {
		buf_printf(&h->out, "<tbody><tr><th colspan=%d scope=rowgroup>",
			COLUMNS + (h->r->nprocs > 1));
		region_name(h, region[i]);
		buf_puts(&h->out, "</tr>\n");
		several |= rows(h, region[i], REGION_BARS);
		buf_puts(&h->out, "</tbody>\n");
	}
	buf_puts(&h->out, "</table></div></details>\n");
	return several;
}

static void legend(struct html *h)
{
	const struct report *r = h->r;

	buf_puts(&h->out, "<p class=small>Per phase execution; ");
	for (int i = 0; i < THREAD_PARTS; i++)
		buf_printf(&h->out, "<span class='key %s'></span> %s ", parts[i].class,
			i == THREAD_COMPUTING ?
			"computing: processor time without what is lost to memory;" :
			i == THREAD_MEMORY ?
			"memory: the part of the processor time that is lost to memory, an estimate;" : isnan(r->modelled_time) ?
			"waiting: at barriers and ends of teams, in MPI, for devices and locks." :
			"waiting: not known on another machine.");
	if (isnan(r->thread_rows[0].est_stall))
		buf_puts(&h->out,
			"What is lost to memory is not known by thread, and in computing. ");
	buf_puts(&h->out,
		"A bar that is shorter than the longest of its region: the thread was elsewhere for the rest, as between "
		"two parallel regions, or had no processor. -: not measured.");
	if (r->thread_rows_left_out > 0)
		buf_printf(&h->out, " %d lines of threads were left out of the report.",
			r->thread_rows_left_out);
	buf_puts(&h->out, "</p>\n");
}

bool html_has_threads(const struct html *h)
{
	int n = 0;

	while (n < h->r->nthread_rows && h->r->thread_rows[n].order == 0)
		n++;
	return n > 1;
}

void html_threads(struct html *h)
{
	bool several;

	html_heading(h, "threads", "Threads and ranks");
	begin(h, "Threads of the phase");
	buf_puts(&h->out, "<tbody>\n");
	several = rows(h, &h->r->thread_rows[0], THREAD_BARS);
	buf_puts(&h->out, "</tbody></table></div>\n");
	several |= regions(h);
	if (several)
		buf_puts(&h->out,
			"<p class=small>A line with several threads or processes has the figures of the first of them: "
			"the others are alike, within 5% of the longest thread and of the most misses.</p>\n");
	legend(h);
}
