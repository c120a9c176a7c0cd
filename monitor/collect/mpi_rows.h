/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of MPI in clean executions: what each context spends in them, and the messages and
 * collectives that they complete (base/mpi_calls.h). */
#ifndef PSC_MONITOR_MPI_ROWS_H
#define PSC_MONITOR_MPI_ROWS_H

#include "monitor/collect/armed.h"

/* A request for clean times is armed: its rows begin anew. */
void mpi_rows_arm(const struct pscm_armed *a);
/* The execution that begins has this number among the counted ones; MON_ANY: it
 * is not counted, or ends. */
void mpi_rows_execution(uint32_t number);
/* Writes the numbers of rows to the request. */
void mpi_rows_finish(struct pscm_armed *a);
/* The pass-throughs work from now on, if the agent asked for them; or never again. */
void mpi_rows_start(void);
void mpi_rows_stop(void);

#endif
