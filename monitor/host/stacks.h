/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulator's stack, and the depth of the program's stacks. */
#ifndef PSC_MONITOR_STACKS_H
#define PSC_MONITOR_STACKS_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

/* --- work_stack.c ----------------------------------------------------------------------------- */
/* The simulator needs more stack than some stacks of a program have left.  The caller has blocked
 * signals, so no handler runs on this stack. */
void *pscm_work_stack_make(void);       /* returns its top; NULL: no memory */
/* top NULL: on the current stack. */
void pscm_work_stack_run(void *top, void (*f)(void *), void *argument);

/* --- stack_depth.c ---------------------------------------------------------------------------- */
/* before: the soft stack limit in bytes from before psc_frontend raised it; stacks of threads are
 * sized by it.  NULL: it was not raised.  analysed: threads created from now on get larger
 * stacks. */
void pscm_stack_depth_start(const char *before, bool analysed);

#pragma GCC visibility pop
#endif
