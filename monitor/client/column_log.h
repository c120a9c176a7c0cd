/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the logs of timelines (simulate/cache/column_writer.h) in the rows of a result.  An
 * application may have written anything there: what is no log ends the reading, and every number
 * has at most COLUMNS_BITS bits. */
#ifndef PSC_CLIENT_COLUMN_LOG_H
#define PSC_CLIENT_COLUMN_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include "base/timeline_log.h"
#include "monitor/shared/shm.h"

enum { COLUMNS_BITS = 56 };

enum columns_kind { COLUMNS_CELL, COLUMNS_MODULE, COLUMNS_SITE, COLUMNS_MARK, COLUMNS_END };

struct columns_item {
	enum columns_kind kind;
	/* A cell, a module or a site: positions [from, to) in the execution.  A mark: `from`.  The
	 * end of an execution: `to`, its length. */
	uint64_t from, to;
	uint32_t execution;     /* of an end: its number */
	uint64_t mark;
	uint32_t context, object;       /* the monitor's numbers; unchecked */
	uint64_t count[TIMELINE_FIELDS];        /* of a cell */
	uint32_t module;        /* of a module, with `last`; the cell's item came before, as that of
				 * a site's */
	uint32_t line;          /* of a site */
	uint64_t first, last;
};

struct columns_reader;
/* Reads the parts of one thread, of which there are n.  NULL: memory. */
struct columns_reader *columns_open(const struct mon_columns *part, uint32_t n);
void columns_close(struct columns_reader *r);
/* Begins anew. */
void columns_rewind(struct columns_reader *r);
/* The next item; false: there is none, or what follows is no log. */
bool columns_next(struct columns_reader *r, struct columns_item *out);
/* Was all of the log read? */
bool columns_whole(const struct columns_reader *r);

/* The number of parts from part[0] on that are of its thread. */
uint32_t columns_parts(const struct mon_columns *part, uint32_t n);

#endif
