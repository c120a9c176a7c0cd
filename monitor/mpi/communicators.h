/* SPDX-License-Identifier: BSD-3-Clause */
/* What the pass-throughs remember between calls: communicators, numbers of
 * messages, open requests. */
#ifndef PSC_MONITOR_MPI_COMMUNICATORS_H
#define PSC_MONITOR_MPI_COMMUNICATORS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mpi_calls.h"

/* A communicator.  Its number is 0 for MPI_COMM_WORLD; for one that is made of another, it follows
 * from the other's number, from how many were made of that before, and from the world rank of its
 * first process: all members agree without a message. */
struct pscmpi_comm {
	MPI_Comm handle;
	uint64_t id;                    /* PSC_MPI_UNKNOWN: members may not agree */
	int size, rank;
	const int *world;               /* world rank of each member; NULL: unknown */
	uint64_t created, collectives;  /* made of it; executed on it */
};

/* Tables are locked by their users: between these two, no function of the program runs. */
void __psc_mpi_lock(void);
void __psc_mpi_unlock(void);

/* NULL: none, or the table is full. */
struct pscmpi_comm *__psc_mpi_comm(MPI_Comm handle);
/* A communicator was made of `parent` in this call. */
void __psc_mpi_comm_made(struct pscmpi_comm *parent, MPI_Comm made);
void __psc_mpi_comm_gone(MPI_Comm handle);

/* The number of the next message to or from this world rank.
 * PSC_MPI_UNKNOWN: the table is full. */
uint64_t __psc_mpi_number(uint64_t communicator, bool received, uint32_t peer, uint32_t tag);

struct pscmpi_request {
	uint64_t key;                   /* 0: free.  The handle, never 0 */
	uint64_t communicator, number, posted, bytes;
	uint32_t peer, tag;
	bool receives, persistent, active;
	bool any;                       /* peer or tag are those of the message that comes */
	const int *world;               /* of the communicator; for `any` */
	int size;
};
/* A place for the request; NULL: the table is full. */
struct pscmpi_request *__psc_mpi_request_add(MPI_Request handle);
struct pscmpi_request *__psc_mpi_request_find(uint64_t key);    /* NULL: unknown */
void __psc_mpi_request_forget(struct pscmpi_request *r);
uint64_t __psc_mpi_request_key(MPI_Request handle);     /* 0: MPI_REQUEST_NULL */

#endif
