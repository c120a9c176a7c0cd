/* SPDX-License-Identifier: BSD-3-Clause */
/* The life-cycles of processes, node agents and the master: states, events and tables.
 * tests/agents/test_lives.c tests every row; -vv prints each step. */
#ifndef PSC_AGENTS_LIVES_H
#define PSC_AGENTS_LIVES_H

#include "base/life_cycle.h"

/* A process of the application, as its node agent sees it. */
enum process_state {
	PROCESS_SEARCHING,      /* experiments of the search run */
	PROCESS_FIXING,         /* the search has ended: experiments of --what-if run */
	PROCESS_LAST,           /* --max-executions allows no further experiment; waits for running
				 * ones */
	PROCESS_DRAINING,       /* the process has ended: takes the results that it left */
	PROCESS_BETWEEN,        /* the process has ended too early: the program is run again */
	PROCESS_REPORTED,       /* its report is made; the process runs on, detached */
	PROCESS_CLOSED          /* its report is made, the process has ended */
};
enum process_event {
	EVENT_NEEDS,            /* the search needs an experiment */
	EVENT_FIX,              /* the search has ended, --what-if needs an experiment */
	EVENT_SETTLED,          /* no experiment is needed any more */
	EVENT_UNANSWERED,       /* the process has ended without answering all requests */
	EVENT_OVER_LIMIT,       /* the next experiment would exceed --max-executions */
	EVENT_LIMIT,            /* --max-time or --max-executions is used up */
	EVENT_STOP,             /* the user asked to stop */
	EVENT_FAILURE,          /* no memory, a refused request, a lost result */
	EVENT_EXIT,             /* the process has ended */
	EVENT_AGAIN,            /* the analysis is not complete, and another run is allowed */
	EVENT_RETURN            /* its counterpart in the next run has connected */
};
extern const struct life_cycle process_life;

enum node_state { NODE_WAITING, NODE_MEASURING, NODE_REPORTED, NODE_ENDING };
enum node_event { NODE_CONFIGURED, NODE_REPORT_SENT, NODE_QUIT };
extern const struct life_cycle node_life;

enum master_state { MASTER_WAITING, MASTER_STARTING, MASTER_MEASURING, MASTER_REPORTED,
	MASTER_ENDING };
enum master_event { MASTER_CONFIG, MASTER_ALL_READY, MASTER_ALL_REPORTED, MASTER_QUIT,
	MASTER_ORPHANED };
extern const struct life_cycle master_life;

#endif
