/* SPDX-License-Identifier: BSD-3-Clause */
/* The phase's processor time, divided into what is modelled or measured and what is not, and where
 * parts of it are spent. */
#ifndef PSC_MEASURE_CPU_PARTS_H
#define PSC_MEASURE_CPU_PARTS_H

#include "analysis/measure/measurements.h"
#include "base/buf.h"

/* Parts of the processor time, thread-seconds of an execution: their sum.  NAN: not estimated yet,
 * or the machine is not this host. */
struct cpu_parts {
	/* The part within the range of the core's model, after all others; its range. */
	double computing, computing_low, computing_high;
	double memory;          /* est_stall */
	double kernel, faults;  /* in the kernel; faults: the part of it for page faults */
	double branches;        /* mispredicted branches on loaded data */
	double library;         /* in calls of code that is not recorded */
	double unexplained;     /* none of these */
};
void measured_cpu_parts(const struct measurements *p, struct cpu_parts *out);

/* Appends the names of the called functions that most of `library` is in: "qsort, exp". */
void measured_library_calls(const struct measurements *p, struct buf *out);
/* Appends the mathematical functions that the code calls which computes most: "exp, pow". */
void measured_math_calls(const struct measurements *p, struct buf *out);
/* Appends where the memory is allocated whose first touches most page faults are, "grow.c:12
 * (list)": heap blocks that are allocated in each execution; nothing where these are too few for
 * the faults. */
void measured_fault_blocks(const struct measurements *p, struct buf *out);
/* The same of a context: the blocks that have most of its page faults (fault_costs.h). */
void measured_region_fault_blocks(const struct measurements *p, uint32_t context, struct buf *out);
/* The context in which most page faults happen, without those inside it; NO_CONTEXT: not known. */
uint32_t measured_fault_context(const struct measurements *p);

#endif
