/* SPDX-License-Identifier: BSD-3-Clause */
/* Scales the misses of a timeline that were counted in some of the cache sets to all of them, as
 * those of the table are (sample_scaled() in simulate/cache/set_sample.h). */
#include "analysis/findings/timeline_sample.h"

struct work {
	const struct measurements *p;
	struct arena *arena;
};

/* Misses of some sets, as an estimate of those of all. */
static int64_t of_all_sets(const struct work *w, int64_t misses)
{
	const struct mon_sample *s = &w->p->sample;

	return (misses * s->classes + s->chosen / 2) / s->chosen;
}

/* Coherence misses are counted in all sets.  Those of the last level have no class. */
static int64_t counted_in_all(const struct report_time_cell *c, const struct report_point *p,
	bool last)
{
	int64_t n = p->value;

	if (!last) {
		const int64_t coherent = series_at(&c->coherent, p->at);

		return coherent < n ? coherent : n;
	}
	for (uint32_t k = 0; k < TIMELINE_CLASSES; k++)
		n -= series_at(&c->kinds, p->at * TIMELINE_CLASSES + k);
	return n > 0 ? n : 0;
}

/* Scales a series of misses; those of a level of cell c without its coherence misses.  0 / -1
 * (memory). */
static int scale(const struct work *w, struct report_series *s, const struct report_time_cell *c,
	bool last)
{
	struct report_point *point = arena_array(w->arena, (size_t)s->n, sizeof *point);

	if (!point)
		return -1;
	for (int i = 0; i < s->n; i++) {
		const int64_t rest = c ? counted_in_all(c, &s->point[i], last) : 0;

		point[i] = (struct report_point){ s->point[i].at,
			of_all_sets(w, s->point[i].value - rest) + rest };
	}
	s->point = point;
	return 0;
}

/* The series by level first: they need the classes as they were counted. */
static int scale_cell(const struct work *w, struct report_time_cell *c)
{
	for (int l = 0; l < TIMELINE_LEVELS; l++)
		if (scale(w, &c->misses[l], c, l + 1 == (int)measured_last_level(w->p)))
			return -1;
	return scale(w, &c->kinds, NULL, false) || scale(w, &c->served, NULL, false) ||
		scale(w, &c->channels, NULL, false) ? -1 : 0;
}

int findings_timeline_scale(const struct measurements *p, struct report *r,
	struct report_timeline *t)
{
	const struct work w = { p, r->arena };

	if (!p->sample.classes || !p->sample.chosen)
		return 0;
	for (int i = 0; i < t->ncells; i++)
		if (scale_cell(&w, &t->cells[i]))
			return -1;
	for (int i = 0; i < t->nlines; i++)
		if (scale(&w, &t->lines[i].first_misses, NULL, false) ||
			scale(&w, &t->lines[i].last_misses, NULL, false))
			return -1;
	return 0;
}
