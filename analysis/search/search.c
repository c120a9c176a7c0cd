/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which properties hold where, and what must be measured next. */
#include "analysis/search/search.h"
#include "analysis/search/confidence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- bookkeeping ---------------------------------------------------------------------------- */

static struct test *add_test(struct search *s, uint32_t context, uint32_t object,
	uint32_t property, enum outcome outcome)
{
	static struct test discarded;   /* returned after a failed allocation: s->failed voids the
					 * run */
	struct test *t;

	if (s->ntests == s->cap) {
		uint32_t cap = s->cap ? s->cap * 2 : 256;
		void *p = realloc(s->tests, cap * sizeof *s->tests);

		if (!p) {
			s->failed = true;
			return &discarded;
		}
		s->tests = p;
		s->cap = cap;
	}
	t = &s->tests[s->ntests++];
	*t = (struct test){ .context = context, .object = object, .property = property,
		.outcome = outcome };
	t->verdict.severity = t->verdict.confidence = t->verdict.measure = NAN;
	t->way = object == MON_ANY && !wanted_context(&s->wanted, context);
	if (object == MON_ANY)
		s->region_test[(size_t)context * s->nproperties + property] = s->ntests;
	return t;
}

const struct test *search_region_test(const struct search *s, uint32_t context, uint32_t property)
{
	uint32_t n = s->region_test[(size_t)context * s->nproperties + property];

	return n ? &s->tests[n - 1] : NULL;
}

static enum outcome region_outcome(const struct search *s, uint32_t context, uint32_t property)
{
	const struct test *t = search_region_test(s, context, property);

	return t ? t->outcome : OUT_NONE;
}

bool search_held(const struct search *s, uint32_t context, uint32_t property)
{
	return region_outcome(s, context, property) == OUT_HELD;
}

void search_need(struct search *s, const char *metric, uint32_t context, uint32_t object)
{
	void *p;

	for (uint32_t i = 0; i < s->nneeds; i++)
		if (s->needs[i].context == context && s->needs[i].object == object &&
		    strcmp(s->needs[i].metric, metric) == 0)
			return;
	p = realloc(s->needs, (s->nneeds + 1) * sizeof *s->needs);
	if (!p) {
		s->failed = true;
		return;
	}
	s->needs = p;
	s->needs[s->nneeds++] = (struct need){ metric, context, object };
}

bool search_subject(struct search *s, uint32_t context, uint32_t object, struct subject *out)
{
	bool around, inside = true;

	*out = (struct subject){ .measured = s->measured, .context = context, .object = object };
	around = measured_tally(s->measured, context, MON_ANY, &out->around);
	if (!around)
		search_need(s, METRIC_COUNTS, context, MON_ANY);
	if (object == MON_ANY)
		out->tally = out->around;
	else {
		inside = measured_tally(s->measured, context, object, &out->tally);
		if (!inside)
			search_need(s, METRIC_COUNTS, context, object);
	}
	out->counted = around && inside;
	return out->counted;
}

/* --- one test --------------------------------------------------------------------------------- */

/* The arguments of a property. */
struct arguments {
	struct subject phase;
	void *objects[ASL_MAX_PARAMS];
};

static void take_arguments(const struct asl_property *p, const struct subject *subject,
	struct arguments *out)
{
	out->phase = *subject;
	out->phase.context = 0;
	out->phase.object = MON_ANY;
	for (int i = 0; i < p->nparams; i++)
		out->objects[i] = (void *)(uintptr_t)(i == p->basis ? &out->phase : subject);
}

void search_evaluate(const struct search *s, uint32_t property, const struct subject *subject,
	struct asl_verdict *out)
{
	struct asl_env env = attributes_env(s->attributes);
	struct arguments a;

	take_arguments(asl_property(s->program, property), subject, &a);
	asl_evaluate(s->program, property, &env, a.objects, out);
}

void search_why_not(const struct search *s, uint32_t property, const struct subject *subject,
	char *text, size_t size)
{
	struct asl_env env = attributes_env(s->attributes);
	struct arguments a;

	take_arguments(asl_property(s->program, property), subject, &a);
	asl_explain(s->program, property, &env, a.objects, NULL, text, size);
}

void search_explain(const struct asl_verdict *v, double floor, bool noise, char *text, size_t size)
{
	char number[32] = "";

	if (!isnan(v->measure))
		snprintf(number, sizeof number, "%.4g; ", v->measure);
	if (v->holds == ASL_FALSE)
		text[0] = '\0';
	else if (v->holds == ASL_TRUE && v->confidence >= floor)
		snprintf(text, size, "%sholds", number);
	else if (v->holds == ASL_TRUE && noise && isnan(v->confidence))
		snprintf(text, size, "%show much the times of clean executions vary is not known: "
			"--clean 3 or more", number);
	else if (v->holds == ASL_TRUE && noise)
		snprintf(text, size,
			"%snoise could explain it: clean executions differ, or threads were "
			"without a processor, by as much", number);
	else if (v->holds == ASL_TRUE)
		snprintf(text, size, "%sconfidence %.2f is below the floor", number, v->confidence);
	else if (strchr(v->undecided, ' '))     /* "division by zero at ..." */
		snprintf(text, size, "undefined: %s", v->undecided);
	else
		snprintf(text, size, "%s was not measured or is undefined",
			v->undecided[0] ? v->undecided : "a metric");
}

static void evaluate_test(struct search *s, struct test *t, const struct subject *subject)
{
	struct asl_verdict v;
	bool open = false;      /* false for the sampled counts, but not surely for the true ones */

	search_evaluate(s, t->property, subject, &v);
	if (v.holds != ASL_UNDECIDED) {
		double p = confidence_probability(s, t->property, subject, v.holds == ASL_TRUE);

		if (v.holds == ASL_TRUE)
			v.confidence *= p;
		else
			open = p > 1 - s->floor;
		if (open)
			snprintf(t->reason, sizeof t->reason, "too close for this sample: it holds "
				"with probability %.2f", p);
	}
	t->verdict = v;
	t->outcome = open ? OUT_UNDECIDED : places_outcome(&v, s->floor);
	if (v.holds == ASL_UNDECIDED && measured_lossy(s->measured))
		snprintf(t->reason, sizeof t->reason, "%.3g %% of the accesses were lost",
			100 * (1 - measured_coverage(s->measured)));
	else if (!open)
		search_explain(&v, s->floor, attributes_reads_noise(s->attributes,
			asl_property(s->program, t->property)), t->reason, sizeof t->reason);
}

static enum context_kind kind_of(const struct search *s, uint32_t property)
{
	return attributes_context_kind(s->attributes, asl_property(s->program, property)->context);
}

/* A property of threads needs a team of several.  True: it has not, and the test says so. */
static bool has_no_team(struct search *s, uint32_t context, uint32_t property)
{
	uint32_t n = measured_team_size(s->measured, context);
	struct test *t;

	if (!context_of_threads(kind_of(s, property)) || n > 1)
		return false;
	t = add_test(s, context, MON_ANY, property, s->measured->nclean ? OUT_SERIAL : OUT_PENDING);
	snprintf(t->reason, sizeof t->reason, s->measured->nclean ?
		"not tested: one thread runs it" :
		"its times were not measured");
	return true;
}

static void test_region(struct search *s, uint32_t context, uint32_t property)
{
	const struct asl_property *p = asl_property(s->program, property);
	struct subject subject;
	struct test *t;

	if (has_no_team(s, context, property))
		return;
	if (!search_subject(s, context, MON_ANY, &subject) &&
	    attributes_needs_counts(s->attributes, p)) {
		t = add_test(s, context, MON_ANY, property, OUT_PENDING);
		snprintf(t->reason, sizeof t->reason, "its counts were not measured");
		return;
	}
	t = add_test(s, context, MON_ANY, property, OUT_NONE);
	evaluate_test(s, t, &subject);
}

/* --- contexts as places ---------------------------------------------------------------------- */

static uint32_t context_parent(const void *arg, uint32_t context)
{
	const struct search *s = arg;

	return s->measured->contexts[context].parent;
}

/* What is not asked for explains nothing, and proves nothing for REFINES. */
static enum outcome context_outcome(const void *arg, uint32_t context, uint32_t property)
{
	const struct test *t = search_region_test(arg, context, property);

	return t && !t->way ? t->outcome : OUT_NONE;
}

/* Properties of threads, of events and of MPI are compared by severity, not by counts: time lost by
 * threads in a part is also lost in the context around it, and simulated misses tell
 * nothing of events and calls. */
static double context_weight(const void *arg, uint32_t context, uint32_t property)
{
	const struct search *s = arg;
	const struct test *t = search_region_test(s, context, property);
	struct tally tally;

	if (context_of_threads(kind_of(s, property)) ||
	    attributes_reads_events(s->attributes, asl_property(s->program, property)) ||
	    attributes_reads_calls(s->attributes, asl_property(s->program, property)))
		return t && !isnan(t->verdict.severity) ? t->verdict.severity : 0;
	return measured_tally(s->measured, context, MON_ANY, &tally) ?
		attributes_weight(s->attributes, asl_property(s->program, property), s->measured,
		&tally) : 0;
}

static int context_type(const void *arg, uint32_t context)
{
	const struct measurements *p = ((const struct search *)arg)->measured;
	uint32_t region = p->contexts[context].region;

	return region == SIR_NONE ? REGION_UNKNOWN : p->sir->regions[region].type;
}

static bool context_covers(const void *arg, uint32_t outer, uint32_t inner, double share)
{
	const struct measurements *p = ((const struct search *)arg)->measured;
	uint32_t level = measured_last_level(p);
	struct tally a, b;

	return measured_tally(p, outer, MON_ANY, &a) && measured_tally(p, inner, MON_ANY, &b) &&
		tally_refs(&b) >= share * tally_refs(&a) &&
		tally_misses(p, &b, level) >= share * tally_misses(p, &a, level);
}

static struct places places_of(const struct search *s)
{
	return (struct places){ s, s->measured->ncontexts, 0, context_parent, context_outcome,
		context_weight, context_type, context_covers };
}

/* REFINES: true where a parent property is proven in this context.  Where none is proven and one is
 * undecided, a test says so. */
static bool parents_allow(struct search *s, uint32_t context, uint32_t property)
{
	const struct places places = places_of(s);
	enum refinement r = places_refines(&places, context, asl_property(s->program, property));
	struct test *t;

	if (r == REFINES_UNDECIDED) {
		t = add_test(s, context, MON_ANY, property, OUT_PARENT_UNDECIDED);
		snprintf(t->reason, sizeof t->reason, PLACES_REFINES_UNDECIDED);
	}
	return r == REFINES_PROVEN;
}

/* --- regions --------------------------------------------------------------------------------- */

/* True: the property was tested in the parent context.  A pruned place is reported once, not again
 * for every context below it. */
static bool tested_around(const struct search *s, uint32_t context, uint32_t property)
{
	enum outcome o = region_outcome(s, s->measured->contexts[context].parent, property);

	return o != OUT_NONE && o != OUT_PRUNED;
}

static void test_context(struct search *s, uint32_t context)
{
	if (!wanted_way(&s->wanted, context))
		return;
	for (uint32_t i = 0; i < s->nproperties; i++) {
		uint32_t property = s->order[i];
		const struct asl_property *p = asl_property(s->program, property);
		char reason[160] = "";

		if (kind_of(s, property) != CONTEXT_REGION &&
		    kind_of(s, property) != CONTEXT_THREADS)
			continue;
		if (p->nparents) {
			if (parents_allow(s, context, property))
				test_region(s, context, property);
			continue;
		}
		if (context == 0 || s->strategy->descend(s, context, property, reason,
		    sizeof reason)) {
			test_region(s, context, property);
		} else if (tested_around(s, context, property)) {
			struct test *t = add_test(s, context, MON_ANY, property, OUT_PRUNED);

			memcpy(t->reason, reason, sizeof t->reason);
		}
	}
}

static bool examined(const struct search *s, uint32_t context)
{
	for (uint32_t p = 0; p < s->nproperties; p++) {
		enum outcome o = region_outcome(s, context, p);

		if (o != OUT_NONE && o != OUT_PRUNED)
			return true;
	}
	return false;
}

/* Visits contexts in pre-order.  The tree is as deep as the program's calls, so the stack is
 * explicit and not our own call stack. */
static int walk(struct search *s, void (*visit)(struct search *s, uint32_t context))
{
	const struct places places = places_of(s);
	const struct measurements *p = s->measured;
	uint32_t *stack = malloc((p->ncontexts + 1) * sizeof *stack), n = 0;

	if (!stack)
		return -1;
	if (p->ncontexts)
		stack[n++] = 0;
	while (n) {
		uint32_t at = stack[--n], first = n;

		visit(s, at);
		if (!examined(s, at))
			continue;
		for (uint32_t c = p->contexts[at].child; c != NO_CONTEXT; c = p->contexts[c].next)
			if (!wanted_context(&s->wanted, at) || !places_same_nest(&places, c))
				stack[n++] = c;
		for (uint32_t i = first, j = n; i + 1 < j; i++, j--) {  /* first child on top */
			uint32_t swap = stack[i];

			stack[i] = stack[j - 1];
			stack[j - 1] = swap;
		}
	}
	free(stack);
	return 0;
}

/* --- data structures ------------------------------------------------------------------------- */

uint32_t search_holding_below(const struct search *s, uint32_t context, uint32_t property,
	uint32_t **out)
{
	const struct places places = places_of(s);

	*out = malloc((places.n + 1) * sizeof **out);
	return *out ? places_holding_below(&places, context, property, *out) : 0;
}

bool search_explained(const struct search *s, uint32_t context, uint32_t property,
	uint32_t **below, uint32_t *nbelow)
{
	const struct places places = places_of(s);

	*nbelow = search_holding_below(s, context, property, below);
	return places_explained(&places, context, property, *below, *nbelow);
}

/* Counts of one structure in a context, without those in the holding contexts below.  False: some
 * of these counts were not measured. */
static bool gather_structure(struct search *s, uint32_t context, uint32_t object,
	const uint32_t *below, uint32_t nbelow, struct subject *out)
{
	bool known = search_subject(s, context, object, out);

	for (uint32_t i = 0; i < nbelow; i++) {
		struct subject part;

		known &= search_subject(s, below[i], object, &part);
		tally_sub(&out->tally, &part.tally);
	}
	out->less = below;
	out->nless = nbelow;
	return known;
}

static void test_structure(struct search *s, const struct subject *subject, bool known,
	uint32_t property)
{
	struct test *t;

	if (known && tally_refs(&subject->tally) <= 0)
		return;         /* not accessed here */
	t = add_test(s, subject->context, subject->object, property, OUT_PENDING);
	t->rest = subject->nless > 0;
	if (known)
		evaluate_test(s, t, subject);
	else
		snprintf(t->reason, sizeof t->reason, "its counts were not measured");
}

static bool structure_held(const struct search *s, uint32_t context, uint32_t object,
	uint32_t property)
{
	for (uint32_t i = s->ntests; i-- > 0; )
		if (s->tests[i].context == context && s->tests[i].object == object &&
		    s->tests[i].property == property)
			return s->tests[i].outcome == OUT_HELD;
	return false;
}

/* Tests a property on all structures of a context.  only: a structure property that must hold for
 * the structure first; NO_CONTEXT: none. */
static void test_structures(struct search *s, uint32_t context, uint32_t property, uint32_t only,
	const uint32_t *below, uint32_t nbelow)
{
	uint32_t *objects, n;

	if (context_of_threads(kind_of(s, property)) &&
	    measured_team_size(s->measured, context) < 2)
		return;
	n = measured_objects_of(s->measured, context, &objects);
	for (uint32_t i = 0; i < n; i++) {
		struct subject subject;
		bool known;

		if (!wanted_object(&s->wanted, objects[i]))
			continue;
		if (only != NO_CONTEXT && !structure_held(s, context, objects[i], only))
			continue;
		known = gather_structure(s, context, objects[i], below, nbelow, &subject);
		test_structure(s, &subject, known, property);
	}
	free(objects);
}

/* Tests the structures of a context where the region property `via` held and the holding contexts
 * below do not explain it.  True: they were tested. */
static bool structures_through(struct search *s, uint32_t context, uint32_t property, uint32_t via,
	uint32_t only)
{
	uint32_t *below, n;
	bool tested = false;

	if (!search_held(s, context, via))
		return false;
	if (!search_explained(s, context, via, &below, &n)) {
		test_structures(s, context, property, only, below, n);
		tested = true;
	}
	free(below);
	return tested;
}

static bool has_examined_child(const struct search *s, uint32_t context)
{
	for (uint32_t c = s->measured->contexts[context].child; c != NO_CONTEXT;
	     c = s->measured->contexts[c].next)
		if (examined(s, c))
			return true;
	return false;
}

/* What is asked of a structure over time, without REFINES, is asked of the whole phase. */
static bool of_phase_alone(const struct search *s, uint32_t property)
{
	return kind_of(s, property) == CONTEXT_STRUCTURE_FLOW &&
		!asl_property(s->program, property)->nparents;
}

static void structures_of(struct search *s, uint32_t context)
{
	const bool look = examined(s, context) && wanted_context(&s->wanted, context);

	for (uint32_t i = 0; i < s->nproperties; i++) {
		uint32_t property = s->order[i];
		const struct asl_property *p = asl_property(s->program, property);

		if (!context && of_phase_alone(s, property))
			test_structures(s, context, property, NO_CONTEXT, NULL, 0);
		if (!look || of_phase_alone(s, property) ||
		    !context_of_structure(kind_of(s, property)))
			continue;
		if (!p->nparents && !has_examined_child(s, context))
			test_structures(s, context, property, NO_CONTEXT, NULL, 0);
		for (int k = 0; k < p->nparents; k++) {
			uint32_t via = (uint32_t)p->parents[k], only = NO_CONTEXT;

			/* A structure property that refines a structure property is tested in the
			 * regions of the latter, and only on structures for which it held. */
			while (context_of_structure(kind_of(s, via)) &&
			       asl_property(s->program, via)->nparents) {
				if (only == NO_CONTEXT)
					only = via;
				via = (uint32_t)asl_property(s->program, via)->parents[0];
			}
			if (structures_through(s, context, property, via, only))
				break;
		}
	}
}

/* --- the search ------------------------------------------------------------------------------ */

/* Orders parents before children; the compiler has refused cycles. */
static void order_properties(struct search *s)
{
	bool *done = calloc(s->nproperties + 1, 1);
	uint32_t n = 0;

	if (!done) {
		s->failed = true;
		return;
	}
	for (uint32_t round = 0; round < s->nproperties && n < s->nproperties; round++) {
		for (uint32_t i = 0; i < s->nproperties; i++) {
			const struct asl_property *p = asl_property(s->program, i);
			bool ready = !done[i];

			for (int k = 0; ready && k < p->nparents; k++)
				ready = done[p->parents[k]];
			if (ready) {
				done[i] = true;
				s->order[n++] = i;
			}
		}
	}
	s->nproperties = n;
	free(done);
}

/* Properties over all processes fold each region's figures of every process, so counts are needed
 * of every context, also where this process spent little time. */
static void need_for_application(struct search *s)
{
	bool counts = false;
	struct subject subject;

	for (uint32_t i = 0; i < s->nproperties; i++) {
		const struct asl_property *p = asl_property(s->program, i);

		counts |= attributes_context_kind(s->attributes, p->context) ==
			CONTEXT_APPLICATION && attributes_needs_counts(s->attributes, p);
	}
	for (uint32_t c = 0; counts && c < s->measured->ncontexts; c++)
		search_subject(s, c, MON_ANY, &subject);
}

int search_run(struct search *s, const struct measurements *measured,
	const struct asl_program *program, const struct attributes *attributes,
	const struct strategy *strategy, double floor)
{
	*s = (struct search){ .measured = measured, .program = program, .attributes = attributes,
		.strategy = strategy, .floor = floor };
	s->nproperties = (uint32_t)asl_nproperties(program);
	s->order = calloc(s->nproperties + 1, sizeof *s->order);
	s->region_test = calloc((size_t)measured->ncontexts * s->nproperties + 1,
		sizeof *s->region_test);
	if (!s->order || !s->region_test || wanted_find(&s->wanted, measured)) {
		search_free(s);
		return -1;
	}
	order_properties(s);
	if (s->failed || walk(s, test_context) || walk(s, structures_of)) {
		search_free(s);
		return -1;
	}
	need_for_application(s);
	if (s->failed) {
		search_free(s);
		return -1;
	}
	return 0;
}

void search_free(struct search *s)
{
	free(s->tests);
	free(s->needs);
	free(s->region_test);
	free(s->order);
	wanted_free(&s->wanted);
	*s = (struct search){ 0 };
}
