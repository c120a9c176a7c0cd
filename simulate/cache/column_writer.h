/* SPDX-License-Identifier: BSD-3-Clause */
/* The timeline of a core: what each cell counted, by *columns* of time.  A core's *position* is the
 * number of its references since the execution began.  At a *border*, when it has advanced by the
 * columns' width, what the cells have more than at the last border is appended to a log
 * (base/timeline_log.h).  Engines and lookups know nothing of it; batch.c and loop/choose.c test
 * for the border, a record or a part of a loop at a time. */
#ifndef PSC_SIMULATE_COLUMN_WRITER_H
#define PSC_SIMULATE_COLUMN_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include "base/timeline_log.h"

enum { TIMELINE_FIRST_WIDTH = 4096 };   /* of columns where there was no warm-up */

struct sim_core;
struct timeline;

/* What a core's timeline is, for the owner of the core. */
struct sim_columns {
	const uint8_t *log;
	uint32_t bytes;
	uint64_t width;         /* of its first columns */
	uint64_t left_out;      /* references of columns that did not fit into the log */
};

/* The core begins to count.  Without sim->columns, or memory, it has no timeline. */
void sim_columns_begin(struct sim_core *core);
/* Ends the columns before the present position.  The caller holds core->lock. */
void sim_columns_border(struct sim_core *core);
/* Before a batch, and before sim_core_follow(): a new execution of the phase may have begun. */
void sim_columns_execution(struct sim_core *core);
/* Behind the last batch, and share_settle().  Fills out, which is valid until the core is attached
 * again; false: it has no timeline. */
bool sim_columns_end(struct sim_core *core, struct sim_columns *out);
/* The core's thread has met others, where they begin a team or at a barrier; all that it
 * did before is simulated. */
void sim_columns_mark(struct sim_core *core, uint64_t mark);

#endif
