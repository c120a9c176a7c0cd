/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what threads wait where they contend. */
#include "analysis/measure/contention.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/like.h"

static double mean(const double *values, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += values[i];
	return n ? sum / n : 0;
}

/* Threads meet in some executions more than in others, and these look unlike: only other calls tell
 * other work, or times that go one way. */
double contention_mean(const struct measurements *p, const double *ns)
{
	double *kept, all;

	if (!p->like.by_calls && !p->like.trend)
		return mean(ns, p->nclean);
	kept = malloc(p->nclean * sizeof *kept);
	if (!kept)
		return mean(ns, p->nclean);
	all = mean(kept, like_values(p, ns, kept));
	free(kept);
	return fmax(0, all);
}

static void cost_add(struct cost *c, double value, double low, double high)
{
	c->value += value;
	c->low += low;
	c->high += high;
}

void memory_time_wait(struct memory_time *m, double waits)
{
	cost_add(&m->class[MEMORY_SHARING], waits, waits, waits);
}

static void move(struct cost *from, struct cost *to)
{
	cost_add(to, from->value, from->low, from->high);
	*from = (struct cost){ 0, 0, 0 };
}

void memory_time_give(struct memory_time *m, bool misses, struct memory_time *to)
{
	if (!(m->contended.value > 0))
		return;
	move(&m->contended, &to->contended);
	if (misses)
		move(&m->class[MEMORY_SHARING], &to->class[MEMORY_SHARING]);
}

void memory_time_take(struct memory_time *m, const struct memory_time *of, double part)
{
	const struct cost *k = &of->contended, *misses = &of->class[MEMORY_SHARING];

	cost_add(&m->contended, part * k->value, part * k->low, part * k->high);
	cost_add(&m->class[MEMORY_SHARING], part * misses->value, part * misses->low,
		part * misses->high);
}

struct cost memory_time_serial(const struct memory_time *m, double part)
{
	struct cost all = m->class[MEMORY_SHARING];

	if (!(m->contended.value > 0))
		return (struct cost){ 0, 0, 0 };
	all.low += part * m->contended.low;
	return all;
}

void estimate_stall_serial(struct estimate *e, const struct cost *memory, const struct cost *serial,
	const struct estimate *core, double t)
{
	const double others = fmax(0, memory->high - serial->high);
	const double least = fmin(0.9 * serial->low, t - core->high - others);

	e->low = fmax(e->low, fmin(least, e->high));
	e->value = fmax(e->value, e->low);
}
