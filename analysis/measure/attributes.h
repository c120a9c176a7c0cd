/* SPDX-License-Identifier: BSD-3-Clause */
/* The attributes of the data model (properties/model.asl), by name, over what was measured.
 * This file and its table are the only place outside the property files that knows a metric's name. */
#ifndef PSC_MEASURE_ATTRIBUTES_H
#define PSC_MEASURE_ATTRIBUTES_H

#include "analysis/measure/measurements.h"
#include "asl/asl.h"
#include "base/region.h"

/* What a property is tested on: a context, or an object within it. */
struct subject {
	const struct measurements *measured;        /* borrowed */
	uint32_t context;
	uint32_t object;                /* MON_ANY: the region itself */
	bool counted;                   /* tally was measured */
	struct tally tally;             /* of the region, or of the object within it */
	struct tally around;            /* object: the region's (what the severity divides by) */
	const uint32_t *less;           /* contexts whose part is not in tally; borrowed */
	uint32_t nless;
	const double *off;              /* by what tally is not as measured (sampling_error_shift); NULL: it is */
};

struct attributes;
/* Looks every class and attribute of the program up.  An attribute that nothing here measures is
 * undefined whenever asked for.  Caller frees. */
struct attributes *attributes_new(const struct asl_program *p);
void attributes_free(struct attributes *b);
/* An environment whose objects are struct subject. */
struct asl_env attributes_env(const struct attributes *b);

enum context_kind {
	CONTEXT_NONE, CONTEXT_REGION, CONTEXT_STRUCTURE,
	CONTEXT_THREADS, CONTEXT_STRUCTURE_THREADS,     /* with arrays by thread */
	CONTEXT_APPLICATION
};

static inline bool context_of_structure(enum context_kind kind)
{
	return kind == CONTEXT_STRUCTURE || kind == CONTEXT_STRUCTURE_THREADS;
}

static inline bool context_of_threads(enum context_kind kind)
{
	return kind == CONTEXT_THREADS || kind == CONTEXT_STRUCTURE_THREADS;
}

/* A region of the whole application: what an AppPerf and its Region stand for. */
struct app_subject {
	enum region_type type;
	const char *name, *file;        /* borrowed */
	int line;
	int nprocesses;
};
/* An environment whose objects are struct app_subject; it has no sets (asl_evaluate_parts). */
struct asl_env attributes_app_env(const struct attributes *b);

/* On what a property of that context class is tested; CONTEXT_NONE: on nothing we have. */
enum context_kind attributes_context_kind(const struct attributes *b, int cls);
/* What a property is about, of a tally: the loads slower than the fewest cycles that it reads, else the
 * misses of the lowest cache level, else the misses because of other threads or the remote accesses if it
 * reads those, else the modelled stall cycles if it reads those, else the last level's misses.  Never negative. */
double attributes_weight(const struct attributes *b, const struct asl_property *property,
	const struct measurements *measured, const struct tally *t);
/* True when its severity is a rate times a time: a time worked out from counts, but not as the machine
 * model has it (stall time).  What the condition reads is not in it. */
bool attributes_severity_is_index(const struct attributes *b, const struct asl_property *property);
/* True when it, or a part of it, reads anything that recording counts. */
bool attributes_needs_counts(const struct attributes *b, const struct asl_property *property);

/* True when it, or a part of it, reads what a sample of the cache sets (--sample) does not count exactly. */
bool attributes_needs_misses(const struct attributes *b, const struct asl_property *property);

/* True when any property of the program asks where memory lies. */
bool attributes_needs_places(const struct attributes *b);

/* What of single threads the program's properties read. */
enum keep_threads attributes_keep_threads(const struct attributes *b);

#endif
