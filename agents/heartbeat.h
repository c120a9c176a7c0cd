/* SPDX-License-Identifier: BSD-3-Clause */
/* When an agent tells its neighbours in the tree that it runs, and how long they have been silent.
 * No message here: time as arithmetic.
 *
 * Silence is counted in time that this agent itself ran: between two of its steps at most
 * HEARTBEAT_STEP_NS.  So an agent that the machine, or somebody who stopped it, kept from running
 * does not hold that against the others. */
#ifndef PSC_AGENTS_HEARTBEAT_H
#define PSC_AGENTS_HEARTBEAT_H

#include <stdbool.h>
#include <stdint.h>

#define HEARTBEAT_NS UINT64_C(1000000000)       /* between two messages */
#define HEARTBEAT_STEP_NS UINT64_C(1200000000)
#define HEARTBEAT_LIMIT_S 7.0                   /* silence after which a neighbour is given up */
/* An agent whose main thread has not looked for messages for so long no longer says that it runs.
 * At the lowest priority beside a busy program, work of half a second may take half a minute. */
#define HEARTBEAT_WORK_NS UINT64_C(120000000000)

struct heartbeat {
	uint64_t stepped, sent;         /* clock_ns(); 0: never */
};

/* Is it time to tell the neighbours?  true: it is done now. */
static inline bool heartbeat_due(struct heartbeat *h, uint64_t now)
{
	if (h->sent && now - h->sent < HEARTBEAT_NS)
		return false;
	h->sent = now;
	return true;
}

/* One step at the time `now`, after all messages that have come: the
 * seconds by which silence grows. */
static inline double heartbeat_step(struct heartbeat *h, uint64_t now)
{
	uint64_t passed = h->stepped ? now - h->stepped : 0;

	h->stepped = now;
	return (double)(passed < HEARTBEAT_STEP_NS ? passed : HEARTBEAT_STEP_NS) * 1e-9;
}

#endif
