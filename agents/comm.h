/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between the agents.  Never waits: sends are queued, receives are asked for.  Two files have these
 * functions, and an agent is linked with one of them: comm.c (MPI) and comm_local.c (sockets of one host, which join
 * the master with each node agent, not node agents with each other). */
#ifndef PSC_AGENTS_COMM_H
#define PSC_AGENTS_COMM_H

#include <stdbool.h>
#include "agents/link.h"

int comm_start(int *argc, char ***argv);        /* takes arguments of its own; 0 / -1 */
int comm_rank(void);
int comm_size(void);
/* Copies the body; NULL: empty. 0 / -1 (memory). */
int comm_send(int to, enum msg_type type, const struct buf *body);
/* True when a message was there; body is the caller's. */
bool comm_receive(int *from, enum msg_type *type, struct buf *body);
/* A descriptor that is readable when something may have come; -1: one has to ask every few milliseconds. */
int comm_wake(void);
/* Completes what was sent, for at most the given time, and ends the
 * connections. */
void comm_end(unsigned milliseconds);

#endif
