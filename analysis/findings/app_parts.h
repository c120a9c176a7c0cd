/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of the whole application (AppPerf): what each process gives to them, by calling path, merged
 * on the way up, and at the top evaluated into findings over all processes.
 *
 * A place is a calling path; a process has an element at every place that it executed.  Processes are
 * joined only if their clean executions (and, where a property reads counts and everything was counted in
 * one experiment, the counted ones) have the same numbers: the phase of a place carries them.  Counts
 * and times are added as integers and parts merge exactly, so that order and tree never show. */
#ifndef PSC_FINDINGS_APP_PARTS_H
#define PSC_FINDINGS_APP_PARTS_H

#include "analysis/measure/attributes.h"
#include "analysis/search/run_config.h"
#include "analysis/search/search.h"
#include "asl/asl.h"
#include "report/report.h"

#define NO_PLACE UINT32_MAX

struct app_member {           /* one property at one place */
	uint32_t proven, undecided;     /* processes in which one that it refines was */
	struct asl_part *parts;         /* in the whole's arena */
};

struct app_place {
	uint32_t parent;                /* place, always an earlier one; NO_PLACE: a phase */
	uint32_t child, next;           /* private */
	struct report_node node;        /* what it is; figures are not used */
	uint32_t twin;                  /* number among siblings that look alike */
	uint64_t clean, counted;        /* phases: first execution measured, in two ways; 0 not */
	uint32_t nclean, ncounted;
	uint64_t ns, stall_ns;          /* sums over its processes, per phase execution */
	uint64_t stall_error_ns;        /* of stall_ns, where it is of a sample (findings_report) */
	uint32_t stalled;               /* processes that stall_ns is of */
	bool unwarmed;
	double coverage;                /* least share of accesses counted */
	int *ranks;                     /* of its processes, ascending; owned */
	uint32_t nranks;
	struct app_member *members;   /* by whole->properties */
};

struct app_parts {
	struct arena *arena;
	const struct asl_program *program;      /* borrowed */
	const struct attributes *attributes;          /* borrowed */
	uint32_t *properties;                   /* of the whole application, parents first */
	uint32_t nproperties;
	bool counts;                            /* one of them reads counts */
	struct app_place *places;
	uint32_t nplaces, cap, phases;          /* phases: private, first of them */
};

/* Empty.  NULL: memory.  nproperties 0: there is nothing to do. */
struct app_parts *app_parts_new(const struct asl_program *program, const struct attributes *attributes);
void app_parts_free(struct app_parts *app);               /* NULL is fine */
/* What a process whose search ended has.  0 / -1 (memory). */
int app_parts_take(struct app_parts *app, const struct search *s);
int app_parts_merge(struct app_parts *into, const struct app_parts *from);
void app_parts_encode(const struct app_parts *app, struct buf *out);
/* Merges what encode of the same version wrote for the same properties; else -1. */
int app_parts_merge_encoded(struct app_parts *into, const void *data, size_t len, struct err *err);
/* Evaluates, adds findings over all processes to the report of all (and what was tested, where that is
 * wanted or nothing was found), and ranks it. 0 / -1 (memory). */
int app_parts_report(const struct app_parts *app, const struct run_config *config, struct report *r);

#endif
