/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of the application: its experiments, its search, its report. */
#ifndef PSC_AGENTS_PROCESS_H
#define PSC_AGENTS_PROCESS_H

#include "agents/phase_candidates.h"
#include "agents/code_places.h"
#include "agents/lives.h"
#include "agents/phase_record.h"
#include "agents/progress.h"
#include "agents/schedule.h"
#include "agents/unequal.h"
#include "analysis/findings/app_parts.h"
#include "analysis/measure/mpi_remote.h"
#include "analysis/search/plan.h"
#include "collect/collector.h"
#include "report/model/report.h"

/* A phase, and how it was chosen, in words. */
struct phase_name {
	uint32_t region;        /* in the SIR; SIR_NONE: none */
	char *choice;           /* owned */
};

/* Shared by all processes of a host; owned by the node agent. */
struct host_analysis {
	struct run_config *config;      /* borrowed; phase_search.c changes its phase,
					 * run_decision.c how it is searched for */
	struct phase_name before;       /* the phase before the last change */
	struct sir *sir;
	struct old_structure *old_sir;          /* that `sir` has replaced: reports may borrow from
						 * it; owned */
	struct sir_asked *asked;        /* regions and structures of --sir; owned; NULL: all */
	struct asl_program *program;
	struct attributes *attributes;
	struct code_places *code_places;        /* owned */
	struct app_parts *app_parts;            /* of the reported processes */
	struct candidates candidates;
	uint32_t run;           /* number of the program's run, from 1 */
	struct plan_sizes sizes;        /* what this run measures */
	bool named;             /* the user named the phase, or asked for spans of time */
	bool middle;            /* of runs after the first one, executions in their middle are
				 * measured */
	struct progress_queue progress;
	struct collect_host collect;
	struct process *process;                /* of the node agent */
	int nprocesses;
	struct unequal unequal; /* when the first analysis of a rank ended */
	bool calls;             /* calls of MPI are looked at */
	bool calls_came;        /* since they were matched */
	struct mpi_remotes remotes;     /* calls of ranks on other hosts */
	int number;             /* of the node agent, from 1 */
	bool leads;             /* of several hosts: this one chooses the phase */
	bool settled;           /* the choice is final */
	struct phase_record phase_record;       /* --phase-log */
	struct schedule schedule, published;    /* of the phase: all that is known; of that, what
						 * all hosts know */
};

struct experiment {             /* the request in a slot of the shared memory */
	bool active;
	bool optional;          /* the analysis is complete without it */
	bool stale;             /* it was for another phase: its result is ignored */
	const struct collector *by;     /* whose request it is */
	struct plan plan;
	int tries;              /* requests repeated because their phase executions had passed */
};

/* The measurements and findings of one phase. */
struct phase_analysis {
	struct measurements *measured;  /* owned */
	struct collection collection;   /* what the collectors keep */
	uint32_t experiments, found;
	uint64_t executions;            /* finished phase executions, of this run */
	uint64_t earlier;               /* the same of the runs before */
	bool held;                      /* complete, but the phase may still change */
};

struct process {
	struct host_analysis *host;     /* borrowed */
	char name[24];          /* its pid, in messages */
	int state;              /* enum process_state */
	struct mon_peer *peer;
	struct phase_analysis now;      /* of the present phase */
	struct phase_before *before;    /* owned; NULL: nothing is kept of another phase
					 * (phase_before.h) */
	struct experiment slot[MON_SLOTS];
	bool phase_runs;        /* as phase_search_step() saw last */
	bool outdone;           /* the phase, as was seen last, by what was measured before
				 * (phase_before.h) */
	int later;              /* how often later executions were measured, because the first ones
				 * were not typical */
	uint64_t waits_until;   /* clock_ns() until when other ranks are waited for */
	uint64_t typical_at;    /* clock_ns() when that was looked at last */
	bool anew;              /* the first requests have to be made again */
	uint64_t answered_at;   /* clock_ns() when a result came last, or when what is optional was
				 * asked last */
	double execution_ns;    /* an execution takes so long at most, in an earlier run; 0: not
				 * known */
	double run_share;       /* the phase's share of an earlier run's time; NAN: not known */
	uint64_t recording_ns;  /* what recording has added to the program's time, all runs
				 * together */
	uint64_t earlier_ns;    /* the same of the runs before */
	uint64_t recorded_from; /* executions of this run that had been recorded when the phase was
				 * chosen */
	uint64_t connected;     /* clock_ns() */
	int ended_by;           /* enum process_event: how the analysis ends, where another run is
				 * wanted and is not made */
	uint64_t ticks_before, ticks;   /* CPU ticks it had run when it connected, and when last
					 * read */
	const char *only_run;   /* borrowed: why the program is not run again; NULL or "": nothing
				 * is said of that */
	char partial[256];      /* why its report is partial, or "" */
	char *more;             /* owned; advice printed behind `partial`; NULL */
	struct report *report;  /* owned; NULL until reported, or if there was no memory */
	bool calls_news;        /* its calls of MPI have not been sent to other hosts yet */
	bool news;              /* since process_so_far() was called last, an experiment has
				 * ended */
	struct report *so_far;  /* owned; NULL: nothing was found yet */
};

/* Another phase, or another run of the program; apart: schedule.h. */
static inline void host_schedule_begin(struct host_analysis *h, uint32_t apart)
{
	schedule_begin(&h->schedule, apart);
	schedule_begin(&h->published, apart);
}

static inline bool process_reported(const struct process *p)
{
	return p->state == PROCESS_REPORTED || p->state == PROCESS_CLOSED;
}

/* The process has ended, and the program is to be run again (run_decision.h). */
static inline bool process_between(const struct process *p)
{
	return p->state == PROCESS_BETWEEN;
}

static inline bool process_exited(const struct process *p)
{
	return p->state == PROCESS_DRAINING || p->state == PROCESS_CLOSED || process_between(p);
}

/* Is it the only process of the application? */
static inline bool process_alone(const struct process *p)
{
	return p->host->nprocesses == 1 && p->host->config->hosts <= 1;
}

static inline bool process_nothing_measured(const struct process *p)
{
	return !p->now.measured->nclean && !p->now.measured->counted;
}

void phase_analysis_free(struct phase_analysis *a);    /* what it owns; in phase_before.c */
/* Requests what every analysis begins with. */
void process_first_requests(struct process *p);
/* Forgets what has been measured, of the phase of that name.  0 / -1 (memory). */
int process_measure_anew(struct process *p, const struct phase_name *of);
/* Does so, or ends the analysis where memory is short.  0 / -1 (the analysis has ended). */
int process_begin_anew(struct process *p, const struct phase_name *of);
/* Gives measurements of a process what the host's processes have in common. */
void process_own(const struct host_analysis *h, struct measurements *p);
/* Makes the first requests, then lets the process continue.  Takes ownership of `peer`, on failure
 * too.  0 / -1 (memory). */
int process_begin(struct process *p, struct host_analysis *h, struct mon_peer *peer);
/* Takes results that are there, and nothing more. */
void process_collect(struct process *p);
/* Takes news and results of the process; requests the next experiments, or makes the report. */
void process_handle(struct process *p);
/* Applies an event from outside: EVENT_LIMIT or EVENT_STOP.  why: why the report is partial. */
void process_end(struct process *p, enum process_event event, const char *why);
/* Ends the analysis of a process that waits for another run of the program (process_between()):
 * none is made.  why: the reason, which the report says if it is partial; "": none. */
void process_no_more_runs(struct process *p, const char *why);
/* The configuration has another phase: begins anew with it. */
void process_phase_changed(struct process *p);
/* If there is news and the analysis goes on, brings p->so_far up to date: the
 * report as if it ended now. */
void process_so_far(struct process *p);
/* Its counterpart in the next run has connected: continues with it.  anew: the phase is another
 * one.
 * Takes ownership of `peer`.  0 / -1 (memory). */
int process_again(struct process *p, struct mon_peer *peer, bool anew);
/* Its report has been taken, and it is not run again: frees the report, what was measured, and this
 * agent's mapping of the shared memory. */
void process_release(struct process *p);
void process_free(struct process *p);
/* Makes a report that covers no process, with its head filled in; the caller frees.  NULL: no
 * memory. */
struct report *process_none(struct host_analysis *h, const char *why);

extern const char process_limit_text[];        /* why a report is partial after --max-executions */

#endif
