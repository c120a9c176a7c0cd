/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the values of the attributes of the data model (properties/model.asl), and says what a
 * property that reads them needs. */
#include "analysis/measure/attributes.h"
#include "analysis/measure/attribute_names.h"
#include "analysis/measure/blocking.h"
#include "analysis/measure/copy_use.h"
#include "analysis/measure/cpu_parts.h"
#include "analysis/measure/fault_costs.h"
#include "analysis/measure/use_intervals.h"
#include "analysis/measure/flow_nodes.h"
#include "analysis/measure/kernel_use.h"
#include "analysis/measure/metric_values.h"
#include "analysis/measure/mpi_messages.h"
#include "analysis/measure/record_use.h"
#include "analysis/measure/sampling_error.h"
#include "analysis/measure/sharing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "base/known.h"

enum { TEXT_MAX = 256 };
enum texts { REUSED_TEXT, BLOCKING_TEXT, FAULTS_TEXT, CALLEES_TEXT, AMOUNT_TEXT, USERS_TEXT,
	ALLOCATED_TEXT, TOUCHED_TEXT, TOUCHER_TEXT, TEXTS };

struct attributes {
	const struct asl_program *program;
	int nclasses;
	struct attribute **attr;        /* by class and attribute */
	int region, process, structure; /* classes; -1: the program has no such class */
	int seq, data, app;
	int threads, data_threads;
	int object_flow, thread_flow;
	struct { struct flow *flow; const struct measurements *measured; uint32_t number, context,
		object; bool made; } *last;
	                                /* the flow that was read last; owned */
	char *text;                     /* values of the attributes of enum texts, TEXT_MAX bytes each, until they are
	                                 * read again; owned */
};

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
	b->last = calloc(1, sizeof *b->last);
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
	if (!b->attr || !b->text || !b->last) {
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
	if (b->last)
		flow_free(b->last->flow);
	free(b->last);
	free(b);
}

/* --- values ---------------------------------------------------------------------------------- */

static void set_float(struct asl_value *out, double v)
{
	if (isnan(v))
		return;
	out->type = ASL_FLOAT;
	out->v.f = v;
}

static void set_string(struct asl_value *out, const char *s)
{
	if (!s)
		return;
	out->type = ASL_STRING;
	out->v.s = s;
}

static void set_int(struct asl_value *out, int64_t v)
{
	out->type = ASL_INT;
	out->v.i = v;
}

static void set_bool(struct asl_value *out, bool v)
{
	out->type = ASL_BOOL;
	out->v.b = v;
}

static void set_enum(const struct attributes *b, struct asl_value *out, const char *type,
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

static double misses(const struct subject *s, const struct attribute *a)
{
	const struct machine_flat *m = &s->measured->machine->flat;
	uint32_t level = a->level ? a->level : measured_last_level(s->measured);

	for (uint32_t l = 0; l < m->nlevels; l++)
		if (m->level[l].level == level)
			return (a->which & LOADS ? s->tally.load_miss[l] : 0) +
				(a->which & STORES ? s->tally.store_miss[l] : 0);
	return NAN;     /* the machine has no such level: not measured */
}

/* Misses of a class; level 0: of the nearest level. */
static double class_misses(const struct subject *s, const struct attribute *a)
{
	const struct machine_flat *m = &s->measured->machine->flat;

	for (uint32_t l = 0; l < m->nlevels; l++)
		if (!a->level || m->level[l].level == a->level)
			return tally_class_misses(&s->tally, l, a->class);
	return NAN;
}

/* Misses of the last TLB level, which cost a page walk. */
static double tlb_misses(const struct subject *s, uint32_t which)
{
	uint32_t n = s->measured->machine->flat.ntlbs;

	return n ? (which & LOADS ? s->tally.tlb_load_miss[n - 1] : 0) +
		(which & STORES ? s->tally.tlb_store_miss[n - 1] : 0) : NAN;
}

static double written_back(const struct subject *s)
{
	const struct machine_flat *m = &s->measured->machine->flat;

	return m->write == MACHINE_WRITE_BACK && m->nlevels ?
		s->tally.writeback[m->nlevels - 1] * m->level[m->nlevels - 1].line : NAN;
}

/* Sum over the levels with a prefetcher. */
static double prefetched(const struct subject *s, const double *lines)
{
	const struct machine_flat *m = &s->measured->machine->flat;
	double sum = NAN;

	for (uint32_t l = 0; l < m->nlevels; l++)
		if (m->level[l].prefetch)
			sum = isnan(sum) ? lines[l] : sum + lines[l];
	return sum;
}

/* Bytes of the lines brought into the nearest or the last level. */
static double fetched(const struct subject *s, enum attribute_source which)
{
	const struct machine_flat *m = &s->measured->machine->flat;
	uint32_t l = which == FETCHED_LAST ? m->nlevels - 1 : 0;

	return m->nlevels ? s->tally.fetched[l] * m->level[l].line : NAN;
}

/* The time of coherence misses in s, divided by the number of threads: sharing takes several
 * threads at the same time. */
static double coherence_time(const struct subject *s, double misses)
{
	double hz = s->measured->machine->ghz * 1e9;
	uint32_t threads = s->measured->threads ? s->measured->threads : 1;

	return hz > 0 ? tally_coherence_cycles(s->measured, misses) / hz / threads : NAN;
}

static double count_sharing(const struct subject *s, const struct attribute *a)
{
	const struct tally *t = &s->tally;

	switch (a->source) {
	case COHERENCE: return tally_coherence(s->measured, t->false_sharing + t->true_sharing);
	case FALSE_SHARING: return tally_coherence(s->measured, t->false_sharing);
	case TRUE_SHARING: return tally_coherence(s->measured, t->true_sharing);
	case FALSE_TIME: return coherence_time(s, t->false_sharing);
	case TRUE_TIME: return coherence_time(s, t->true_sharing);
	case LINE_LOCKS: return sharing_locks(s->measured, s->object);
	case LINE_LOCKS_UPDATED: return sharing_locks_updated(s->measured, s->object);
	case LINE_UPDATED: return sharing_updated(s->measured, s->object);
	case SHARED_LINES: return tally_coherence(s->measured, t->shared_lines);
	case LOCAL: return tally_local(s->measured, t);
	case REMOTE: return tally_remote(s->measured, t);
	case REMOTE_LOADS: return tally_remote_loads(s->measured, t);
	default: return NAN;
	}
}

static double phase_estimate_high(const struct measurements *p)
{
	struct tally all;

	return measured_tally(p, 0, MON_ANY, &all) ? all.estimate.high : NAN;
}

/* The part of page walks that large pages save; -1: not known. */
static double large_pages(const struct subject *s)
{
	const struct tally_estimate *e = &s->tally.estimate;

	if (!machine_huge_known(&s->measured->costs))
		return -1;
	return e->walks > 0 ? fmin(1, e->large_pages / e->walks) : 0;
}

/* Page faults, or their time.  On another machine's model the kernel's part is not known. */
static double fault_figure(const struct subject *s, enum attribute_source which)
{
	const struct tally_estimate *e = &s->tally.estimate;

	if (!s->measured->estimated || s->measured->modelled ||
	    isnan(kernel_use_phase(s->measured).faults))
		return NAN;
	return which == FAULTS ? e->faults : e->fault_time;
}

/* NAN until times and counts are known. */
static double estimated(const struct subject *s, const struct attribute *a)
{
	const struct tally *t = a->source == REGION_ESTIMATE ? &s->around : &s->tally;

	if (!s->measured->estimated)
		return NAN;
	switch (a->source) {
	case ESTIMATE:
	case REGION_ESTIMATE: return *(const double *)((const char *)&t->estimate + a->offset);
	case PHASE_ESTIMATE_HIGH: return phase_estimate_high(s->measured);
	case MEMORY_TIME: return tally_memory_time(&s->tally);
	case LARGE_PAGES: return large_pages(s);
	case CAPACITY_DISTANCE: return blocking_distance(s->measured, &s->tally);
	case BLOCK_SIZE: return blocking_size(s->measured, &s->tally);
	default: return NAN;
	}
}

static double counter(const struct subject *s, const struct attribute *a)
{
	return *(const double *)((const char *)&s->tally + a->offset);
}

static double count(const struct subject *s, const struct attribute *a)
{
	switch (a->source) {
	case COUNT: return counter(s, a);
	case STORED: return s->tally.stored > 0 || !(s->tally.stores > 0) ? counter(s, a) : NAN;
	case REFS: return tally_refs(&s->tally);
	case REFS_LASTING: return tally_refs(&s->tally) - s->tally.temporaries;
	case MISS: return misses(s, a);
	case TLB_MISS: return tlb_misses(s, a->which);
	case WRITEBACK: return written_back(s);
	case PREFETCHED: return prefetched(s, s->tally.prefetched);
	case PREFETCH_USED: return prefetched(s, s->tally.useful);
	case LATENCY: return tally_slow_loads(s->measured, &s->tally, a->cycles);
	case FETCHED_FIRST:
	case FETCHED_LAST: return fetched(s, a->source);
	case STALL_CYCLES: return tally_stall_cycles(s->measured, &s->tally);
	case STALL_CPU: return tally_thread_stall(s->measured, &s->tally);
	case REGION_REFS: return tally_refs(&s->around);
	case CLASS_MISS: return class_misses(s, a);
	case REUSE: return tally_reuse_distance((const double *)((const char *)&s->tally +
		a->offset));
	case ESTIMATE:
	case REGION_ESTIMATE:
	case PHASE_ESTIMATE_HIGH:
	case CAPACITY_DISTANCE:
	case BLOCK_SIZE:
	case LARGE_PAGES:
	case MEMORY_TIME: return estimated(s, a);
	case FAULTS:
	case FAULT_TIME: return fault_figure(s, a->source);
	default: return count_sharing(s, a);
	}
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
	default: return s->counted && !measured_lossy(s->measured) ? count(s, a) : NAN;
	}
}

/* The number of samples is the number of simulated classes of lines. */
static void set_quality(const struct subject *s, const struct attribute *a, struct asl_value *out)
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
	case NPROCESSES: set_int(out, s->measured->processes ? s->measured->processes : 1); break;
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
		set_float(out, count(&one, a));
	set_quality(s, a, out);
}

static bool has_threads(const struct attributes *b, int cls)
{
	return b->threads >= 0 && asl_class_is(b->program, cls, b->threads);
}

static bool has_flow(const struct attributes *b, int cls)
{
	return (b->object_flow >= 0 && asl_class_is(b->program, cls, b->object_flow)) ||
		(b->thread_flow >= 0 && asl_class_is(b->program, cls, b->thread_flow));
}

/* The flow of a subject; a property reads many figures of one.  NULL: there is none. */
static const struct flow *flow_of(const struct attributes *b, const struct subject *s)
{
	const struct measurements *p = s->measured;

	if (!b->last->made || b->last->measured != p || b->last->number != p->columns_number ||
	    b->last->context != s->context || b->last->object != s->object) {
		flow_free(b->last->flow);
		b->last->flow = flow_new(p, s->context, s->object);
		b->last->measured = p;
		b->last->number = p->columns_number;
		b->last->context = s->context;
		b->last->object = s->object;
		b->last->made = true;
	}
	return b->last->flow;
}

static const char *use_name(enum flow_use use)
{
	return use == FLOW_EXCLUSIVE ? "EXCLUSIVE_USE" : use == FLOW_ALTERNATING ?
		"ALTERNATING_USE" :
		use == FLOW_CONCURRENT ? "CONCURRENT_USE" : "";
}

/* The part of a structure's memory time that its lines cost because they come from other nodes than
 * the thread's, without queues. */
static double remote_time(const struct subject *s, const struct flow *f)
{
	const double remote = flow_cycles(f, FLOW_AS_IT_IS) - flow_cycles(f, FLOW_AT_USERS);
	const double all = tally_stall_cycles(s->measured, &s->tally);

	return s->measured->estimated && all > 0 ? fmin(1, remote / all) * s->tally.estimate.stall :
		NAN;
}

static void set_flow_text(const struct attributes *b, struct asl_value *out, enum texts which,
	const struct flow *f, void (*write)(const struct flow *, struct buf *))
{
	char *kept = b->text + (size_t)which * TEXT_MAX;
	struct buf text = BUF_INIT;

	write(f, &text);
	snprintf(kept, TEXT_MAX, "%s", text.len ? buf_str(&text) : "");
	set_string(out, kept);
	buf_free(&text);
}

static bool is_of_flow(enum attribute_source source)
{
	return source == NTHREADS || source >= FLOW_FIGURE;
}

/* Returns whether the attribute is one of flows. */
static bool of_flow(const struct attributes *b, const struct subject *s, const struct attribute *a,
	int64_t index, struct asl_value *out)
{
	const bool number = a->source == FLOW_NUMBER || a->source == NTHREADS;
	const struct flow *f;
	double v;

	if (!is_of_flow(a->source))
		return false;
	f = s->counted && !measured_lossy(s->measured) ? flow_of(b, s) : NULL;
	if (!f)
		return true;
	if (a->source == FLOW_USE) {
		set_enum(b, out, "Use", use_name(f->use));
	} else if (a->source == FLOW_NAME) {
		set_string(out, flow_structure(f, 0));
	} else if (a->source == FLOW_USERS_TEXT) {
		set_flow_text(b, out, USERS_TEXT, f, flow_user_names);
	} else if (a->source == FLOW_ALLOCATED_TEXT) {
		set_flow_text(b, out, ALLOCATED_TEXT, f, flow_allocated_at);
	} else if (a->source == FLOW_TOUCHED_TEXT) {
		set_flow_text(b, out, TOUCHED_TEXT, f, flow_touched_at);
	} else if (a->source == FLOW_TOUCHER_TEXT) {
		set_flow_text(b, out, TOUCHER_TEXT, f, flow_toucher_name);
	} else if (a->source == FLOW_REMOTE_TIME) {
		set_float(out, remote_time(s, f));
		set_quality(s, a, out);
	} else {
		v = flow_figure(f, a->source == NTHREADS ? FLOW_THREADS :
			(enum flow_figure)a->offset, index, measured_exec(s->measured, s->context));
		if (number && !isnan(v))
			set_int(out, (int64_t)v);
		else
			set_float(out, v);
		set_quality(s, a, out);
	}
	return true;
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
	if (has_flow(b, cls) && of_flow(b, s, a, index, out))
		return;
	if (index >= 0) {
		if (has_threads(b, cls) && index < measured_team_size(s->measured, s->context))
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
	(void)set;
	(void)i;
	memset(out, 0, sizeof *out);
	out->type = ASL_UNDEFINED;
}

struct asl_env attributes_env(const struct attributes *b)
{
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
	return (struct asl_env){ .attr = app_attr, .element = element,
		.arg = (void *)(uintptr_t)b };
}

enum context_kind attributes_context_kind(const struct attributes *b, int cls)
{
	if (b->app >= 0 && asl_class_is(b->program, cls, b->app))
		return CONTEXT_APPLICATION;
	if (b->data_threads >= 0 && asl_class_is(b->program, cls, b->data_threads))
		return CONTEXT_STRUCTURE_THREADS;
	if (has_threads(b, cls))
		return CONTEXT_THREADS;
	if (b->object_flow >= 0 && asl_class_is(b->program, cls, b->object_flow))
		return CONTEXT_STRUCTURE_FLOW;
	if (b->data >= 0 && asl_class_is(b->program, cls, b->data))
		return CONTEXT_STRUCTURE;
	if (b->seq >= 0 && asl_class_is(b->program, cls, b->seq))
		return CONTEXT_REGION;
	return CONTEXT_NONE;
}

/* Does one of the attributes read have one of the flags? */
static bool any_is(const struct attributes *b, const struct asl_read *reads, int n, uint32_t is)
{
	for (int i = 0; i < n; i++)
		if (b->attr[reads[i].cls][reads[i].attr].is & is)
			return true;
	return false;
}

bool attributes_severity_is_index(const struct attributes *b, const struct asl_property *property)
{
	const struct asl_read *of = property->severity_reads;
	int n = property->nseverity_reads;

	return property->severity_is_time && any_is(b, of, n, COUNTED) &&
		!any_is(b, of, n, STALLS | FAULTING);
}

bool attributes_severity_is_of_lines(const struct attributes *b,
	const struct asl_property *property)
{
	return any_is(b, property->severity_reads, property->nseverity_reads, BETWEEN);
}

bool attributes_severity_is_of_threads(const struct attributes *b,
	const struct asl_property *property)
{
	return property->severity_is_time && !has_threads(b, property->context) &&
		any_is(b, property->severity_reads, property->nseverity_reads, THREADS);
}

bool attributes_severity_is_of_faults(const struct attributes *b,
	const struct asl_property *property)
{
	return any_is(b, property->severity_reads, property->nseverity_reads, FAULTING);
}

bool attributes_severity_is_of_nodes(const struct attributes *b,
	const struct asl_property *property)
{
	for (int i = 0; i < property->nseverity_reads; i++) {
		const struct asl_read *r = &property->severity_reads[i];
		const uint32_t is = b->attr[r->cls][r->attr].is;

		if (is & FAR && is & STALLS)
			return true;
	}
	return false;
}

double attributes_weight(const struct attributes *b, const struct asl_property *property,
	const struct measurements *measured, const struct tally *t)
{
	uint32_t lowest = 0, last = measured_last_level(measured), cycles = 0;
	bool between = false, remote = false;
	double misses;

	for (int i = 0; i < property->nmetrics; i++) {
		const struct attribute *a = &b->attr[property->context][property->metrics[i]];
		uint32_t level = a->level ? a->level : last;

		if (a->source == MISS && (!lowest || level < lowest))
			lowest = level;
		if (a->source == LATENCY && (!cycles || a->cycles < cycles))
			cycles = a->cycles;
		between |= a->is & BETWEEN;
		remote |= a->is & FAR;
	}
	if (attributes_severity_is_of_faults(b, property))
		return known_amount(t->estimate.fault_time);
	if (cycles)
		return known_amount(tally_slow_loads(measured, t, cycles));
	if (between && !lowest)
		return known_amount(t->false_sharing + t->true_sharing);
	if (remote && !lowest && known_amount(tally_remote(measured, t)) > 0)
		return tally_remote(measured, t);
	if (!lowest && any_is(b, property->reads, property->nreads, STALLS))
		return measured->estimated ? known_amount(tally_memory_time(t)) :
			known_amount(tally_stall_cycles(measured, t));
	misses = tally_misses(measured, t, lowest ? lowest : last);
	return known_amount(misses);
}

bool attributes_needs_counts(const struct attributes *b, const struct asl_property *property)
{
	return any_is(b, property->reads, property->nreads, COUNTED);
}

bool attributes_needs_misses(const struct attributes *b, const struct asl_property *property)
{
	return any_is(b, property->reads, property->nreads, MISSES);
}

bool attributes_reads_calls(const struct attributes *b, const struct asl_property *property)
{
	return any_is(b, property->reads, property->nreads, CALLED);
}

bool attributes_needs_calls(const struct attributes *b)
{
	for (size_t i = 0; i < asl_nproperties(b->program); i++)
		if (attributes_reads_calls(b, asl_property(b->program, i)))
			return true;
	return false;
}

bool attributes_reads_noise(const struct attributes *b, const struct asl_property *property)
{
	return any_is(b, property->reads, property->nreads, NOISE);
}

bool attributes_reads_events(const struct attributes *b, const struct asl_property *property)
{
	return any_is(b, property->reads, property->nreads, EVENTS);
}

static bool any_property_is(const struct attributes *b, uint32_t flag)
{
	for (size_t i = 0; i < asl_nproperties(b->program); i++) {
		const struct asl_property *p = asl_property(b->program, i);

		if (any_is(b, p->reads, p->nreads, flag))
			return true;
	}
	return false;
}

bool attributes_needs_places(const struct attributes *b)
{
	return any_property_is(b, PLACED);
}

bool attributes_needs_overwrites(const struct attributes *b)
{
	return any_property_is(b, OVERWRITES);
}

/* Does a part of a property over all processes read counts of single threads? */
static bool folds_threads(const struct attributes *b, const struct asl_property *p)
{
	for (int i = 0; i < p->nreads; i++)
		if (has_threads(b, p->reads[i].cls) &&
		    any_is(b, &p->reads[i], 1, COUNTED))
			return true;
	return false;
}

enum keep_threads attributes_keep_threads(const struct attributes *b)
{
	enum keep_threads keep = KEEP_THREADS_NONE;

	for (size_t i = 0; i < asl_nproperties(b->program); i++) {
		const struct asl_property *p = asl_property(b->program, i);
		enum context_kind kind = attributes_context_kind(b, p->context);

		if (kind == CONTEXT_APPLICATION && folds_threads(b, p))
			keep = KEEP_THREADS_REGIONS;
		if (!context_of_threads(kind) || !attributes_needs_counts(b, p))
			continue;
		if (context_of_structure(kind))
			return KEEP_THREADS_OBJECTS;
		keep = KEEP_THREADS_REGIONS;
	}
	return keep;
}

/* Adds a metric unless it is listed; its number.  EVENTS_MOST: there are too many. */
static uint32_t list_metric(struct attribute_events *out, const char *metric)
{
	for (uint32_t i = 0; i < out->n; i++)
		if (strcmp(out->metric[i], metric) == 0)
			return i;
	if (out->n < EVENTS_MOST)
		out->metric[out->n++] = metric;
	return out->n - 1;
}

void attributes_events(const struct attributes *b, struct attribute_events *out)
{
	*out = (struct attribute_events){ .n = 0 };
	for (size_t i = 0; i < asl_nproperties(b->program); i++) {
		const struct asl_property *p = asl_property(b->program, i);
		uint64_t reads = 0;

		for (int k = 0; k < p->nreads; k++) {
			const struct attribute *a = &b->attr[p->reads[k].cls][p->reads[k].attr];

			if (a->source == EVENT)
				reads |= UINT64_C(1) << list_metric(out, a->metric);
		}
		if (reads && out->nsets < EVENTS_MOST)
			out->set[out->nsets++] = reads;
	}
}
