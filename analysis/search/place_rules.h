/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of the search for any tree of places where properties are tested: the contexts of one
 * process (search.c), or the calling paths of all processes (findings/app_findings.c). */
#ifndef PSC_SEARCH_PLACE_RULES_H
#define PSC_SEARCH_PLACE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asl/asl.h"
#include "base/err.h"

enum outcome {                  /* of one property at one place */
	OUT_NONE,               /* never considered */
	OUT_HELD,
	OUT_FALSE,
	OUT_UNDECIDED,          /* undefined, or confidence below the floor */
	OUT_PRUNED,             /* the search did not descend to it */
	OUT_PARENT_UNDECIDED,   /* REFINES: the parent property is undecided */
	OUT_REFUSED,            /* property over all processes that reads sampled counts */
	OUT_SERIAL,             /* property of threads, but only one thread runs here */
	OUT_PENDING             /* waits for a measurement */
};

#define PLACE_NONE UINT32_MAX

/* A tree of places and the verdicts on them, accessed through functions. */
struct places {
	const void *arg;
	uint32_t n;             /* number of places; a place has a higher number than its parent */
	uint32_t phase;         /* the place that is the phase */
	/* PLACE_NONE: of the phase */
	uint32_t (*parent)(const void *arg, uint32_t place);
	enum outcome (*outcome)(const void *arg, uint32_t place, uint32_t property);
	/* The amount of what the property is about at the place, comparable between places. */
	double (*weight)(const void *arg, uint32_t place, uint32_t property);
	int (*type)(const void *arg, uint32_t place);                   /* enum region_type */
	/* Has the inner place at least this share of what was measured at the outer one? */
	bool (*covers)(const void *arg, uint32_t outer, uint32_t inner, double share);
};

/* The outcome of a verdict.  floor: the least confidence with which a property holds. */
enum outcome places_outcome(const struct asl_verdict *v, double floor);

/* The nearest places below `place` where the property held (none of them below another); returns
 * their number.  out has room for all places. */
uint32_t places_holding_below(const struct places *t, uint32_t place, uint32_t property,
	uint32_t *out);
/* True: these places have 80 % or more of the place's weight, so they are reported instead of
 * it. */
bool places_explained(const struct places *t, uint32_t place, uint32_t property,
	const uint32_t *below, uint32_t nbelow);

/* REFINES: is one of the property's parents proven at the place? */
enum refinement { REFINES_PROVEN, REFINES_NOT, REFINES_UNDECIDED };
enum refinement places_refines(const struct places *t, uint32_t place,
	const struct asl_property *p);
#define PLACES_REFINES_UNDECIDED "not tested: the property it refines could not be decided"

/* True: the place is a loop that does 99 % of what its parent loop does.  They are one nest, of
 * which only the outermost loop is examined. */
bool places_same_nest(const struct places *t, uint32_t place);

/* True, with a reason: under 1 % of phase time, so the place is not examined. */
bool places_too_small(double time, double phase_time, char *reason, size_t size) PSC_CHECKED;

#endif
