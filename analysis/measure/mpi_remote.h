/* SPDX-License-Identifier: BSD-3-Clause */
/* Agents of several hosts tell each other about calls of MPI: the messages of a rank that may have
 * their other end elsewhere, and where it computes.  Times are of the clock of its host
 * (mpi_clocks(), mpi_match.h). */
#ifndef PSC_MEASURE_MPI_REMOTE_H
#define PSC_MEASURE_MPI_REMOTE_H

#include "analysis/measure/measurements.h"
#include "base/buf.h"

/* Messages go to all agents: so many ranks take part, with so many rows each. */
enum { MPI_REMOTE_RANKS = 256, MPI_REMOTE_ROWS = 4096 };

struct mpi_remote {
	uint32_t rank, host;    /* host: number of its agent */
	double exec;            /* the phase's time, s */
	struct mon_message_row *rows;   /* owned; context and execution are not known: 0 */
	uint32_t nrows;
	double *own;            /* owned; processor time by region, without the regions inside it,
				 * s */
};
struct mpi_remotes {
	struct mpi_remote *list;        /* owned; one of each rank */
	uint32_t n;
};

/* Appends what others need of the process.  phase: the region that was measured.  local: ranks of
 * this host, with which its messages are matched here.
 * false: nothing, it has no rank, or one beyond MPI_REMOTE_RANKS. */
bool mpi_remote_encode(const struct measurements *p, uint32_t host, uint32_t phase,
	const int *local, uint32_t nlocal, struct buf *out);
/* Takes it, in place of what came before of that rank: 1.  0: it is this agent's own (number
 * `own`), which comes back, or of another phase.  -1: malformed, or no memory. */
int mpi_remotes_take(struct mpi_remotes *all, uint32_t own, uint32_t phase, uint32_t nregions,
	const struct buf *body, struct err *err);
void mpi_remotes_free(struct mpi_remotes *all);

#endif
