/* SPDX-License-Identifier: BSD-3-Clause */
/* Return addresses on a stack, without unwinding. */
#ifndef PSC_BURST_CALLERS_H
#define PSC_BURST_CALLERS_H

#include "burst/slot.h"

/* Fills callers[from] and on with words found from `sp` upwards that point behind a call instruction in the table of
 * code; 0 ends them.  `s` NULL: the thread's stack is not known, and the search ends with its page. */
void burst_find_callers(const struct slot *s, uint64_t sp, uint64_t *callers, int from);

#endif
