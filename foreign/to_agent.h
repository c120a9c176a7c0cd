/* SPDX-License-Identifier: BSD-3-Clause */
/* The connection to the node agent.  This process speaks to it as the monitor of an instrumented
 * program does (monitor/shared/shm.h): a hello with a memfd, a welcome, and events. */
#ifndef PSC_FOREIGN_TO_AGENT_H
#define PSC_FOREIGN_TO_AGENT_H

#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "monitor/shared/shm.h"

struct to_agent {
	int fd;                 /* -1: not connected */
	int memory;             /* the descriptor of `shm`; -1: none */
	struct mon_shm *shm;    /* owned; NULL: none */
};

/* Makes the shared memory and connects to the socket that the value of
 * MON_ENV stands for. 0 / -1. */
int to_agent_open(struct to_agent *a, const char *env, uint32_t pid, struct err *err);
/* Says hello in the name of the program and waits for the answer.  false: the agent does not want
 * this process, or does not answer within 5 s. */
bool to_agent_welcomed(struct to_agent *a, uint32_t pid, const char *executable);
/* Tells the agent that a request has changed its state; never waits. */
void to_agent_event(const struct to_agent *a);
/* The analysis is over, or the agent has gone. */
bool to_agent_over(const struct to_agent *a);
void to_agent_close(struct to_agent *a);

#endif
