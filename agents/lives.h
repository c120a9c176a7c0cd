/* SPDX-License-Identifier: BSD-3-Clause */
/* The life-cycles of what the agents keep: their states, events and tables.  Every row is tested
 * (tests/agents/test_lives.c); --verbose prints each step. */
#ifndef PSC_AGENTS_LIVES_H
#define PSC_AGENTS_LIVES_H

#include "base/life_cycle.h"

/* A process of the application, in its node agent. */
enum process_state {
	PROCESS_SEARCHING,      /* experiments of the search run */
	PROCESS_FIXING,         /* the search has ended: experiments of --what-if run */
	PROCESS_LAST,           /* no further experiment is allowed: those that run are awaited */
	PROCESS_DRAINING,       /* the process has ended: the results that it left are taken */
	PROCESS_REPORTED,       /* its report is made; the process runs on, detached */
	PROCESS_CLOSED          /* its report is made, the process has ended */
};
enum process_event {
	EVENT_NEEDS,            /* the search asks for an experiment */
	EVENT_FIX,              /* the search has ended, a fix is to be tried */
	EVENT_SETTLED,          /* nothing is left to ask */
	EVENT_UNANSWERED,       /* all results are taken, and requests are left */
	EVENT_OVER_LIMIT,       /* the next experiment would exceed --max-executions */
	EVENT_LIMIT,            /* --max-time or --max-executions is spent */
	EVENT_STOP,             /* a stop was asked for */
	EVENT_FAILURE,          /* no memory, a refused request, a lost result */
	EVENT_EXIT              /* the process has ended */
};
extern const struct life_cycle process_life;

enum node_state { NODE_WAITING, NODE_MEASURING, NODE_REPORTED, NODE_ENDING };
enum node_event { NODE_CONFIGURED, NODE_REPORT_SENT, NODE_QUIT };
extern const struct life_cycle node_life;

enum master_state { MASTER_WAITING, MASTER_STARTING, MASTER_MEASURING, MASTER_REPORTED, MASTER_ENDING };
enum master_event { MASTER_CONFIG, MASTER_ALL_READY, MASTER_ALL_REPORTED, MASTER_QUIT, MASTER_ORPHANED };
extern const struct life_cycle master_life;

#endif
