/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums and sorts the counts of columns for flows. */
#include "analysis/measure/flow_counts.h"

#include <stdlib.h>

static uint32_t count_objects(const struct columns *c)
{
	uint32_t n = 0;

	for (size_t i = 0; i < c->ncounts; i++)
		if (c->count[i].object >= n)
			n = c->count[i].object + 1;
	return n;
}

/* By structure, each in the order of the columns: a counting sort. */
static void sort(struct flow_counts *f, const struct columns *c)
{
	for (size_t i = 0; i < c->ncounts; i++)
		if (!c->count[i].line)
			f->first[c->count[i].object + 1]++;
	for (uint32_t o = 0; o < f->nobjects; o++)
		f->first[o + 1] += f->first[o];
	for (size_t i = 0; i < c->ncounts; i++)
		if (!c->count[i].line)
			f->count[f->first[c->count[i].object]++] = &c->count[i];
	/* Each begin is the end of its structure now. */
	for (uint32_t o = f->nobjects; o > 0; o--)
		f->first[o] = f->first[o - 1];
	f->first[0] = 0;
}

static void sum(struct flow_counts *f, const struct columns *c)
{
	for (size_t i = 0; i < f->first[f->nobjects]; i++) {
		const struct column_count *count = f->count[i];
		const double value = (double)count->value / c->executions;

		if (count->field == TIMELINE_READS || count->field == TIMELINE_WRITES)
			f->phase_access[count->thread] += value;
		else if (count->field >= TIMELINE_SERVED && count->field < TIMELINE_FIELDS)
			f->phase_served[count->field - TIMELINE_SERVED] += value;
	}
}

const struct flow_counts *flow_counts_of(struct columns *c)
{
	struct flow_counts *f = c->flows;

	if (f)
		return f;
	f = calloc(1, sizeof *f);
	if (!f)
		return NULL;
	f->nobjects = count_objects(c);
	f->phase_access = calloc(c->threads + (size_t)1, sizeof *f->phase_access);
	f->count = calloc(c->ncounts + 1, sizeof *f->count);
	f->first = calloc(f->nobjects + (size_t)2, sizeof *f->first);
	if (flow_axis_make(&f->axis, c) || !f->phase_access || !f->count || !f->first) {
		flow_counts_free(f);
		return NULL;
	}
	sort(f, c);
	sum(f, c);
	c->flows = f;
	return f;
}

void flow_counts_free(struct flow_counts *f)
{
	if (!f)
		return;
	flow_axis_free(&f->axis);
	free(f->phase_access);
	free(f->count);
	free(f->first);
	free(f);
}

const struct column_count *const *flow_counts_find(const struct flow_counts *f, uint32_t object,
	size_t *n)
{
	const bool known = object < f->nobjects;
	const size_t from = known ? f->first[object] : 0;

	*n = object == MON_ANY ? f->first[f->nobjects] : known ? f->first[object + 1] - from : 0;
	return f->count + from;
}
