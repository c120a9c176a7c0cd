/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracked memory in children of fork().
 *
 * Shared memory is not copied by fork().  The child copies it, and the parent's thread that forks
 * waits meanwhile.  This stands between the program's own handlers (pthread_atfork) and the call:
 * the child has its copy, and the parent goes on, before any other handler runs in either. */
#ifndef PSC_BURST_FORKED_H
#define PSC_BURST_FORKED_H

#include <stdbool.h>

/* Before the program's first fork(): makes what parents and children share.  0 / -1. */
int burst_forked_start(void);
/* A child may be copying: released blocks have to keep their contents. */
bool burst_forked_copying(void);

/* The handlers. */
void burst_forked_before(void);
void burst_forked_in_parent(void);
void burst_forked_in_child(void);

#endif
