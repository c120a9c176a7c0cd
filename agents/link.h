/* SPDX-License-Identifier: BSD-3-Clause */
/* Framed messages over a byte stream: 4 bytes length of the body, 1 type, 1 version, 2 zero, then the
 * body.  Little-endian. */
#ifndef PSC_AGENTS_LINK_H
#define PSC_AGENTS_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include "base/buf.h"
#include "base/err.h"

enum { LINK_VERSION = 1, LINK_HEADER = 8, LINK_MAX = 256 << 20 };

/* What travels between front end, master and node agents. */
enum msg_type {
	MSG_CONFIG = 1,         /* down: struct run_config */
	MSG_READY,              /* up, without a body: a node agent is ready; from the master: all are */
	MSG_PROGRESS,           /* up: struct progress */
	MSG_REPORT,             /* up: a report (report_encode) */
	MSG_APP_ENDED,          /* down: the application is gone */
	MSG_STOP,               /* down: end the search, report what there is */
	MSG_QUIT,               /* down: leave */
	MSG_ERROR,              /* up: string: the agents cannot work */
	MSG_PARTS               /* up, before the report: what properties of all processes fold */
};

struct link {
	int fd;                 /* owned; -1 closed */
	struct buf in, out;
};

void link_init(struct link *l, int fd);
void link_close(struct link *l);
/* Queues a message and writes what the descriptor takes. 0 / -1 (the peer is gone). */
int link_send(struct link *l, enum msg_type type, const struct buf *body);
int link_flush(struct link *l);
bool link_pending(const struct link *l);        /* bytes wait to be written */
/* Reads what is there.  0, or -1 when the peer is gone (messages read before stay). */
int link_fill(struct link *l, struct err *err);
/* Takes the next whole message: 1, or 0 none, or -1 malformed.  body is the caller's. */
int link_next(struct link *l, enum msg_type *type, struct buf *body, struct err *err);

int link_listen(const char *path, struct err *err);     /* descriptor or -1; only its user can connect */
/* The next connection; -1: none, or its peer is another user. */
int link_accept(int listener);
int link_connect(const char *path, struct err *err);

#endif
