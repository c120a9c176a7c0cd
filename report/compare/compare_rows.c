/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats figures before and after. */
#include "report/compare/compare_rows.h"

#include <math.h>
#include <string.h>

#define NO_MIDDLE 1e-3     /* of the upper end of an estimate */

const struct compare_costs *compare_whole(const struct compare *c)
{
	const struct compare_costs *s = c->structures;

	return c->nstructures && !(s->before ? s->before : s->after)->structure ? s : NULL;
}

static void relative(char out[COMPARE_CELL], double a, double b)
{
	char figure[PAGE_FIGURE];
	double by = (b - a) / a;

	if (a == 0)
		snprintf(out, COMPARE_CELL, "from 0");
	else if (by >= 1)
		snprintf(out, COMPARE_CELL, "%.*f x", b / a < 9.95 ? 1 : 0, b / a);
	else
		snprintf(out, COMPARE_CELL, "%s%s", by > 0 ? "+" : "", page_percent(figure, by));
}

bool compare_time_cells(const struct compare *c, struct compare_cells *out)
{
	double a = c->before->cpu_time, b = c->after->cpu_time, by;
	char text[PAGE_FIGURE];

	*out = (struct compare_cells){ .name = "processor time" };
	if (isnan(a) && isnan(b))
		return false;
	snprintf(out->before, COMPARE_CELL, "%s", page_seconds(text, a));
	snprintf(out->after, COMPARE_CELL, "%s", page_seconds(text, b));
	if (isnan(a) || isnan(b) || !(a > 0) || !(b > 0))
		return true;
	by = a > b ? a / b : b / a;
	if (compare_time_unclear(c))
		snprintf(out->change, COMPARE_CELL, "cannot be told");
	else if (!compare_time_differs(c))
		snprintf(out->change, COMPARE_CELL, "within their spread");
	else
		snprintf(out->change, COMPARE_CELL, "%.*fx %s", by < 9.95 ? 2 : 0, by,
			b < a ? "faster" : "slower");
	return true;
}

/* Digits behind the point of a number with three digits; none of one that is almost 0. */
static int digits(double v)
{
	return v < 0.005 || v >= 99.95 ? 0 : v < 9.995 ? 2 : 1;
}

/* "1.46 ms (0-3.44)": the range in the unit of the estimate, or in a larger one of which it has
 * fewer than 10000; "at most 209 us" where the middle is next to nothing; PAGE_NOT_KNOWN. */
static void estimate(char out[COMPARE_CELL], const struct report_cost *cost, const struct report *r)
{
	const double base = report_base_time(r);
	static const struct { double s; const char *name; } units[] = {
		{ 1, "s" }, { 1e-3, "ms" }, { 1e-6, "us" }, { 1e-9, "ns" } };
	char most[PAGE_FIGURE];
	double v, low, high;
	int i = 0;

	if (!cost || isnan(cost->est_stall)) {
		snprintf(out, COMPARE_CELL, "%s", cost ? "-" : "0");
		return;
	}
	if (page_not_known(cost->est_stall_low / base, cost->est_stall_high / base)) {
		snprintf(out, COMPARE_CELL, "%s", PAGE_NOT_KNOWN);
		return;
	}
	if (cost->est_stall < NO_MIDDLE * cost->est_stall_high) {
		snprintf(out, COMPARE_CELL, "at most %s", page_seconds(most, cost->est_stall_high));
		return;
	}
	while (i < 3 && cost->est_stall < 0.9995 * units[i].s &&
	       !(cost->est_stall_high >= 9999.5 * units[i + 1].s))
		i++;
	v = cost->est_stall / units[i].s;
	low = cost->est_stall_low / units[i].s;
	high = cost->est_stall_high / units[i].s;
	snprintf(out, COMPARE_CELL, "%.*f %s (%.*f-%.*f)", digits(v), v, units[i].name, digits(low),
		low, digits(high), high);
}

static bool estimate_cells(const struct compare *c, const struct compare_costs *costs,
	struct compare_cells *out)
{
	double a = compare_figure(costs->before, COMPARE_ESTIMATE), b = compare_figure(costs->after,
		COMPARE_ESTIMATE);
	char text[PAGE_FIGURE];

	if (isnan(a) && isnan(b))
		return false;
	estimate(out->before, costs->before, c->before);
	estimate(out->after, costs->after, c->after);
	if (isnan(a) || isnan(b))
		return true;
	if (!compare_figure_differs(c, costs, COMPARE_ESTIMATE))
		snprintf(out->change, COMPARE_CELL, "within the ranges");
	else
		snprintf(out->change, COMPARE_CELL, "%s%s", b > a ? "+" : "",
			page_seconds(text, b - a));
	return true;
}

/* A count without the blanks that align it. */
static void count(char out[COMPARE_CELL], double v)
{
	char text[PAGE_FIGURE];
	size_t n;

	snprintf(out, COMPARE_CELL, "%s", page_count(text, v));
	n = strlen(out);
	while (n && out[n - 1] == ' ')
		out[--n] = '\0';
}

bool compare_figure_cells(const struct compare *c, const struct compare_costs *costs, int figure,
	struct compare_cells *out)
{
	double a = compare_figure(costs->before, figure), b = compare_figure(costs->after, figure);

	*out = (struct compare_cells){ .name = compare_figure_name(figure) };
	if (figure == COMPARE_ESTIMATE)
		return estimate_cells(c, costs, out);
	if ((isnan(a) || a == 0) && (isnan(b) || b == 0))
		return false;
	count(out->before, a);
	count(out->after, b);
	if (isnan(a) || isnan(b))
		return true;
	if (compare_figure_differs(c, costs, figure))
		relative(out->change, a, b);
	else
		snprintf(out->change, COMPARE_CELL, "%s", a == b ? "same" : "within the error");
	return true;
}

void compare_sentence(const struct compare *c, const struct compare_costs *costs, struct buf *out)
{
	struct compare_cells cells;
	bool any = false;

	if (!costs->before && !costs->after)
		return;
	if (compare_figure_cells(c, costs, COMPARE_ESTIMATE, &cells)) {
		buf_printf(out, "memory %s -> %s", cells.before, cells.after);
		any = true;
	}
	for (int i = 1; i < COMPARE_FIGURES; i++) {
		double a = compare_figure(costs->before, i), b = compare_figure(costs->after, i);
		bool little = fabs(b - a) < COMPARE_LITTLE * (a > b ? a : b);

		if (little || !compare_figure_differs(c, costs, i) ||
		    !compare_figure_cells(c, costs, i, &cells))
			continue;
		buf_printf(out, "%s%s %s -> %s (%s)", any ? "; " : "", cells.name, cells.before,
			cells.after, cells.change);
		any = true;
	}
}
