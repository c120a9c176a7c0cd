/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares what attributes.c, attribute_flows.c, attribute_sets.c and attribute_needs.c share. */
#ifndef PSC_MEASURE_ATTRIBUTES_PRIVATE_H
#define PSC_MEASURE_ATTRIBUTES_PRIVATE_H

#include "analysis/measure/attribute_names.h"
#include "analysis/measure/attributes.h"

#include <math.h>

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
	struct attribute_flows *flows;  /* owned */
	struct attribute_sets *sets;    /* owned */
	char *text;                     /* values of the attributes of enum texts, TEXT_MAX bytes
					 * each, until they are read again; owned */
};

static inline void set_float(struct asl_value *out, double v)
{
	if (isnan(v))
		return;
	out->type = ASL_FLOAT;
	out->v.f = v;
}

static inline void set_string(struct asl_value *out, const char *s)
{
	if (!s)
		return;
	out->type = ASL_STRING;
	out->v.s = s;
}

static inline void set_int(struct asl_value *out, int64_t v)
{
	out->type = ASL_INT;
	out->v.i = v;
}

void set_enum(const struct attributes *b, struct asl_value *out, const char *type,
	const char *item);
/* The number of samples is the number of simulated classes of lines. */
void set_quality(const struct subject *s, const struct attribute *a, struct asl_value *out);

bool attributes_has_threads(const struct attributes *b, int cls);
bool attributes_has_flow(const struct attributes *b, int cls);

/* attribute_flows.c: flows that were read. */
struct attribute_flows *attribute_flows_new(void);      /* NULL: no memory */
void attribute_flows_free(struct attribute_flows *a);   /* NULL is fine */
/* Returns whether the attribute is one of flows. */
bool attribute_of_flow(const struct attributes *b, const struct subject *s,
	const struct attribute *a, int64_t index, struct asl_value *out);

/* attribute_sets.c: the sets of one evaluation. */
struct attribute_sets *attribute_sets_new(void);        /* NULL: no memory */
void attribute_sets_forget(struct attribute_sets *a);   /* another evaluation begins */
void attribute_sets_free(struct attribute_sets *a);     /* NULL is fine */
/* The data structures that a region accesses, as a set of ObjectFlow; undefined: not counted. */
void attribute_structures(const struct attributes *b, const struct subject *s,
	struct asl_value *out);
void attribute_element(const struct asl_value *of, size_t i, struct asl_value *out);

#endif
