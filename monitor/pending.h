/* SPDX-License-Identifier: BSD-3-Clause */
/* What was told of heap blocks and is not in the table yet (pending.c). */
#ifndef PSC_MONITOR_PENDING_H
#define PSC_MONITOR_PENDING_H

#include "monitor/pscmon.h"

struct pending {
	uint64_t lo, bytes;     /* bytes 0: released */
	uint32_t object;
};
/* By any thread, without a lock; false: there is no room. */
bool pending_put(const struct pending *what);
bool pending_any(void);
/* The oldest one; calls are serialised. */
bool pending_take(struct pending *what);

#endif
