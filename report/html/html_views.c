/* SPDX-License-Identifier: BSD-3-Clause */
/* The views of the page, in their order: contents, sections and, inert, the data that their scripts
 * draw. */
#include "report/html/html.h"

#include <string.h>

#include "report/files/json.h"
#include "report/model/figures.h"

struct html_view {
	const char *id;         /* of heading, section (data-view) and script (views/ID.js) */
	const char *title;      /* in the contents; NULL: not there */
	bool (*has)(const struct html *h);      /* NULL: always */
	void (*fallback)(struct html *h);       /* writes it without a script; NULL: a remark */
};

static bool has_problems(const struct html *h)
{
	return h->r->problems.n > 0 && h->r->nprocs > 1;
}

static bool has_own(const struct html *h)
{
	return report_own_findings(h->r) > 0;
}

static bool has_timelines(const struct html *h)
{
	return h->r->ntimelines > 0;
}

/* Samples of pages tell nothing of walks, flows and rates. */
static bool has_counts(const struct html *h)
{
	return report_counts_timelines(h->r);
}

static bool has_prediction(const struct html *h)
{
	return has_counts(h) && html_has_prediction(h);
}

static bool has_regions(const struct html *h)
{
	return h->nregions > 0;
}

static bool has_structures(const struct html *h)
{
	return h->nstructures > 0;
}

static bool has_findings(const struct html *h)
{
	return h->r->nfindings > 0;
}

static bool has_gains(const struct html *h)
{
	return h->r->ngains > 0;
}

static bool has_verified(const struct html *h)
{
	return h->r->nverified > 0;
}

static bool has_trials(const struct html *h)
{
	return h->r->ntrials > 0;
}

static bool has_counted(const struct html *h)
{
	return h->r->ncounted > 0;
}

static bool has_ledger(const struct html *h)
{
	return h->r->nledger > 0;
}

static bool has_tested(const struct html *h)
{
	return h->r->ntested > 0;
}

static void regions(struct html *h)
{
	html_heading(h, "where", "Where it is");
	html_icicle(h);
	html_region_table(h);
}

/* What one process of the many lacks is said, not left out in silence. */
static void missing(struct html *h)
{
	if (h->nregions < 2)
		buf_puts(&h->out,
			"<p class=small>No pictures of regions: this report has no table of what "
			"each structure costs in each region (accesses were lost).</p>\n");
	if (h->r->nthreads > 1 && !h->r->nthread_rows)
		buf_puts(&h->out,
			"<p class=small>Figures are sums or means of the threads; the report has "
			"none of single threads: there was no clean execution.</p>\n");
}

static void how(struct html *h)
{
	html_how(h);
	missing(h);
}

static const struct html_view views[] = {
	{ "problems", "Problems", NULL, html_problems },
	{ "own", "Your properties", has_own, html_own },
	{ "timeline", "Timeline", has_counts, html_timeline },
	{ "where", "Regions", has_regions, regions },
	{ "matrix", "Which data, where", html_has_matrix, html_matrix },
	{ "threads", "Threads and ranks", html_has_threads, html_threads },
	{ "cartography", "Addresses by thread", html_has_cartography, html_cartography },
	{ "gantt", "Threads over time", has_timelines, html_gantt },
	{ "flows", "Flows", has_counts, html_flows },
	{ "portals", "Variables and threads", has_counts, html_portals },
	{ "modules", "Memory modules", html_has_modules, html_modules },
	{ "prediction", "With more threads", has_prediction, html_prediction },
	{ "processes", NULL, has_problems, html_processes },
	{ "structures", "Data structures", has_structures, html_structures },
	{ "findings", "All findings", has_findings, html_findings },
	{ "gains", "What a fix saves", has_gains, html_gains },
	{ "verified", NULL, has_verified, html_verified },
	{ "tried", "Tried in the program", has_trials, html_trials },
	{ "counted", "Counted twice", has_counted, html_counted },
	{ "accesses", "Accesses", has_ledger, html_ledger },
	{ "how", "How it was measured", NULL, how },
	{ "tested", "What was tested", has_tested, html_tested },
};
enum { VIEWS = sizeof views / sizeof views[0] };

static bool has(const struct html *h, const struct html_view *v)
{
	return !v->has || v->has(h);
}

void html_contents(struct html *h)
{
	buf_puts(&h->out, "<nav aria-label=Contents>");
	for (int i = 0; i < VIEWS; i++)
		if (views[i].title && has(h, &views[i]))
			buf_printf(&h->out, "<a href='#%s'>%s</a> ", views[i].id, views[i].title);
	buf_puts(&h->out, "</nav>\n");
}

void html_views(struct html *h)
{
	for (int i = 0; i < VIEWS; i++) {
		if (!has(h, &views[i]))
			continue;
		buf_printf(&h->out, "<section data-view=%s>\n", views[i].id);
		if (views[i].fallback) {
			views[i].fallback(h);
		} else {
			html_heading(h, views[i].id, views[i].title);
			buf_puts(&h->out,
				"<p class=small>Drawn by the page's script; psc_report --json "
				"has the figures.</p>\n");
		}
		buf_puts(&h->out, "</section>\n");
	}
}

/* No text of the report ends the element, or begins another one: every "<" of JSON is in a
 * string. */
void html_data(struct html *h)
{
	struct buf json = BUF_INIT;

	report_json_brief(&json, h->r);
	buf_puts(&h->out, "<script type='application/json' id=report>");
	for (const char *s = buf_str(&json), *end; *s; s = end) {
		end = s + strcspn(s, "<");
		buf_add(&h->out, s, (size_t)(end - s));
		if (*end == '<') {
			buf_puts(&h->out, "\\u003c");
			end++;
		}
	}
	buf_puts(&h->out, "</script>\n");
	h->out.failed |= json.failed;
	buf_free(&json);
}
