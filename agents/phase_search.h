/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the phase of the processes of a host while they run, and says what share of the program's
 * time it has. */
#ifndef PSC_AGENTS_PHASE_SEARCH_H
#define PSC_AGENTS_PHASE_SEARCH_H

#include "agents/process.h"

/* Looks, at most every 20 ms, at what the candidates took in all processes.  Changes the phase if
 * it was not named and another region is the better one, or if it was named, does not run, and
 * another region in its line does.  true: all processes begin anew with it. */
struct phase_search {
	uint64_t looked;        /* clock_ns() of the last look */
	bool news;              /* the choice has changed, or is settled */
};
bool phase_search_step(struct phase_search *s, struct host_analysis *h, struct process *process,
	int nprocesses);

/* The host of rank 0 chooses for several hosts.  True, once for each change: the choice, to be sent
 * to the others, which follow it. */
bool phase_search_news(struct phase_search *s, const struct host_analysis *h,
	struct phase_choice *out);
bool phase_search_follow(struct host_analysis *h, const struct phase_choice *choice);

/* Makes a phase of before the phase again.  Takes ownership of its `choice`.  why: continues
 * a sentence, for the log. */
void phase_search_return(struct host_analysis *h, const struct phase_name *name, const char *why);
/* Tells the share and the accesses of a phase that was measured; `recorded` of its executions
 * were recorded in this run. */
void phase_search_worth(const struct process *p, uint32_t region, const struct measurements *m,
	uint64_t recorded, struct phase_worth *out);

/* Executions that an analysis needs if no experiment is repeated. */
uint32_t phase_search_needed(const struct run_config *c);
/* Has the process run long enough for a choice that was not named to be reported? */
bool phase_search_confirmed(const struct process *p);
/* The phase was not named: were its executions so short that they tell nothing, though their mean
 * is not?  Those of a factorisation, say, of which few are long. */
bool phase_search_short(const struct process *p);
/* The process has run once, and the phase was not named: is another one
 * better, with another run? */
bool phase_search_better(const struct process *p);
/* Between two runs: tells the best phase by the times of the whole run, which may be a subroutine;
 * of a phase that was named, that one, or the one that runs in its place. */
struct phase_next {
	uint32_t region;        /* SIR_NONE: there is none */
	uint64_t executions;    /* a run has at least, of all processes; an estimate unless
				 * `timed` */
	bool timed;             /* it is one of the regions that were timed */
	uint64_t span_ns;       /* spans of time could be measured instead (phase_span()); 0: no */
	uint64_t spans;         /* so many of them the run had */
};
void phase_search_next(const struct host_analysis *h, const struct process *process, int nprocesses,
	struct phase_next *out);
/* The whole program is the phase, its executions are spans of so much time.  0 / -1: it has
 * no markers, or no memory. */
int phase_search_spans(struct host_analysis *h, uint64_t span_ns);
/* Makes the region the phase.  false: it is. */
bool phase_search_choose(struct host_analysis *h, uint32_t region);
/* Tells what the process's run has shown of the phase. */
struct phase_seen {
	uint64_t executions;    /* at least; 0: not known */
	double each_ns;         /* an execution, on the average; of a phase that was not timed the
				 * whole run; 0: not known */
	double share;           /* of the run's time; NAN: not known */
};
void phase_search_seen(const struct process *p, struct phase_seen *out);
/* Executions of the phase that were recorded in this run. */
uint64_t phase_search_recorded(const struct process *p);
/* Are the executions that were timed unlike the others, as far as these are known?  Not before the
 * program has run so long. */
bool phase_search_untypical(const struct process *p, uint64_t after_ns);
/* Sets the share of the phase in the report, and what to choose instead of it where it is small. */
int phase_search_report(const struct process *p, struct report *r);
/* Appends up to three candidates, with enough executions for an analysis and 1 % of the time, with
 * most time first. */
void phase_search_name(const struct process *p, struct buf *out);

#endif
