/* SPDX-License-Identifier: BSD-3-Clause */
/* What estimate_rows.c keeps, and estimate_groups.c makes estimates of. */
#ifndef PSC_MEASURE_ESTIMATE_ROWS_PRIVATE_H
#define PSC_MEASURE_ESTIMATE_ROWS_PRIVATE_H

#include "analysis/measure/estimate_rows.h"

/* Rows are sorted by context, thread and object. */
struct estimate_row {
	uint32_t context, thread, object;
	struct memory_time memory;      /* ns an execution; K is not in it */
	double contended;               /* the part of K that the time pays for, 0..1 */
	double waits;                   /* ns in the kernel for a lock */
};

struct estimate_work {
	uint32_t context, thread;
	struct thread_work work;        /* of an execution */
};

struct estimate_rows {
	struct estimate_row *row;       /* owned */
	struct estimate_work *work;     /* owned; sorted by context and thread */
	struct estimate_work *joint;    /* of groups, by head and thread; owned */
	uint32_t nrows, nwork, njoint;
};

/* The work of a context and thread; of those with that head and thread, together.
 * estimate_no_work: there is none. */
extern const struct thread_work estimate_no_work;
const struct thread_work *estimate_work_find(const struct estimate_rows *e, uint32_t context,
	uint32_t thread);
const struct thread_work *estimate_joint_find(const struct estimate_rows *e, uint32_t head,
	uint32_t thread);
/* Brief contexts were measured together with the context around them, the head of their group. */
uint32_t estimate_head(const struct measurements *p, uint32_t context);
/* M with the part of K that the time pays for. */
struct memory_time estimate_paid(const struct estimate_row *row);
struct memory_shape estimate_shape(const struct measurements *p, uint32_t object);

#endif
