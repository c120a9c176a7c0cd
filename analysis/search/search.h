/* SPDX-License-Identifier: BSD-3-Clause */
/* The search: from what has been measured of one process to verdicts, and to what must be measured
 * next.  A pure function: run again after every experiment, it starts afresh, so that its findings
 * depend on the measurements alone. */
#ifndef PSC_SEARCH_SEARCH_H
#define PSC_SEARCH_SEARCH_H

#include "analysis/measure/attributes.h"
#include "analysis/measure/measurements.h"
#include "analysis/search/places.h"
#include "analysis/search/run_config.h"
#include "asl/asl.h"

struct test {                   /* one property on one subject */
	uint32_t context, object;       /* object MON_ANY: the region */
	uint32_t property;
	enum outcome outcome;
	struct asl_verdict verdict;     /* where it was evaluated */
	char reason[160];       /* "" where that is the number that decided: search_why_not() */
	bool rest;                      /* structure: tested on the region's rest only */
};

struct need {
	uint32_t context, object;
};

struct search;

/* The rule by which the search goes down; two implementations in strategy.c. */
struct strategy {
	const char *name;
	/* Should `property` (a region property without parents) be tested in `child`, whose parent
	 * context has been?  May ask for measurements (search_need) and say no for now. When no:
	 * reason says why. */
	bool (*descend)(struct search *s, uint32_t child, uint32_t property, char *reason,
		size_t size);
};
const struct strategy *strategy_find(enum strategy_kind kind);

struct search {
	const struct measurements *measured;                /* borrowed, as the next three */
	const struct asl_program *program;
	const struct attributes *attributes;
	const struct strategy *strategy;
	double floor;                           /* of confidence */
	struct test *tests;                     /* owned */
	uint32_t ntests, cap;
	struct need *needs;                     /* owned, without repetition */
	uint32_t nneeds;
	uint32_t *region_test;                  /* context * nproperties → test + 1; owned */
	uint32_t *order;                        /* properties, parents first; owned */
	uint32_t nproperties;
	bool failed;                            /* out of memory */
};

/* 0 / -1 (memory). */
int search_run(struct search *s, const struct measurements *measured, const struct asl_program *program,
	const struct attributes *attributes, const struct strategy *strategy, double floor);
void search_free(struct search *s);

/* The region test of a property in a context; NULL when there was none. */
const struct test *search_region_test(const struct search *s, uint32_t context, uint32_t property);
bool search_held(const struct search *s, uint32_t context, uint32_t property);
/* Evaluates without recording (for the rate at every node of a path). */
void search_evaluate(const struct search *s, uint32_t property, const struct subject *subject,
	struct asl_verdict *out);
/* Why it does not hold, in words that begin with the number that decided; "" where it does, or is
 * undecided. */
void search_why_not(const struct search *s, uint32_t property, const struct subject *subject,
	char *text, size_t size);
/* What decided where it holds or is undecided, in words; else "". */
void search_explain(const struct asl_verdict *v, double floor, char *text, size_t size);
/* Counts of a region or object; false, and a need noted, when not measured yet. */
bool search_subject(struct search *s, uint32_t context, uint32_t object, struct subject *out);
void search_need(struct search *s, uint32_t context, uint32_t object);
/* The nearest contexts below `context` where the property held; the caller frees. */
uint32_t search_holding_below(const struct search *s, uint32_t context, uint32_t property,
	uint32_t **out);
/* Those contexts, which the caller frees; true when they cover 80 % of what the property is about there
 * (attributes_weight; of threads: the severity): then they stand for the whole. */
bool search_explained(const struct search *s, uint32_t context, uint32_t property,
	uint32_t **below, uint32_t *nbelow);

#endif
