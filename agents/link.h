/* SPDX-License-Identifier: BSD-3-Clause */
/* Framed messages over a byte stream.  Little-endian: 4 bytes length of the body, 1 byte type, 1
 * byte version, 2 zero bytes, then the body. */
#ifndef PSC_AGENTS_LINK_H
#define PSC_AGENTS_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include "base/buf.h"
#include "base/err.h"

enum { LINK_VERSION = 1, LINK_HEADER = 8, LINK_MAX = 256 << 20 };

/* Messages between front end, master and node agents.  Down: from the front end; up: towards it. */
enum msg_type {
	MSG_CONFIG = 1,         /* down: struct run_config */
	MSG_READY,              /* up, no body: a node agent is ready; from the master: all are */
	MSG_PROGRESS,           /* up: struct progress */
	MSG_REPORT,             /* up: a report (report_encode) */
	MSG_APP_ENDED,          /* down: the application has ended */
	MSG_STOP,               /* down: end the search and report what was found */
	MSG_QUIT,               /* down: exit */
	MSG_ERROR,              /* up: a string, why the agents cannot work */
	MSG_AGAIN,              /* up: struct next_run, the application is to be started again */
	MSG_PARTS,              /* up, before the report: parts of properties over all processes
				 * (app_parts.h) */
	/* up, at any time before the report: the rank of a node agent (4 bytes), and the sum of the
	 * reports of its processes so far (report_sum_encode), which replaces its last one; from
	 * the master (rank 0) after a loss: the sum of all reports */
	MSG_SO_FAR,
	MSG_LOST,               /* up: two numbers of 4 bytes, the first of the ranks that were
				 * lost, and how many */
	MSG_ALIVE,              /* to the parent and to children, no body: the agent runs */
	MSG_PHASE,              /* up, from one node agent, then down to all: struct phase_choice */
	MSG_CALLS,              /* the same way: calls of MPI of one rank (mpi_remote.h) */
	MSG_SCHEDULE            /* the same way: struct schedule_news; published once */
};

struct link {
	int fd;                 /* owned; -1 closed */
	struct buf in, out;
};

void link_init(struct link *l, int fd);
void link_close(struct link *l);
/* Queues a message and writes as much as the descriptor accepts. 0 / -1 (peer gone, too long, no
 * memory). */
int link_send(struct link *l, enum msg_type type, const struct buf *body);
int link_flush(struct link *l);                 /* writes queued bytes, never blocks: 0 / -1 (peer
						 * gone) */
bool link_pending(const struct link *l);        /* are bytes queued? */
/* Reads all available bytes, never blocks.  0 / -1: the peer is gone (messages read before
 * remain). */
int link_fill(struct link *l, struct err *err);
/* Takes the next complete message: 1; 0: there is none; -1: malformed.  The caller frees the
 * body. */
int link_next(struct link *l, enum msg_type *type, struct buf *body, struct err *err);

int link_listen(const char *path, struct err *err);     /* descriptor or -1; only the same user can
							 * connect */
/* Accepts the next connection: descriptor; -1: there is none, or the peer is another user. */
int link_accept(int listener);
int link_connect(const char *path, struct err *err);

#endif
