/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of MPI of the processes of a host: matched with each other and with those of other hosts,
 * which agents send to all. */
#ifndef PSC_AGENTS_MPI_MATCHING_H
#define PSC_AGENTS_MPI_MATCHING_H

#include "agents/process.h"

/* Matches the calls of all processes, if there are new ones. */
void calls_match(struct host_analysis *h);
/* Says in the report by how much waits for other hosts may be wrong.  0 / -1 (memory). */
int calls_note(const struct process *p, struct report *r);
/* Appends the calls of a process that other hosts do not know yet.  false: there are none. */
bool calls_news(struct host_analysis *h, struct buf *out);
/* Takes those of a rank on another host.  0 / -1. */
int calls_take(struct host_analysis *h, const struct buf *body, struct err *err);

#endif
