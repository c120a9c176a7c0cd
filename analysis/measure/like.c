/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the clean executions whose times go with the counts. */
#include "analysis/measure/like.h"
#include "analysis/measure/measurements.h"
#include "analysis/measure/quantiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DIFFER = 0.2;       /* of times, calls or processor time: less is alike */
static const double DIFFER_SURELY = 0.5;        /* of times: too much for noise */
static const double TREND = 0.8;        /* Kendall's tau */
static const double OF_A_KIND = 1. / 3; /* of the whole range: the range of a kind */
enum { LEAST = 4, PERIODS = 3 };        /* executions that show a difference; longest period */

/* --- by calls -------------------------------------------------------------------------------- */

/* The context's processor time without the contexts inside it, as share of the execution's. */
static double own_share(const struct measurements *p, uint32_t context, uint32_t execution)
{
	const struct measured_context *c = &p->contexts[context];
	double own = c->cpu[execution], all = p->contexts[0].cpu[execution];

	for (uint32_t k = c->child; k != NO_CONTEXT; k = p->contexts[k].next)
		own -= p->contexts[k].cpu[execution];
	return all > 0 && own > 0 ? own / all : 0;
}

static bool calls_differ(double a, double b)
{
	return fabs(a - b) > DIFFER * fmax(a, b);
}

/* Marks the clean executions that are like the counted one by calls; returns their number. */
static uint32_t like_by_calls(const struct measurements *p, double *mark)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < p->nclean; e++)
		mark[e] = 0;
	for (uint32_t c = 1; c < p->ncontexts; c++) {
		const struct measured_context *at = &p->contexts[c];
		double share = 0;

		if (at->brief)  /* its calls are those of one execution
				 * (monitor/regions/brief_regions.h) */
			continue;
		for (uint32_t e = 0; e < p->nclean; e++)
			share = fmax(share, own_share(p, c, e));
		for (uint32_t e = 0; e < p->nclean; e++)
			if (calls_differ(at->calls[e], at->counted_calls))
				mark[e] += share;
	}
	for (uint32_t e = 0; e < p->nclean; e++) {
		mark[e] = mark[e] <= DIFFER;
		n += mark[e] > 0;
	}
	return n;
}

/* --- by time --------------------------------------------------------------------------------- */

struct timed { uint64_t at; double ns; uint32_t index; };       /* an execution */

static int by_time(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static int by_number(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* By how much the upper quartile exceeds the lower one. */
static double quartile_range(const struct timed *list, uint32_t n)
{
	struct timed *sorted = malloc(n * sizeof *sorted);
	double range = 0;

	if (!sorted)
		return 0;
	memcpy(sorted, list, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_time);
	if (sorted[(n - 1) / 4].ns > 0)
		range = sorted[n - 1 - (n - 1) / 4].ns / sorted[(n - 1) / 4].ns - 1;
	free(sorted);
	return range;
}

/* Kendall's tau of times and numbers; the list is sorted by number. */
static double tau(const struct timed *list, uint32_t n)
{
	int sum = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++)
			sum += list[k].ns > list[i].ns ? 1 : list[k].ns < list[i].ns ? -1 : 0;
	return 2. * sum / ((double)n * (n - 1));
}

/* The largest time by the smallest, - 1, of every period-th execution; period 1: of all. */
static double kind_range(const struct timed *list, uint32_t n, uint32_t period, uint64_t kind)
{
	double least = INFINITY, most = 0;

	for (uint32_t i = 0; i < n; i++)
		if (list[i].at % period == kind) {
			least = fmin(least, list[i].ns);
			most = fmax(most, list[i].ns);
		}
	return most > 0 ? most / least - 1 : 0;
}

static bool takes_turns(const struct timed *list, uint32_t n, uint32_t period)
{
	double all = kind_range(list, n, 1, 0);

	if (n < 2 * period - 1)
		return false;
	for (uint32_t kind = 0; kind < period; kind++)
		if (kind_range(list, n, period, kind) > OF_A_KIND * all)
			return false;
	return true;
}

static bool has_trend(const struct timed *list, uint32_t n)
{
	return n >= LEAST && kind_range(list, n, 1, 0) > DIFFER && fabs(tau(list, n)) >= TREND;
}

/* 0: the times are alike; 1: they differ; 2, 3: they do, and every second or third is alike. */
static uint32_t period_of(const struct timed *list, uint32_t n)
{
	double range = n >= LEAST ? quartile_range(list, n) : 0;

	if (has_trend(list, n))
		return 1;
	for (uint32_t period = 2; period <= PERIODS && range > DIFFER; period++)
		if (takes_turns(list, n, period))
			return period;
	return range > DIFFER_SURELY;
}

/* The marked executions by number; returns how many. */
static uint32_t list_marked(const struct measurements *p, const double *mark, struct timed *list)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < p->nclean; e++)
		if (!mark || mark[e] > 0)
			list[n++] = (struct timed){ p->clean_at[e], p->contexts[0].cpu[e], e };
	qsort(list, n, sizeof *list, by_number);
	return n;
}

/* Weights of the least-squares line through the two executions before and the two after the counted
 * one; without any on one side, all weight is the nearest one's. */
static void weigh_neighbours(const struct timed *list, uint32_t n, uint64_t counted, double *weight)
{
	uint32_t after = 0, first, last;
	double mean = 0, squares = 0;

	while (after < n && list[after].at < counted)
		after++;
	if (!after || after == n) {
		weight[list[after ? n - 1 : 0].index] = 1;
		return;
	}
	first = after > 2 ? after - 2 : 0;
	last = after + 2 < n ? after + 2 : n;
	for (uint32_t i = first; i < last; i++)
		mean += (double)list[i].at / (last - first);
	for (uint32_t i = first; i < last; i++)
		squares += ((double)list[i].at - mean) * ((double)list[i].at - mean);
	for (uint32_t i = first; i < last; i++)
		weight[list[i].index] = 1. / (last - first) +
			((double)counted - mean) * ((double)list[i].at - mean) / squares;
}

/* --- the choice ------------------------------------------------------------------------------ */

/* Chooses by the times of the listed executions; `some`: others are not like the counted one. */
static void choose(struct measurements *p, const struct timed *list, uint32_t n, uint32_t period,
	bool some)
{
	struct like *like = &p->like;

	for (uint32_t e = 0; e < p->nclean; e++)
		like->weight[e] = 0;
	like->how = period == 1 ? LIKE_LINE : period || some ? LIKE_SOME : LIKE_ALL;
	if (period == 1) {
		weigh_neighbours(list, n, p->counted_first, like->weight);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		if (!period || list[i].at % period == p->counted_first % period)
			like->weight[list[i].index] = 1;
}

/* One execution was counted, alone and with all that it did. */
static bool one_counted(const struct measurements *p)
{
	return p->complete && p->counted_at_once == 1;
}

static void choose_all(struct measurements *p, struct timed *list)
{
	struct like *like = &p->like;
	uint32_t n = list_marked(p, NULL, list), period = period_of(list, n), alike;

	like->differ = period > 0;
	if (!one_counted(p))
		return;
	like->trend = has_trend(list, n);
	if (like->trend) {
		choose(p, list, n, period, false);
		return;
	}
	alike = p->calls_counted ? like_by_calls(p, like->weight) : 0;
	if (alike && alike < p->nclean) {
		like->differ = like->by_calls = true;
		n = list_marked(p, like->weight, list);
		period = period_of(list, n);
	}
	choose(p, list, n, period, like->by_calls);
}

int like_refresh(struct measurements *p)
{
	struct timed *list = malloc((p->nclean + 1) * sizeof *list);
	double *weight = realloc(p->like.weight, (p->nclean + 1) * sizeof *weight);

	if (weight)
		p->like = (struct like){ .how = LIKE_ALL, .weight = weight };
	if (list && weight && p->clean_at && p->ncontexts)
		choose_all(p, list);
	free(list);
	return list && weight ? 0 : -1;
}

void like_free(struct measurements *p)
{
	free(p->like.weight);
	p->like.weight = NULL;
}

bool like_differ(const struct measurements *p)
{
	return p->like.differ;
}

/* --- values ---------------------------------------------------------------------------------- */

uint32_t like_values(const struct measurements *p, const double *values, double *out)
{
	const struct like *like = &p->like;
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t e = 0; e < p->nclean && like->how == LIKE_LINE; e++)
		sum += like->weight[e] * values[e];
	if (like->how == LIKE_LINE) {
		out[0] = sum;
		return 1;
	}
	for (uint32_t e = 0; e < p->nclean; e++)
		if (like->how == LIKE_ALL || like->weight[e] > 0)
			out[n++] = values[e];
	return n;
}

static double of_values(const struct measurements *p, const double *values,
	double (*of)(const double *, uint32_t))
{
	double *copy = p->nclean && values ? malloc(p->nclean * sizeof *copy) : NULL, result = NAN;

	if (copy)
		result = of(copy, like_values(p, values, copy));
	free(copy);
	return result;
}

double like_median(const struct measurements *p, const double *values)
{
	return of_values(p, values, median_of);
}

double like_spread(const struct measurements *p, const double *values)
{
	return of_values(p, values, spread_of);
}
