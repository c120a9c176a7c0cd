/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of the program: their slots and their timers. */
#ifndef PSC_BURST_THREAD_SLOTS_H
#define PSC_BURST_THREAD_SLOTS_H

#include "burst/slot.h"

/* Where the slots are in the process: two views of the shared memory, one to be written and one to
 * be executed. */
void burst_threads_start(char *memory, char *code);

/* The calling thread gets a slot and a timer; `stack_high`: an address near the end of its
 * stack. */
void burst_thread_begin(uint64_t stack_high);
/* It gives them back. */
void burst_thread_end(void);
/* No timer expires any more, and no thread gets one. */
void burst_threads_stop(void);

/* The timers of all threads expire as soon as their threads run.  Returns the number of threads. */
uint32_t burst_threads_ring(void);
/* Is that the value of a timer of ours? */
bool burst_threads_has(const void *slot);

#endif
