/* SPDX-License-Identifier: BSD-3-Clause */
/* A monitor that is connected to this agent.  Private to monitor/client. */
#ifndef PSC_CLIENT_PEER_H
#define PSC_CLIENT_PEER_H

#include <stdatomic.h>
#include <string.h>
#include "monitor/client/mon.h"

enum table { UNITS, CONTEXTS, OBJECTS, ALIASES, STRINGS, THREADS, TABLES };

/* Fields of a request with which its result must agree. */
struct asked {
	enum mon_kind kind;
	uint32_t count, sample, nvariants;
	bool slices;            /* it may be counted in slices */
	uint32_t nevents, nschedule;
};

struct mon_peer {
	int fd, memory;
	struct mon_shm *shm;            /* shared mapping */
	struct mon_hello hello;
	bool gone;
	struct machine_flat machine;    /* as sent to the monitor */
	struct asked asked[MON_SLOTS];
	uint32_t seen[TABLES];          /* the most rows seen in each table */
	uint32_t ncandidates;
	uint32_t generation, begun_anew;        /* of the phase; for which tables were emptied */
	char text[2][1024];             /* name and scope returned last */
	char source[1024];
};

static inline uint32_t at_most(uint32_t n, uint32_t max)
{
	return n < max ? n : max;
}

/* Copies memory that the application may change meanwhile; the compiler must not read it again. */
static inline void copy_once(void *to, const void *from, size_t n)
{
	memcpy(to, from, n);
	atomic_signal_fence(memory_order_seq_cst);
}

#endif
