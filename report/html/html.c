/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the report as one HTML file that loads nothing and works without its script, for light and
 * dark screens, narrow ones and paper. */
#include "report/html/html.h"

#include "base/user_file.h"
#include "report/model/figures.h"

/* page.css and page.js, made into strings by the build. */
static const char style[] =
#include "report/html/page_css.inc"
;
static const char script[] =
#include "report/html/page_js.inc"
;

/* Nothing is loaded from anywhere, whatever a name may contain. */
#define POLICY "default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; script-src &#39;unsafe-inline&#39;; " \
	"base-uri &#39;none&#39;; form-action &#39;none&#39;"

static void phase(struct html *h)
{
	const struct report *r = h->r;

	if (r->nprocs > 0)
		buf_printf(&h->out, "%d process%s", r->nprocs, r->nprocs == 1 ? "" : "es");
	if (r->nprocs > 0 && r->nthreads > 0)
		buf_printf(&h->out, ", %d thread%s%s", r->nthreads, r->nthreads == 1 ? "" : "s",
			r->nprocs == 1 ? "" : " each");
	if (!*r->phase.name && !*r->phase.file)
		return;
	buf_puts(&h->out, r->nprocs > 0 ? "; " : "");
	buf_puts(&h->out, r->bursts ? "the whole run" : "phase: ");
	if (!r->bursts)
		html_region(h, &r->phase);
}

static void head(struct html *h)
{
	const struct report *r = h->r;
	const char *what = r->command && *r->command ? r->command : r->executable ? r->executable :
		"?";

	buf_puts(&h->out, "<!DOCTYPE html>\n<html lang=en>\n<head><meta charset=utf-8>\n"
		"<meta name=viewport content='width=device-width,initial-scale=1'>\n"
		"<meta http-equiv=Content-Security-Policy content='" POLICY "'>\n<title>Memory behaviour of ");
	html_put(h, what);
	buf_puts(&h->out, "</title>\n<style>\n");
	buf_puts(&h->out, style);
	/* Classes, not a style at each element: a page with thousands of these opens slowly. */
	for (int i = 0; i <= 100; i++)
		buf_printf(&h->out, ".b%d{--v:%d%%}%s", i, i, i % 10 == 9 ? "\n" : "");
	for (int i = 1; i <= HTML_DEEPEST; i++)
		buf_printf(&h->out, ".d%d{padding-left:%dem}", i, i);
	buf_puts(&h->out,
		"</style>\n</head>\n<body>\n<a class=skip href='#problems'>Skip to the problems</a>\n"
		"<header><h1>Memory behaviour of ");
	html_put(h, what);
	buf_puts(&h->out, "</h1>\n<p class=small>");
	phase(h);
	buf_puts(&h->out, "</p>\n</header>\n");
}

static void body(struct html *h)
{
	buf_puts(&h->out, "<main>\n");
	html_verdict(h);
	html_contents(h);
	html_views(h);
	buf_puts(&h->out, "</main>\n");
	html_data(h);
	html_timelines(h);
	buf_puts(&h->out, "<script>\n");
	buf_puts(&h->out, script);
	buf_puts(&h->out, "</script>\n</body>\n</html>\n");
}

static int page_write(const struct report *r, const char *path, bool source, struct err *err)
{
	struct html h = { .out = BUF_INIT, .r = r, .source = source };
	int rc;

	if (html_collect(&h))
		return err_nomem(err);
	head(&h);
	body(&h);
	rc = output_write(path, &h.out, err);
	buf_free(&h.out);
	html_collect_free(&h);
	return rc;
}

int report_html_write(const struct report *r, const char *path, struct err *err)
{
	return page_write(r, path, true, err);
}

int report_html_write_no_source(const struct report *r, const char *path, struct err *err)
{
	return page_write(r, path, false, err);
}
