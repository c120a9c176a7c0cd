/* SPDX-License-Identifier: BSD-3-Clause */
/* Return addresses on a stack, without unwinding. */
#ifndef PSC_BURST_CALLERS_H
#define PSC_BURST_CALLERS_H

#include "burst/slot.h"

/* Fills callers[from] and on with words found from `sp` upwards that point behind a call
 * instruction in the table of code; 0 ends them.  `high`: the end of the stack; 0: not known. */
void burst_find_callers(uint64_t sp, uint64_t high, uint64_t *callers, int from);
/* Finds the next word from `sp` upwards that can be the return address of a call of the function
 * that contains `pc`.  Returns where it is; 0: there is none near. */
uint64_t burst_caller_above(uint64_t sp, uint64_t high, uint64_t pc);
/* Whether the word is such a return address. */
bool burst_is_caller(uint64_t word, uint64_t pc);
/* Code may have gone. */
void burst_forget_callers(void);

#endif
