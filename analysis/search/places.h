/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of the search that hold for any tree of places where properties are judged: the contexts of a
 * process (search.c), the places of the whole application (findings/app_findings.c). */
#ifndef PSC_SEARCH_PLACES_H
#define PSC_SEARCH_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asl/asl.h"

enum outcome {                  /* of one property at one place */
	OUT_NONE,               /* never considered */
	OUT_HELD,
	OUT_FALSE,
	OUT_UNDECIDED,          /* undefined, or confidence below the floor */
	OUT_PRUNED,             /* the search did not go there */
	OUT_PARENT_UNDECIDED,   /* REFINES: the parent could not be decided */
	OUT_REFUSED,            /* of the application, and what it reads was sampled */
	OUT_SERIAL,             /* of threads, and one alone runs here */
	OUT_PENDING             /* waits for a measurement */
};

#define PLACE_NONE UINT32_MAX

/* A tree of places and the verdicts found there, asked by functions. */
struct places {
	const void *arg;
	uint32_t n;             /* places, numbered after their parents */
	uint32_t phase;         /* the place that is the phase */
	uint32_t (*parent)(const void *arg, uint32_t place);            /* PLACE_NONE: of the phase */
	enum outcome (*outcome)(const void *arg, uint32_t place, uint32_t property);
	/* How much of what the property is about is there: to be compared between places. */
	double (*weight)(const void *arg, uint32_t place, uint32_t property);
	int (*type)(const void *arg, uint32_t place);                   /* enum region_type */
	/* Has the part at least this share of what was measured of the whole? */
	bool (*covers)(const void *arg, uint32_t whole, uint32_t part, double share);
};

/* The outcome of a verdict; floor: of confidence. */
enum outcome places_outcome(const struct asl_verdict *v, double floor);

/* Places below the given one where the property held, with no such place between; their number.  out has room for
 * all places. */
uint32_t places_holding_below(const struct places *t, uint32_t place, uint32_t property, uint32_t *out);
/* They have 80 % of what it is about there: then they stand for the whole. */
bool places_explained(const struct places *t, uint32_t place, uint32_t property, const uint32_t *below,
	uint32_t nbelow);

/* REFINES: is a property that it refines proven at the place? */
enum refinement { REFINES_PROVEN, REFINES_NOT, REFINES_UNDECIDED };
enum refinement places_refines(const struct places *t, uint32_t place, const struct asl_property *p);
#define PLACES_REFINES_UNDECIDED "not tested: the property it refines could not be decided"

/* A loop that does all that the loop around it does is one nest with it: only the outermost is looked at. */
bool places_same_nest(const struct places *t, uint32_t place);

/* Below a hundredth of the phase's time nothing is looked at; says so. */
bool places_too_small(double time, double phase_time, char *reason, size_t size);

#endif
