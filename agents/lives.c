/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the life-cycle tables of processes, node agents and the master. */
#include "agents/lives.h"

static const char *const process_states[] = {
	[PROCESS_SEARCHING] = "searching", [PROCESS_FIXING] = "trying fixes",
	[PROCESS_LAST] = "last experiments", [PROCESS_DRAINING] = "taking its last results",
	[PROCESS_BETWEEN] = "waiting for another run",
	[PROCESS_REPORTED] = "reported", [PROCESS_CLOSED] = "closed"
};
static const char *const process_events[] = {
	[EVENT_NEEDS] = "experiment needed", [EVENT_FIX] = "fix to try",
	[EVENT_SETTLED] = "nothing left to ask",
	[EVENT_UNANSWERED] = "requests unanswered",
	[EVENT_OVER_LIMIT] = "next experiment over the limit",
	[EVENT_LIMIT] = "limit reached", [EVENT_STOP] = "stop", [EVENT_FAILURE] = "failure",
	[EVENT_EXIT] = "process ended", [EVENT_AGAIN] = "another run needed",
	[EVENT_RETURN] = "runs again"
};
static const struct life_step process_steps[] = {
	{ PROCESS_SEARCHING, EVENT_NEEDS,      PROCESS_SEARCHING },
	{ PROCESS_SEARCHING, EVENT_FIX,        PROCESS_FIXING },
	{ PROCESS_SEARCHING, EVENT_SETTLED,    PROCESS_REPORTED },
	{ PROCESS_SEARCHING, EVENT_OVER_LIMIT, PROCESS_LAST },
	{ PROCESS_SEARCHING, EVENT_LIMIT,      PROCESS_REPORTED },
	{ PROCESS_SEARCHING, EVENT_STOP,       PROCESS_REPORTED },
	{ PROCESS_SEARCHING, EVENT_FAILURE,    PROCESS_REPORTED },
	{ PROCESS_SEARCHING, EVENT_EXIT,       PROCESS_DRAINING },

	{ PROCESS_FIXING,    EVENT_NEEDS,      PROCESS_SEARCHING },
	{ PROCESS_FIXING,    EVENT_FIX,        PROCESS_FIXING },
	{ PROCESS_FIXING,    EVENT_SETTLED,    PROCESS_REPORTED },
	{ PROCESS_FIXING,    EVENT_OVER_LIMIT, PROCESS_LAST },
	{ PROCESS_FIXING,    EVENT_LIMIT,      PROCESS_REPORTED },
	{ PROCESS_FIXING,    EVENT_STOP,       PROCESS_REPORTED },
	{ PROCESS_FIXING,    EVENT_FAILURE,    PROCESS_REPORTED },
	{ PROCESS_FIXING,    EVENT_EXIT,       PROCESS_DRAINING },

	{ PROCESS_LAST,      EVENT_OVER_LIMIT, PROCESS_LAST },
	{ PROCESS_LAST,      EVENT_LIMIT,      PROCESS_REPORTED },
	{ PROCESS_LAST,      EVENT_STOP,       PROCESS_REPORTED },
	{ PROCESS_LAST,      EVENT_FAILURE,    PROCESS_REPORTED },
	{ PROCESS_LAST,      EVENT_EXIT,       PROCESS_DRAINING },

	{ PROCESS_DRAINING,  EVENT_NEEDS,      PROCESS_CLOSED },
	{ PROCESS_DRAINING,  EVENT_FIX,        PROCESS_CLOSED },
	{ PROCESS_DRAINING,  EVENT_SETTLED,    PROCESS_CLOSED },
	{ PROCESS_DRAINING,  EVENT_UNANSWERED, PROCESS_CLOSED },
	{ PROCESS_DRAINING,  EVENT_LIMIT,      PROCESS_CLOSED },
	{ PROCESS_DRAINING,  EVENT_STOP,       PROCESS_CLOSED },
	{ PROCESS_DRAINING,  EVENT_FAILURE,    PROCESS_CLOSED },

	{ PROCESS_DRAINING,  EVENT_AGAIN,      PROCESS_BETWEEN },

	{ PROCESS_BETWEEN,   EVENT_RETURN,     PROCESS_SEARCHING },
	{ PROCESS_BETWEEN,   EVENT_SETTLED,    PROCESS_CLOSED },
	{ PROCESS_BETWEEN,   EVENT_UNANSWERED, PROCESS_CLOSED },
	{ PROCESS_BETWEEN,   EVENT_LIMIT,      PROCESS_CLOSED },
	{ PROCESS_BETWEEN,   EVENT_STOP,       PROCESS_CLOSED },
	{ PROCESS_BETWEEN,   EVENT_FAILURE,    PROCESS_CLOSED },

	{ PROCESS_REPORTED,  EVENT_EXIT,       PROCESS_CLOSED },
};
const struct life_cycle process_life = LIFE_CYCLE("process", process_states, process_events,
	process_steps);

static const char *const node_states[] = {
	[NODE_WAITING] = "waiting for its configuration", [NODE_MEASURING] = "measuring",
	[NODE_REPORTED] = "reported", [NODE_ENDING] = "ending"
};
static const char *const node_events[] = {
	[NODE_CONFIGURED] = "configured", [NODE_REPORT_SENT] = "report sent", [NODE_QUIT] = "quit"
};
static const struct life_step node_steps[] = {
	{ NODE_WAITING,   NODE_CONFIGURED,  NODE_MEASURING },
	{ NODE_WAITING,   NODE_QUIT,        NODE_ENDING },
	{ NODE_MEASURING, NODE_REPORT_SENT, NODE_REPORTED },
	{ NODE_MEASURING, NODE_QUIT,        NODE_ENDING },
	{ NODE_REPORTED,  NODE_QUIT,        NODE_ENDING },
};
const struct life_cycle node_life = LIFE_CYCLE("node agent", node_states, node_events, node_steps);

static const char *const master_states[] = {
	[MASTER_WAITING] = "waiting for the configuration",
	[MASTER_STARTING] = "waiting for node agents",
	[MASTER_MEASURING] = "measuring", [MASTER_REPORTED] = "reported", [MASTER_ENDING] = "ending"
};
static const char *const master_events[] = {
	[MASTER_CONFIG] = "configuration", [MASTER_ALL_READY] = "all node agents ready",
	[MASTER_ALL_REPORTED] = "all node agents reported", [MASTER_QUIT] = "quit",
	[MASTER_ORPHANED] = "front end lost"
};
static const struct life_step master_steps[] = {
	{ MASTER_WAITING,   MASTER_CONFIG,       MASTER_STARTING },
	{ MASTER_WAITING,   MASTER_QUIT,         MASTER_ENDING },
	{ MASTER_WAITING,   MASTER_ORPHANED,     MASTER_ENDING },
	{ MASTER_STARTING,  MASTER_ALL_READY,    MASTER_MEASURING },
	{ MASTER_STARTING,  MASTER_QUIT,         MASTER_ENDING },
	{ MASTER_STARTING,  MASTER_ORPHANED,     MASTER_ENDING },
	{ MASTER_MEASURING, MASTER_ALL_REPORTED, MASTER_REPORTED },
	{ MASTER_MEASURING, MASTER_QUIT,         MASTER_ENDING },
	{ MASTER_MEASURING, MASTER_ORPHANED,     MASTER_ENDING },
	{ MASTER_REPORTED,  MASTER_QUIT,         MASTER_ENDING },
	{ MASTER_REPORTED,  MASTER_ORPHANED,     MASTER_ENDING },
};
const struct life_cycle master_life = LIFE_CYCLE("master", master_states, master_events,
	master_steps);
