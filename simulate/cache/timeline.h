/* SPDX-License-Identifier: BSD-3-Clause */
/* The timeline of a core: what each cell counted, by *columns* of time.  A core's *position* is the
 * number of its references since the execution began.  At a *border*, when it has advanced by the
 * columns' width, what the cells have more than at the last border is appended to a log.  Engines and
 * lookups know nothing of it; batch.c and loop/choose.c test for the border, a record or a part of a
 * loop at a time.
 *
 * The log consists of items.  All numbers are unsigned LEB128 (seven bits a byte, the lowest first):
 *   TIMELINE_END execution position   an execution has ended; the next item is of the one that follows
 *   TIMELINE_DOUBLE                   from here on columns are twice as wide
 *   TIMELINE_MARK mark distance       a thread passed a barrier, `distance` behind the present column's
 *                                     begin (sim_columns_mark())
 *   TIMELINE_COLUMN + n cells 0       a column, behind n columns without counts
 * A cell: its number, less that of the cell before; a mask of the fields below that follow, in this order, of which
 * the first bits are TIMELINE_NEW: context and object follow, and TIMELINE_SITES: source lines follow the
 * fields: (line, misses of the nearest level, of the last)* 0. */
#ifndef PSC_SIMULATE_TIMELINE_H
#define PSC_SIMULATE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>
#include "machine/flat.h"

enum { TIMELINE_END, TIMELINE_DOUBLE, TIMELINE_MARK, TIMELINE_COLUMN };

enum {
	TIMELINE_READS, TIMELINE_WRITES, TIMELINE_BYTES,
	TIMELINE_MISSES,                                        /* by level */
	TIMELINE_COHERENT = TIMELINE_MISSES + MACHINE_LEVELS,   /* coherence misses, each once */
	TIMELINE_CLASS,                                         /* misses of the last level by enum miss_class */
	TIMELINE_SERVED = TIMELINE_CLASS + 6,                   /* the same by memory node */
	TIMELINE_FIELDS = TIMELINE_SERVED + MACHINE_NODES
};
enum { TIMELINE_NEW = 1, TIMELINE_SITES = 2, TIMELINE_FIRST_FIELD = 2 };        /* bits of a cell's mask */

enum {
	TIMELINE_PARTS = 512,   /* columns of an execution that is as long as that of the warm-up */
	TIMELINE_FIRST_WIDTH = 4096     /* of columns where there was none */
};

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
/* Before a batch, where this execution of the phase has begun. */
void sim_columns_execution(struct sim_core *core, uint32_t execution);
/* Behind the last batch, and share_settle().  Fills out, which is valid until the core is attached again; false: it has no
 * timeline. */
bool sim_columns_end(struct sim_core *core, struct sim_columns *out);
/* The core's thread passed a barrier; all that it did before it is simulated. */
void sim_columns_mark(struct sim_core *core, uint32_t mark);

#endif
