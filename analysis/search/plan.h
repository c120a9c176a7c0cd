/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of the first experiments of a run, and requests by phase number; collectors (collect/) fill
 * these in.  The first executions are clean and give the times; all later ones may be distorted by
 * recording.  All processes apply the same rule to the same numbers, so that no host simulates
 * while another measures times; requests of ranks are placed by agents/schedule.h besides. */
#ifndef PSC_SEARCH_PLAN_H
#define PSC_SEARCH_PLAN_H

#include "analysis/search/plan_pack.h"
#include "analysis/search/run_config.h"
#include "analysis/search/search.h"
#include "monitor/client/mon.h"

/* At most so many executions before the clean ones find the regions that are too brief for markers
 * (monitor/regions/brief_regions.c): one where few clean executions are wanted, since the program
 * may have few. */
static inline uint32_t plan_surveys(const struct run_config *c)
{
	return c->clean < 3 ? 1 : 2;
}

/* How many executions of the phase are skipped, surveyed, timed, recorded to warm the caches, and
 * counted, one after the other. */
struct plan_sizes {
	uint32_t delay, surveys, clean, warm, count;
	bool counts_first;      /* of spans of time: then the regions that one finds open are all
				 * known */
};
void plan_sizes(const struct run_config *c, struct plan_sizes *out);    /* as configured */
uint64_t plan_executions(const struct plan_sizes *z);                   /* their sum */
/* Fits times, counts or both into as many executions as a run has.  First go those that only make
 * figures better: the delay, clean executions beyond PLAN_CLEAN, counted ones and surveys beyond
 * one (PLAN_GOOD); then clean ones beyond one, the warm-up, the survey (PLAN_POOR). */
enum plan_quality { PLAN_NONE, PLAN_POOR, PLAN_GOOD };
enum { PLAN_CLEAN = 3 };                /* fewer do not tell how much times vary */
enum plan_quality plan_fit(const struct plan_sizes *want, uint64_t have, bool times, bool counts,
	struct plan_sizes *out);
/* What the next run of the program is to measure, with `left` runs left, this one included: both if
 * they fit well; else times as long as another run can count; at last the counts.  Where no
 * execution can be spared for a survey, counts come first: they tell the regions too brief for
 * markers (frequent_calls.h).  nclean: clean executions timed so far. */
void plan_run(const struct plan_sizes *want, uint64_t have, uint32_t left, uint32_t nclean,
	bool counted, struct plan_sizes *out);

/* Of a run that has ended: is another one to be made, and what does it measure? */
enum plan_next { PLAN_NO_RUN, PLAN_PHASE, PLAN_SPANS };
struct plan_facts {
	bool complete;          /* there are times and counts of the phase */
	bool brief;             /* whose executions are so short that they tell nothing */
	bool better;            /* another phase is better */
	bool unasked;           /* nobody asked for another run: it is the last one */
	uint32_t nclean;        /* executions of the next run's phase that were timed */
	bool counted;           /* and it was counted */
	uint64_t have;          /* executions of it in a run; 0: not known */
	uint64_t span_ns;       /* what spans of time can be measured instead; 0: none */
	struct plan_sizes want;
};
/* Spans of time replace a phase that tells nothing; and, in a run that nobody asked for, one that
 * this run cannot complete. Such a run is not made at all if it completes nothing. */
enum plan_next plan_next(const struct plan_facts *f);
/* Another run of the program executes the phase `have` times: skips so many that those that are
 * measured are in the middle. The first ones of a factorisation, say, take a hundredth of the mean.
 * Not where somebody asked for a delay, or there are few. */
void plan_middle(struct plan_sizes *z, uint64_t have);

struct plan {
	struct mon_want want;                   /* want.filters points into filter */
	struct mon_filter filter[MON_FILTERS];
	struct mon_variant variant[MON_VARIANTS];       /* want.variants points into it */
	struct mon_event event[MON_EVENTS_MOST];        /* want.events points into it */
	struct mon_trial_slot schedule[MON_TRIAL_SLOTS];        /* want.schedule points into it */
	uint64_t ahead;                         /* executions that a request which was missed is
						 * moved ahead by; 0: the least */
	bool wait;                              /* there is no request yet: ask again */
};

/* Plans a request of that kind for one execution, `skip` of them behind those that the process
 * has begun, and the next. */
void plan_execution(enum mon_kind kind, uint64_t begun, uint64_t skip, struct plan *out);
/* The same for the next execution that the monitor sees in time. */
void plan_next_execution(const struct run_config *c, enum mon_kind kind, uint64_t begun,
	struct plan *out);
/* What a collector counts at most in one experiment that has so many counters, and takes so many
 * items: --counters limits both.  counters 0: not known. */
struct collector_limits plan_limits(const struct run_config *c, uint32_t counters, uint32_t items);
/* Copies a plan; the copy's request points into the copy. */
void plan_copy(struct plan *to, const struct plan *from);
/* Moves the request to a later execution, after its phase boundary was missed. */
void plan_later(struct plan *p, uint64_t begun);

#endif
