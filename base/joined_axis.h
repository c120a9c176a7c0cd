/* SPDX-License-Identifier: BSD-3-Clause */
/* One axis for the positions of several threads.
 *
 * Each thread counts its positions in a unit of its own.  A mark that several threads pass, as a
 * barrier, is one place of the axis: what lies between two marks is as long there as that of the
 * thread with most between them.  A thread that has nothing between two marks waits; it goes on
 * where the others have come to. */
#ifndef PSC_BASE_JOINED_AXIS_H
#define PSC_BASE_JOINED_AXIS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"

/* the thread passes the mark of a number */
struct axis_mark { uint32_t thread, number; double own; };
/* a place of the thread in its own unit, and of the axis */
struct axis_knot { double own, common; };

struct joined_axis {
	uint32_t threads;
	struct axis_knot *knot;         /* by thread, in order; the first of each is 0, 0 */
	size_t *first;                  /* by thread: its first knot; [threads]: their number */
	/* by thread: one of those that it has met, or that have met these; the same for all of
	 * them */
	uint32_t *met;
	bool joined;                    /* several threads passed a mark together */
};

/* Sorts the marks.  The memory is the arena's.  0 / -1 (memory). */
int joined_axis_make(struct joined_axis *x, struct arena *arena, uint32_t threads,
	struct axis_mark *marks, size_t n);
/* Have the threads passed a mark together, or each with others that have?  Else their order is
 * unknown. */
bool joined_axis_met(const struct joined_axis *x, uint32_t a, uint32_t b);
/* The place of a thread's own position.  ends: where the thread waits, the place at which it begins
 * to wait, else the one at which it goes on. */
double joined_axis_at(const struct joined_axis *x, uint32_t thread, double own, bool ends);
/* The thread's own position at its first mark behind `own`; HUGE_VAL: there is none. */
double joined_axis_next(const struct joined_axis *x, uint32_t thread, double own);

#endif
