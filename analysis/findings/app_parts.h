/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of properties over all processes (AppPerf), by calling path: taken from each process,
 * merged by the agents, and evaluated by the master into findings over all processes.
 *
 * A place is a calling path; a process has an element at every place that it executed.  Processes
 * are merged only if their clean executions have the same numbers; where a property reads counts
 * and everything was counted in one experiment, the numbers of the counted executions must agree
 * too.  The phase's place carries these numbers.  Times are added as integers and parts merge
 * exactly, so the result depends neither on the order nor on the tree of agents. */
#ifndef PSC_FINDINGS_APP_PARTS_H
#define PSC_FINDINGS_APP_PARTS_H

#include "analysis/measure/attributes.h"
#include "analysis/search/run_config.h"
#include "analysis/search/search.h"
#include "asl/asl.h"
#include "report/model/report.h"

#define NO_PLACE UINT32_MAX

struct app_member {                     /* one property at one place */
	uint32_t proven, undecided;     /* processes in which a parent property was that */
	struct asl_part *parts;         /* in the arena of struct app_parts */
};

struct app_place {
	uint32_t parent;                /* place, always an earlier one; NO_PLACE: a phase */
	uint32_t child, next;           /* private */
	struct report_node node;        /* the region; its figures are not used */
	uint32_t twin;                  /* number among siblings with an equal node */
	uint64_t clean, counted;        /* of a phase: first clean, first counted execution; 0
					 * none */
	uint32_t nclean, ncounted;      /* of a phase: number of these executions */
	uint64_t ns, stall_ns;          /* sums over its processes, per phase execution */
	uint64_t cpu_ns;                /* processor time that stall_ns is a part of */
	uint64_t stall_error_ns;        /* error of stall_ns with a set sample; else 0 */
	uint32_t stalled;               /* number of processes with an estimate */
	bool unwarmed;                  /* in one process at least (findings_unwarmed) */
	bool asked;                     /* in one process at least: the user asks for it (--sir) */
	double coverage;                /* lowest share of accesses counted */
	struct rank_set ranks;          /* of its processes; owned */
	uint32_t nranks;                /* without MPI all have rank 0, and each counts */
	struct app_member *members;     /* one for each of app_parts->properties */
};

struct app_parts {
	struct arena *arena;
	const struct asl_program *program;      /* borrowed */
	const struct attributes *attributes;    /* borrowed */
	uint32_t *properties;                   /* those of AppPerf, parents first */
	uint32_t nproperties;
	bool counts;                            /* a property reads counts */
	struct app_place *places;
	uint32_t nplaces, cap, phases;          /* phases: private, the first phase's place */
};

/* Without places.  NULL: memory.  nproperties 0: the program has no such property. */
struct app_parts *app_parts_new(const struct asl_program *program,
	const struct attributes *attributes);
void app_parts_free(struct app_parts *app);     /* NULL is fine */
/* Adds the elements of a process whose search has ended.  0 / -1 (memory). */
int app_parts_take(struct app_parts *app, const struct search *s);
int app_parts_merge(struct app_parts *into, const struct app_parts *from);
void app_parts_encode(const struct app_parts *app, struct buf *out);
/* Merges the output of app_parts_encode() for the same properties and version; anything else:
 * -1. */
int app_parts_merge_encoded(struct app_parts *into, const void *data, size_t len, struct err *err);
/* Evaluates the properties, adds the findings over all processes to the merged report (with why_not
 * or without findings, also the list of tests), and ranks it. 0 / -1 (memory). */
int app_parts_report(const struct app_parts *app, const struct run_config *config,
	struct report *r);

#endif
