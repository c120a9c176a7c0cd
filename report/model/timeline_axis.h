/* SPDX-License-Identifier: BSD-3-Clause */
/* The axis that the threads of a timeline have in common.  Threads pass a barrier at one place
 * of it: what they do between two barriers is stretched to the length of the thread that has
 * most there.  Lengths are accesses, or in the forms of other tools ns.  All pictures and files
 * take it from here; JSON has it as `axis`. */
#ifndef PSC_REPORT_TIMELINE_AXIS_H
#define PSC_REPORT_TIMELINE_AXIS_H

#include <stdbool.h>
#include "base/arena.h"
#include "base/joined_axis.h"
#include "report/model/timeline_series.h"

struct time_axis {
	const struct report_timeline *t;
	/* By thread * (columns + 1) + column: where the column begins in the thread's own unit;
	 * NULL: at its position. */
	const double *own;              /* borrowed */
	double span;                    /* length of the axis; > 0 */
	double *end;                    /* by thread: its last position; 0: it makes no access */
	struct joined_axis joined;
	bool aligned;                   /* barriers of several threads are known */
};

/* The memory is the arena's.  0 / -1 (memory). */
int time_axis_make(struct time_axis *x, struct arena *arena, const struct report_timeline *t,
	const double *own);
/* The place of a thread's position on the axis. */
double time_axis_at(const struct time_axis *x, int thread, double position);
/* Where a column of the thread begins and ends on the axis, as a share of its length.  Of a column
 * in which the thread passes marks, the longest piece between two of them: it may wait there. */
void time_axis_column(const struct time_axis *x, int thread, int column, double *from, double *to);
/* Where a column begins, at most where the thread ends; columns: where it ends. */
double time_axis_border(const struct time_axis *x, int thread, int column);
/* The number of the thread's columns up to the last with accesses. */
int time_axis_used(const struct time_axis *x, int thread);
/* The one of `bins` equal parts of the axis in which the middle of the thread's column lies. */
int time_axis_bin(const struct time_axis *x, int thread, int column, int bins);
/* Divides a value of the thread's column among `bins` equal parts of the axis. */
void time_axis_add(const struct time_axis *x, int thread, int column, double value, double *into,
	int bins);

#endif
