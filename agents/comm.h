/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between the agents.  Never waits: sends are queued, receives are asked for. */
#ifndef PSC_AGENTS_COMM_H
#define PSC_AGENTS_COMM_H

#include <stdbool.h>
#include "agents/link.h"

int comm_start(int *argc, char ***argv);        /* MPI_Init; 0 / -1 */
int comm_rank(void);
int comm_size(void);
/* Copies the body; NULL: empty. 0 / -1 (memory). */
int comm_send(int to, enum msg_type type, const struct buf *body);
/* True when a message was there; body is the caller's. */
bool comm_receive(int *from, enum msg_type *type, struct buf *body);
/* Completes what was sent, for at most the given time, and ends MPI. */
void comm_end(unsigned milliseconds);

#endif
