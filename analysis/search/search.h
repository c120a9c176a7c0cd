/* SPDX-License-Identifier: BSD-3-Clause */
/* The search: computes from the measurements of one process the verdicts, and what must be measured
 * next.  It is a pure function that runs afresh after every experiment, so its findings depend on
 * the measurements alone, not on their order. */
#ifndef PSC_SEARCH_SEARCH_H
#define PSC_SEARCH_SEARCH_H

#include "analysis/measure/attributes.h"
#include "analysis/measure/measurements.h"
#include "analysis/search/place_rules.h"
#include "analysis/search/run_config.h"
#include "analysis/search/wanted.h"
#include "asl/asl.h"

struct test {                   /* one property on one subject */
	uint32_t context, object;       /* object MON_ANY: the region */
	uint32_t property;
	enum outcome outcome;
	struct asl_verdict verdict;     /* where it was evaluated */
	char reason[160];       /* "": the number that decided is the reason, see
				 * search_why_not() */
	bool way;               /* of a region that is not asked for, on the way to one that is: not
				 * reported */
	bool rest;              /* structure: tested without the counts of holding regions below */
};

/* What is measured.  An event's metric has the recipe's name, which has no blanks. */
#define METRIC_TIMES "times of regions"
#define METRIC_COUNTS "counts of accesses"
#define METRIC_CHANGED "counts with changes"
#define METRIC_COST "cost of misses"
#define METRIC_KERNEL "times in the kernel"
#define METRIC_TRIAL "times with an action"

struct need {                   /* what the search lacks */
	const char *metric;             /* borrowed */
	uint32_t context, object;       /* MON_ANY: the whole phase; all objects */
};

struct search;

/* The rule by which the search descends; two implementations in strategy.c. */
struct strategy {
	/* True: test `property` (a region property without parents) in `child`, whose parent
	 * context has been examined.  False: reason says why; it may be that counts are missing,
	 * which are then among the needs. */
	bool (*descend)(struct search *s, uint32_t child, uint32_t property, char *reason,
		size_t size);
};
const struct strategy *strategy_find(enum strategy_kind kind);

struct search {
	const struct measurements *measured;    /* borrowed, as the next three */
	const struct asl_program *program;
	const struct attributes *attributes;
	const struct strategy *strategy;
	struct wanted wanted;                   /* what is asked for; owned */
	double floor;                           /* least confidence of a property that holds */
	struct test *tests;                     /* owned */
	uint32_t ntests, cap;
	struct need *needs;                     /* owned, no duplicates */
	uint32_t nneeds;
	uint32_t *region_test;                  /* context * nproperties → test + 1; owned */
	uint32_t *order;                        /* properties, parents first; owned */
	uint32_t nproperties;
	bool failed;                            /* out of memory */
};

/* 0 / -1 (memory). */
int search_run(struct search *s, const struct measurements *measured,
	const struct asl_program *program, const struct attributes *attributes,
	const struct strategy *strategy, double floor);
void search_free(struct search *s);

/* The test of a region property in a context; NULL: not tested. */
const struct test *search_region_test(const struct search *s, uint32_t context, uint32_t property);
bool search_held(const struct search *s, uint32_t context, uint32_t property);
/* Evaluates a property without recording a test (for the rate at every node of a path). */
void search_evaluate(const struct search *s, uint32_t property, const struct subject *subject,
	struct asl_verdict *out);
/* Writes why a property does not hold, beginning with the number that decided; "" where it holds or
 * is undecided. */
void search_why_not(const struct search *s, uint32_t property, const struct subject *subject,
	char *text, size_t size);
/* Writes why a property holds or is undecided; "" where it does not hold.  noise: the property's
 * confidence compares with the noise of times (attributes_reads_noise). */
void search_explain(const struct asl_verdict *v, double floor, bool noise, char *text, size_t size);
/* Fills in the counts of a region or object.  False: not measured yet, added to the needs. */
bool search_subject(struct search *s, uint32_t context, uint32_t object, struct subject *out);
void search_need(struct search *s, const char *metric, uint32_t context, uint32_t object);
/* The nearest contexts below `context` where the property held; returns their number, the caller
 * frees. */
uint32_t search_holding_below(const struct search *s, uint32_t context, uint32_t property,
	uint32_t **out);
/* The same contexts, which the caller frees.  True: they have 80 % or more of what the property is
 * about in `context` (attributes_weight; for properties of threads the severity), so they are
 * reported instead of it. */
bool search_explained(const struct search *s, uint32_t context, uint32_t property,
	uint32_t **below, uint32_t *nbelow);

#endif
