/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the values of the attributes of the data model (properties/model.asl). */
#include "analysis/measure/attributes_private.h"
#include "analysis/measure/attribute_figures.h"
#include "analysis/measure/blocking.h"
#include "analysis/measure/copy_use.h"
#include "analysis/measure/cpu_parts.h"
#include "analysis/measure/fault_costs.h"
#include "analysis/measure/metric_values.h"
#include "analysis/measure/mpi_messages.h"
#include "analysis/measure/record_use.h"
#include "analysis/measure/sampling_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "base/known.h"

struct attributes *attributes_new(const struct asl_program *p)
{
	struct attributes *b = calloc(1, sizeof *b);

	if (!b)
		return NULL;
	b->program = p;
	b->nclasses = (int)asl_nclasses(p);
	b->region = asl_class_find(p, "Region");
	b->process = asl_class_find(p, "Process");
	b->structure = asl_class_find(p, "DataStructure");
	b->seq = asl_class_find(p, "SeqPerf");
	b->data = asl_class_find(p, "DataPerf");
	b->threads = asl_class_find(p, "MRIParPerf");
	b->data_threads = asl_class_find(p, "DataParPerf");
	b->app = asl_class_find(p, "AppPerf");
	b->object_flow = asl_class_find(p, "ObjectFlow");
	b->thread_flow = asl_class_find(p, "ThreadFlow");
	b->flows = attribute_flows_new();
	b->sets = attribute_sets_new();
	b->attr = calloc((size_t)b->nclasses + 1, sizeof *b->attr);
	for (int c = 0; b->attr && c < b->nclasses; c++) {
		int n = asl_nattrs(p, c);

		b->attr[c] = calloc((size_t)n + 1, sizeof **b->attr);
		if (!b->attr[c]) {
			attributes_free(b);
			return NULL;
		}
		for (int i = 0; i < n; i++)
			b->attr[c][i] = attribute_find(asl_attr_name(p, c, i));
	}
	b->text = malloc(TEXTS * TEXT_MAX);
	if (!b->attr || !b->text || !b->flows || !b->sets) {
		attributes_free(b);
		return NULL;
	}
	return b;
}

void attributes_free(struct attributes *b)
{
	if (!b)
		return;
	for (int c = 0; b->attr && c < b->nclasses; c++)
		free(b->attr[c]);
	free(b->attr);
	free(b->text);
	attribute_flows_free(b->flows);
	attribute_sets_free(b->sets);
	free(b);
}

/* --- values ---------------------------------------------------------------------------------- */

static void set_bool(struct asl_value *out, bool v)
{
	out->type = ASL_BOOL;
	out->v.b = v;
}

void set_enum(const struct attributes *b, struct asl_value *out, const char *type,
	const char *item)
{
	int e = asl_enum_find(b->program, type);
	int value = e < 0 ? -1 : asl_enum_value(b->program, e, item);

	if (value < 0)
		return;
	out->type = ASL_ENUM;
	out->cls = e;
	out->v.i = value;
}

/* The region, process and structure of a subject are all represented by the subject itself; the
 * class tells which one is meant. */
static void set_object(struct asl_value *out, int cls, const struct subject *s)
{
	if (cls < 0)
		return;
	out->type = ASL_OBJECT;
	out->cls = cls;
	out->v.object = (void *)(uintptr_t)s;
}

static const struct sir_region *region_of(const struct subject *s)
{
	uint32_t r = s->measured->contexts[s->context].region;

	return r == SIR_NONE ? NULL : &s->measured->sir->regions[r];
}

static void of_region(const struct attributes *b, const struct subject *s,
	const struct attribute *a, struct asl_value *out)
{
	const struct sir_region *r = region_of(s);

	if (!r)
		return;
	switch (a->source) {
	case NAME: set_string(out, r->name); break;
	case FILE_NAME: set_string(out, r->file); break;
	case LINE: set_int(out, r->line); break;
	case REGION_TYPE: set_enum(b, out, "RegionType", region_type_name(r->type)); break;
	default: break;
	}
}

static const char *storage(uint32_t kind)
{
	switch (kind) {
	case PSC_VAR_STATIC: return "STATIC";
	case PSC_VAR_COMMON: return "COMMON";
	case PSC_VAR_MODULE: return "MODULE";
	case PSC_VAR_DESCRIPTOR:
	case MON_KIND_UNNAMED:
	case MON_KIND_HEAP: return "HEAP";
	case MON_KIND_LOCAL: return "STACK";
	case MON_KIND_FILE: return "MAPPED";
	default: return "UNKNOWN_STORAGE";
	}
}

static const char *nodes_name(const struct subject *s)
{
	switch (s->object < s->measured->nobjects ? s->measured->objects[s->object].nodes :
		PSC_NODES_NONE) {
	case PSC_NODES_HASH: return "HASH_TABLE";
	case PSC_NODES_TREE: return "TREE";
	case PSC_NODES_LIST: return "LIST";
	default: return "NO_NODES";
	}
}

static void of_structure(const struct attributes *b, const struct subject *s,
	const struct attribute *a, struct asl_value *out)
{
	const struct measured_object *o;

	if (s->object >= s->measured->nobjects)
		return;
	o = &s->measured->objects[s->object];
	switch (a->source) {
	case NAME: set_string(out, measured_owned(s->measured, s->object) ? o->name :
			measured_object_name(s->measured, s->context, s->object,
			tally_access(&s->tally)));
		break;
	case SCOPE: set_string(out, o->scope ? o->scope : ""); break;
	case FILE_NAME: set_string(out, o->source); break;
	case LINE: set_int(out, o->line); break;
	case SIZE: set_float(out, (double)o->size); break;
	case STORAGE: set_enum(b, out, "Storage", storage(o->kind)); break;
	default: break;
	}
}

/* NAN: not known to be an array of records, or all members are used. */
static double record_figure(const struct subject *s, enum attribute_source which)
{
	struct record_use use;

	if (!record_use_find(s->measured, s->context, s->object, true, &use))
		return NAN;
	return which == RECORD_SIZE ? use.size : which == RECORD_BYTES ? use.bytes :
		which == RECORD_ALL ? use.members : use.nused;
}

/* NAN: not measured. */
static double figure(const struct subject *s, const struct attribute *a)
{
	switch (a->source) {
	case EXEC_TIME: return measured_exec(s->measured, s->context);
	case WALL_TIME: return measured_wall(s->measured, s->context);
	case CPU_TIME: return measured_cpu(s->measured, s->context);
	case TIME_SPREAD: return measured_spread(s->measured, s->context);
	case TEAM_SPREAD: return measured_team_spread(s->measured, s->context);
	case AWAY_TIME: return measured_team_away(s->measured, s->context);
	case CALLS: return measured_calls(s->measured, s->context);
	case PHASE_TIME: return measured_phase_time(s->measured);
	case PHASE_CPU_TIME: return measured_phase_cpu(s->measured);
	case EVENT: return measured_metric(s->measured, s->context, s->object, a->metric);
	case MPI_FIGURE: return mpi_calls_figure(s->measured, s->context,
		(enum mpi_figure)a->offset);
	default: return s->counted && !measured_lossy(s->measured) ? attribute_count(s, a) : NAN;
	}
}

void set_quality(const struct subject *s, const struct attribute *a, struct asl_value *out)
{
	double share = a->source == EVENT ? measured_metric_share(s->measured, a->metric) : 1;

	if (share < 1)
		out->coverage = share;
	if (!s->measured->sample.classes || !(a->is & MISSES))
		return;
	out->samples = s->measured->sample.chosen;
	out->coverage = (double)s->measured->sample.chosen / s->measured->sample.classes;
}

/* What is said of the misses in words. */
static void of_misses(const struct attributes *b, const struct subject *s,
	const struct attribute *a, struct asl_value *out)
{
	switch (a->source) {
	case MEMORY_KIND:
		set_enum(b, out, "MemoryKind", memory_kind_name(
			measured_memory_kind(s->measured, s->context, s->object, &s->tally)));
		break;
	case MEMORY_CLASS:
		set_enum(b, out, "MemoryKind", memory_kind_name(tally_memory_class(&s->tally)));
		break;
	case REUSED_AFTER:
		blocking_cause(s->measured, &s->tally, b->text, TEXT_MAX);
		set_string(out, *b->text ? b->text : NULL);
		break;
	default:
		blocking_cure(s->measured, &s->tally, b->text + BLOCKING_TEXT * TEXT_MAX, TEXT_MAX);
		set_string(out, b->text[BLOCKING_TEXT * TEXT_MAX] ? b->text + BLOCKING_TEXT *
			TEXT_MAX : NULL);
	}
}

/* Attributes tell what the code there copies. */
static void of_copies(const struct attributes *b, const struct subject *s,
	const struct attribute *a, struct asl_value *out)
{
	struct copy_use use;
	char *text = b->text + CALLEES_TEXT * TEXT_MAX;

	copy_use_find(s->measured, s->context, s->object, &use);
	switch (a->source) {
	case COPIES: set_enum(b, out, "Copies", copy_use_name(&use)); break;
	case COPY_CALLEES: set_float(out, use.callees); break;
	default:
		copy_use_callees(&use, text, TEXT_MAX);
		set_string(out, text);
	}
}

static const char *cause_item(const struct measurements *p, uint32_t object)
{
	static const char *const items[FAULT_CAUSES] = {
		[FAULT_FRESH] = "FRESH_MEMORY", [FAULT_ALLOCATED] = "ALLOCATED_AGAIN",
		[FAULT_MAPPED] = "MAPPED_AGAIN",
		[FAULT_GROWN] = "GROWN", [FAULT_REALLOC] = "REALLOCATED",
		[FAULT_AUTOMATIC] = "AUTOMATIC",
		[FAULT_TEMPORARY] = "TEMPORARY",
	};

	return items[object < p->nobjects ? fault_cause_of(p, &p->objects[object]) : FAULT_FRESH];
}

/* Attributes of memory that is new in each execution. */
static void of_faults(const struct attributes *b, const struct subject *s,
	const struct attribute *a, struct asl_value *out)
{
	const struct measurements *p = s->measured;
	struct buf text = BUF_INIT;

	switch (a->source) {
	case FAULT_CAUSE:
		set_enum(b, out, "FaultCause", cause_item(p, s->object));
		break;
	case FAULT_BLOCK:
		if (s->object < p->nobjects && p->objects[s->object].largest > 0)
			set_float(out, p->objects[s->object].largest);
		break;
	case FAULT_LEFT:
		if (s->object < p->nobjects)
			set_float(out, fault_left(p, &p->objects[s->object]));
		break;
	default:
		if (s->context)
			measured_region_fault_blocks(p, s->context, &text);
		else
			measured_fault_blocks(p, &text);
		snprintf(b->text + FAULTS_TEXT * TEXT_MAX, TEXT_MAX, "%s", text.len ?
			buf_str(&text) : "");
		set_string(out, b->text + FAULTS_TEXT * TEXT_MAX);
		buf_free(&text);
	}
}

static void of_context(const struct attributes *b, const struct subject *s,
	const struct attribute *a, struct asl_value *out)
{
	switch (a->source) {
	case REGION: set_object(out, b->region, s); break;
	case PROCESS: set_object(out, b->process, s); break;
	case STRUCTURE:
		if (s->object != MON_ANY)
			set_object(out, b->structure, s);
		break;
	case RECORD_TEXT: set_string(out, record_use_text(s->measured, s->context,
		s->object)); break;
	case RECORD_NAMES: set_string(out, record_use_names(s->measured, s->context,
		s->object)); break;
	case RECORD_SIZE:
	case RECORD_BYTES:
	case RECORD_ALL:
	case RECORD_USED: set_float(out, record_figure(s, a->source)); break;
	case INDEXED: set_float(out, record_use_indexed(s->measured, s->context, s->object)); break;
	case COPIES:
	case COPY_CALLEES:
	case COPY_CALLEES_TEXT: of_copies(b, s, a, out); break;
	case COPIED_TEXT:
		if (s->counted)
			set_string(out, blocking_bytes(s->tally.copied,
				b->text + AMOUNT_TEXT * TEXT_MAX, TEXT_MAX));
		break;
	case NODES: set_enum(b, out, "Nodes", nodes_name(s)); break;
	case FAULT_CAUSE:
	case FAULT_BLOCK:
	case FAULT_LEFT:
	case FAULT_BLOCKS: of_faults(b, s, a, out); break;
	case MPI_CAUSE: set_string(out, mpi_calls_cause(s->measured, s->context)); break;
	case MPI_RANK:
		if (mpi_calls_late(s->measured, s->context) >= 0)
			set_int(out, mpi_calls_late(s->measured, s->context));
		break;
	case WHOLE_RUN: set_bool(out, s->measured->whole_run); break;
	case NPROCESSES: set_int(out, s->measured->processes ? *s->measured->processes : 1); break;
	case NTHREADS: set_int(out, measured_team_size(s->measured, s->context)); break;
	case THREAD_TIME:
	case THREAD_WAIT:
	case THREAD_STARTUP: break;        /* defined only with an index */
	case MEMORY_KIND:
	case MEMORY_CLASS:
	case REUSED_AFTER:
	case BLOCKING:
		if (s->counted && s->measured->estimated)
			of_misses(b, s, a, out);
		break;
	default:
		set_float(out, figure(s, a));
		set_quality(s, a, out);
	}
}

/* The subject's counts of one thread, without those of the contexts in `less`. */
static bool thread_tally(const struct subject *s, uint32_t thread, struct tally *out)
{
	if (!s->counted || measured_lossy(s->measured) ||
	    !measured_thread_tally(s->measured, s->context, s->object, thread, out))
		return false;
	for (uint32_t i = 0; i < s->nless; i++) {
		struct tally part;

		if (measured_same_team(s->measured, s->context, s->less[i]) &&
		    measured_thread_tally(s->measured, s->less[i], s->object, thread, &part))
			tally_sub(out, &part);
	}
	if (s->off)
		sampling_error_shift(&s->measured->sample, s->off, out);
	return true;
}

/* The value for the n-th thread of the team. */
static void of_thread(const struct subject *s, const struct attribute *a, uint32_t n,
	struct asl_value *out)
{
	uint32_t thread = measured_team_member(s->measured, s->context, n);
	struct subject one = *s;

	if (a->source == THREAD_TIME)
		set_float(out, measured_thread_cpu(s->measured, s->context, thread));
	else if (a->source == THREAD_WAIT)
		set_float(out, measured_thread_wait(s->measured, s->context, thread));
	else if (a->source == THREAD_STARTUP)
		set_float(out, measured_thread_startup(s->measured, s->context, thread));
	else if (a->is & COUNTED && thread_tally(s, thread, &one.tally))
		set_float(out, attribute_count(&one, a));
	set_quality(s, a, out);
}

bool attributes_has_threads(const struct attributes *b, int cls)
{
	return b->threads >= 0 && asl_class_is(b->program, cls, b->threads);
}

bool attributes_has_flow(const struct attributes *b, int cls)
{
	return (b->object_flow >= 0 && asl_class_is(b->program, cls, b->object_flow)) ||
		(b->thread_flow >= 0 && asl_class_is(b->program, cls, b->thread_flow));
}

static void attribute_value(void *arg, int cls, const void *object, int number, int64_t index,
	struct asl_value *out)
{
	const struct attributes *b = arg;
	const struct subject *s = object;
	const struct attribute *a;

	memset(out, 0, sizeof *out);
	out->type = ASL_UNDEFINED;
	out->coverage = 1;
	if (!s || cls < 0 || cls >= b->nclasses)
		return;
	a = &b->attr[cls][number];
	if (attributes_has_flow(b, cls) && attribute_of_flow(b, s, a, index, out))
		return;
	if (index >= 0) {
		if (attributes_has_threads(b, cls) &&
		    index < measured_team_size(s->measured, s->context))
			of_thread(s, a, (uint32_t)index, out);
		return;
	}
	if (b->region >= 0 && asl_class_is(b->program, cls, b->region))
		of_region(b, s, a, out);
	else if (b->structure >= 0 && asl_class_is(b->program, cls, b->structure))
		of_structure(b, s, a, out);
	else if (b->process >= 0 && asl_class_is(b->program, cls, b->process)) {
		if (a->source == RANK)
			set_int(out, s->measured->rank < 0 ? 0 : s->measured->rank);
	} else {
		of_context(b, s, a, out);
	}
}

static void element(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	(void)arg;
	memset(out, 0, sizeof *out);
	attribute_element(set, i, out);
}

/* Sets over processes are folded where each process is, never read here. */
static void no_element(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	(void)arg;
	(void)set;
	(void)i;
	memset(out, 0, sizeof *out);
	out->type = ASL_UNDEFINED;
}

struct asl_env attributes_env(const struct attributes *b)
{
	attribute_sets_forget(b->sets);
	return (struct asl_env){ .attr = attribute_value, .element = element,
		.arg = (void *)(uintptr_t)b };
}

/* --- AppPerf --------------------------------------------------------------------------------- */

static void app_attr(void *arg, int cls, const void *object, int number, int64_t index,
	struct asl_value *out)
{
	const struct attributes *b = arg;
	const struct app_subject *s = object;

	memset(out, 0, sizeof *out);
	out->type = ASL_UNDEFINED;
	out->coverage = 1;
	if (!s || cls < 0 || cls >= b->nclasses || index >= 0)
		return;
	switch (b->attr[cls][number].source) {
	case REGION:
		if (b->region >= 0) {
			out->type = ASL_OBJECT;
			out->cls = b->region;
			out->v.object = (void *)(uintptr_t)s;
		}
		break;
	case NAME: set_string(out, s->name); break;
	case FILE_NAME: set_string(out, s->file); break;
	case LINE: set_int(out, s->line); break;
	case REGION_TYPE: set_enum(b, out, "RegionType", region_type_name((int)s->type)); break;
	case NPROCESSES: set_int(out, s->nprocesses); break;
	default: break;
	}
}

struct asl_env attributes_app_env(const struct attributes *b)
{
	return (struct asl_env){ .attr = app_attr, .element = no_element,
		.arg = (void *)(uintptr_t)b };
}
