/* SPDX-License-Identifier: BSD-3-Clause */
/* A node agent: measures and searches the processes of its host. */
#ifndef PSC_AGENTS_NODE_H
#define PSC_AGENTS_NODE_H

#include "analysis/search/run_config.h"
#include "agents/progress.h"
#include "report/report.h"

struct node;

/* Reads the program's structure, compiles the properties, listens. NULL and err. */
struct node *node_new(const struct run_config *config, int number, struct err *err);
void node_free(struct node *n);
/* Sleeps until something happens or `milliseconds` have passed, and deals with it. */
void node_step(struct node *n, int milliseconds);
/* Takes the next line of progress; false: none. */
bool node_progress(struct node *n, struct progress *out);
/* No more measurement: what there is becomes the report.  why: NULL, or why it is partial. */
void node_stop(struct node *n, const char *why);
bool node_finished(const struct node *n);
/* What its processes give to properties of the whole application; false: there are none of those.
 * Once finished. */
bool node_parts(const struct node *n, struct buf *out);
/* Its report, once finished; the caller frees.  NULL: memory. */
struct report *node_report(struct node *n);

#endif
