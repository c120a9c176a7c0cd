/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates properties over all processes (AppPerf) and adds their findings to the report. */
#include "analysis/findings/app_parts.h"
#include "analysis/findings/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct outcome_at {             /* of one property at one place */
	enum outcome outcome;   /* OUT_NONE: not tested, and not to be listed */
	double share;           /* severity as share of phase time; NAN: it does not hold */
	struct asl_verdict verdict;
	char reason[160];
};

struct judge {
	const struct app_parts *app;
	const struct run_config *config;
	struct report *r;
	uint32_t phase;         /* the place of the phase, whose processes are evaluated */
	double phase_time;      /* s, mean over these processes */
	struct app_subject *subjects;   /* by place; owned, as the next two */
	bool *pruned;
	struct outcome_at *at;          /* by place * nproperties + property */
	struct places places;           /* for the rules of the search; this struct is their arg */
	uint32_t *below;                /* scratch space for all places; owned */
};

/* --- which processes are evaluated ----------------------------------------------------------- */

/* Orders phases: the one with most processes first, then by earliest executions, most executions,
 * and lowest rank.  Never by arrival, so that the choice is the same in every run. */
static bool goes_before(const struct app_place *a, const struct app_place *b)
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
	if (a->ranks.run[0].first != b->ranks.run[0].first)
		return a->ranks.run[0].first < b->ranks.run[0].first;
	return a->node.line < b->node.line;
}

/* The phase that goes before all others; but: is left out. */
static uint32_t choose_phase(const struct app_parts *app, uint32_t but)
{
	uint32_t best = NO_PLACE;

	for (uint32_t i = 0; i < app->nplaces; i++)
		if (i != but && app->places[i].parent == NO_PLACE &&
		    (best == NO_PLACE || goes_before(&app->places[i], &app->places[best])))
			best = i;
	return best;
}

static bool below(const struct judge *j, uint32_t place, uint32_t top)
{
	while (place != NO_PLACE && place != top)
		place = j->app->places[place].parent;
	return place == top;
}

static struct outcome_at *at(const struct judge *j, uint32_t place, uint32_t i)
{
	return &j->at[(size_t)place * j->app->nproperties + i];
}

/* --- places, for the rules of the search ----------------------------------------------------- */

/* Finds the outcome of a property.  A place that --sir does not ask for has none: it explains
 * nothing, and proves nothing for REFINES. */
static const struct outcome_at *of_property(const struct judge *j, uint32_t place,
	uint32_t property)
{
	for (uint32_t i = 0; j->app->places[place].asked && i < j->app->nproperties; i++)
		if (j->app->properties[i] == property)
			return at(j, place, i);
	return NULL;
}

static uint32_t place_parent(const void *arg, uint32_t place)
{
	return ((const struct judge *)arg)->app->places[place].parent;
}

static enum outcome place_outcome(const void *arg, uint32_t place, uint32_t property)
{
	const struct outcome_at *o = of_property(arg, place, property);

	return o ? o->outcome : OUT_NONE;
}

static double place_weight(const void *arg, uint32_t place, uint32_t property)
{
	const struct outcome_at *o = of_property(arg, place, property);

	return o ? o->share : 0;
}

static int place_type(const void *arg, uint32_t place)
{
	return ((const struct judge *)arg)->app->places[place].node.type;
}

static bool place_covers(const void *arg, uint32_t outer, uint32_t inner, double share)
{
	const struct app_place *p = ((const struct judge *)arg)->app->places;

	return (double)p[inner].ns >= share * (double)p[outer].ns;
}

/* --- one property at one place --------------------------------------------------------------- */

static double share_of(const struct judge *j, const struct app_place *p,
	const struct asl_property *q, double severity)
{
	const struct app_place *phase = &j->app->places[j->phase];

	return q->severity_is_time ? severity / j->phase_time
		: severity * ((double)p->ns / (double)phase->ns);
}

/* REFINES: true where a parent property is proven here, over all processes or in one of them. */
static bool parents_allow(const struct judge *j, uint32_t place, uint32_t i,
	struct outcome_at *o)
{
	const struct app_member *m = &j->app->places[place].members[i];
	const struct asl_property *q = asl_property(j->app->program, j->app->properties[i]);
	enum refinement r;

	if (!q->nparents || m->proven)
		return true;
	r = places_refines(&j->places, place, q);
	if (r == REFINES_UNDECIDED || (r == REFINES_NOT && m->undecided)) {
		o->outcome = OUT_PARENT_UNDECIDED;
		snprintf(o->reason, sizeof o->reason, PLACES_REFINES_UNDECIDED);
	}
	return r == REFINES_PROVEN;
}

/* True: the property reads sampled counts.  Parts do not carry their errors, so it is not
 * tested. */
static bool refused(const struct judge *j, uint32_t i)
{
	return j->config->sample > 1 && attributes_needs_misses(j->app->attributes,
		asl_property(j->app->program, j->app->properties[i]));
}

static void test(const struct judge *j, uint32_t place, uint32_t i)
{
	const struct app_parts *app = j->app;
	const struct asl_property *q = asl_property(app->program, app->properties[i]);
	const struct asl_env env = attributes_app_env(app->attributes);
	struct outcome_at *o = at(j, place, i);
	void *objects[ASL_MAX_PARAMS];

	o->share = NAN;
	if (!parents_allow(j, place, i, o))
		return;
	if (refused(j, i)) {
		o->outcome = OUT_REFUSED;
		snprintf(o->reason, sizeof o->reason, "not tested: counts of sampled cache sets "
			"(--sample) are not merged over processes");
		return;
	}
	for (int k = 0; k < q->nparams; k++)
		objects[k] = &j->subjects[k == q->basis ? j->phase : place];
	asl_evaluate_parts(app->program, app->properties[i], &env, objects,
		app->places[place].members[i].parts, &o->verdict);
	o->outcome = places_outcome(&o->verdict, j->config->confidence);
	if (o->outcome == OUT_HELD)
		o->share = share_of(j, &app->places[place], q, o->verdict.severity);
	if (o->outcome == OUT_FALSE)
		asl_explain(app->program, app->properties[i], &env, objects,
			app->places[place].members[i].parts, o->reason, sizeof o->reason);
	else
		search_explain(&o->verdict, j->config->confidence,
			attributes_reads_noise(app->attributes, q), o->reason, sizeof o->reason);
}

static void test_place(struct judge *j, uint32_t place)
{
	const struct app_place *p = &j->app->places[place];
	double all = (double)j->app->places[j->phase].ns;
	bool parent_pruned = place != j->phase && j->pruned[p->parent];
	char reason[160] = "";

	j->pruned[place] = places_too_small((double)p->ns, all, reason, sizeof reason) ||
		parent_pruned;
	for (uint32_t i = 0; i < j->app->nproperties; i++) {
		struct outcome_at *o = at(j, place, i);

		if (!j->pruned[place]) {
			if (place == j->phase || !places_same_nest(&j->places, place))
				test(j, place, i);
		} else if (!parent_pruned &&
				!asl_property(j->app->program, j->app->properties[i])->nparents) {
			o->outcome = OUT_PRUNED;
			o->share = NAN;
			memcpy(o->reason, reason, sizeof reason);
		}
	}
}

/* --- findings -------------------------------------------------------------------------------- */

/* True: places below have 80 % of this place's severity, so they are reported instead of it. */
static bool explained(const struct judge *j, uint32_t place, uint32_t i)
{
	uint32_t property = j->app->properties[i];
	uint32_t n = places_holding_below(&j->places, place, property, j->below);

	return places_explained(&j->places, place, property, j->below, n);
}

static int keep_node(struct report *r, const struct app_place *p, struct report_node *out)
{
	*out = p->node;
	out->name = arena_strdup(r->arena, p->node.name);
	out->file = arena_strdup(r->arena, p->node.file);
	out->name_path = arena_strdup(r->arena, p->node.name_path);
	out->measure = out->measure_error = NAN;
	out->time = (double)p->ns / p->nranks * 1e-9;
	return out->name && out->file && out->name_path ? 0 : -1;
}

static int build_path(const struct judge *j, uint32_t place, uint32_t i, struct report_finding *f)
{
	struct report_node *path;
	int depth = 0, n;

	for (uint32_t k = place; k != NO_PLACE; k = j->app->places[k].parent)
		depth++;
	path = arena_array(j->r->arena, (size_t)depth, sizeof *path);
	n = depth;
	for (uint32_t k = place; path && k != NO_PLACE; k = j->app->places[k].parent) {
		const struct outcome_at *o = at(j, k, i);

		if (keep_node(j->r, &j->app->places[k], &path[--n]))
			return -1;
		path[n].holds = o->outcome == OUT_HELD;
		if (o->outcome == OUT_HELD || o->outcome == OUT_FALSE)
			path[n].measure = o->verdict.measure;
	}
	f->path = path;
	f->npath = depth;
	return path ? 0 : -1;
}

static const char *refined_parent(const struct judge *j, uint32_t place, uint32_t i)
{
	const struct asl_property *q = asl_property(j->app->program, j->app->properties[i]);

	for (uint32_t k = 0; k < i; k++)
		for (int p = 0; p < q->nparents; p++)
			if ((uint32_t)q->parents[p] == j->app->properties[k] &&
			    at(j, place, k)->outcome == OUT_HELD)
				return asl_property(j->app->program, j->app->properties[k])->name;
	return q->nparents && j->app->places[place].members[i].proven
		? asl_property(j->app->program, (size_t)q->parents[0])->name : NULL;
}

static void figures(const struct judge *j, uint32_t place, uint32_t i,
	struct report_finding *f)
{
	const struct app_place *p = &j->app->places[place], *phase = &j->app->places[j->phase];
	const struct asl_property *q = asl_property(j->app->program, j->app->properties[i]);
	const struct outcome_at *o = at(j, place, i);

	f->line = q->line;
	f->number = (int)j->app->properties[i];
	f->severity = o->verdict.severity;
	f->severity_is_time = q->severity_is_time;
	f->severity_is_index = attributes_severity_is_index(j->app->attributes, q);
	f->severity_share = f->severity_max_share = o->share;
	f->measure = o->verdict.measure;
	f->confidence = o->verdict.confidence;
	f->time_share = (double)p->ns / (double)phase->ns;
	f->est_stall_share = p->stalled == p->nranks ? (double)p->stall_ns / (double)phase->cpu_ns :
		NAN;
	f->est_stall_low_share = f->est_stall_high_share = NAN;
	f->own_stall_share = f->own_stall_low_share = f->own_stall_high_share = NAN;
	f->page_faults = f->fault_share = f->fault_low_share = f->fault_high_share = f->fault_left =
		NAN;
	f->est_stall_error = j->config->sample > 1 ? (double)p->stall_error_ns /
		(double)phase->cpu_ns : NAN;
	f->severity_error = f->measure_error = NAN;
	f->coverage = p->coverage;
	f->unwarmed = p->unwarmed && attributes_needs_counts(j->app->attributes, q);
	f->over_processes = true;
}

static int add_finding(const struct judge *j, uint32_t place, uint32_t i)
{
	const struct app_place *p = &j->app->places[place];
	const struct asl_property *q = asl_property(j->app->program, j->app->properties[i]);
	const struct outcome_at *o = at(j, place, i);
	const char *parent = refined_parent(j, place, i);
	struct report *r = j->r;
	struct report_finding f = { 0 };
	struct rank_run *ranks = arena_array(r->arena, (size_t)p->ranks.n, sizeof *ranks);

	figures(j, place, i, &f);
	f.property = arena_strdup(r->arena, q->name);
	f.file = arena_strdup(r->arena, findings_property_file(q));
	f.about = findings_property_own(j->config, q) ? ABOUT_OWN : ABOUT_UNKNOWN;
	f.refines = parent ? arena_strdup(r->arena, parent) : NULL;
	f.why = o->verdict.why[0] ? arena_strdup(r->arena, o->verdict.why) : NULL;
	f.advice = o->verdict.advice[0] ? arena_strdup(r->arena, o->verdict.advice) : NULL;
	if (!ranks || !f.property || !f.file || build_path(j, place, i, &f))
		return -1;
	memcpy(ranks, p->ranks.run, (size_t)p->ranks.n * sizeof *ranks);
	f.processes = ranks;
	f.nruns = p->ranks.n;
	f.nprocesses = (int)p->nranks;
	return findings_add(r, &f);
}

static int add_findings(const struct judge *j)
{
	for (uint32_t place = 0; place < j->app->nplaces; place++)
		for (uint32_t i = 0; i < j->app->nproperties; i++) {
			const struct outcome_at *o = at(j, place, i);

			if (j->app->places[place].asked && o->outcome == OUT_HELD &&
			    o->share > j->config->threshold &&
			    !explained(j, place, i) && add_finding(j, place, i))
				return -1;
		}
	return 0;
}

/* --- the list of tests ----------------------------------------------------------------------- */

static const char *label_of(const struct judge *j, uint32_t place)
{
	const struct report_node *n = &j->app->places[place].node;
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
	size_t most = (size_t)r->ntested + (size_t)j->app->nplaces * j->app->nproperties;
	struct report_tested *tested = arena_grow(r->arena, r->tested,
		(size_t)r->ntested * sizeof *tested, (most + 1) * sizeof *tested);

	if (!tested)
		return -1;
	r->tested = tested;
	for (uint32_t place = 0; place < j->app->nplaces; place++)
		for (uint32_t i = 0; i < j->app->nproperties; i++) {
			const struct outcome_at *o = at(j, place, i);
			uint32_t up = j->app->places[place].parent;
			struct report_node *node = arena_alloc(r->arena, sizeof *node);
			struct report_tested t = { .process = -1,
				.outcome = findings_outcome(o->outcome) };

			if (o->outcome == OUT_NONE || !j->app->places[place].asked)
				continue;
			t.property = arena_strdup(r->arena,
				asl_property(j->app->program, j->app->properties[i])->name);
			t.reason = arena_strdup(r->arena, o->reason);
			t.below = up == NO_PLACE ? NULL : label_of(j, up);
			t.place = node;
			if (!node || !t.property || !t.reason ||
			    keep_node(r, &j->app->places[place], node))
				return -1;
			r->tested[r->ntested++] = t;
		}
	return 0;
}

static void print_window(struct buf *b, const char *what, uint64_t first, uint32_t n)
{
	if (n > 1)
		buf_printf(b, "%s %llu-%llu", what, (unsigned long long)first,
			(unsigned long long)(first + n - 1));
	else if (n)
		buf_printf(b, "%s %llu", what, (unsigned long long)first);
	else
		buf_printf(b, "%s none", what);
}

/* Prints the executions of a phase that were measured there. */
static void print_executions(struct buf *b, const struct app_place *p, bool counts)
{
	print_window(b, "timed", p->clean, p->nclean);
	if (!counts)
		return;
	buf_printf(b, ", ");
	print_window(b, "counted", p->counted, p->ncounted);
}

/* Notes how many processes are not in the findings over all processes, with the executions
 * that were measured in one. */
static int note_missing(const struct judge *j)
{
	const struct app_parts *app = j->app;
	const struct app_place *chosen = &app->places[j->phase];
	uint32_t next = choose_phase(app, j->phase);
	int missing = j->r->nprocs - (int)chosen->nranks, rc;
	struct buf b = BUF_INIT;

	if (missing <= 0)
		return 0;
	buf_printf(&b,
		"findings over all processes leave out %d of %d: other phase executions were measured there, or too few", missing, j->r->nprocs);
	if (next != NO_PLACE) {
		buf_printf(&b, " (rank %d: ", app->places[next].ranks.run[0].first);
		print_executions(&b, &app->places[next], app->counts);
		buf_printf(&b, "; rank %d: ", chosen->ranks.run[0].first);
		print_executions(&b, chosen, app->counts);
		buf_printf(&b, ")");
	}
	rc = b.failed ? -1 : findings_note(j->r, arena_strdup(j->r->arena, buf_str(&b)));
	buf_free(&b);
	return rc;
}

static int note_refused(const struct judge *j)
{
	struct buf names = BUF_INIT;
	int rc = 0;

	for (uint32_t i = 0; i < j->app->nproperties; i++)
		if (refused(j, i))
			buf_printf(&names, "%s%s", names.len ? ", " : "",
				asl_property(j->app->program, j->app->properties[i])->name);
	if (names.len || names.failed)
		rc = names.failed ? -1 :
			findings_note(j->r, arena_printf(j->r->arena, "not tested over "
			"all processes, since cache sets were sampled (--sample): %s",
			buf_str(&names)));
	buf_free(&names);
	return rc;
}

/* --- the evaluation -------------------------------------------------------------------------- */

static int judge_all(struct judge *j)
{
	const struct app_parts *app = j->app;

	for (uint32_t i = 0; i < app->nplaces; i++) {
		const struct report_node *n = &app->places[i].node;

		j->subjects[i] = (struct app_subject){ n->type, n->name, n->file, n->line,
			j->r->nprocs };
	}
	for (uint32_t i = 0; i < app->nplaces; i++)
		if (below(j, i, j->phase))
			test_place(j, i);
	if (add_findings(j) || note_missing(j) || note_refused(j))
		return -1;
	return j->config->why_not || !j->r->nfindings ? add_tested(j) : 0;
}

int app_parts_report(const struct app_parts *app, const struct run_config *config,
	struct report *r)
{
	struct judge j = { .app = app, .config = config, .r = r, .phase = choose_phase(app,
		NO_PLACE) };
	int rc = 0;

	if (j.phase == NO_PLACE || !app->nproperties || !app->places[j.phase].ns)
		return 0;
	j.phase_time = (double)app->places[j.phase].ns / app->places[j.phase].nranks * 1e-9;
	j.subjects = calloc(app->nplaces, sizeof *j.subjects);
	j.pruned = calloc(app->nplaces, sizeof *j.pruned);
	j.at = calloc((size_t)app->nplaces * app->nproperties, sizeof *j.at);
	j.below = calloc(app->nplaces, sizeof *j.below);
	j.places = (struct places){ &j, app->nplaces, j.phase, place_parent, place_outcome,
		place_weight, place_type, place_covers };
	rc = j.subjects && j.pruned && j.at && j.below ? judge_all(&j) : -1;
	if (!rc)
		report_rank(r);
	free(j.subjects);
	free(j.pruned);
	free(j.at);
	free(j.below);
	return rc;
}
