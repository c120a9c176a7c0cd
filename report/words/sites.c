/* SPDX-License-Identifier: BSD-3-Clause */
/* Misses by source line: order, sums, shares, and what is said of them. */
#include "report/words/sites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"

/* A miss of the last level costs about as much as so many of the first that the second one has. */
static const double LAST = 30;

static int by_line(const void *pa, const void *pb)
{
	const struct report_site *a = pa, *b = pb;

	return a->line < b->line ? -1 : a->line > b->line;
}

static int by_figure(double a, double b)
{
	return a > b ? -1 : a < b;
}

/* Line 0 last. */
static int by_last(const void *pa, const void *pb)
{
	const struct report_site *a = pa, *b = pb;
	int by = by_figure(a->last_misses, b->last_misses);

	if (!a->line != !b->line)
		return a->line ? -1 : 1;
	by = by ? by : by_figure(a->first_misses, b->first_misses);
	return by ? by : by_line(a, b);
}

static int by_first(const void *pa, const void *pb)
{
	const struct report_site *a = pa, *b = pb;
	int by = by_figure(a->first_misses, b->first_misses);

	if (!a->line != !b->line)
		return a->line ? -1 : 1;
	return by ? by : by_last(a, b);
}

static void add(struct report_site *to, const struct report_site *s)
{
	to->first_misses += s->first_misses;
	to->last_misses += s->last_misses;
}

static struct report_site sum(const struct report_site *sites, int n)
{
	struct report_site all = { 0 };

	for (int i = 0; i < n; i++)
		add(&all, &sites[i]);
	return all;
}

/* Do the last level's misses cost more than those of the first, of which some may be
 * taken from another core? */
static bool last_costs_more(const struct report_site *all)
{
	return all->last_misses > 0 && LAST * all->last_misses >= all->first_misses;
}

int report_sites_join(struct report_site *sites, int n)
{
	const struct report_site all = sum(sites, n);
	int kept = 0;

	if (n > 1)
		qsort(sites, (size_t)n, sizeof *sites, by_line);
	for (int i = 0; i < n; i++) {
		if (kept && sites[kept - 1].line == sites[i].line)
			add(&sites[kept - 1], &sites[i]);
		else
			sites[kept++] = sites[i];
	}
	if (kept > 1)
		qsort(sites, (size_t)kept, sizeof *sites, last_costs_more(&all) ? by_last :
			by_first);
	return kept;
}

int report_sites_keep(struct report_site *sites, int n)
{
	if (n <= REPORT_SITES || (n == REPORT_SITES + 1 && !sites[REPORT_SITES].line))
		return n;
	sites[REPORT_SITES].line = 0;
	for (int i = REPORT_SITES + 1; i < n; i++)
		add(&sites[REPORT_SITES], &sites[i]);
	return REPORT_SITES + 1;
}

int report_sites_merge(struct arena *arena, const struct report_site *a, int na,
	const struct report_site *b, int nb, const struct report_site **out, int *n)
{
	struct report_site *sites = arena_array(arena, (size_t)na + (size_t)nb, sizeof *sites);

	if (!sites)
		return -1;
	if (na)
		memcpy(sites, a, (size_t)na * sizeof *sites);
	if (nb)
		memcpy(sites + na, b, (size_t)nb * sizeof *sites);
	*n = report_sites_join(sites, na + nb);
	*out = sites;
	return 0;
}

double report_site_share(const struct report_site *sites, int n, int i)
{
	struct report_site all = sum(sites, n);

	if (last_costs_more(&all))
		return sites[i].last_misses / all.last_misses;
	return all.first_misses > 0 ? sites[i].first_misses / all.first_misses : NAN;
}

int report_sites_place(const struct report_site *sites, int n)
{
	return n && report_site_share(sites, n, 0) >= REPORT_SITE_PLACE ? sites[0].line : 0;
}

int sites_find(const struct report_site *sites, int n, int line)
{
	for (int i = 0; i < n; i++)
		if (sites[i].line == line)
			return i;
	return -1;
}

const char *sites_level(const struct report_site *sites, int n)
{
	const struct report_site all = sum(sites, n);

	return last_costs_more(&all) ? "last-level" : "first-level";
}

void sites_json(struct buf *out, const struct report_site *sites, int n)
{
	buf_puts(out, "\"lines\": [");
	for (int i = 0; i < n; i++) {
		buf_printf(out, "%s{\"line\": %d", i ? ", " : "", sites[i].line);
		json_next_real(out, "first_misses", sites[i].first_misses);
		json_next_real(out, "last_misses", sites[i].last_misses);
		json_next_real(out, "share", report_site_share(sites, n, i));
		buf_puts(out, "}");
	}
	buf_puts(out, "]");
}

static void count(struct buf *b, double n)
{
	char figure[PAGE_FIGURE];

	page_count(figure, n);
	for (size_t end = strlen(figure); end && figure[end - 1] == ' '; )
		figure[--end] = '\0';
	buf_puts(b, figure);
}

void sites_figures(struct buf *b, const struct report_site *s)
{
	count(b, s->first_misses);
	buf_puts(b, " first-level, ");
	count(b, s->last_misses);
	buf_puts(b, " last-level misses");
}

void sites_words(struct buf *b, const struct report_site *sites, int n)
{
	char figure[PAGE_FIGURE];

	for (int i = 0; i < n; i++) {
		buf_puts(b, i ? "; " : "");
		if (sites[i].line)
			buf_printf(b, "%d: ", sites[i].line);
		else
			buf_puts(b, i ? "others: " : "not known: ");
		buf_printf(b, "%s (", page_percent(figure, report_site_share(sites, n, i)));
		sites_figures(b, &sites[i]);
		buf_puts(b, ")");
	}
}
