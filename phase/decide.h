/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides what becomes of the phase, from what is known of the program at one moment.  Both
 * functions depend on their arguments alone, so that a log of a program's
 * moments is a test (phase_log.h). */
#ifndef PSC_PHASE_DECIDE_H
#define PSC_PHASE_DECIDE_H

#include "phase/choice.h"

#define PHASE_NONE UINT32_MAX   /* no region */

enum phase_verdict {
	PHASE_KEEP,             /* the phase stays */
	PHASE_WAIT,             /* it is too early to tell */
	PHASE_CHANGE,           /* `region` is the phase from here on */
	PHASE_CONFIRM,          /* the analysis of the phase, which is complete, is reported */
	PHASE_RERUN,            /* the run has ended, and `region` is worth another one */
	PHASE_VERDICTS
};

enum phase_reason {
	PHASE_NOTHING,          /* no region has the share, and repeats as often as an analysis
				 * needs */
	PHASE_BEST,             /* the phase is the best region */
	PHASE_RUNS,             /* the phase has its share and repeats, although another one has
				 * more time */
	PHASE_HOLDS,            /* the phase has its share; the best region is a subroutine that a
				 * team calls, and is no better (phase_holds()) */
	PHASE_EARLY,            /* the program has done too little */
	PHASE_FIRST,            /* no phase had been chosen before */
	PHASE_AROUND,           /* the best region is around the phase, and has more of the time */
	PHASE_MORE,             /* the best region has the share, and the phase does not repeat
				 * often enough or has lost it */
	PHASE_ENDED,            /* the program has ended */
	PHASE_SETTLED,          /* the host that chooses for all has settled it */
	PHASE_LATE,             /* PHASE_GIVE_UP_NS are over, of a slight phase
				 * PHASE_GIVE_UP_SLIGHT_NS */
	PHASE_BRIEF,            /* executions are so short that they tell nothing */
	PHASE_GONE,             /* the phase has not its share any more, or does not repeat */
	PHASE_EMPTY,            /* an execution has hardly any accesses */
	PHASE_STARVED,          /* the program did not get the processors for so long */
	PHASE_OUTDONE,          /* what was measured before is better */
	PHASE_REASONS
};

struct phase_look {             /* what is known of the regions */
	const struct phase_time *t;     /* borrowed */
	uint32_t n;
	uint32_t phase;                 /* the region that is measured; PHASE_NONE */
	uint64_t elapsed_ns;            /* the program has run so long, sum over its processes */
	uint64_t processes;
	uint64_t needed, least;         /* executions that an analysis needs, and the smallest
					 * one */
	bool kept;                      /* what was measured of the phase is not lost if it
					 * changes */
	bool ended;                     /* the run has; times include what recorded executions took
					 * (phase_add_recorded()) */
};

struct phase_decision {
	enum phase_verdict verdict;
	enum phase_reason reason;
	uint32_t region;                /* PHASE_CHANGE, PHASE_RERUN, and KEEP of a run that has
					 * ended: the best one */
	bool runs;                      /* the phase repeats, and has its share: it may be
					 * confirmed */
};

/* While the program runs: KEEP, WAIT or CHANGE.  Its run has ended: KEEP or RERUN. */
struct phase_decision phase_decide(const struct phase_look *look);

struct phase_held {             /* facts about a process whose analysis is complete */
	bool ended;                     /* the process has */
	bool chosen;                    /* the phase was chosen by its time: it may still change */
	bool leads;                     /* this host chooses for all */
	bool settled;                   /* the choice of the host that leads is final */
	bool last_run;                  /* no other run follows */
	bool unasked;                   /* another run would be one that nobody asked for */
	bool slight;                    /* the phase has had less than PHASE_SHARE_LEAST of the
					 * time */
	bool brief;                     /* the phase's executions take less than PHASE_BRIEF_NS */
	bool runs;                      /* phase_decision.runs, of the last look */
	bool ran;                       /* the process had the processors for PHASE_CONFIRM_NS */
	bool outdone;                   /* another phase, which was measured before, is better */
	uint64_t elapsed_ns;            /* of the process */
	double accesses;                /* of a counted execution; NAN: none was counted */
};
/* CONFIRM or WAIT. */
struct phase_decision phase_confirm(const struct phase_held *facts);

/* One word each, as in the log. */
const char *phase_verdict_name(enum phase_verdict v);
const char *phase_reason_name(enum phase_reason r);

#endif
