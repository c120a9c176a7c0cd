/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches messages and collectives of several processes by their numbers, and says who waited for
 * whom.
 *
 * Times are of one clock when waits are asked for.  A receive waits from its begin until the send
 * begins (late sender), a send that is not buffered until the receive does (late receiver), a
 * collective until the last process comes (of a rooted one, until those come that it needs data
 * of); never longer than the call takes. */
#ifndef PSC_MEASURE_MPI_MATCH_H
#define PSC_MEASURE_MPI_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "monitor/client/mon.h"

/* The rows of one process, in the order in which they were written. */
struct mpi_side {
	uint32_t rank;          /* in MPI_COMM_WORLD */
	const struct mon_message_row *rows;
	uint32_t n;
	uint32_t host;          /* whose clock the times are of */
};

/* The offset of a host's clock against that of `own`, ns, by the messages between them: none is
 * received before it was sent, and a collective in which all wait for all ends nowhere before it
 * has begun everywhere.  The error is half of the interval that this leaves; clocks that drift may
 * leave none (low > high). */
struct mpi_clock {
	uint32_t host;
	int64_t low, high;      /* INT64_MIN, INT64_MAX: no message says so */
};
/* Fills in clocks[].low and high, whose hosts are given.  0 / -1 (memory). */
int mpi_clocks(const struct mpi_side *sides, uint32_t nsides, uint32_t own,
	struct mpi_clock *clocks, uint32_t n);

enum mpi_wait_kind { MPI_WAIT_NONE, MPI_WAIT_SENDER, MPI_WAIT_RECEIVER, MPI_WAIT_COLLECTIVE,
	MPI_WAIT_BARRIER };
struct mpi_wait {
	enum mpi_wait_kind kind;        /* of what the row can wait for */
	bool matched;           /* false: the other end is not known */
	uint32_t late;          /* rank that came last of the others, also if it was not waited
				 * for */
	uint64_t ns;
};

/* waits[side][row], as sides[side].rows[row]; memory of the caller.  Of the rows of one call that
 * completes several messages, only the longest wait is counted.  0 / -1 (memory). */
int mpi_match(const struct mpi_side *sides, uint32_t nsides, struct mpi_wait *const *waits);

#endif
