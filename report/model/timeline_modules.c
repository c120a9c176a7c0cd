/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums the lines from memory by the node, or the channel of a node, that serves them, and finds
 * what makes some of them serve more than others. */
#include "report/model/timeline_facts.h"

#include <math.h>

static void add_series(const struct report_series *s, int n, int executions, double *load,
	double *all)
{
	for (int i = 0; i < s->n; i++) {
		const double v = (double)s->point[i].value / executions;

		load[s->point[i].at % (unsigned)n] += v;
		all[s->point[i].at % (unsigned)n] += v;
	}
}

/* Does a module serve clearly more than the mean, and not by chance? */
static bool is_hot(const struct time_modules *m, int module)
{
	return m->all[module] > TIME_HOT * m->mean &&
		m->all[module] > m->mean + TIME_HOT_ERRORS * sqrt(m->mean);
}

/* Sums over the modules that serve much. */
static void find_hot(struct time_modules *m)
{
	m->most = m->all[0];
	for (int k = 0; k < m->n; k++)
		if (m->all[k] > m->most) {
			m->most = m->all[k];
			m->busiest = k;
		}
	for (int k = 0; k < m->n; k++)
		if (is_hot(m, k)) {
			m->hot++;
			m->of_hot += m->all[k];
		}
}

/* What a structure makes the busy modules serve beyond its own mean. */
static double excess_of(const struct time_modules *m, const double *load)
{
	double mean = 0, excess = 0;

	for (int k = 0; k < m->n; k++)
		mean += load[k] / m->n;
	for (int k = 0; k < m->n; k++)
		if (is_hot(m, k))
			excess += load[k] - mean;
	return excess;
}

static void find_cause(const struct time_facts *f, struct time_modules *m)
{
	const double all = m->of_hot - m->hot * m->mean;
	double most = 0;

	m->cause = -1;
	for (int i = 0; m->hot && i < f->t->nstructures; i++) {
		const double excess = excess_of(m, m->load + (size_t)i * (size_t)m->n);

		if (excess > most) {
			most = excess;
			m->cause = i;
		}
	}
	m->cause_share = most > 0 ? fmin(1, most / all) : NAN;
}

void time_module_lane(const struct time_facts *f, int structure, int module, double *into, int bins)
{
	const bool channels = timeline_modules(f->t) > 0;
	const unsigned n = (unsigned)(channels ? timeline_modules(f->t) : f->t->nodes);

	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];
		const struct report_series *s = channels ? &c->channels : &c->served;

		for (int k = 0; k < s->n && (structure < 0 || c->structure == structure + 1); k++)
			if ((int)(s->point[k].at % n) == module)
				time_axis_add(&f->axis, c->thread, (int)(s->point[k].at / n),
					(double)s->point[k].value / f->t->executions, into, bins);
	}
}

int time_modules(const struct time_facts *f, struct time_modules *out)
{
	const struct report_timeline *t = f->t;
	const bool channels = timeline_modules(t) > 0;

	*out = (struct time_modules){
		.n = channels ? timeline_modules(t) : t->nodes > 1 ? t->nodes : 0,
		.cause = -1,
	};
	if (!out->n)
		return 0;
	out->load = arena_array(
		f->arena, (size_t)out->n * (size_t)t->nstructures, sizeof *out->load);
	out->all = arena_array(f->arena, (size_t)out->n, sizeof *out->all);
	if (!out->load || !out->all)
		return -1;
	for (int i = 0; i < t->ncells; i++)
		add_series(channels ? &t->cells[i].channels : &t->cells[i].served, out->n,
			t->executions,
			out->load + (size_t)(t->cells[i].structure - 1) * (size_t)out->n, out->all);
	for (int k = 0; k < out->n; k++)
		out->mean += out->all[k] / out->n;
	find_hot(out);
	find_cause(f, out);
	return 0;
}
