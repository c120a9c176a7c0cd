/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between the agents.  No function but comm_end() blocks: sends are queued, receives poll.
 * Two files implement these functions, and an agent is linked with one of them: comm.c (MPI) and
 * comm_local.c (sockets of one host, which connect each agent with its parent
 * and children in the tree). */
#ifndef PSC_AGENTS_COMM_H
#define PSC_AGENTS_COMM_H

#include <stdbool.h>
#include "agents/link.h"
#include "agents/tree.h"

/* Reads its own arguments (MPI's; --rank, --size, --peers) and --fanout. 0 / -1 */
int comm_start(int *argc, char ***argv);
int comm_rank(void);
void comm_tree(struct tree *t);         /* the tree of all agents */
/* Sends a copy of the body to the parent or a child; NULL: empty. 0 / -1 (no memory, message too
 * long, or peer gone). */
int comm_send(int to, enum msg_type type, const struct buf *body);
/* true: a message has arrived; the caller frees the body. */
bool comm_receive(int *from, enum msg_type *type, struct buf *body);
/* A descriptor that is readable when a message may have arrived; -1: call comm_receive() every few
 * milliseconds. */
int comm_wake(void);
/* Agents on several hosts: from now on the parent and the children are told once a second that this
 * process runs, whatever its main thread does; also(arg) is called then, by another thread; NULL:
 * nothing is.  Further calls do nothing. */
void comm_heartbeats(void (*also)(void *arg), void *arg);
/* The neighbour is lost: it is sent nothing more, as each message would make MPI try to connect. */
void comm_forget(int neighbour);
/* Seconds since the last message of the parent or a child, in time that this process
 * ran; 0 without heartbeats. */
double comm_silence(int neighbour);
/* Waits at most the given time until all messages are sent, then ends the connections. */
void comm_end(unsigned milliseconds);

#endif
