/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory node of the machine model on which a page lies: the node of the thread that touched it
 * first.
 *
 * The kernel's page-fault events name thread and address; they are recorded from the start of the
 * process.  Where the kernel gives no events, the node of every page is unknown. */
#ifndef PSC_MONITOR_PLACEMENT_H
#define PSC_MONITOR_PLACEMENT_H

#include <stdint.h>
#include "machine/flat.h"

#define PLACEMENT_UNKNOWN UINT32_MAX

/* Starts recording.  0, or -1: the kernel gives no such events. */
int placement_start(const struct machine_flat *m);
void placement_stop(void);
/* Reads the events written so far and ends them: a page fault then costs what it costs natively.
 * What was read stays known. */
void placement_end(void);
void placement_thread(uint32_t index);      /* numbers the calling thread */
void placement_thread_end(void);            /* the calling thread ends */
void placement_drain(void);                 /* reads the events written so far */
/* The node of the page at a real address, or PLACEMENT_UNKNOWN. */
uint32_t placement_node(uint64_t address);
/* The number of the live thread whose fault placed the page, or PLACEMENT_UNKNOWN. */
uint32_t placement_toucher(uint64_t address);
/* The address of the program's instruction that caused that fault; 0: it is not known. */
uint64_t placement_code(uint64_t address);
uint64_t placement_lost(void);              /* events lost because a ring was full */

#endif
