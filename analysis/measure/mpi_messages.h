/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of MPI in the clean executions of a process: time, bytes, and waits for other processes. */
#ifndef PSC_MEASURE_MPI_MESSAGES_H
#define PSC_MEASURE_MPI_MESSAGES_H

#include "analysis/measure/measurements.h"

enum mpi_figure {
	MPI_CALLS, MPI_TIME,            /* MPI_TIME and waits: thread-seconds */
	MPI_SENT, MPI_RECEIVED, MPI_MESSAGES, MPI_UNSIZED,
	MPI_LATE_SENDER, MPI_LATE_RECEIVER, MPI_COLLECTIVE, MPI_BARRIER,
	MPI_ENDS, MPI_UNMATCHED,        /* messages and collectives that could wait; of these
					 * without partner */
	MPI_UNCERTAIN,               /* what waits for ranks on other hosts may be longer, since
				      * clocks have an error */
	MPI_FIGURES
};

/* Takes the rows of a result of clean executions, the first of which has the number `first` among
 * all.
 * 0 / -1 (memory). */
int mpi_calls_add(struct measurements *p, const struct mon_result *r, uint32_t first);
void mpi_calls_free(struct measurements *p);
/* Matches the messages of the processes of this host with each other and with those of other hosts,
 * and notes in each what it waits for.  0 / -1 (memory). */
struct mpi_remotes;
int mpi_calls_match(struct measurements *const *processes, uint32_t n,
	const struct mpi_remotes *remotes);
/* The messages of a process; borrowed.  Returns their number. */
uint32_t mpi_calls_rows(const struct measurements *p, const struct mon_message_row **rows);
/* Its processor time by region, without the regions inside it, s.  The
 * caller frees; NULL: memory. */
double *mpi_calls_own_times(const struct measurements *p);
/* The largest error of the clocks by which messages with other hosts were compared,
 * s; NAN: there were none. */
double mpi_calls_clock_error(const struct measurements *p);
/* The size of the largest communicator in which the process takes part in
 * collectives; 0: not known. */
uint32_t mpi_calls_ranks(const struct measurements *p);

/* The figure of a context, inclusive, per execution: the median.  NAN: not measured; bytes of which
 * some are not known; waits if more than a tenth of the messages and collectives have no known
 * partner, or if the error of the clocks of hosts could explain as much, and more than
 * MPI_UNCERTAIN_LEAST of the phase's time. */
#define MPI_UNCERTAIN_LEAST 0.01
double mpi_calls_figure(const struct measurements *p, uint32_t context, enum mpi_figure which);
/* The rank for which the context waits longest in calls of MPI; -1: for none. */
int mpi_calls_late(const struct measurements *p, uint32_t context);
/* "rank 2, which computes 1.2 ms longer than the mean of the others in 'loop lu.f:100'": of that
 * rank.
 * NULL: there is none.  Borrowed until the next call. */
const char *mpi_calls_cause(const struct measurements *p, uint32_t context);

#endif
