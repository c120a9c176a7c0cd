/* SPDX-License-Identifier: BSD-3-Clause */
/* Which thread touched a page first since the program began, from the kernel's page-fault events
 * (placement.h).
 *
 * An event makes a fault slower, which clean executions would show.  So on a machine model with one
 * node, which needs no placement, the events end before the first clean execution.  Memory that is
 * allocated later may be mapped anew at an address that was known before:
 * its first touch is unknown. */
#ifndef PSC_MONITOR_FIRST_TOUCH_H
#define PSC_MONITOR_FIRST_TOUCH_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

void first_touch_start(void);   /* begins events where accesses are to be drawn by address */
void first_touch_end(void);     /* before clean executions */
/* May first touches be known of the memory of the object's block at this address?  Not where the
 * block has been released: another one may lie there, in memory that was mapped anew. */
bool first_touch_known(uint64_t address, uint32_t object);
/* Of such memory, the number of the thread that touched the page first; MON_ANY: unknown. */
uint32_t first_touch_of(uint64_t address);

#pragma GCC visibility pop
#endif
