/* SPDX-License-Identifier: BSD-3-Clause */
/* A node agent: measures and searches the processes of its host. */
#ifndef PSC_AGENTS_NODE_H
#define PSC_AGENTS_NODE_H

#include "analysis/search/run_config.h"
#include "agents/progress.h"
#include "report/report.h"

struct node_agent;

/* Reads the program's structure and the compiled properties, and listens for processes.  NULL:
 * err.  The configuration's phase changes where it was not named and time shows a better one. */
struct node_agent *node_new(struct run_config *config, int number, struct err *err);
void node_free(struct node_agent *n);
/* Waits at most `milliseconds` for connections, news and results, and handles them. */
void node_step(struct node_agent *n, int milliseconds);
/* Takes the next line of progress; false: there is none. */
bool node_progress(struct node_agent *n, struct progress *out);
/* Ends the measurement: every process is reported with its results so far.  why: NULL, or why the
 * report is partial. */
void node_stop(struct node_agent *n, const char *why);
/* The application has ended: what is complete is reported.  true: it is to be run again; next: what the
 * next run is about. */
bool node_app_ended(struct node_agent *n, struct next_run *next);
bool node_finished(const struct node_agent *n);       /* are all processes reported? */
/* Once finished: encodes the processes' parts of properties over all processes; false: no property
 * needs them. */
bool node_parts(const struct node_agent *n, struct buf *out);
/* Once finished: the report of the node; the caller frees.  NULL: no memory. */
struct report *node_report(struct node_agent *n);

#endif
