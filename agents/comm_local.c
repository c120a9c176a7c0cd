/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements comm.h over sockets of one host, for agents started without MPI (--agents local): a
 * socket pair made by the keeper connects each agent with its parent. */
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
static struct tree tree = { 1, TREE_FANOUT };

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

/* The rank at the other end of the next socket: the parent is first, then come the children. */
static int next_peer(void)
{
	int child = npeers - (own_rank > 0);

	if (child < 0)
		return tree_parent(&tree, own_rank);
	return child < tree_children(&tree, own_rank) ? tree_child(&tree, own_rank, child) : -1;
}

static bool complete(void)
{
	return npeers == (own_rank > 0) + tree_children(&tree, own_rank);
}

/* Arguments: --rank R --size N --fanout K --peers FD,FD,...: the sockets to the parent, unless R is
 * 0, and to each child. */
int comm_start(int *argc, char ***argv)
{
	const char *fds = NULL;

	all = epoll_create1(EPOLL_CLOEXEC);
	for (int i = 1; i + 1 < *argc; i++) {
		const char *name = (*argv)[i], *value = (*argv)[i + 1];

		if (strcmp(name, "--rank") == 0)
			own_rank = atoi(value);
		else if (strcmp(name, "--size") == 0)
			tree.size = atoi(value);
		else if (strcmp(name, "--fanout") == 0)
			tree.fanout = atoi(value);
		else if (strcmp(name, "--peers") == 0)
			fds = value;
	}
	if (all < 0 || tree.fanout < 1 || own_rank < 0 || own_rank >= tree.size)
		return -1;
	while (fds) {
		int rank = next_peer();

		if (rank < 0 || add_peer(atoi(fds), rank))
			return -1;
		fds = strchr(fds, ',');
		fds += fds != NULL;
	}
	return complete() ? 0 : -1;
}

int comm_rank(void)
{
	return own_rank;
}

void comm_tree(struct tree *t)
{
	*t = tree;
}

int comm_send(int to, enum msg_type type, const struct buf *body)
{
	for (int i = 0; i < npeers; i++)
		if (peers[i].rank == to)
			return link_send(&peers[i].link, type, body);
	return -1;
}

/* Reports a lost peer as a message, once: of the parent MSG_QUIT, of a child
 * MSG_LOST without a body. */
static bool lost(struct peer *p, int *from, enum msg_type *type, struct buf *body)
{
	if (p->told)
		return false;
	p->told = true;
	link_close(&p->link);
	*from = p->rank;
	*type = p->rank < own_rank ? MSG_QUIT : MSG_LOST;
	*body = (struct buf)BUF_INIT;
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

/* On one host connections end, and the front end sees who is stopped. */
void comm_heartbeats(void (*also)(void *arg), void *arg)
{
	(void)also;
	(void)arg;
}

void comm_forget(int neighbour)
{
	(void)neighbour;
}

double comm_silence(int neighbour)
{
	(void)neighbour;
	return 0;
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
