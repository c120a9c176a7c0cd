/* SPDX-License-Identifier: BSD-3-Clause */
/* Static variables in tracked memory.
 *
 * Before main(), while there is one thread, the data of the program and of its libraries are copied
 * to tracked memory, which is mapped where they were. */
#ifndef PSC_BURST_STATICS_H
#define PSC_BURST_STATICS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "burst/shared/burst.h"

struct burst_data {
	uint64_t low, file_end, high;   /* whole pages; up to file_end they come from the file */
};

/* Moves the data of the objects that are loaded: those with h->tracked.least bytes and more. */
void burst_statics_start(int file, struct burst_header *h);
/* Moves one range; where others have all BURST_PLACED places, it stays. */
void burst_statics_move(int file, struct burst_header *h, const struct burst_data *data);
/* Each page of them has a fault of its own (userfaultfd).  0 / -1. */
int burst_statics_register(int uffd);
bool burst_statics_have(const void *at);
/* Of the data that begin there. */
uint64_t burst_statics_bytes(const void *at);
/* Where the parts of a window are that static variables have: up to BURST_PLACED.  Returns how
 * many. */
uint32_t burst_statics_windows(const struct burst_window *w, struct iovec *to);
/* In a child of fork(): as burst_tracked_leave(). */
bool burst_statics_leave(bool (*make_private)(char *at, uint64_t bytes));

#endif
