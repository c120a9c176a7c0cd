/* SPDX-License-Identifier: BSD-3-Clause */
/* Timelines made by hand: 32 columns of 1000 accesses, 16 rows, one structure of 16 KiB after the other. */
#ifndef TESTS_REPORT_MADE_TIMELINE_H
#define TESTS_REPORT_MADE_TIMELINE_H

#include "report/model/timeline_facts.h"

enum { MADE_COLUMNS = 32, MADE_ROWS = 16, MADE_WIDTH = 1000, MADE_BYTES = 16384, MADE_MOST = 16 };

struct made {
	struct arena *arena;
	struct report_timeline t;
	struct report_time_region regions[MADE_MOST];
	struct report_time_structure structures[MADE_MOST];
	struct report_time_cell cells[MADE_MOST];
	struct report_time_map maps[MADE_MOST];
	struct report_time_mark marks[MADE_MOST];
};

/* caller frees, with all that belongs to it */
struct made *made_new(int threads);
void made_free(struct made *m);

/* Each returns the number of the new one, from 1. */
int made_region(struct made *m, const char *name, int parent);
int made_structure(struct made *m, const char *name);

enum made_walk { MADE_UP, MADE_DOWN, MADE_TWICE_UP, MADE_ALL, MADE_MIXED };
/* What a thread does in the columns [from, to) in the rows [first, last). */
struct made_use {
	int region, structure, thread;
	int from, to, first, last;
	enum made_walk walk;
	bool writes;
	int accesses;                   /* a column */
};
/* A cell, and rows in the map of the structure and thread. */
void made_use(struct made *m, const struct made_use *u);
void made_mark(struct made *m, int thread, int number, int64_t at);
/* n counts in each of the columns [from, to). */
struct report_series made_flat(struct made *m, int from, int to, int64_t n);

#endif
