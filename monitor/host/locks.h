/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks that a thread which vanishes cannot keep. */
#ifndef PSC_MONITOR_LOCKS_H
#define PSC_MONITOR_LOCKS_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

/* Locks of the monitor.  They are taken before any lock of the simulator; those are plain
 * mutexes. */
void pscm_lock(pthread_mutex_t *lock);
bool pscm_trylock(pthread_mutex_t *lock);
void pscm_unlock(pthread_mutex_t *lock);

#pragma GCC visibility pop
#endif
