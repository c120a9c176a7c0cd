/* SPDX-License-Identifier: BSD-3-Clause */
/* A collector is a way to measure: it gives metrics for contexts and data structures of one phase.
 * The planner (planner.c) lists what is needed, gives each need to the first collector that gives
 * its metric, and asks that collector for a request; agents/process.c sends the request and hands
 * the result back.  A collector sends nothing itself. */
#ifndef PSC_COLLECT_COLLECTOR_H
#define PSC_COLLECT_COLLECTOR_H

#include "analysis/findings/invariants.h"
#include "analysis/findings/whatif.h"
#include "analysis/measure/attributes.h"
#include "analysis/search/plan.h"
#include "report/model/report.h"

enum { COLLECTORS_MOST = 32, COLLECTOR_METRICS = 4 };

/* Why something is needed, in the order of the requests. */
enum need_stage {
	NEED_SEARCH,            /* what the search lacks */
	NEED_EVENTS,            /* other metrics that properties read, of the whole phase */
	NEED_TRIALS,            /* what the user wants to be tried when the search has ended */
	NEED_REST,              /* the report is complete without it: an optional request */
	NEED_STAGES
};

struct needs {
	const struct need *list;        /* borrowed */
	uint32_t n;
};

/* The same for all processes of a host.  config->collectors has those that come first in the
 * order. */
struct collect_host {
	const struct run_config *config;        /* borrowed */
	const struct attributes *attributes;    /* borrowed */
	const struct collector *const *all;     /* ended by NULL; borrowed */
	const struct collector *order[COLLECTORS_MOST]; /* the same by preference */
	void *state[COLLECTORS_MOST];   /* of each collector, by its number; owned */
};

/* What the collectors keep of one phase in one process. */
struct collection {
	const struct collect_host *host;        /* borrowed */
	struct measurements *measured;          /* borrowed */
	struct whatif *whatif;          /* owned; NULL until the search has ended */
	struct invariants invariants;
	uint32_t timed_in, counted_in;  /* the runs of its times and counts, one bit each */
	uint64_t timed_at;              /* clock_ns() when clean times came last */
	bool calls;                     /* MPI calls came since mpi_matching.c matched them */
	void *state[COLLECTORS_MOST];   /* of each collector, by its number; owned */
};

/* What is known of a process when it is asked for a request. */
struct collect_moment {
	const struct plan_sizes *sizes; /* what this run of the program measures */
	const struct search *search;    /* NULL: it has not run yet */
	struct mon_peer *peer;          /* borrowed */
	uint64_t begun;                 /* executions of the phase */
	uint32_t run;                   /* of the program, from 1 */
	uint32_t processes;     /* of the program, on this host */
	bool rank;      /* of an MPI program: others may be recorded, or timed, meanwhile */
	bool exited;
};

struct collector {
	const char *name;       /* for --collector */
	const char *what;       /* one line of the list that --collector prints */
	const char *progress;   /* its experiments in the line of progress */
	/* METRIC_..., or of events; where there are none, gives() alone decides. */
	const char *metrics[COLLECTOR_METRICS];
	bool distorts;          /* no rank's clean executions may be at the same time */
	bool any_program;       /* it also serves programs that our wrappers have not compiled
				 * (run_config.bursts) */
	bool quiet;             /* its results are no experiments of their own to the user */
	/* An optional result is waited for so long, and as long as so many executions take. */
	struct { uint64_t ns; uint32_t executions; } patience;
	size_t state;           /* bytes kept of each phase of a process, zero at the beginning */

	/* host_begin: (optional) called once on each host.  Sets *state, or leaves it NULL.
	 * 0 / -1. */
	int (*host_begin)(const struct collect_host *h, void **state, struct err *err);
	/* gives: (optional) called for needs of its metrics: can this one be had here?  Without it:
	 * yes. */
	bool (*gives)(const struct collection *c, const struct need *need);
	/* most: (optional) called before plan: how many needs one request can serve.  Without it:
	 * any number. */
	uint32_t (*most)(const struct collection *c);
	/* plan: called when no request is pending.  Plans a request for some of the needs, or sets
	 * out->wait, since other ranks are not that far; false: there is nothing to request.
	 * The first need may be of the whole phase, as every analysis
	 * begins.  Neither this nor take is called of a collector whose gives() is never true: its
	 * figures come with those of another one. */
	bool (*plan)(struct collection *c, const struct collect_moment *now,
		const struct needs *needs, struct plan *out);
	/* after: (optional) called when a result of its own that was waited for has been taken and
	 * `pending` is a request of another collector: plans an optional request behind that one.
	 * false: none is wanted. */
	bool (*after)(struct collection *c, const struct collect_moment *now,
		const struct plan *pending, struct plan *out);
	/* take: called with a complete result, in the numbers of `measured`.  0 / -1 (err). */
	int (*take)(struct collection *c, const struct collect_moment *now, const struct plan *plan,
		const struct mon_result *r, struct err *err);
	/* refused: (optional) called when the monitor could not do what was requested.  true: the
	 * analysis goes on. */
	bool (*refused)(struct collection *c, const struct mon_result *r);
	/* report: (optional) called when the report is made: notes how it measured, and what it
	 * could not.  0 / -1 (memory). */
	int (*report)(const struct collection *c, struct report *r);
	/* describe: (optional) called when its figures are described: their source, in words.
	 * Borrowed. */
	const char *(*describe)(void);
	/* here: (optional) called when collectors are listed: what of it this host can do, in
	 * words; false: nothing.  Without it: all.  recipes: the text of events.recipes. */
	bool (*here)(const char *recipes, char *text, size_t size);
};

/* All collectors, ended by NULL, in the order of collectors.def, and each by its name. */
extern const struct collector *const collectors[];
#define COLLECTOR(name) extern const struct collector collector_##name;
#include "collect/collectors.def"
#undef COLLECTOR

/* Writes all collectors to `order`, those of the list (names with commas; NULL: none) first.
 * 0 / -1: a name is unknown. */
int collect_order(const struct collector *const *all, const char *list,
	const struct collector *order[COLLECTORS_MOST], struct err *err);
/* all: the collectors, ended by NULL.  0 / -1; collect_host_end() in either case. */
int collect_host_begin(struct collect_host *h, const struct collector *const *all,
	const struct run_config *c, const struct attributes *a, struct err *err);
void collect_host_end(struct collect_host *h);
/* Its number among all. */
uint32_t collector_number(const struct collect_host *h, const struct collector *k);
/* The state that host_begin() made. */
void *collect_host_state(const struct collect_host *h, const struct collector *k);

/* 0 / -1 (memory). */
int collection_begin(struct collection *c, const struct collect_host *h, struct measurements *m);
void collection_end(struct collection *c);
/* Its state in the collection. */
void *collection_state(const struct collection *c, const struct collector *k);

/* Is the metric among its own? */
bool collector_has(const struct collector *k, const char *metric);
/* The collector that the need goes to; NULL: none gives it. */
const struct collector *collect_choose(const struct collection *c, const struct need *need);
/* Plans a request for that metric of the whole phase, as every analysis begins.  Returns whose it
 * is; NULL: nothing is to be requested. */
const struct collector *collect_plan_phase(struct collection *c, const struct collect_moment *now,
	const char *metric, struct plan *out);
/* Plans the next request of the stage.  Returns whose it is; NULL: nothing is to be requested. */
const struct collector *collect_plan(struct collection *c, const struct collect_moment *now,
	enum need_stage stage, struct plan *out);
/* Calls report() of all.  0 / -1 (memory). */
int collect_report(const struct collection *c, struct report *r);

#endif
