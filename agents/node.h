/* SPDX-License-Identifier: BSD-3-Clause */
/* A node agent: measures and searches the processes of its host. */
#ifndef PSC_AGENTS_NODE_H
#define PSC_AGENTS_NODE_H

#include "agents/progress.h"
#include "agents/schedule.h"
#include "analysis/findings/app_parts.h"
#include "analysis/findings/report_sum.h"
#include "analysis/search/run_config.h"

struct node_agent;

/* Reads the program's structure and the compiled properties, and listens for processes.  NULL:
 * err.  sum: borrowed; the processes' reports are added to it.  The configuration's phase changes
 * where it was not named and time shows a better one. */
struct node_agent *node_new(struct run_config *config, int number, struct report_sum *sum,
	struct err *err);
void node_free(struct node_agent *n);
/* A descriptor that node_step() waits for, too; -1: none. */
void node_wake(struct node_agent *n, int fd);
/* One of several hosts chooses the phase: takes its choice; true: this host has chosen, and the
 * others do not know yet. */
void node_phase_chosen(struct node_agent *n, const struct phase_choice *choice);
bool node_phase_news(struct node_agent *n, struct phase_choice *out);
/* The schedule of clean and distorted executions: takes a window of another host; true: a window of
 * this host, which the others do not know yet. */
void node_take_schedule(struct node_agent *n, const struct schedule_news *w);
bool node_schedule_news(struct node_agent *n, struct schedule_news *out);
/* Calls of MPI: appends those of a process that other hosts do not know yet (false: there are
 * none); takes those of a rank on another host.  0 / -1. */
bool node_calls_news(struct node_agent *n, struct buf *out);
int node_take_calls(struct node_agent *n, const struct buf *body, struct err *err);
/* Waits at most `milliseconds` for connections, news and results, and handles them. */
void node_step(struct node_agent *n, int milliseconds);
/* True, at most once a second: something was found since node_so_far(), which encodes the sum of
 * all that was.
 * false: nothing to send. */
bool node_has_news(const struct node_agent *n);
bool node_so_far(struct node_agent *n, struct buf *out);
/* Takes the next line of progress; false: there is none. */
bool node_progress(struct node_agent *n, struct progress *out);
/* Ends the measurement: every process is reported with its results so far.  why: NULL, or why the
 * report is partial. */
void node_stop(struct node_agent *n, const char *why);
/* The same on request; proxies (foreign/) first give what they have. */
void node_ask_to_stop(struct node_agent *n);
/* The application has ended: what is complete is reported.  true: it is to be run again; next: what
 * the next run is about. */
bool node_app_ended(struct node_agent *n, const struct app_end *end, struct next_run *next);
/* Is no process there that is being measured? */
bool node_idle(const struct node_agent *n);
bool node_finished(const struct node_agent *n);       /* are all processes reported? */
/* Once finished: adds what has not been added yet, and the figures of the host, to
 * the sum.  0 / -1 (memory). */
int node_report(struct node_agent *n);
/* The processes' parts of properties over all processes; borrowed. */
struct app_parts *node_parts(const struct node_agent *n);

#endif
