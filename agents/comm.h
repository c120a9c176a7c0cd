/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between the agents.  No function but comm_end() blocks: sends are queued, receives poll.
 * Two files implement these functions, and an agent is linked with one of them: comm.c (MPI) and
 * comm_local.c (sockets of one host, which connect the master with each node agent, not node agents
 * with each other). */
#ifndef PSC_AGENTS_COMM_H
#define PSC_AGENTS_COMM_H

#include <stdbool.h>
#include "agents/link.h"

int comm_start(int *argc, char ***argv);        /* reads its own arguments (MPI's; --rank, --peers); 0 / -1 */
int comm_rank(void);
int comm_size(void);
/* Sends a copy of the body; NULL: empty. 0 / -1 (no memory, message too long, or peer gone). */
int comm_send(int to, enum msg_type type, const struct buf *body);
/* true: a message has arrived; the caller frees the body. */
bool comm_receive(int *from, enum msg_type *type, struct buf *body);
/* A descriptor that is readable when a message may have arrived; -1: call comm_receive() every few
 * milliseconds. */
int comm_wake(void);
/* Waits at most the given time until all messages are sent, then ends the connections. */
void comm_end(unsigned milliseconds);

#endif
