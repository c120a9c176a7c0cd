/* SPDX-License-Identifier: BSD-3-Clause */
/* Timelines: counts by column of time, of the last experiment that counted everything.  The
 * executions, and the threads, have the same columns: positions in an execution are scaled to the
 * length of the first one.  What a column of the log counts belongs to the columns that it
 * overlaps, in equal shares of its width. */
#ifndef PSC_MEASURE_COLUMNS_H
#define PSC_MEASURE_COLUMNS_H

#include "analysis/measure/measurements.h"
#include "base/timeline_log.h"

/* Sums over the executions of one field (TIMELINE_READS ..; COLUMNS_FIRST, COLUMNS_LAST: misses of
 * a source line; COLUMNS_MODULES + number of a memory module: misses of the last level
 * that it serves) in a column. */
enum { COLUMNS_FIRST = TIMELINE_FIELDS, COLUMNS_LAST, COLUMNS_MODULES };
struct column_count {
	uint32_t context, object, thread;       /* thread: by `number` */
	uint32_t line;          /* 0: of all lines */
	uint16_t field, column;
	uint64_t value;
};
struct column_mark {
	uint32_t thread;
	uint64_t number;        /* of the meeting, from 0 on, in the order of time */
	uint64_t at;
};

struct columns {
	uint32_t executions, threads, n;        /* n: columns */
	uint32_t merged;        /* columns that were made one, since there were too many counts; 1:
				 * none */
	uint64_t width;         /* references of a column */
	uint64_t references;    /* of the first execution, in the thread with most */
	uint64_t left_out;
	bool pages;             /* counts are faults at sampled pages, and positions are
				 * microseconds */
	struct column_count *count;     /* owned; by thread, context, object, line, field, column;
					 * each once */
	size_t ncounts;
	/* Owned; the monitor's number of each thread, ours, and its memory node. */
	struct { uint32_t thread, number, node; } *team;
	uint32_t nteam;
	struct measured_map *map;       /* owned; maps.h: by object, thread, column, row */
	size_t nmaps;
	struct measured_touch *touch;   /* owned; touches.h: by object, row */
	size_t ntouches;
	struct measured_locality *locality;     /* owned; locality.h: by object, toucher, user */
	size_t nlocality;
	struct measured_use *use;       /* owned; line_uses.h: by object, row */
	size_t nuses;
	uint64_t undrawn;       /* records, misses and shared lines that the maps had no room for */
	struct column_mark *mark;       /* owned; by thread, in the order of time; of the first
					 * execution */
	size_t nmarks;
	struct flow_counts *flows;      /* owned; flow_counts.h; NULL: not asked for yet */
};

/* Our number of a thread of the monitor's; UINT32_MAX: it was not in the executions. */
static inline uint32_t columns_thread(const struct columns *c, uint32_t thread)
{
	for (uint32_t i = 0; i < c->nteam; i++)
		if (c->team[i].thread == thread)
			return c->team[i].number;
	return UINT32_MAX;
}

/* Replaces the columns by those of a result.  0 / -1 (memory). */
int columns_add(struct measurements *p, const struct mon_result *r);
/* The same, with so many counts at most. */
int columns_add_most(struct measurements *p, const struct mon_result *r, size_t most);
void columns_free(struct measurements *p);

#endif
