/* SPDX-License-Identifier: BSD-3-Clause */
/* Which thread touched a page first, hence on which memory node of the machine model it lies:
 * from the kernel's page-fault events, which name thread and address, counted since the start of
 * the process.  Where they may not be had, nothing is known, and nothing is guessed. */
#ifndef PSC_MONITOR_PLACEMENT_H
#define PSC_MONITOR_PLACEMENT_H

#include <stdint.h>
#include "machine/flat.h"

#define PLACEMENT_UNKNOWN UINT32_MAX

/* Begins; for a machine with several nodes.  0 / -1: the kernel gives no such events. */
int placement_start(const struct machine_flat *m);
void placement_stop(void);
void placement_thread(uint32_t index);      /* the calling thread bears this number from now on */
void placement_drain(void);                 /* takes over what the kernel has written */
/* The node of the page at a real address; PLACEMENT_UNKNOWN. */
uint32_t placement_node(uint64_t address);
uint64_t placement_lost(void);              /* faults that the kernel could not keep */

#endif
