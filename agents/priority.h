/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PSC_AGENTS_PRIORITY_H
#define PSC_AGENTS_PRIORITY_H

/* From now on the application goes first: this process runs at the lowest priority.  Again: does nothing.
 * Not before the agents are ready: an MPI job that starts at this priority takes minutes on a busy machine,
 * since each of the hundreds of short waits of its start ends only when a CPU is free. */
void priority_lower(void);

#endif
