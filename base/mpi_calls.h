/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract between the pass-throughs of MPI (monitor/mpi/), which are linked into the program,
 * and libpscmon.  It knows nothing of MPI's types. */
#ifndef PSC_BASE_MPI_CALLS_H
#define PSC_BASE_MPI_CALLS_H

#include <stdint.h>

#define PSC_MPI_UNKNOWN UINT64_MAX      /* a communicator whose members cannot be told */

enum psc_mpi_event_kind {
	PSC_MPI_SEND = 1,       /* a message, in the call that completed it at this end */
	PSC_MPI_POST = 2,       /* the start of a nonblocking send; begin: of the call */
	PSC_MPI_RECV = 3,
	PSC_MPI_MEET = 4,       /* a collective in which each process waits for others */
	PSC_MPI_BARRIER = 5,
	PSC_MPI_DOWN = 6,       /* all wait for the root; peer: the root */
	PSC_MPI_UP = 7          /* the root waits for all */
};

/* Ranks are those of MPI_COMM_WORLD. */
struct psc_mpi_event {
	uint32_t kind;          /* enum psc_mpi_event_kind */
	uint32_t peer;
	uint32_t tag;           /* of a message */
	uint32_t size;          /* of a collective: members */
	uint64_t communicator;  /* the same number in all its members, or PSC_MPI_UNKNOWN */
	uint64_t number;        /* of the message between these two with this tag, or of the
				 * collective; from 0 */
	uint64_t posted;        /* ns: begin of the call that started it */
};

struct psc_mpi_bytes {
	uint64_t sent, received, messages;      /* messages: that the call sent or received */
	uint32_t unsized;                       /* not 0: some of its bytes are not known */
};

/* Not 0: calls of MPI are to be numbered and reported.  Else a pass-through
 * calls MPI and nothing more. */
extern int __psc_mpi;

/* The calling thread enters a function of MPI, and leaves it.  begin and now return the monotonic
 * clock in ns; 0: it is not measured now, and neither event nor end is called. */
uint64_t __psc_mpi_begin(void);
uint64_t __psc_mpi_now(void);
void __psc_mpi_event(const struct psc_mpi_event *event, uint64_t begin, uint64_t end);
void __psc_mpi_end(uint64_t begin, uint64_t end, const struct psc_mpi_bytes *bytes);

#endif
