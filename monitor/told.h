/* SPDX-License-Identifier: BSD-3-Clause */
/* What was told of heap blocks and is not in the table yet (told.c). */
#ifndef PSC_MONITOR_TOLD_H
#define PSC_MONITOR_TOLD_H

#include "monitor/pscmon.h"

struct told {
	uint64_t lo, bytes;     /* bytes 0: released */
	uint32_t object;
};
/* By any thread, without a lock; false: there is no room. */
bool told_put(const struct told *what);
bool told_waits(void);
/* The oldest one; calls are serialised. */
bool told_take(struct told *what);

#endif
