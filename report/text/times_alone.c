/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints where the time of a program is of which nothing else is known. */
#include <math.h>
#include <string.h>

#include "base/text_same.h"
#include "report/text/text.h"

enum { SHOWN = 12, SHARE = 7, TIME = 10 };
#define LEAST 0.01      /* of the time, that a region is listed with */
#define INSIDE 0.9      /* of a region's time in one inside: that stands for both */

static bool is_inside(const char *key, const char *around)
{
	const size_t n = strlen(around);

	return strncmp(key, around, n) == 0 && (key[n] == '/' || key[n] == ' ');
}

/* Does a region inside have most of its time? */
static bool stands_for(const struct report *r, const struct report_cost *c)
{
	for (int i = 0; i < r->ncosts; i++)
		if (r->costs[i].time >= INSIDE * c->time &&
		    is_inside(r->costs[i].region, c->region))
			return false;
	return true;
}

/* "main/loop 1" of "a.c:main/loop 1". */
static const char *name_of(const char *key)
{
	const char *function = report_key_function(key), *colon = strchr(function, ':');

	return colon ? colon + 1 : function;
}

static const struct report_cost *next(const struct report *r, const struct report_cost *before)
{
	const struct report_cost *best = NULL;

	for (int i = 0; i < r->ncosts; i++) {
		const struct report_cost *c = &r->costs[i];
		const bool behind = !before || c->time < before->time ||
			(c->time == before->time && c > before);

		if (behind && c->time >= LEAST * r->costs[0].time && stands_for(r, c) &&
		    (!best || c->time > best->time))
			best = c;
	}
	return best;
}

void text_region_times(struct text_report *t)
{
	const struct report *r = t->r;
	const struct report_cost *c = NULL;
	char figure[PAGE_FIGURE];

	if (r->ncosts <= 0 || !isnan(r->costs[0].accesses))
		return;
	page_heading(&t->page, "Where its time is");
	for (int i = 0; i < SHOWN && (c = next(r, c)); i++) {
		struct buf b = BUF_INIT;

		page_cell(&t->page, page_percent(figure, c->time / r->costs[0].time), SHARE,
			PAGE_RIGHT);
		page_cell(&t->page, page_seconds(figure, c->time), TIME, PAGE_RIGHT);
		page_spaces(&t->page, 2);
		buf_puts(&b, name_of(c->region));
		if (text_some(c->file) && c->line > 0)
			buf_printf(&b, "  %s:%d", c->file, c->line);
		page_wrap_buf(&t->page, SHARE + TIME + 2, SHARE + TIME + 4, &b);
		buf_free(&b);
	}
}
