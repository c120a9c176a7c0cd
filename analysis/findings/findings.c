/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the report of one process from its verdicts. */
#include "analysis/findings/findings.h"
#include "analysis/findings/cost_cells.h"
#include "analysis/findings/costs.h"
#include "analysis/findings/worst_lines.h"
#include "analysis/findings/name_paths.h"
#include "analysis/findings/node_notes.h"
#include "analysis/findings/slice_texts.h"
#include "analysis/findings/finding_lines.h"
#include "analysis/findings/timeline_rows.h"
#include "analysis/measure/columns.h"
#include "analysis/measure/fault_costs.h"
#include "analysis/findings/vectors.h"
#include "analysis/measure/record_use.h"
#include "analysis/measure/sampling_error.h"
#include "analysis/search/confidence.h"
#include "analysis/measure/sharing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <config.h>

#include "base/abi.h"

static const double MOST_FAULTS = 0.5;  /* of a region's: then structures tell of them */
static const double UNWARMED = 0.05;    /* share of the misses above which the figure is marked */

struct builder {
	const struct search *s;
	const struct run_config *config;
	struct report *r;
	double phase_time;
	double phase_cpu;       /* the base of estimates, thread-seconds */
	bool failed;
};

static char *keep(struct builder *b, const char *text)
{
	char *p = arena_strdup(b->r->arena, text ? text : "");

	if (!p)
		b->failed = true;
	return p;
}

/* The region property that decides in which regions a structure property is tested; a region
 * property itself. */
static uint32_t region_property(const struct search *s, uint32_t property)
{
	const struct asl_property *p = asl_property(s->program, property);

	while (context_of_structure(attributes_context_kind(s->attributes, p->context))) {
		if (!p->nparents)
			return NO_CONTEXT;
		property = (uint32_t)p->parents[0];
		p = asl_property(s->program, property);
	}
	return property;
}

int findings_place(const struct measurements *measured, uint32_t context, struct arena *arena,
	struct report_node *out)
{
	uint32_t region = measured->contexts[context].region;
	const struct sir_region *r = region == SIR_NONE ? NULL : &measured->sir->regions[region];

	*out = (struct report_node){ .type = r ? r->type : REGION_UNKNOWN, .measure = NAN,
		.measure_error = NAN, .time = NAN, .phase = context == 0, .line = r ? r->line : 0,
		.name = arena_strdup(arena, r && r->name ? r->name : ""),
		.file = arena_strdup(arena, r ? name_file(measured->sir, r->file) : "?"),
		.name_path = name_path(measured->sir, region, arena) };
	return out->name && out->file && out->name_path ? 0 : -1;
}

bool findings_unwarmed(const struct measurements *measured, const struct tally *tally)
{
	double misses = tally_misses(measured, tally, measured_last_level(measured));

	return tally->unwarmed > UNWARMED * misses && misses > 0;
}

const char *findings_property_file(const struct asl_property *p)
{
	return p->file[0] == '/' ? strrchr(p->file, '/') + 1 : p->file;
}

bool findings_property_own(const struct run_config *config, const struct asl_property *p)
{
	size_t n = config->library ? strlen(config->library) : 0;

	return n && !(strncmp(p->file, config->library, n) == 0 && p->file[n] == '/');
}

/* ", 1.2 M blocks of 40 B"; "" for structures that do not consist of
 * small blocks.  NULL: memory. */
static const char *block_words(struct arena *arena, const struct measured_object *o)
{
	const char *unit = o->blocks >= 1000000 ? " M" : o->blocks >= 10000 ? " k" : "";
	double n = o->blocks / (*unit ? unit[1] == 'M' ? 1e6 : 1e3 : 1);
	char each[32] = "";

	if (!o->blocks)
		return "";
	if (o->elem && (uint64_t)o->blocks * o->elem == o->size)
		snprintf(each, sizeof each, " of %u B", (unsigned)o->elem);
	return arena_printf(arena, ", %.*g%s block%s%s", *unit ? 3 : 10, n, unit,
		o->blocks == 1 ? "" : "s", each);
}

/* The storage of a data structure: "COMMON cvar", "module fields", "heap of main, 7 blocks".  NULL:
 * memory. */
static const char *scope_words(struct arena *arena, const struct measured_object *o)
{
	const char *words = "", *of = " ", *scope = o->scope ? o->scope : "", *blocks;

	switch (o->kind) {
	case PSC_VAR_COMMON: words = "COMMON"; break;
	case PSC_VAR_MODULE:
	case PSC_VAR_DESCRIPTOR: words = "module"; break;
	case MON_KIND_HEAP: words = "heap"; of = " of "; break;
	case MON_KIND_LOCAL: words = "stack"; of = " of "; break;
	case MON_KIND_UNNAMED: return "heap";
	case MON_KIND_FILE: return "mapped file";
	case MON_KIND_USER: return "declared by the program";
	default: break;
	}
	blocks = block_words(arena, o);
	return blocks ? arena_printf(arena, "%s%s%s%s", words, *words && *scope ? of : "", scope,
		blocks) : NULL;
}

int findings_declared(const struct measurements *measured, uint32_t object, struct arena *arena,
	const char **scope, const char **declared)
{
	const struct measured_object *o = &measured->objects[object];
	bool located = o->source && *o->source && o->line;
	bool placed = o->scope || o->kind >= MON_KIND_HEAP;

	*scope = placed ? scope_words(arena, o) : NULL;
	*declared = located ? arena_printf(arena, "%s:%u", name_file(measured->sir, o->source),
		(unsigned)o->line) : NULL;
	return (placed && !*scope) || (located && !*declared) ? -1 : 0;
}

int findings_allocated(const struct measurements *measured, uint32_t object, struct arena *arena,
	const char **at)
{
	const struct measured_object *o = &measured->objects[object];
	const bool declares = o->kind == MON_KIND_HEAP;         /* such a structure is the blocks of
								 * one place */
	const char *file = declares ? o->source : o->allocated_file;
	const uint32_t line = declares ? o->line : o->allocated_line;

	*at = NULL;
	if (!file || !*file || !line)
		return 0;
	*at = arena_printf(arena, "%s:%u", name_file(measured->sir, file), (unsigned)line);
	return *at ? 0 : -1;
}

/* --- paths ----------------------------------------------------------------------------------- */

static void region_node(struct builder *b, uint32_t context, uint32_t property,
	struct report_node *n)
{
	const struct measurements *measured = b->s->measured;
	struct subject subject = { .measured = measured, .context = context, .object = MON_ANY };
	struct confidence_errors errors;
	struct asl_verdict v;

	if (findings_place(measured, context, b->r->arena, n))
		b->failed = true;
	n->time = measured_exec(measured, context);
	if (property == NO_CONTEXT)
		return;
	n->holds = search_held(b->s, context, property);
	if (context_of_threads(attributes_context_kind(b->s->attributes,
			asl_property(b->s->program, property)->context)) &&
	    measured_team_size(measured, context) < 2)
		return;
	subject.counted = measured_tally(measured, context, MON_ANY, &subject.tally);
	subject.around = subject.tally;
	search_evaluate(b->s, property, &subject, &v);
	n->measure = v.measure;
	confidence_errors(b->s, property, &subject, &errors);
	n->measure_error = errors.measure;
}

static void structure_node(struct builder *b, const struct test *t, struct report_node *n,
	const char **declared)
{
	const struct measurements *measured = b->s->measured;
	const struct measured_object *o = &measured->objects[t->object];
	struct tally tally = { 0 };
	bool counted = measured_tally(measured, t->context, t->object, &tally);
	const char *name = measured_object_name(measured, t->context, t->object,
		counted ? tally_access(&tally) : 0);
	uint32_t unit = measured_unit_of(measured, t->context);

	*n = (struct report_node){ .type = REGION_DATA_STRUCTURE, .name = keep(b, name),
		.file = keep(b, name_file(b->s->measured->sir, o->source)),
		.line = (int)o->line, .holds = true, .measure = t->verdict.measure,
		.measure_error = NAN, .time = NAN, .argument = !measured_owned(measured,
		t->object) };
	if (findings_declared(measured, t->object, b->r->arena, &n->scope, declared))
		b->failed = true;
	if (strcmp(name, o->name) != 0)
		n->alias_of = keep(b, o->name);
	if (unit != SIR_NONE) {         /* as in Periscope's paper: the unit that declares it */
		n->file = keep(b, name_file(measured->sir, measured->sir->regions[unit].file));
		n->line = measured->sir->regions[unit].line;
	}
}

static int build_path(struct builder *b, const struct test *t, struct report_finding *f)
{
	const struct measurements *measured = b->s->measured;
	uint32_t via = region_property(b->s, t->property);
	bool structure = t->object != MON_ANY;
	int depth = 0, at;
	struct report_node *path;

	for (uint32_t c = t->context; c != NO_CONTEXT; c = measured->contexts[c].parent)
		depth++;
	path = arena_array(b->r->arena, (size_t)depth + structure, sizeof *path);
	if (!path)
		return -1;
	at = depth;
	for (uint32_t c = t->context; c != NO_CONTEXT; c = measured->contexts[c].parent)
		region_node(b, c, via, &path[--at]);
	if (structure) {
		structure_node(b, t, &path[depth], &f->declared);
		path[depth].measure_error = f->measure_error;
	}
	f->path = path;
	f->npath = depth + structure;
	return 0;
}

/* --- findings -------------------------------------------------------------------------------- */

/* Structures tell of the region's finding; of page faults, where they have most of them: mappings
 * and libraries have others. */
static bool structure_explains(const struct search *s, const struct test *region)
{
	bool faults = attributes_severity_is_of_faults(s->attributes,
		asl_property(s->program, region->property)), any = false;
	double sum = 0;

	for (uint32_t i = 0; i < s->ntests; i++)
		if (s->tests[i].outcome == OUT_HELD && s->tests[i].object != MON_ANY &&
		    s->tests[i].context == region->context &&
		    region_property(s, s->tests[i].property) == region->property) {
			any = true;
			sum += s->tests[i].verdict.severity;
		}
	return any && (!faults || sum >= MOST_FAULTS * region->verdict.severity);
}

/* A test is reported where no test below it is reported for the same cause. */
static bool is_leaf(const struct search *s, const struct test *t)
{
	uint32_t *below, n;
	bool explained;

	if (t->object != MON_ANY)
		return true;
	explained = search_explained(s, t->context, t->property, &below, &n);
	free(below);
	return !explained && !structure_explains(s, t);
}

/* The contexts inside that of a test whose counts are not a part of it; returns their
 * number, the caller frees. */
static uint32_t contexts_less(const struct search *s, const struct test *t, uint32_t **less)
{
	uint32_t via = region_property(s, t->property);

	*less = NULL;
	return t->rest && via != NO_CONTEXT ? search_holding_below(s, t->context, via, less) : 0;
}

/* Fills in the subject of a finding; a structure's counts are without those of holding contexts
 * below where the test was (t->rest).  Returns these contexts, or NULL; the caller frees. */
static uint32_t *finding_subject(const struct search *s, const struct test *t, struct subject *out)
{
	uint32_t *below;

	*out = (struct subject){ .measured = s->measured, .context = t->context,
		.object = t->object };
	out->counted = measured_tally(s->measured, t->context, t->object, &out->tally) &&
		measured_tally(s->measured, t->context, MON_ANY, &out->around);
	out->nless = contexts_less(s, t, &below);
	out->less = below;
	for (uint32_t i = 0; i < out->nless; i++) {
		struct tally part;

		if (measured_tally(s->measured, below[i], t->object, &part))
			tally_sub(&out->tally, &part);
	}
	return below;
}

/* By convention, a property POfData is property P for data structures.  It is shown as P: the
 * place tells which of the two it is. */
static uint32_t shown_as(const struct search *s, uint32_t property)
{
	uint32_t via = region_property(s, property);
	const char *name = asl_property(s->program, property)->name, *base;
	size_t n;

	if (via == NO_CONTEXT || via == property)
		return property;
	base = asl_property(s->program, via)->name;
	n = strlen(base);
	return strncmp(name, base, n) == 0 && strcmp(name + n, "OfData") == 0 ? via : property;
}

static const char *refined_parent(const struct search *s, const struct test *t)
{
	const struct asl_property *p = asl_property(s->program, shown_as(s, t->property));
	bool structure = context_of_structure(attributes_context_kind(s->attributes, p->context));

	for (int i = 0; i < p->nparents; i++)
		if (structure || search_held(s, t->context, (uint32_t)p->parents[i]))
			return asl_property(s->program, (size_t)p->parents[i])->name;
	return NULL;
}

/* The base of the share that a severity is, if it is a time. */
static double severity_base(const struct builder *b, const struct asl_property *p)
{
	return attributes_severity_is_of_threads(b->s->attributes, p) ? b->phase_cpu :
		b->phase_time;
}

static void severity_of(const struct builder *b, const struct test *t, struct report_finding *f)
{
	const struct asl_property *p = asl_property(b->s->program, t->property);
	double time = measured_exec(b->s->measured, t->context);

	f->severity = t->verdict.severity;
	f->severity_is_time = p->severity_is_time;
	f->severity_is_index = attributes_severity_is_index(b->s->attributes, p);
	f->time_share = time / b->phase_time;
	f->severity_share = p->severity_is_time ? f->severity / severity_base(b, p)
						: f->severity * f->time_share;
	f->severity_max_share = f->severity_share;
}

static void stall_of(const struct builder *b, const struct test *t, const struct subject *subject,
	struct report_finding *f)
{
	const struct asl_property *p = asl_property(b->s->program, t->property);
	const struct measurements *measured = b->s->measured;
	struct confidence_errors errors;

	f->est_stall_share = subject->tally.estimate.stall / b->phase_cpu;
	f->est_stall_low_share = subject->tally.estimate.low / b->phase_cpu;
	f->est_stall_high_share = subject->tally.estimate.high / b->phase_cpu;
	f->est_stall_error = sampling_error_stall(measured, &subject->tally) / b->phase_cpu;
	f->kind = tally_memory_time(&subject->tally) > 0 ?
		memory_kind_of(measured_memory_kind(measured, t->context, t->object,
			&subject->tally)) : MISS_UNKNOWN;
	f->unwarmed = findings_unwarmed(measured, &subject->tally);
	f->scalar = findings_vectors(measured, subject);
	confidence_errors(b->s, t->property, subject, &errors);
	f->measure_error = errors.measure;
	f->severity_error = p->severity_is_time ? errors.severity / severity_base(b, p)
						: errors.severity * f->time_share;
}

/* Fills in what memory costs there, and in which source lines.  0 / -1 (memory). */
static int memory_of(const struct builder *b, const struct test *t, struct report_finding *f)
{
	struct subject subject;
	uint32_t *below = finding_subject(b->s, t, &subject);
	int rc;

	stall_of(b, t, &subject, f);
	rc = source_lines(&subject, b->r->arena, f);
	if (f->about == ABOUT_FAULTS)
		f->kind = MISS_UNKNOWN;
	free(below);
	return rc;
}

int findings_add(struct report *r, const struct report_finding *f)
{
	struct report_finding *grown = arena_grow(r->arena, r->findings,
		(size_t)r->nfindings * sizeof *grown, ((size_t)r->nfindings + 1) * sizeof *grown);

	if (!grown)
		return -1;
	r->findings = grown;
	r->findings[r->nfindings++] = *f;
	return 0;
}

/* Why memory is new there; the numbers come with findings_divide(). */
static void fault_facts(const struct builder *b, const struct test *t, struct report_finding *f)
{
	const struct measurements *measured = b->s->measured;
	const struct measured_object *o = t->object < measured->nobjects ?
		&measured->objects[t->object] : NULL;

	f->fault_cause = FAULT_NONE;
	f->fault_left = NAN;
	if (f->about != ABOUT_FAULTS)
		return;
	f->fault_cause = o ? fault_cause_of(measured, o) : FAULT_FRESH;
	f->fault_left = o ? fault_left_of_cure(measured, o) : NAN;
}

/* NULL: the property names none. */
static const char *fixes_named(struct builder *b, const struct asl_property *p)
{
	const uint32_t fixes = fixes_of_property(b->s->program, p);
	struct buf names = BUF_INIT;
	const char *kept;

	for (uint32_t fix = 1; fix && fix <= fixes; fix <<= 1)
		if (fixes & fix)
			buf_printf(&names, "%s%s", names.len ? ", " : "",
				tried_fix_names[fix_tried((enum fix)fix)]);
	kept = names.len ? keep(b, buf_str(&names)) : NULL;
	buf_free(&names);
	return kept;
}

static int add_finding(struct builder *b, const struct test *t)
{
	const struct asl_property *p = asl_property(b->s->program, t->property);
	const struct measurements *measured = b->s->measured;
	struct report *r = b->r;
	struct report_finding f = { 0 };
	struct rank_run *process;
	const char *parent = refined_parent(b->s, t);

	severity_of(b, t, &f);
	if (isnan(f.severity_share) || !(f.severity_share > b->config->threshold))
		return 0;
	f.property = keep(b, asl_property(b->s->program, shown_as(b->s, t->property))->name);
	f.refines = parent ? keep(b, parent) : NULL;
	f.file = keep(b, findings_property_file(p));
	f.line = p->line;
	f.number = (int)t->property;
	f.object = t->object;
	f.measure = t->verdict.measure;
	f.confidence = t->verdict.confidence;
	f.coverage = measured_coverage(measured);
	f.about = findings_property_own(b->config, p) ? ABOUT_OWN :
		attributes_severity_is_of_nodes(b->s->attributes, p) ? ABOUT_NODES :
		attributes_severity_is_of_faults(b->s->attributes, p) ? ABOUT_FAULTS :
		context_of_threads(attributes_context_kind(b->s->attributes, p->context)) ||
		attributes_reads_calls(b->s->attributes, p) ? ABOUT_THREADS : ABOUT_MEMORY;
	f.why = t->verdict.why[0] ? keep(b, t->verdict.why) : NULL;
	f.advice = t->verdict.advice[0] ? keep(b, t->verdict.advice) : NULL;
	f.fixes = fixes_named(b, p);
	f.rank_figures = t->verdict.figures;
	if (t->object != MON_ANY && attributes_severity_is_of_lines(b->s->attributes, p) &&
	    line_uses(measured, t->object, r->arena, &f))
		return -1;
	f.rank_figures |= f.nuses > 0 && f.why; /* the bytes stand behind it */
	fault_facts(b, t, &f);
	process = arena_alloc(r->arena, sizeof *process);
	if (!process || memory_of(b, t, &f) || build_path(b, t, &f))
		return -1;
	process->first = process->last = measured->rank < 0 ? 0 : measured->rank;
	f.processes = process;
	f.nruns = 1;
	f.nprocesses = 1;
	return findings_add(r, &f);
}

struct ranked { double share; uint32_t object; };

static int by_share(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->share != b->share)
		return a->share < b->share ? 1 : -1;
	return a->object < b->object ? -1 : a->object > b->object;
}

static double est_stall_of(const struct builder *b, const struct test *t)
{
	struct subject subject;

	free(finding_subject(b->s, t, &subject));
	return subject.tally.estimate.stall / b->phase_cpu;
}

uint32_t findings_structures(const struct search *s, const struct run_config *config,
	uint32_t *objects, uint32_t max)
{
	struct builder b = { .s = s, .config = config,
		.phase_time = measured_phase_time(s->measured),
		.phase_cpu = measured_phase_cpu(s->measured) };
	struct ranked *all = calloc((size_t)s->ntests + 1, sizeof *all);
	uint32_t nall = 0, n = 0;

	for (uint32_t i = 0; all && i < s->ntests; i++) {
		const struct test *t = &s->tests[i];
		struct report_finding f = { 0 };

		if (t->outcome != OUT_HELD || t->object == MON_ANY)
			continue;
		severity_of(&b, t, &f);
		if (config->foreign)
			f.est_stall_share = est_stall_of(&b, t);
		if (f.severity_share > config->threshold)
			all[nall++] = (struct ranked){ config->foreign ? f.est_stall_share :
				f.severity_share, t->object };
	}
	if (nall)
		qsort(all, nall, sizeof *all, by_share);
	for (uint32_t i = 0; i < nall && n < max; i++) {
		uint32_t k = 0;

		while (k < n && objects[k] != all[i].object)
			k++;
		if (k == n)
			objects[n++] = all[i].object;
	}
	free(all);
	return n;
}

/* --- the rest of the report ------------------------------------------------------------------ */

static const enum report_outcome outcomes[] = {
	[OUT_NONE] = REPORT_NOT_TESTED,
	[OUT_HELD] = REPORT_HELD,
	[OUT_FALSE] = REPORT_FALSE,
	[OUT_UNDECIDED] = REPORT_UNDECIDED,
	[OUT_PRUNED] = REPORT_PRUNED,
	[OUT_PARENT_UNDECIDED] = REPORT_NOT_TESTED,
	[OUT_REFUSED] = REPORT_NOT_TESTED,
	[OUT_SERIAL] = REPORT_NOT_TESTED,
	[OUT_PENDING] = REPORT_NOT_TESTED,
};

enum report_outcome findings_outcome(enum outcome outcome)
{
	return outcomes[outcome];
}

/* True: the region around is listed as run by one thread already; regions inside are not listed
 * again. */
static bool listed_around(const struct search *s, const struct test *t)
{
	uint32_t parent = s->measured->contexts[t->context].parent;
	const struct test *around;

	if (t->outcome != OUT_SERIAL || parent == NO_CONTEXT)
		return false;
	around = search_region_test(s, parent, t->property);
	return around && around->outcome == OUT_SERIAL;
}

/* The reason of a test.  The number that decided is computed here only, since the search does not
 * need it. */
static const char *reason(struct builder *b, const struct test *t)
{
	bool failed = t->outcome == OUT_FALSE ||
		(t->outcome == OUT_UNDECIDED && t->verdict.holds == ASL_FALSE);
	struct subject subject;
	uint32_t *below;
	char why[160];

	if (!failed)
		return keep(b, t->reason);
	below = finding_subject(b->s, t, &subject);
	search_why_not(b->s, t->property, &subject, why, sizeof why);
	free(below);
	return t->reason[0] ? arena_printf(b->r->arena, "%s; %s", why, t->reason) : keep(b, why);
}

static int add_tested(struct builder *b)
{
	const struct search *s = b->s;
	struct report *r = b->r;

	r->tested = arena_array(r->arena, s->ntests + 1, sizeof *r->tested);
	if (!r->tested)
		return -1;
	for (uint32_t i = 0; i < s->ntests; i++) {
		const struct test *t = &s->tests[i];
		struct report_node *place = arena_alloc(r->arena, sizeof *place);
		uint32_t parent = s->measured->contexts[t->context].parent;
		struct report_tested *to;
		const char *declared;

		if (!place)
			return -1;
		if (t->way || listed_around(s, t))
			continue;
		to = &r->tested[r->ntested++];
		if (t->object == MON_ANY)
			region_node(b, t->context, NO_CONTEXT, place);
		else
			structure_node(b, t, place, &declared);
		to->property = keep(b, asl_property(s->program, t->property)->name);
		to->place = place;
		to->process = s->measured->rank < 0 ? 0 : s->measured->rank;
		to->outcome = findings_outcome(t->outcome);
		to->reason = reason(b, t);
		if (parent != NO_CONTEXT && s->measured->contexts[parent].region != SIR_NONE) {
			struct buf label = BUF_INIT;

			struct sir_region around =
				s->measured->sir->regions[s->measured->contexts[parent].region];

			around.file = name_file(s->measured->sir, around.file);
			sir_region_label(&around, &label);
			to->below = keep(b, buf_str(&label));
			buf_free(&label);
		}
	}
	return 0;
}

static void note(struct builder *b, const char *text)
{
	if (findings_note(b->r, text))
		b->failed = true;
}

/* True: a test has a verdict, but the error of the sample leaves it undecided. */
static bool left_open(const struct search *s)
{
	for (uint32_t i = 0; s->measured->sample.classes && i < s->ntests; i++)
		if (s->tests[i].outcome == OUT_UNDECIDED &&
		    s->tests[i].verdict.holds != ASL_UNDECIDED)
			return true;
	return false;
}

static const char *without_timeline(const struct builder *b)
{
	if (b->config->bursts)
		return "accesses were recorded in bursts";
	if (b->s->measured->sample.slices)
		return "executions were counted in slices, and not as a whole (--max-slowdown none)";
	return "executions were counted in parts (--counters, --what-if)";
}

/* Structures, threads and source lines with counts of their own in 512 columns may be too many. */
static void timeline_note(struct builder *b)
{
	const struct measurements *p = b->s->measured;

	if (!p->columns && !p->columns_full && b->config->maps)
		note(b, arena_printf(b->r->arena, "there is no timeline: %s", without_timeline(b)));
	else if (p->columns_full)
		note(b, "there are too many counts over time to be kept: there is no timeline");
	else if (p->columns && p->columns->merged > 1)
		note(b,
			arena_printf(b->r->arena,
			"there are too many counts over time for %d columns: timelines have %u",
			TIMELINE_PARTS, p->columns->n));
}

/* Notes on what the collector could not measure. */
static void add_notes(struct builder *b)
{
	const struct measurements *p = b->s->measured;
	const char *late;

	late = b->config->timed_ns ? findings_timed_late(p, b->config, b->r->arena) : "";
	if (!late || *late)
		note(b, late);
	if (!p->counted)
		return;
	if (p->unshared > 0)
		note(b,
			"not all lines that threads share could be kept: coherence misses are not known");
	timeline_note(b);
	b->failed |= slice_texts_notes(b->r, p) != 0;
	if (left_open(b->s))
		note(b, b->config->bursts ?
			"some tests are undecided because bursts are a sample: --why-not lists them with their "
			"probability, and a longer run decides more" :
			b->config->timed_ns ?
			"some tests are undecided because slices were counted: --why-not lists "
			"them with their probability, and a longer --experiment-time decides more" :
			p->sample.slices ?
			"some tests are undecided because slices were counted: --why-not "
			"lists them with their probability, and a larger --max-slowdown decides more" :
			"some tests are undecided because cache sets were sampled: --why-not lists them "
			"with their probability, and --sample with a smaller number decides more");
	if (attributes_needs_places(b->s->attributes))
		b->failed |= findings_node_notes(p, b->r) != 0;
}

/* Adds what holds, and divides what memory costs among that.  0 / -1 (memory). */
static int add_findings(struct builder *b)
{
	const struct search *s = b->s;
	struct cost_place *place = calloc((size_t)s->ntests + 1, sizeof *place);
	int rc = place ? 0 : -1;

	for (uint32_t i = 0; i < s->ntests && !rc; i++) {
		const struct test *t = &s->tests[i];
		const int before = b->r->nfindings;

		if (t->outcome == OUT_HELD && !t->way && is_leaf(s, t))
			rc = add_finding(b, t);
		if (b->r->nfindings == before)
			continue;
		place[before] = (struct cost_place){ .context = t->context, .object = t->object };
		place[before].nless = contexts_less(s, t, &place[before].less);
	}
	if (!rc)
		rc = findings_divide(s->measured, b->r, place, b->phase_cpu);
	for (int i = 0; place && i < b->r->nfindings; i++)
		free(place[i].less);
	free(place);
	return rc;
}

struct report *findings_report(const struct search *s, const struct run_config *config)
{
	struct builder b = { .s = s, .config = config, .r = report_new(),
		.phase_time = measured_phase_time(s->measured),
		.phase_cpu = measured_phase_cpu(s->measured) };

	if (!b.r)
		return NULL;
	b.failed |= findings_head(s, config, b.r) != 0 || add_findings(&b) != 0;
	add_notes(&b);
	if (b.failed || findings_ledger(s->measured, b.r) || findings_costs(s->measured, b.r) ||
	    findings_timeline(s->measured, b.r) ||
	    ((config->why_not || !b.r->nfindings) && add_tested(&b)) || b.failed) {
		report_free(b.r);
		return NULL;
	}
	report_rank(b.r);
	return b.r;
}
