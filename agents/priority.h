/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PSC_AGENTS_PRIORITY_H
#define PSC_AGENTS_PRIORITY_H

/* Lowers all threads of this process to the lowest priority, so that the application runs first.
 * Further calls do nothing.  Call it only when the agents are ready: an MPI job that starts at this
 * priority takes minutes on a busy machine, since each of the hundreds of short waits of its start
 * ends only when a CPU is free. */
void priority_lower(void);
/* The calling thread keeps its priority then. */
void priority_keep(void);
/* Later, priority_lower() lowers this process's session, too: only for a session that
 * the application is not in. */
void priority_of_session(void);

#endif
