/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocations and releases that wait to be applied to the table of heap.c. */
#ifndef PSC_MONITOR_PENDING_H
#define PSC_MONITOR_PENDING_H

#include "monitor/state.h"

struct pending_change {
	uint64_t lo, bytes;     /* bytes 0: a release */
	uint32_t object;
};
/* Any thread, without a lock.  false: the queue is full. */
bool pending_put(const struct pending_change *what);
bool pending_any(void);
/* Takes the oldest entry.  Calls are serialised by the caller. */
bool pending_take(struct pending_change *what);

#endif
