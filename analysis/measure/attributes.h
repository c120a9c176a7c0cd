/* SPDX-License-Identifier: BSD-3-Clause */
/* The attributes of the data model (properties/model.asl): binds their names to measured values.
 * Only this file and the property files know the names of metrics. */
#ifndef PSC_MEASURE_ATTRIBUTES_H
#define PSC_MEASURE_ATTRIBUTES_H

#include "analysis/measure/measurements.h"
#include "asl/asl.h"
#include "base/region.h"

/* A context, or an object within it, on which a property is tested. */
struct subject {
	const struct measurements *measured;    /* borrowed */
	uint32_t context;
	uint32_t object;                /* MON_ANY: the region itself */
	bool counted;                   /* tally was measured */
	struct tally tally;             /* of the region, or of the object within it */
	struct tally around;            /* object: the region's (the severity divides by it) */
	const uint32_t *less;           /* contexts whose counts are subtracted from tally;
					 * borrowed */
	uint32_t nless;
	const double *off;              /* sampling_error_shift() applied to tally; NULL: none */
};

struct attributes;
/* Resolves every class and attribute of the program.  An attribute that no collector measures has
 * the value undefined.  Caller frees. */
struct attributes *attributes_new(const struct asl_program *p);
void attributes_free(struct attributes *b);
/* An environment for one evaluation, whose objects are struct subject. */
struct asl_env attributes_env(const struct attributes *b);

enum context_kind {
	CONTEXT_NONE, CONTEXT_REGION, CONTEXT_STRUCTURE,
	CONTEXT_STRUCTURE_FLOW,                         /* over time: without REFINES, of the phase
							 * alone */
	CONTEXT_THREADS, CONTEXT_STRUCTURE_THREADS,     /* with arrays by thread */
	CONTEXT_APPLICATION
};

static inline bool context_of_structure(enum context_kind kind)
{
	return kind == CONTEXT_STRUCTURE || kind == CONTEXT_STRUCTURE_FLOW ||
		kind == CONTEXT_STRUCTURE_THREADS;
}

static inline bool context_of_threads(enum context_kind kind)
{
	return kind == CONTEXT_THREADS || kind == CONTEXT_STRUCTURE_THREADS;
}

/* A region over all processes: the subject of an AppPerf and its Region. */
struct app_subject {
	enum region_type type;
	const char *name, *file;        /* borrowed */
	int line;
	int nprocesses;
};
/* An environment whose objects are struct app_subject; it has no sets (asl_evaluate_parts). */
struct asl_env attributes_app_env(const struct attributes *b);

/* The kind of subjects on which a property of that context class is tested; CONTEXT_NONE: nothing
 * is known for it. */
enum context_kind attributes_context_kind(const struct attributes *b, int cls);
/* The amount of a tally that the property is about; never negative.  The first that applies:
 *   it reads lat<N>:                                loads of N cycles or more, for the lowest N
 *   it reads coherence misses, no cache level's:    coherence misses
 *   it reads remote accesses, no cache level's:     remote accesses, if there are any
 *   it reads costs of misses, no cache level's:     memory time; misses x latency before it is
 * known
 *   else:                                           misses of the lowest cache level that it reads,
 *                                                   or of the last level */
double attributes_weight(const struct attributes *b, const struct asl_property *property,
	const struct measurements *measured, const struct tally *t);
/* True: the severity is a rate times a time, an index.  That is a time computed from counts, except
 * what memory costs: estimates, memory time, misses x latency.  Only what the severity reads
 * matters, not the condition. */
bool attributes_severity_is_index(const struct attributes *b, const struct asl_property *property);
/* True: the severity is computed from misses of lines that threads take from each other. */
bool attributes_severity_is_of_lines(const struct attributes *b,
	const struct asl_property *property);
/* True: the severity is in seconds of all threads, so its share is of the phase's processor time.
 * What a property computes from single threads is elapsed time. */
bool attributes_severity_is_of_threads(const struct attributes *b,
	const struct asl_property *property);
/* True: the severity is a cost of page faults (fault_costs.h). */
bool attributes_severity_is_of_faults(const struct attributes *b,
	const struct asl_property *property);
/* True: the severity is what memory costs because it is on another node. */
bool attributes_severity_is_of_nodes(const struct attributes *b,
	const struct asl_property *property);
/* True: the property, or a part of it, reads counts. */
bool attributes_needs_counts(const struct attributes *b, const struct asl_property *property);
/* True: the property, or a part of it, reads counts that a set sample (--sample) estimates. */
bool attributes_needs_misses(const struct attributes *b, const struct asl_property *property);

/* True: the property reads how much times vary between clean executions; a low confidence then
 * means that noise could explain what it found. */
bool attributes_reads_noise(const struct attributes *b, const struct asl_property *property);

/* True: the property reads events (event_counts.h). */
bool attributes_reads_events(const struct attributes *b, const struct asl_property *property);
/* True: the property, or a property of the program, reads what calls of MPI do. */
bool attributes_reads_calls(const struct attributes *b, const struct asl_property *property);
bool attributes_needs_calls(const struct attributes *b);

/* True: a property of the program reads attributes that depend on memory nodes. */
bool attributes_needs_places(const struct attributes *b);
/* True: one reads attributes of stores that are overwritten unread. */
bool attributes_needs_overwrites(const struct attributes *b);

/* The metrics of events that the program's properties read, and as bits those of each property that
 * reads any. */
enum { EVENTS_MOST = 64 };
struct attribute_events {
	const char *metric[EVENTS_MOST];        /* borrowed */
	uint32_t n;
	uint64_t set[EVENTS_MOST];
	uint32_t nsets;
};
void attributes_events(const struct attributes *b, struct attribute_events *out);

/* The counts of single threads that the program's properties read. */
enum keep_threads attributes_keep_threads(const struct attributes *b);

#endif
