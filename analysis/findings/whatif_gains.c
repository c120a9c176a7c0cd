/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds the results of trials (--what-if) to the report of a process. */
#include <math.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/name_paths.h"
#include "analysis/findings/whatif.h"

static const char *text_or_null(struct arena *a, const char *s, bool *failed)
{
	const char *p = *s ? arena_strdup(a, s) : NULL;

	*failed |= *s && !p;
	return p;
}

/* The call that allocates its blocks, which may be inside of that which gives it its name.
 * 0 / -1 (memory). */
static int called(const struct measurements *p, uint32_t object, struct arena *a, const char **at)
{
	const struct measured_object *o = &p->objects[object];

	if (!o->allocated_file || !*o->allocated_file || !o->allocated_line)
		return 0;
	*at = arena_printf(a, "%s:%u", name_file(p->sir, o->allocated_file),
		(unsigned)o->allocated_line);
	return *at ? 0 : -1;
}

static bool fill(const struct trial *t, const struct search *s, struct arena *a,
	struct report_gain *g)
{
	const struct measurements *p = s->measured;
	bool failed = false;

	*g = (struct report_gain){ .least = NAN, .most = NAN, .time_share = NAN,
		.node = t->node == UINT32_MAX ? NAN : t->node };
	if (t->object == MON_ANY) {
		g->structure = arena_strdup(a, t->name);
	} else {
		g->structure = arena_strdup(a, p->objects[t->object].name);
		failed |= findings_declared(p, t->object, a, &g->scope, &g->declared) != 0;
		failed |= called(p, t->object, a, &g->allocated) != 0;
	}
	g->fix = fix_tried(t->fix);
	g->change = arena_strdup(a, t->change);
	g->reason = text_or_null(a, t->reason, &failed);
	if (!g->structure || !g->change || failed)
		return false;
	if (t->reason[0])
		return true;
	whatif_bounds(t, &g->least, &g->most);
	g->time_share = whatif_time(t, p) / measured_phase_cpu(p);
	return true;
}

/* Stall cycles of the phase in the executions that trials were compared with; without trials, in
 * those that the search counted. */
static double phase_stall(const struct whatif *w, const struct measurements *p)
{
	struct tally all;
	double sum = 0;
	int n = 0;

	for (uint32_t i = 0; i < w->ntrials; i++)
		if (!w->trial[i].reason[0] && !isnan(w->trial[i].stall)) {
			sum += w->trial[i].stall;
			n++;
		}
	if (n)
		return sum / n;
	return measured_tally(p, 0, MON_ANY, &all) ? tally_stall_cycles(p, &all) : NAN;
}

int whatif_report(const struct whatif *w, const struct search *s, struct report *r)
{
	if (measured_check_report(&w->check, s, r))
		return -1;
	if (!w->ntrials)
		return 0;
	r->gains = arena_array(r->arena, (size_t)w->ntrials + 1, sizeof *r->gains);
	if (!r->gains)
		return -1;
	for (uint32_t i = 0; i < w->ntrials; i++)
		if (!fill(&w->trial[i], s, r->arena, &r->gains[r->ngains++]))
			return -1;
	if (w->more) {
		const char **notes = arena_grow(r->arena, r->notes,
			(size_t)r->nnotes * sizeof *notes, ((size_t)r->nnotes + 1) * sizeof *notes);

		if (!notes)
			return -1;
		notes[r->nnotes++] = "--what-if: not everything that was asked for was tried; name "
			"fewer structures, or the fixes that matter";
		r->notes = notes;
	}
	r->stall_cycles = phase_stall(w, s->measured);
	report_rank(r);
	return 0;
}
