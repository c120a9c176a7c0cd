/* SPDX-License-Identifier: BSD-3-Clause */
/* How a process presents itself to its node agent: libpscmon inside the
 * program, psc_foreign beside it. */
#ifndef PSC_MONITOR_HELLO_H
#define PSC_MONITOR_HELLO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "monitor/shared/shm.h"

static inline int32_t mon_rank_in(const char *name)
{
	const char *s = secure_getenv(name);

	return s && *s >= '0' && *s <= '9' ? (int32_t)strtol(s, NULL, 10) : -1;
}

/* -1: the process is of no MPI program, as far as its launcher says.  In a batch script of Slurm
 * every process has SLURM_PROCID=0; only what srun starts, a step, has ranks. */
static inline int32_t mon_env_rank(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
		"MV2_COMM_WORLD_RANK" };
	int32_t rank = -1;

	for (size_t i = 0; i < sizeof names / sizeof *names && rank < 0; i++)
		rank = mon_rank_in(names[i]);
	return rank < 0 && secure_getenv("SLURM_STEP_ID") ? mon_rank_in("SLURM_PROCID") : rank;
}

/* Sends the hello with the descriptor of the shared memory.  The caller has set
 * pid, rank and executable. */
static inline bool mon_hello_send(int fd, int memory, struct mon_hello *h)
{
	struct iovec v = { h, sizeof *h };
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { .space = { 0 } };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = control.space,
		.msg_controllen = sizeof control.space };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	h->kind = MON_HELLO;
	h->version = MON_VERSION;
	h->bytes = sizeof(struct mon_shm);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &memory, sizeof memory);
	return sendmsg(fd, &m, MSG_NOSIGNAL) == (ssize_t)sizeof *h;
}

#endif
