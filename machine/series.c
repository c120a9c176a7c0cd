/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes quantiles of repeated measurements. */
#include "machine/series.h"

#include <string.h>
#include "base/quantile.h"

enum { GROUP = 3, LEAST_GROUPS = 8 };   /* slices of a group; groups of few slices */

void series_add(struct series *s, double v)
{
	if (s->n < SERIES_MOST)
		s->v[s->n++] = v;
}

static double quantile(double *v, unsigned n, double at)
{
	quantile_sort(v, n);
	return quantile_nearest(v, n, at);
}

/* Combines the slices to groups of which each has slices from the whole time, and takes the fastest
 * of each group: what others did to the machine meanwhile is in the slower ones. */
static unsigned fastest_of_groups(const struct series *s, double *v)
{
	unsigned n = (s->least ? s->least : s->n) / GROUP;

	n = n > SERIES_GROUPS ? SERIES_GROUPS : n < LEAST_GROUPS ? LEAST_GROUPS : n;
	n = n > s->n ? s->n : n;
	memcpy(v, s->v, n * sizeof *v);
	for (unsigned i = n; i < s->n; i++)
		if (s->v[i] < v[i % SERIES_GROUPS])
			v[i % SERIES_GROUPS] = s->v[i];
	return n;
}

struct cost series_cost(const struct series *s)
{
	double v[SERIES_MOST];
	struct cost c = { 0 };
	unsigned n = fastest_of_groups(s, v);

	if (!n)
		return c;
	c.value = quantile(v, n, 0.25);
	c.low = quantile(v, n, 0.1);
	memcpy(v, s->v, s->n * sizeof *v);
	c.high = quantile(v, s->n, 0.75);
	if (c.high < c.value)
		c.high = c.value;
	return c;
}

double series_spread(const struct series *s)
{
	double v[SERIES_MOST], low;
	unsigned n = fastest_of_groups(s, v);

	if (!n)
		return 0;
	low = quantile(v, n, 0.25);
	return low > 0 ? quantile(v, n, 0.75) / low - 1 : 0;
}

unsigned samples_undisturbed(const struct samples *s, double limit, struct series *out)
{
	unsigned quiet;

	out->n = out->least = 0;
	for (unsigned i = 0; i < s->ns.n; i++)
		if (s->probe.v[i] <= limit)
			series_add(out, s->ns.v[i]);
	quiet = out->n;
	if (quiet < SERIES_QUIET)
		out->n = 0;
	else
		out->least = quiet;
	for (unsigned i = 0; i < s->ns.n; i++)
		if (s->probe.v[i] > limit)
			series_add(out, s->ns.v[i]);
	return quiet;
}

double series_rate(const struct series *s)
{
	double v[SERIES_MOST];

	memcpy(v, s->v, s->n * sizeof *v);
	return s->n ? quantile(v, s->n, 0.75) : 0;
}
