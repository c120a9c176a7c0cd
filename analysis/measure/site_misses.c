/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps misses by source line in one array, sorted by context, object and line. */
#include "analysis/measure/site_misses.h"

#include <stdlib.h>

enum { SITES_MOST = 1 << 20 };          /* that an application can make its agent keep */

static bool filter_has(const struct measurements *p, const struct mon_filter *f, uint32_t context,
	uint32_t object)
{
	const uint32_t top = f->context == MON_ANY ? 0 : f->context;

	return measured_within(p, context, top) && (f->object == MON_ANY || f->object == object);
}

static bool counted(const struct measurements *p, const struct mon_filter *filters,
	uint32_t nfilters, uint32_t context, uint32_t object)
{
	if (context >= p->ncontexts)
		return false;
	for (uint32_t f = 0; f < nfilters; f++)
		if (filter_has(p, &filters[f], context, object))
			return true;
	return !nfilters;
}

static int by_place(const void *a, const void *b)
{
	const struct site_misses *x = a, *y = b;

	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Sums rows of one line: several objects of the monitor may be one of ours. */
static void sort_and_merge(struct measurements *p)
{
	struct site_misses *s = p->sites;
	size_t n = 0;

	qsort(s, p->nsites, sizeof *s, by_place);
	for (size_t i = 0; i < p->nsites; i++) {
		if (n && !by_place(&s[n - 1], &s[i])) {
			s[n - 1].first += s[i].first;
			s[n - 1].last += s[i].last;
		} else {
			s[n++] = s[i];
		}
	}
	p->nsites = n;
}

static void forget(struct measurements *p, const struct mon_filter *filters, uint32_t nfilters)
{
	size_t n = 0;

	for (size_t i = 0; i < p->nsites; i++)
		if (!counted(p, filters, nfilters, p->sites[i].context, p->sites[i].object))
			p->sites[n++] = p->sites[i];
	p->nsites = n;
}

int site_misses_add(struct measurements *p, const struct mon_result *r,
	const struct mon_filter *filters, uint32_t nfilters)
{
	const double per = 1.0 / r->executions;
	struct site_misses *grown;

	forget(p, filters, nfilters);
	p->sites_dropped = (p->sites_dropped && nfilters) || p->nsites + r->nsites > SITES_MOST;
	if (p->sites_dropped)
		p->nsites = 0;
	if (p->sites_dropped || !r->nsites)
		return 0;
	grown = realloc(p->sites, (p->nsites + r->nsites) * sizeof *grown);
	if (!grown)
		return -1;
	p->sites = grown;
	for (uint32_t i = 0; i < r->nsites; i++) {
		const struct mon_site *s = &r->sites[i];

		if (counted(p, filters, nfilters, s->context, s->object))
			grown[p->nsites++] = (struct site_misses){ s->context, s->object, s->line,
				per * (double)s->first, per * (double)s->last };
	}
	sort_and_merge(p);
	return 0;
}

void site_misses_free(struct measurements *p)
{
	free(p->sites);
	p->sites = NULL;
	p->nsites = 0;
}

const struct site_misses *measured_sites(const struct measurements *p, uint32_t context,
	uint32_t object, size_t *n)
{
	const struct site_misses key = { .context = context, .object = object };
	size_t lo = 0, hi = p->nsites, end;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (by_place(&p->sites[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (end = lo; end < p->nsites && p->sites[end].context == context &&
	     p->sites[end].object == object; )
		end++;
	*n = end - lo;
	return *n ? p->sites + lo : NULL;
}
