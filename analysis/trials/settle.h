/* SPDX-License-Identifier: BSD-3-Clause */
/* How many executions behind a switch are not yet like those later: the first ones still have the
 * memory, the caches or the page tables of the state before, and take more time, or less. */
#ifndef PSC_TRIALS_SETTLE_H
#define PSC_TRIALS_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SETTLE_FIRST = 16,      /* executions behind the first switch */
	SETTLE_MOST = 256,      /* the most that are looked at */
	SETTLE_WINDOW = 4
};

/* The first execution from which on times are like those at the end: its median with the next three
 * lies within 2 % of that of the last quarter, or within 3 times their median deviation.  -1: that
 * lies in the second half, so that more executions must be looked at. */
int settle_point(const double *time, uint32_t n);

/* Executions to discard behind a switch, for executions of so many seconds that settle at `point`:
 * at least 5, and what 30 ms have; 2 of longer ones; DISCARD_MOST at most. */
enum { DISCARD_MOST = 16384 };
uint32_t settle_discard(int point, double seconds);

#endif
