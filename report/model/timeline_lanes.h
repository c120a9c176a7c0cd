/* SPDX-License-Identifier: BSD-3-Clause */
/* One execution of a process as viewers of traces draw it: for each thread the time at which
 * each column begins, and the region in which it makes most of the column's references. */
#ifndef PSC_REPORT_TIMELINE_LANES_H
#define PSC_REPORT_TIMELINE_LANES_H

#include <stdbool.h>
#include "base/err.h"
#include "report/model/report.h"

struct timeline_lanes {
	int threads, columns;
	/* Times are ns, an estimate: a reference takes what its region takes in a clean
	 * execution without the regions in it, divided by the references of the thread that
	 * makes most there.  False: no such time is known; a reference counts 1. */
	bool is_time;
	double *at;     /* owned: [thread * (columns + 1) + column]; threads are at their barriers
			 * at one time */
	int *region;    /* owned: [thread * columns + column]: number in `regions`, from 1; 0: no
			 * references */
};

/* 0 / -1 (memory). */
int timeline_lanes_make(const struct report_timeline *t, struct timeline_lanes *l, struct err *err);
void timeline_lanes_free(struct timeline_lanes *l);
/* The time at which the thread is at the begin of a column; columns: at its end. */
double timeline_lanes_at(const struct timeline_lanes *l, int thread, int column);
/* A time as a trace has it: whole, from 0 on. */
uint64_t timeline_lanes_tick(double time);
int timeline_lanes_region(const struct timeline_lanes *l, int thread, int column);
/* The regions from the outermost to `region` (numbers from 1) into `path`; their number, at most
 * `most`. */
int timeline_path(const struct report_timeline *t, int region, int *path, int most);
/* Cache levels of which the timelines of the report have misses, or its costs. */
int report_timeline_levels(const struct report *r);

#endif
