/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements comm.h over sockets of one host, for agents started without MPI (--agents local): a
 * socket pair made by the keeper connects the master with each node agent. */
#include <config.h>

#include "agents/comm.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/log.h"

struct peer {
	struct link link;
	int rank;
	bool told;              /* its end has been reported */
};

static struct peer *peers;
static int npeers, own_rank, all = -1;

static int add_peer(int fd, int rank)
{
	struct peer *more = realloc(peers, ((size_t)npeers + 1) * sizeof *peers);
	struct epoll_event e = { .events = EPOLLIN };

	if (!more || fcntl(fd, F_SETFD, FD_CLOEXEC) || epoll_ctl(all, EPOLL_CTL_ADD, fd, &e))
		return -1;
	peers = more;
	peers[npeers] = (struct peer){ .rank = rank };
	link_init(&peers[npeers++].link, fd);
	return 0;
}

/* Arguments: --rank R --peers FD,FD,…: for the master the sockets to ranks 1, 2, …; for a node
 * agent the socket to the master. */
int comm_start(int *argc, char ***argv)
{
	const char *fds = NULL;

	all = epoll_create1(EPOLL_CLOEXEC);
	for (int i = 1; i + 1 < *argc; i++) {
		if (strcmp((*argv)[i], "--rank") == 0)
			own_rank = atoi((*argv)[i + 1]);
		else if (strcmp((*argv)[i], "--peers") == 0)
			fds = (*argv)[i + 1];
	}
	while (all >= 0 && fds) {
		if (add_peer(atoi(fds), own_rank ? 0 : npeers + 1))
			return -1;
		fds = strchr(fds, ',');
		fds += fds != NULL;
	}
	return npeers ? 0 : -1;
}

int comm_rank(void)
{
	return own_rank;
}

int comm_size(void)
{
	return own_rank ? 2 : npeers + 1;
}

int comm_send(int to, enum msg_type type, const struct buf *body)
{
	for (int i = 0; i < npeers; i++)
		if (peers[i].rank == to)
			return link_send(&peers[i].link, type, body);
	return -1;
}

/* Reports a lost peer as a message, once: a node agent gets MSG_QUIT, the master MSG_ERROR. */
static bool lost(struct peer *p, int *from, enum msg_type *type, struct buf *body)
{
	if (p->told)
		return false;
	p->told = true;
	link_close(&p->link);
	*from = p->rank;
	*type = own_rank ? MSG_QUIT : MSG_ERROR;
	*body = (struct buf)BUF_INIT;
	if (!own_rank)
		buf_string(body, "a node agent has ended");
	return true;
}

bool comm_receive(int *from, enum msg_type *type, struct buf *body)
{
	for (int i = 0; i < npeers; i++) {
		struct peer *p = &peers[i];
		struct err err = { "" };
		int gone, rc;

		if (p->link.fd < 0)
			continue;
		gone = link_flush(&p->link) | link_fill(&p->link, &err);
		rc = link_next(&p->link, type, body, &err);
		*from = p->rank;
		if (rc > 0)
			return true;
		if (rc < 0)
			log_msg(0, "agent %d: %s", p->rank, err.text);
		if ((rc < 0 || gone) && lost(p, from, type, body))
			return true;
	}
	return false;
}

int comm_wake(void)
{
	for (int i = 0; i < npeers; i++)
		if (link_pending(&peers[i].link))
			return -1;
	return all;
}

void comm_end(unsigned milliseconds)
{
	for (unsigned t = 0; comm_wake() < 0 && t < milliseconds; t++) {
		for (int i = 0; i < npeers; i++)
			if (link_pending(&peers[i].link) && link_flush(&peers[i].link))
				link_close(&peers[i].link);
		poll(NULL, 0, 1);
	}
	for (int i = 0; i < npeers; i++)
		link_close(&peers[i].link);
	free(peers);
	peers = NULL;
	npeers = 0;
	if (all >= 0)
		close(all);
	all = -1;
}
