/* SPDX-License-Identifier: BSD-3-Clause */
/* The store: what collectors measured of one process, by place.
 *
 * A place is a context, a data structure, a thread and a bin of time.  Its row has the simulator's
 * counts (struct tally) and one value for each execution of every other metric.  A metric names the
 * collector that measured it and the share of the events that it saw, from which its error follows.
 * Rows are inserted by whoever measures first and never removed; a figure that was not
 * measured at a place is NAN. */
#ifndef PSC_MEASURE_STORE_H
#define PSC_MEASURE_STORE_H

#include "analysis/measure/measurements.h"

#define ALL_THREADS UINT32_MAX  /* as thread: all threads together */
#define WHOLE_EXECUTION 0       /* as bin: the execution from its begin to its end */

enum { STORE_MOST = 1 << 19 };  /* rows, 400 MB: bounds what an application makes its agent keep */

struct store_key {
	uint32_t context, object, thread, bin;  /* object MON_ANY: all accesses */
};

/* What is known of the simulator's counts at a place. */
enum store_counts {
	STORE_UNKNOWN,          /* nothing: the row is there for other metrics */
	STORE_OCCURS,           /* the structure is accessed there; a filter left its counts out */
	STORE_COUNTED
};

struct store_row {
	struct store_key key;
	uint32_t before;        /* row before it in store_last()'s order, number + 1; 0: none */
	enum store_counts counts;
	struct tally tally;     /* 0 unless STORE_COUNTED */
};

/* A metric that is not one of the simulator's counters. */
struct store_metric {
	char *name;             /* owned */
	const char *collector;  /* its name; borrowed */
	uint32_t executions;    /* values in each row */
	double seen, all;       /* of the events; seen < all: its values are scaled */
	double *value;          /* owned; by row and execution, for the first `rows` rows */
	uint32_t rows;
};

struct store {
	struct store_row *row;  /* owned; in the order of insertion */
	uint32_t used, cap;
	uint32_t *slot;         /* owned; hash table: 0 free, else a row's number + 1 */
	uint32_t size;          /* of the table, a power of two */
	uint32_t *last;         /* owned; by context: the last row of ALL_THREADS, number + 1; 0:
				 * none */
	uint32_t contexts;      /* that `last` has room for */
	struct store_metric *metric;    /* owned */
	uint32_t nmetrics;
};

struct store *store_new(void);          /* NULL: memory */
void store_free(struct store *s);

/* The key of the counts of a thread (or ALL_THREADS) in whole executions. */
static inline struct store_key store_key(uint32_t context, uint32_t object, uint32_t thread)
{
	return (struct store_key){ context, object, thread, WHOLE_EXECUTION };
}

/* The row, valid until the next store_insert(); NULL: none. */
struct store_row *store_find(const struct store *s, struct store_key key);
/* The row, inserted if there was none.  NULL: memory, or STORE_MOST rows. */
struct store_row *store_insert(struct store *s, struct store_key key);
/* True: it has STORE_MOST rows. */
bool store_full(const struct store *s);
/* Rows of a context for ALL_THREADS in whole executions, the latest first: store_last(), then from
 * one to the one before; NULL: no more. */
const struct store_row *store_last(const struct store *s, uint32_t context);
const struct store_row *store_before(const struct store *s, const struct store_row *it);
/* Forgets the simulator's counts at all places. */
void store_clear_counts(struct store *s);

/* A metric begins anew: its values of before are forgotten.  name is copied.  NULL: memory. */
struct store_metric *store_metric_begin(struct store *s, const char *name, const char *collector,
	uint32_t executions);
/* NULL: it was never measured. */
const struct store_metric *store_metric_find(const struct store *s, const char *name);
/* Adds to the metric's value at a place; NAN counts as 0.  0 / -1 (memory, STORE_MOST
 * rows, or no such execution). */
int store_add(struct store *s, struct store_metric *m, struct store_key key, uint32_t execution,
	double value);
/* NAN: not measured there. */
double store_value(const struct store *s, const struct store_metric *m, struct store_key key,
	uint32_t execution);

#endif
