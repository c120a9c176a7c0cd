/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of psc_frontend, and what its files do with it:
 *   frontend.c            main(): from set-up to report
 *   front_agents.c        starts and ends the agents
 *   front_application.c   runs the program, and passes signals on
 *   front_attached.c      the same for programs that run already
 *   front_messages.c      what the agents say
 *   front_loop.c          the event loop, and the waits in it */
#ifndef PSC_FRONTEND_FRONT_H
#define PSC_FRONTEND_FRONT_H

#include <sys/types.h>

#include "agents/heartbeat.h"
#include "agents/link.h"
#include "agents/progress.h"
#include "base/log.h"
#include "frontend/application.h"
#include "frontend/attach_request.h"
#include "frontend/front_lives.h"
#include "frontend/hosts.h"
#include "frontend/journal.h"
#include "frontend/launch.h"
#include "frontend/options.h"
#include "frontend/progress_line.h"
#include "frontend/later_runs.h"
#include "frontend/setup.h"
#include "frontend/watch.h"
#include "report/model/report.h"

struct front {
	struct frontend_options options;
	struct hosts hosts;
	struct setup setup;
	struct agents agents;
	struct link link;
	int listener, signals;
	pid_t app;
	int job, application;   /* enum job_state, enum application_state */
	bool stop_wanted;       /* by --stop; the agents may not be connected yet */
	struct progress_line line;
	struct report *report;  /* owned; received but not yet written; NULL */
	struct report *other;   /* owned; by another collector (twice.h); NULL */
	int hand_over;          /* descriptor for the report, in the process that counts by
				 * another collector; -1: it is printed */
	struct application_streams streams;     /* of the program's first run */
	struct journal journal;
	bool journal_lost;      /* it has been said that the journal cannot be written */
	struct watch_family family;     /* the agents, once they are ready */
	struct heartbeat heartbeat;
	double silent;                  /* s since the master's last message (agents/heartbeat.h) */
	uint64_t stopped;       /* time since when one of them is stopped; 0: none is */
	uint64_t failed;        /* time when they failed */
	bool given_out;         /* a report was written */
	bool given_up;          /* they failed, what they had found is reported, and they are told
				 * to end */
	struct attach attach;
	struct runs runs;
	struct next_run next;   /* the run that the agents ask for; number 0: none */
	int interrupted;        /* the SIGINT or SIGTERM received, 0: none */
	unsigned interrupts;
	bool partial;
	int64_t when;
	uint64_t began;         /* on the monotonic clock */
	enum agents_way way;    /* how the agents are started */
	bool other_way;         /* another way can be tried: keep the error in `failure`, do not
				 * print it */
	struct err failure;     /* why the agents failed */
};

/* --- front_messages.c ------------------------------------------------------------------------- */
/* since the start of the run (-vv) */
void front_tell_time(const struct front *f, const char *what);
bool front_job(struct front *f, enum job_event event);
void front_fail(struct front *f, const char *why);              /* the agents have failed */
/* Says once that the journal cannot be written: on a full disk every attempt fails. */
void front_lost_journal(struct front *f, const char *why);
/* the application's, to the agents */
void front_tell_end(struct front *f, const struct app_end *end);
void front_hear(struct front *f);               /* takes all messages that are there */
void front_accept(struct front *f);             /* the master connects: sends it the
						 * configuration */

/* --- front_application.c: 0 / -1, which has been said ----------------------------------------- */
int front_catch_signals(struct front *f);
void front_drain_signals(struct front *f);
int front_start_first(struct front *f);
/* Starts the run that the agents ask for; ends the analysis if that is impossible, or if the user
 * or a signal has ended the program. */
void front_run_again(struct front *f);

/* --- front_loop.c ----------------------------------------------------------------------------- */
void front_step(struct front *f, int milliseconds);     /* waits for an event so long, and handles
							 * all */
int front_wait_ready(struct front *f);          /* until the agents are ready: 0 / -1 */
/* Gives up agents that somebody has stopped: nobody else would notice.  On several hosts agents
 * notice each other, and the master is known by its messages. */
void front_look_for_stopped(struct front *f);
void front_give_out(struct front *f);           /* writes the report, if it is there */
/* Reports what the agents had found as soon as nothing more is to be expected of them, and tells
 * them to end: the program may run on for long. */
void front_give_up(struct front *f);
/* Waits for the end of a run, and for the report or the wish for another run. */
void front_wait_run(struct front *f);
void front_wait_all(struct front *f);           /* the same for all runs, and writes the report */

/* --- front_attached.c ------------------------------------------------------------------------- */
int front_start_attached(struct front *f);      /* waits until all processes have connected: 0 /
						 * -1 */
void front_wait_attached(struct front *f);      /* for the report, or until the processes have
						 * ended */
void front_note_attached(struct front *f);      /* what the report says of that */

/* --- front_agents.c --------------------------------------------------------------------------- */
int front_start_agents(struct front *f);        /* as --agents says; auto tries mpirun first, then
						 * without it: 0 / -1 */
void front_leave_agents(struct front *f);       /* tells them and their keeper to end, and does not
						 * wait for that */
void front_end_agents(struct front *f);

#endif
