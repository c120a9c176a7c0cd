/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread-local variables. */
#ifndef PSC_MONITOR_THREAD_VARIABLES_H
#define PSC_MONITOR_THREAD_VARIABLES_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

/* Thread-local variables (thread_variables.c).  The first: of the calling thread, by a unit that is
 * loaded; the others: when the calling thread gets a state and when it ends. */
void pscm_thread_variable(uint64_t address, uint64_t bytes, uint32_t object);
void pscm_thread_variables_begin(void);
void pscm_thread_variables_end(void);
void pscm_thread_variables_again(void); /* with pscm_heap_again() */

#pragma GCC visibility pop
#endif
