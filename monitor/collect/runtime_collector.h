/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways to measure (collectors), as phase.c and phase_requests.c use them.
 *
 * A request of the agent is for one collector (collector_of()).  It is armed at a boundary; then
 * so many executions are opened, started, closed and taken; at last it is finished, and its rows
 * are there.  The callers of all functions but cut(), resume() and leave() hold
 * pscm_phase.lock.  Each function is optional, unless it says otherwise. */
#ifndef PSC_MONITOR_RUNTIME_COLLECTOR_H
#define PSC_MONITOR_RUNTIME_COLLECTOR_H

#include "monitor/collect/armed.h"
#include "monitor/host/threads.h"
#include "monitor/regions/compile_units.h"
#include "monitor/state.h"

/* An execution that begins, or goes on behind a pause (again). */
struct collector_begin {
	bool again;
	bool after_gap;         /* code that was not measured ran since the last one */
};

/* An execution that is over. */
struct collector_execution {
	uint64_t number;        /* of the phase's */
	/* That it took; cpu_ns: of the owner's processor time, with all that measuring takes. */
	uint64_t ns, cpu_ns;
	bool counted;           /* no warm-up, and not void */
	bool is_void;
	bool unlike;            /* executions may be unlike one another: spans of time */
};

enum collector_run {
	COLLECTOR_DONE,
	COLLECTOR_VOID,         /* the execution is none: the request waits for the next */
	COLLECTOR_COPY          /* this process is a copy, and returns to the program's code at
				 * once */
};

struct pscm_collector {
	int mode;               /* PSCM_MODE_*, while its executions run */
	uint32_t most;          /* executions that a request may count */
	bool clean;             /* runs the program's own code: nothing is recorded */
	bool slower;            /* its executions do not tell what regions take */
	bool surveys;           /* its warm-ups find brief regions (brief_regions.h) */
	bool sums;              /* its result is one sum over the counted executions */

	/* Required: is the request for this collector? */
	bool (*wants)(const struct mon_request *r);
	/* Required, but where there is run(): prepares for a->request; nothing of the program
	 * has been changed if it fails. */
	enum mon_drop (*arm)(struct pscm_armed *a);
	/* Measures at the boundary where the request is due, instead of executions: without the
	 * lock. */
	enum collector_run (*run)(struct mon_request *r, struct pscm_thread *t);
	/* Which hooks compiled code calls in an execution; without it, those of regions that are
	 * not brief. */
	enum pscm_calls (*calls)(void);
	/* An execution begins: hooks are on, but ignored until the mode is set. */
	enum mon_drop (*open)(struct pscm_armed *a, struct pscm_thread *t,
		const struct collector_begin *b);
	/* The last before the clock of the execution starts. */
	void (*start)(struct pscm_armed *a);
	/* At the begin and the end of each marker, and of the execution (PSCM_MODE_CUT): a piece
	 * of the innermost context ends, and belongs to it if wanted; the next piece begins. */
	void (*cut)(struct pscm_thread *t, uint32_t context, bool wanted);
	void (*resume)(struct pscm_thread *t);
	/* The execution ends, or pauses; the mode is still set. */
	void (*close)(struct pscm_armed *a, struct pscm_thread *t, bool is_void);
	/* Required: the execution is over.  Writes its rows, if it counts.  Returns whether it
	 * does; sets a->failed. */
	bool (*take)(struct pscm_armed *a, const struct collector_execution *e);
	/* The request ends, also in the midst of an execution: writes the other rows, and undoes
	 * what arm() and open() did. */
	void (*finish)(struct pscm_armed *a);

	void (*left)(void);     /* the thread leaves the phase, maybe for good */
	void (*forget)(void);   /* the phase is another one */
	/* The analysis has ended, maybe without finish(): undoes what the program would notice. */
	void (*stop)(void);
	void (*forking)(void);  /* before fork(), in any thread */
	void (*forked)(void);   /* in a child of fork() */
	void (*leave)(struct pscm_thread *t);   /* the thread ends */
};

#pragma GCC visibility push(hidden)

/* In order of the request's choice; the last of each family takes what the others leave. */
extern const struct pscm_collector collect_kernel, collect_one_cpu, collect_times;
extern const struct pscm_collector collect_events;
extern const struct pscm_collector collect_variants, collect_counts, collect_words;
extern const struct pscm_collector collect_copies, collect_trial;

/* The collector whose cut() and resume() markers call; NULL: none.  pscm_cuts: the last one
 * (state.c). */
extern const struct pscm_collector *_Atomic pscm_cuts;
static inline const struct pscm_collector *pscm_cutter(void)
{
	return unlikely(pscm_mode() & PSCM_MODE_CUT) ?
		atomic_load_explicit(&pscm_cuts, memory_order_acquire) : NULL;
}

/* The collector that a request is for; NULL: none. */
const struct pscm_collector *collector_of(const struct mon_request *r);
/* For all collectors: as the functions above. */
void collectors_forget(void);
void collectors_stop(void);
void collectors_forking(void);
void collectors_forked(void);
void collectors_leave(struct pscm_thread *t);

#pragma GCC visibility pop

#endif
