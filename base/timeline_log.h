/* SPDX-License-Identifier: BSD-3-Clause */
/* The log of a thread's timeline: what the simulator (simulate/cache/column_writer.h) writes and
 * the agent reads.
 *
 * The log consists of items.  All numbers are unsigned LEB128 (seven bits a byte, the lowest
 * first):
 *   TIMELINE_END execution position   an execution has ended; the next item is of the one that
 * follows
 *   TIMELINE_DOUBLE                   from here on columns are twice as wide
 *   TIMELINE_MARK mark distance       a thread met those that have the same mark, at the begin of a
 * team or a barrier,
 *                                     `distance` behind the next column's begin
 *   TIMELINE_COLUMN + n cells 0       a column, behind n columns without counts
 * A cell: its number, less that of the cell before; a mask of the fields that follow, in their
 * order, of which the first bits are TIMELINE_NEW: context and object come before them;
 * TIMELINE_MODULES and TIMELINE_SITES, behind them: memory modules, node * channels + channel, with
 * their misses of the last level: (module + 1, misses)* 0; then source lines: (line, misses of the
 * nearest level, of the last)* 0. */
#ifndef PSC_TIMELINE_LOG_H
#define PSC_TIMELINE_LOG_H

enum { TIMELINE_END, TIMELINE_DOUBLE, TIMELINE_MARK, TIMELINE_COLUMN };

enum { TIMELINE_LOG_LEVELS = 4, TIMELINE_LOG_CLASSES = 6, TIMELINE_LOG_NODES = 16,
	TIMELINE_LOG_MODULES = 64, TIMELINE_LOG_CELLS = 16384 };

enum {
	TIMELINE_READS, TIMELINE_WRITES, TIMELINE_BYTES,
	TIMELINE_MISSES,                                                /* by level */
	TIMELINE_COHERENT = TIMELINE_MISSES + TIMELINE_LOG_LEVELS,      /* coherence misses, each once */
	TIMELINE_CLASS,                                                 /* misses of the last level by class */
	TIMELINE_SERVED = TIMELINE_CLASS + TIMELINE_LOG_CLASSES,        /* the same by memory node */
	TIMELINE_FIELDS = TIMELINE_SERVED + TIMELINE_LOG_NODES
};
/* bits of a cell's mask */
enum { TIMELINE_NEW = 1, TIMELINE_SITES = 2, TIMELINE_MODULES = 4, TIMELINE_FIRST_FIELD = 3 };

enum { TIMELINE_PARTS = 512 };  /* columns of an execution that is as long as that of the warm-up */

#endif
