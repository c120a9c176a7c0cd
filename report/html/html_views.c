/* SPDX-License-Identifier: BSD-3-Clause */
/* The views of the page, in their order: contents, sections and, inert, the data that their scripts
 * draw. */
#include "report/html/html.h"

#include <string.h>

#include "report/files/json.h"
#include "report/model/figures.h"
#include "report/model/timeline_facts.h"

struct html_view {
	const char *id;         /* of heading, section (data-view) and script (views/ID.js) */
	const char *title;      /* in the contents; NULL: not there */
	bool (*has)(const struct html *h);      /* NULL: always */
	void (*fallback)(struct html *h);       /* writes it without a script; NULL: a remark */
	int over_time;          /* enum timeline_view; NONE */
};
enum { NONE = -1 };             /* not over time */

static bool has_problems(const struct html *h)
{
	return h->r->problems.n > 0 && h->r->nprocs > 1;
}

static bool has_own(const struct html *h)
{
	return report_own_findings(h->r) > 0;
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

static bool has_sampled(const struct html *h)
{
	return h->r->nsamples > 0;
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

static void how(struct html *h);

static const struct html_view views[] = {
	{ "problems", "Problems", NULL, html_problems, NONE },
	{ "own", "Your properties", has_own, html_own, NONE },
	{ "timeline", "Timeline", NULL, html_timeline, VIEW_TIMELINE },
	{ "where", "Regions", has_regions, regions, NONE },
	{ "matrix", "Which data, where", html_has_matrix, html_matrix, NONE },
	{ "threads", "Threads and ranks", html_has_threads, html_threads, NONE },
	{ "cartography", "Addresses by thread", NULL, html_cartography, VIEW_CARTOGRAPHY },
	{ "gantt", "Threads over time", NULL, html_gantt, VIEW_GANTT },
	{ "flows", "Flows", NULL, html_flows, VIEW_FLOWS },
	{ "portals", "Variables and threads", NULL, html_portals, VIEW_VARIABLES },
	{ "modules", "Memory modules", NULL, html_modules, VIEW_MODULES },
	{ "prediction", "With more threads", NULL, html_prediction, VIEW_PREDICTION },
	{ "processes", NULL, has_problems, html_processes, NONE },
	{ "structures", "Data structures", has_structures, html_structures, NONE },
	{ "findings", "All findings", has_findings, html_findings, NONE },
	{ "gains", "What a fix saves", has_gains, html_gains, NONE },
	{ "verified", NULL, has_verified, html_verified, NONE },
	{ "tried", "Tried in the program", has_trials, html_trials, NONE },
	{ "counted", "Counted twice", has_counted, html_counted, NONE },
	{ "sampled", "What the processor sampled", has_sampled, html_sampled, NONE },
	{ "accesses", "Accesses", has_ledger, html_ledger, NONE },
	{ "how", "How it was measured", NULL, how, NONE },
	{ "tested", "What was tested", has_tested, html_tested, NONE },
};
enum { VIEWS = sizeof views / sizeof views[0] };

/* Why a view over time shows no process; NULL: it shows one. */
static const char *absent(const struct html *h, const struct html_view *v)
{
	const enum timeline_view view = (enum timeline_view)v->over_time;
	const char *first = h->r->ntimelines ? NULL : time_view_absent(NULL, view);

	for (int i = 0; i < h->r->ntimelines; i++) {
		const char *why = time_view_absent(h->facts[i], view);

		if (!why)
			return NULL;
		first = first ? first : why;
	}
	return first;
}

static bool has(const struct html *h, const struct html_view *v)
{
	return v->over_time != NONE ? !absent(h, v) : !v->has || v->has(h);
}

/* "Not in this page: Timeline, Flows: nothing was counted over time in the run." */
static void absent_views(struct html *h)
{
	bool said[VIEWS] = { false };

	for (int i = 0; i < VIEWS; i++) {
		const char *why = views[i].over_time == NONE || said[i] ? NULL :
			absent(h, &views[i]);

		if (!why)
			continue;
		buf_printf(&h->out, "<p class=small>Not in this page: %s", views[i].title);
		for (int k = i + 1; k < VIEWS; k++)
			if (views[k].over_time != NONE && absent(h, &views[k]) == why) {
				said[k] = true;
				buf_printf(&h->out, ", %s", views[k].title);
			}
		buf_printf(&h->out, ": %s.</p>\n", why);
	}
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
	absent_views(h);
}

static void how(struct html *h)
{
	html_how(h);
	missing(h);
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
