/* SPDX-License-Identifier: BSD-3-Clause */
/* What the processes gave, evaluated: findings over all of them. */
#include "analysis/findings/whole.h"
#include "analysis/findings/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double STOP_SHARE = 0.01;  /* of the summed phase time */
static const double EXPLAINED = 0.8;    /* of a place's severity is that of places in it */
static const double SAME_NEST = 0.01;   /* of a loop's time is not its inner loop's */

struct outcome_at {             /* of one property at one place */
	enum report_outcome outcome;
	bool tested;            /* else there is nothing to say */
	double share;           /* severity as share of phase time; NAN */
	struct asl_verdict verdict;
	char reason[160];
};

struct judge {
	const struct whole *w;
	const struct run_config *config;
	struct report *r;
	uint32_t phase;         /* the place whose processes are joined */
	double phase_time;      /* s, mean over them */
	struct app_subject *subjects;   /* by place; owned, as the next two */
	bool *pruned;
	struct outcome_at *at;          /* by place * nproperties + property */
};

/* --- which processes go together ------------------------------------------------------------------ */

/* The most, measured in the same executions; of as many, the earlier ones, and those measured most.  Never
 * what arrived first. */
static bool goes_before(const struct whole_place *a, const struct whole_place *b)
{
	if (a->nranks != b->nranks)
		return a->nranks > b->nranks;
	if (a->clean != b->clean)
		return a->clean < b->clean;
	if (a->nclean != b->nclean)
		return a->nclean > b->nclean;
	if (a->counted != b->counted)
		return a->counted < b->counted;
	if (a->ncounted != b->ncounted)
		return a->ncounted > b->ncounted;
	if (a->ranks[0] != b->ranks[0])
		return a->ranks[0] < b->ranks[0];
	return a->node.line < b->node.line;
}

static uint32_t choose_phase(const struct whole *w)
{
	uint32_t best = WHOLE_NONE;

	for (uint32_t i = 0; i < w->nplaces; i++)
		if (w->places[i].parent == WHOLE_NONE &&
		    (best == WHOLE_NONE || goes_before(&w->places[i], &w->places[best])))
			best = i;
	return best;
}

static bool below(const struct judge *j, uint32_t place, uint32_t top)
{
	while (place != WHOLE_NONE && place != top)
		place = j->w->places[place].parent;
	return place == top;
}

static struct outcome_at *at(const struct judge *j, uint32_t place, uint32_t i)
{
	return &j->at[(size_t)place * j->w->nproperties + i];
}

/* --- one property at one place ------------------------------------------------------------------------ */

static double share_of(const struct judge *j, const struct whole_place *p, const struct asl_property *q,
	double severity)
{
	const struct whole_place *phase = &j->w->places[j->phase];

	return q->severity_is_time ? severity / j->phase_time
		: severity * ((double)p->ns / (double)phase->ns);
}

/* REFINES: any parent proven here, of all processes or of one of them. */
static bool parents_allow(const struct judge *j, uint32_t place, uint32_t i, struct outcome_at *o)
{
	const struct whole_member *m = &j->w->places[place].members[i];
	const struct asl_property *q = asl_property(j->w->program, j->w->properties[i]);
	bool undecided = m->undecided > 0;

	if (!q->nparents || m->proven)
		return true;
	for (uint32_t k = 0; k < i; k++)
		for (int p = 0; p < q->nparents; p++) {
			const struct outcome_at *parent = at(j, place, k);

			if ((uint32_t)q->parents[p] != j->w->properties[k] || !parent->tested)
				continue;
			if (parent->outcome == REPORT_HELD)
				return true;
			undecided |= parent->outcome != REPORT_FALSE;
		}
	if (undecided) {
		o->tested = true;
		o->outcome = REPORT_NOT_TESTED;
		snprintf(o->reason, sizeof o->reason,
			"not tested: the property it refines could not be decided");
	}
	return false;
}

/* Its elements would be sampled counts, whose errors parts do not carry. */
static bool refused(const struct judge *j, uint32_t i)
{
	return j->config->sample > 1 && binding_needs_misses(j->w->binding,
		asl_property(j->w->program, j->w->properties[i]));
}

static void test(const struct judge *j, uint32_t place, uint32_t i)
{
	const struct whole *w = j->w;
	const struct asl_property *q = asl_property(w->program, w->properties[i]);
	const struct asl_env env = binding_app_env(w->binding);
	struct outcome_at *o = at(j, place, i);
	void *objects[ASL_MAX_PARAMS];

	o->share = NAN;
	if (!parents_allow(j, place, i, o))
		return;
	if (refused(j, i)) {
		o->tested = true;
		o->outcome = REPORT_NOT_TESTED;
		snprintf(o->reason, sizeof o->reason, "not tested: what was sampled of the cache "
			"sets (--sample) is not joined over processes");
		return;
	}
	for (int k = 0; k < q->nparams; k++)
		objects[k] = &j->subjects[k == q->basis ? j->phase : place];
	asl_evaluate_parts(w->program, w->properties[i], &env, objects,
		w->places[place].members[i].parts, &o->verdict);
	o->tested = true;
	if (o->verdict.holds == ASL_FALSE)
		o->outcome = REPORT_FALSE;
	else if (o->verdict.holds == ASL_UNDECIDED || !(o->verdict.confidence >= j->config->confidence))
		o->outcome = REPORT_UNDECIDED;
	else
		o->outcome = REPORT_HELD;
	if (o->outcome == REPORT_HELD)
		o->share = share_of(j, &w->places[place], q, o->verdict.severity);
	if (o->outcome == REPORT_FALSE)
		asl_explain(w->program, w->properties[i], &env, objects,
			w->places[place].members[i].parts, o->reason, sizeof o->reason);
	else
		search_explain(&o->verdict, j->config->confidence, o->reason, sizeof o->reason);
}

static bool is_loop(const struct whole_place *p)
{
	return p->node.type == REGION_LOOP || p->node.type == REGION_WORKSHARE_DO;
}

/* The same loop nest: only its outermost loop is looked at. */
static bool same_nest(const struct judge *j, const struct whole_place *p)
{
	const struct whole_place *up = &j->w->places[p->parent];

	return p->parent != j->phase && is_loop(p) && is_loop(up) &&
		(double)p->ns >= (1 - SAME_NEST) * (double)up->ns;
}

static void test_place(struct judge *j, uint32_t place)
{
	const struct whole_place *p = &j->w->places[place];
	double all = (double)j->w->places[j->phase].ns;
	bool told = place != j->phase && j->pruned[p->parent];

	j->pruned[place] = told || (double)p->ns < STOP_SHARE * all;
	for (uint32_t i = 0; i < j->w->nproperties; i++) {
		struct outcome_at *o = at(j, place, i);

		if (!j->pruned[place]) {
			if (place == j->phase || !same_nest(j, p))
				test(j, place, i);
		} else if (!told && !asl_property(j->w->program, j->w->properties[i])->nparents) {
			o->tested = true;
			o->outcome = REPORT_PRUNED;
			o->share = NAN;
			snprintf(o->reason, sizeof o->reason, "%.2f %% of phase time, under 1 %%",
				100 * (double)p->ns / all);
		}
	}
}

/* --- findings --------------------------------------------------------------------------------------------- */

/* Places in this one that hold, with none between, have most of its severity: they are reported. */
static bool explained(const struct judge *j, uint32_t place, uint32_t i)
{
	double sum = 0;

	for (uint32_t k = place + 1; k < j->w->nplaces; k++) {
		uint32_t up = j->w->places[k].parent;

		if (!at(j, k, i)->tested || at(j, k, i)->outcome != REPORT_HELD)
			continue;
		while (up != WHOLE_NONE && up != place && !(at(j, up, i)->tested &&
				at(j, up, i)->outcome == REPORT_HELD))
			up = j->w->places[up].parent;
		if (up == place)
			sum += at(j, k, i)->share;
	}
	return sum > 0 && sum >= EXPLAINED * at(j, place, i)->share;
}

static int keep_node(struct report *r, const struct whole_place *p, struct report_node *out)
{
	*out = p->node;
	out->name = arena_strdup(r->arena, p->node.name);
	out->file = arena_strdup(r->arena, p->node.file);
	out->measure = out->measure_error = NAN;
	out->time = (double)p->ns / p->nranks * 1e-9;
	return out->name && out->file ? 0 : -1;
}

static int build_path(const struct judge *j, uint32_t place, uint32_t i, struct report_finding *f)
{
	struct report_node *path;
	int depth = 0, n;

	for (uint32_t k = place; k != WHOLE_NONE; k = j->w->places[k].parent)
		depth++;
	path = arena_array(j->r->arena, (size_t)depth, sizeof *path);
	n = depth;
	for (uint32_t k = place; path && k != WHOLE_NONE; k = j->w->places[k].parent) {
		const struct outcome_at *o = at(j, k, i);

		if (keep_node(j->r, &j->w->places[k], &path[--n]))
			return -1;
		path[n].holds = o->tested && o->outcome == REPORT_HELD;
		if (o->tested && (o->outcome == REPORT_HELD || o->outcome == REPORT_FALSE))
			path[n].measure = o->verdict.measure;
	}
	f->path = path;
	f->npath = depth;
	return path ? 0 : -1;
}

static const char *refined_parent(const struct judge *j, uint32_t place, uint32_t i)
{
	const struct asl_property *q = asl_property(j->w->program, j->w->properties[i]);

	for (uint32_t k = 0; k < i; k++)
		for (int p = 0; p < q->nparents; p++)
			if ((uint32_t)q->parents[p] == j->w->properties[k] && at(j, place, k)->tested &&
			    at(j, place, k)->outcome == REPORT_HELD)
				return asl_property(j->w->program, j->w->properties[k])->name;
	return q->nparents && j->w->places[place].members[i].proven
		? asl_property(j->w->program, (size_t)q->parents[0])->name : NULL;
}

static void figures(const struct judge *j, uint32_t place, uint32_t i, struct report_finding *f)
{
	const struct whole_place *p = &j->w->places[place], *phase = &j->w->places[j->phase];
	const struct asl_property *q = asl_property(j->w->program, j->w->properties[i]);
	const struct outcome_at *o = at(j, place, i);

	f->line = q->line;
	f->number = (int)j->w->properties[i];
	f->severity = o->verdict.severity;
	f->severity_is_time = q->severity_is_time;
	f->severity_is_index = binding_severity_is_index(j->w->binding, q);
	f->severity_share = f->severity_max_share = o->share;
	f->measure = o->verdict.measure;
	f->confidence = o->verdict.confidence;
	f->time_share = (double)p->ns / (double)phase->ns;
	f->stall_share = p->stalled == p->nranks ? (double)p->stall_ns / (double)phase->ns : NAN;
	f->stall_error = j->config->sample > 1 ? (double)p->stall_error_ns / (double)phase->ns : NAN;
	f->severity_error = f->measure_error = NAN;
	f->coverage = p->coverage;
	f->unwarmed = p->unwarmed && binding_needs_counts(j->w->binding, q);
	f->over_processes = true;
}

static int add_finding(const struct judge *j, uint32_t place, uint32_t i)
{
	const struct whole_place *p = &j->w->places[place];
	const struct asl_property *q = asl_property(j->w->program, j->w->properties[i]);
	const struct outcome_at *o = at(j, place, i);
	const char *parent = refined_parent(j, place, i);
	struct report *r = j->r;
	struct report_finding f = { 0 }, *grown;
	int *ranks = arena_array(r->arena, p->nranks, sizeof *ranks);

	figures(j, place, i, &f);
	f.property = arena_strdup(r->arena, q->name);
	f.file = arena_strdup(r->arena, findings_property_file(q));
	f.refines = parent ? arena_strdup(r->arena, parent) : NULL;
	f.advice = o->verdict.advice[0] ? arena_strdup(r->arena, o->verdict.advice) : NULL;
	grown = arena_grow(r->arena, r->findings, (size_t)r->nfindings * sizeof *grown,
		((size_t)r->nfindings + 1) * sizeof *grown);
	if (!ranks || !grown || !f.property || !f.file || build_path(j, place, i, &f))
		return -1;
	memcpy(ranks, p->ranks, p->nranks * sizeof *ranks);
	f.processes = ranks;
	f.nprocesses = (int)p->nranks;
	r->findings = grown;
	r->findings[r->nfindings++] = f;
	return 0;
}

static int add_findings(const struct judge *j)
{
	for (uint32_t place = 0; place < j->w->nplaces; place++)
		for (uint32_t i = 0; i < j->w->nproperties; i++) {
			const struct outcome_at *o = at(j, place, i);

			if (o->tested && o->outcome == REPORT_HELD && o->share > j->config->threshold &&
			    !explained(j, place, i) && add_finding(j, place, i))
				return -1;
		}
	return 0;
}

/* --- what was tested ----------------------------------------------------------------------------------------- */

static const char *label_of(const struct judge *j, uint32_t place)
{
	const struct report_node *n = &j->w->places[place].node;
	const struct sir_region r = { .type = n->type, .name = n->name,
		.file = n->file, .line = n->line };
	struct buf label = BUF_INIT;
	const char *kept;

	sir_region_label(&r, &label);
	kept = arena_strdup(j->r->arena, buf_str(&label));
	buf_free(&label);
	return kept;
}

static int add_tested(const struct judge *j)
{
	struct report *r = j->r;
	size_t most = (size_t)r->ntested + (size_t)j->w->nplaces * j->w->nproperties;
	struct report_tested *tested = arena_grow(r->arena, r->tested,
		(size_t)r->ntested * sizeof *tested, (most + 1) * sizeof *tested);

	if (!tested)
		return -1;
	r->tested = tested;
	for (uint32_t place = 0; place < j->w->nplaces; place++)
		for (uint32_t i = 0; i < j->w->nproperties; i++) {
			const struct outcome_at *o = at(j, place, i);
			uint32_t up = j->w->places[place].parent;
			struct report_node *node = arena_alloc(r->arena, sizeof *node);
			struct report_tested t = { .process = -1, .outcome = o->outcome };

			if (!o->tested)
				continue;
			t.property = arena_strdup(r->arena,
				asl_property(j->w->program, j->w->properties[i])->name);
			t.reason = arena_strdup(r->arena, o->reason);
			t.below = up == WHOLE_NONE ? NULL : label_of(j, up);
			t.place = node;
			if (!node || !t.property || !t.reason ||
			    keep_node(r, &j->w->places[place], node))
				return -1;
			r->tested[r->ntested++] = t;
		}
	return 0;
}

static int note(struct report *r, const char *text)
{
	const char **notes = arena_grow(r->arena, r->notes, (size_t)r->nnotes * sizeof *notes,
		((size_t)r->nnotes + 1) * sizeof *notes);

	if (!notes || !text)
		return -1;
	r->notes = notes;
	notes[r->nnotes++] = text;
	return 0;
}

/* Processes that have no part in what is said about all. */
static int note_missing(const struct judge *j)
{
	int missing = j->r->nprocs - (int)j->w->places[j->phase].nranks;

	return missing <= 0 ? 0 : note(j->r, arena_printf(j->r->arena, "what is said of all processes "
		"together is without %d of %d: the phase executions measured there are others, or too few",
		missing, j->r->nprocs));
}

static int note_refused(const struct judge *j)
{
	struct buf names = BUF_INIT;
	int rc = 0;

	for (uint32_t i = 0; i < j->w->nproperties; i++)
		if (refused(j, i))
			buf_printf(&names, "%s%s", names.len ? ", " : "",
				asl_property(j->w->program, j->w->properties[i])->name);
	if (names.len || names.failed)
		rc = names.failed ? -1 : note(j->r, arena_printf(j->r->arena, "not tested over all "
			"processes, since cache sets were sampled (--sample): %s", buf_str(&names)));
	buf_free(&names);
	return rc;
}

/* --- the whole ------------------------------------------------------------------------------------------------- */

static int judge_all(struct judge *j)
{
	const struct whole *w = j->w;

	for (uint32_t i = 0; i < w->nplaces; i++) {
		const struct report_node *n = &w->places[i].node;

		j->subjects[i] = (struct app_subject){ n->type, n->name, n->file, n->line,
			j->r->nprocs };
	}
	for (uint32_t i = 0; i < w->nplaces; i++)
		if (below(j, i, j->phase))
			test_place(j, i);
	if (add_findings(j) || note_missing(j) || note_refused(j))
		return -1;
	return j->config->why_not || !j->r->nfindings ? add_tested(j) : 0;
}

int whole_report(const struct whole *w, const struct run_config *config, struct report *r)
{
	struct judge j = { .w = w, .config = config, .r = r, .phase = choose_phase(w) };
	int rc = 0;

	if (j.phase == WHOLE_NONE || !w->nproperties || !w->places[j.phase].ns)
		return 0;
	j.phase_time = (double)w->places[j.phase].ns / w->places[j.phase].nranks * 1e-9;
	j.subjects = calloc(w->nplaces, sizeof *j.subjects);
	j.pruned = calloc(w->nplaces, sizeof *j.pruned);
	j.at = calloc((size_t)w->nplaces * w->nproperties, sizeof *j.at);
	rc = j.subjects && j.pruned && j.at ? judge_all(&j) : -1;
	if (!rc)
		report_rank(r);
	free(j.subjects);
	free(j.pruned);
	free(j.at);
	return rc;
}
