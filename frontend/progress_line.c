/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the progress of the analysis, and beforehand what recording will take. */
#include <config.h>

#include "frontend/progress_line.h"

#include <stdio.h>

#include "collect/collector.h"

static const char *duration(double s, char text[static 32])
{
	snprintf(text, 32, s < 120 ? "%.3g s" : "%.0f min", s < 120 ? s : s / 60);
	return text;
}

/* A recorded execution takes RECORDED_LEAST to RECORDED_MOST times as long (docs/performance.md);
 * the monitor decides by RECORDED_TYPICAL whether it counts slices (monitor/collect/slices.h). */
enum { RECORDED_LEAST = 6, RECORDED_TYPICAL = 20, RECORDED_MOST = 35 };

/* The time in s that --max-slowdown lets a recorded execution take more
 * than `phase`; 0: no limit. */
static double slow_limit(const struct frontend_options *o, double phase)
{
	if (o->slow_percent)
		return phase * (o->slow_percent / 100. - 1);
	return (double)o->slow_ns * 1e-9;
}

static bool takes_slices(const struct frontend_options *o, double phase)
{
	double limit = slow_limit(o, phase);

	if (o->slow_budget)
		phase *= o->warm + o->counted;
	return limit > 0 && o->sample <= 1 && o->warm && phase * (RECORDED_TYPICAL - 1) > limit;
}

static const struct collector *collector_of(const struct progress *p)
{
	uint32_t n = 0;

	while (collectors[n] && n < p->collector)
		n++;
	return collectors[n];
}

static bool gives(const struct progress *p, const char *metric)
{
	return collector_of(p) && collector_has(collector_of(p), metric);
}

/* Says how long recording will take, if that is long. */
static void show_cost(struct progress_line *l, const struct frontend_options *o,
	const struct progress *p)
{
	enum { LONG = 10 };     /* s */
	double phase = (double)p->phase_ns * 1e-9, all = phase * (o->warm + o->counted);
	char least[32], most[32], one[32], limit[32];

	if (gives(p, METRIC_COUNTS))
		l->cost_shown = true;   /* too late: an earlier run was recorded */
	if (!gives(p, METRIC_TIMES) || o->sample > 1 || l->cost_shown)
		return;
	l->cost_shown = true;
	duration(phase, one);
	if (takes_slices(o, phase) && o->slow_budget) {
		fprintf(stderr,
			"psc: next, slices of %u execution%s of %s will be counted; recording all of it (--max-slowdown "
			"none) would take %s to %s\n", o->counted, o->counted == 1 ? "" : "s", one,
			duration(all * RECORDED_LEAST, least), duration(all * RECORDED_MOST, most));
		return;
	}
	if (takes_slices(o, phase)) {
		fprintf(stderr,
			"psc: next, slices of %u execution%s of %s will be counted, which takes "
			"%s more (--max-slowdown); recording all of it, as where there are too few places to "
			"begin a slice at, would take %s to %s\n", o->counted,
			o->counted == 1 ? "" : "s", one, duration(slow_limit(o, phase) * o->counted,
			limit), duration(phase * o->counted * RECORDED_LEAST, least),
			duration(phase * o->counted * RECORDED_MOST, most));
		return;
	}
	if (all * RECORDED_MOST < LONG)
		return;
	fprintf(stderr, "psc: next, %u execution%s of %s will be recorded, which takes %s to %s; "
		"%s\n", o->warm + o->counted, o->warm + o->counted == 1 ? "" : "s",
		one, duration(all * RECORDED_LEAST, least), duration(all * RECORDED_MOST, most),
		o->slow_budget && o->warm ?
		"if it adds more than 10 s, slices of them are counted (--max-slowdown)" :
		"less with --sample 8");
}

void progress_line_show(struct progress_line *l, const struct frontend_options *o,
	const struct progress *p)
{
	const struct collector *by = collector_of(p);
	char which[48], found[48] = "no findings yet";

	if (o->quiet)
		return;
	if (p->first == p->last)
		snprintf(which, sizeof which, " %llu", (unsigned long long)p->first);
	else
		snprintf(which, sizeof which, "s %llu-%llu", (unsigned long long)p->first,
			(unsigned long long)p->last);
	if (p->found)
		snprintf(found, sizeof found, "%u finding%s to sum up", p->found, p->found == 1 ?
			"" : "s");
	/* One call, one write: nothing of the program's comes between. */
	fprintf(stderr, "psc: experiment %u (%s), phase execution%s: %s\n", p->experiment,
		by ? by->progress : "unknown", which, found);
	show_cost(l, o, p);
}
