/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of the application: its experiments, its search, its report. */
#ifndef PSC_AGENTS_PROCESS_H
#define PSC_AGENTS_PROCESS_H

#include "agents/lives.h"
#include "agents/progress.h"
#include "analysis/findings/invariants.h"
#include "analysis/findings/whatif.h"
#include "analysis/findings/app_parts.h"
#include "analysis/search/plan.h"
#include "report/report.h"

/* What all processes of a host are analysed with; owned by the node agent. */
struct host_analysis {
	const struct run_config *config;        /* borrowed */
	struct sir *sir;
	struct asl_program *program;
	struct attributes *attributes;
	struct app_parts *app_parts;                    /* of the processes that are reported */
	struct progress_queue progress;
};

struct experiment {             /* a slot's request */
	bool active;
	struct plan plan;
	int tries;              /* after its phase executions had passed */
};

struct process {
	struct host_analysis *host;     /* borrowed */
	char name[24];          /* its pid, in messages */
	int state;              /* enum process_state */
	struct mon_peer *peer;
	struct measurements *measured;
	struct experiment slot[MON_SLOTS];
	uint32_t experiments, found;
	uint64_t executions;    /* of the phase, finished */
	uint64_t ticks_before, ticks;   /* that it has run: when it connected, and last seen */
	char partial[256];      /* why its report is partial, or "" */
	char *more;             /* owned; what could be done about it, behind partial; NULL */
	struct whatif *whatif;  /* NULL until the search has ended */
	struct report *report;  /* owned; NULL until reported, and where memory was missing */
	struct invariants invariants;
};

/* Sends the first requests and lets the process go on.  Takes `peer`, on failure too. 0 / -1 (memory). */
int process_begin(struct process *p, struct host_analysis *h, struct mon_peer *peer);
/* Takes its news and its results; asks for the next experiments, or makes the report. */
void process_handle(struct process *p);
/* An event from outside: EVENT_LIMIT or EVENT_STOP.  why: what the report says about it. */
void process_end(struct process *p, enum process_event event, const char *why);
bool process_reported(const struct process *p);
bool process_exited(const struct process *p);
void process_free(struct process *p);
/* A report without any process, with its head filled in.  The caller frees.  NULL: memory. */
struct report *process_none(struct host_analysis *h, const char *why);

extern const char process_limit_text[];        /* of --max-executions */

#endif
