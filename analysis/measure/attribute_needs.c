/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a property needs, and what its severity is of, from the attributes that it reads. */
#include "analysis/measure/attributes_private.h"
#include "analysis/measure/sharing.h"

#include <string.h>

#include "base/known.h"

enum context_kind attributes_context_kind(const struct attributes *b, int cls)
{
	if (b->app >= 0 && asl_class_is(b->program, cls, b->app))
		return CONTEXT_APPLICATION;
	if (b->data_threads >= 0 && asl_class_is(b->program, cls, b->data_threads))
		return CONTEXT_STRUCTURE_THREADS;
	if (attributes_has_threads(b, cls))
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
	return property->severity_is_time && !attributes_has_threads(b, property->context) &&
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
		if (attributes_has_threads(b, p->reads[i].cls) &&
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
