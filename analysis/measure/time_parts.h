/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of a phase's threads, divided by what they spend it on, and where parts of it are
 * spent. */
#ifndef PSC_MEASURE_TIME_PARTS_H
#define PSC_MEASURE_TIME_PARTS_H

#include "analysis/measure/measurements.h"

/* Thread-seconds of an execution, medians of the clean ones.  In each execution, a thread's time in
 * the phase is the sum of all. */
struct time_parts {
	double cpu;
	double barrier;         /* waits for other threads: at barriers and the ends of teams */
	double mpi;             /* in MPI calls, spinning included */
	double blocked;         /* in calls that wait for a device, a lock or the clock (waits.c) */
	double away;            /* none of these: other programs had the processor, or a call
				 * slept */
};

void measured_time_parts(const struct measurements *p, struct time_parts *out);

#endif
