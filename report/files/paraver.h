/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of a Paraver trace have in common: the numbers of regions (states), structures
 * (types of events) and threads. */
#ifndef PSC_REPORT_PARAVER_H
#define PSC_REPORT_PARAVER_H

#include "report/model/report.h"
#include "report/model/timeline_lanes.h"

/* Types of events: a structure's accesses, misses of the nearest and of the last level in a column
 * are those of its number (from 1) behind these; the region is the number of its state. */
enum { PARAVER_REGION = 90000001, PARAVER_ACCESSES = 90100000, PARAVER_FIRST = 90200000,
	PARAVER_LAST = 90300000 };

struct paraver {
	const struct report *r;
	int levels;
	/* The same region, or structure, of several processes is one. */
	const struct report_time_region **regions;      /* [number - 1]; owned, as the others */
	int nregions;
	const struct report_time_structure **structures;
	int nstructures;
	double *misses;                 /* of the last level, by structure */
	int **region_of, **structure_of;        /* by process and its own number - 1: the number; of
						 * one memory each */
	struct timeline_lanes *lanes;   /* by process */
	int threads;
	uint64_t end;                   /* ns, or references */
	bool is_time;                   /* of all processes */
};

int paraver_make(struct paraver *p, const struct report *r, struct err *err);
void paraver_free(struct paraver *p);
/* The contents of STEM.prv, .pcf, .row, .cfg. */
void paraver_prv(const struct paraver *p, struct buf *out);
void paraver_pcf(const struct paraver *p, struct buf *out);
void paraver_row(const struct paraver *p, struct buf *out);
void paraver_cfg(const struct paraver *p, struct buf *out);
/* The name of a structure, by number; without line ends. */
void paraver_structure(const struct paraver *p, int number, struct buf *out);

#endif
