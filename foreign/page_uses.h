/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pages each thread was seen to access in an interval. */
#ifndef PSC_FOREIGN_PAGE_USES_H
#define PSC_FOREIGN_PAGE_USES_H

#include <stdint.h>
#include <stdio.h>
#include "foreign/images.h"
#include "foreign/shm_tables.h"

enum { PAGE_CPUS = 256, PAGE_TASKS = 4096 };

/* A page that a thread accessed. */
struct page_use {
	uint64_t page;          /* address; 0: a free entry */
	uint64_t physical;      /* address; 0: unknown */
	uint64_t ip;            /* of the first access */
	uint64_t offset;        /* of the first access in the block that it belongs to */
	uint64_t cpus[PAGE_CPUS / 64];  /* those on which it was accessed */
	uint32_t task;
	uint32_t object;
	uint32_t reads, writes; /* faults: an access of both kinds counts as both */
};

struct page_uses {
	struct page_use *use;   /* open hash by page and task; owned */
	uint32_t n, room;
	uint64_t begin;         /* of the interval, ns of CLOCK_MONOTONIC */
	uint64_t cpus[PAGE_CPUS / 64];
	uint32_t *task;         /* numbers of threads, in the order in which they were seen;
				 * owned */
	uint32_t ntasks;
	uint64_t interval;      /* its number, from 0 on */
	uint64_t overflow;      /* faults that there was no memory for */
};

void page_uses_end(struct page_uses *u);
/* The number of the thread among tasks. */
uint32_t page_uses_task(struct page_uses *u, uint32_t tid);
/* The entry of a page and task, new if it has no reads and writes yet; NULL: no memory, which is
 * counted.  Borrowed until the next call. */
struct page_use *page_uses_at(struct page_uses *u, uint64_t page, uint32_t task);

/* What the rows of an interval have in common. */
struct page_interval {
	uint64_t end;           /* ns */
	uint64_t origin;        /* ns: times are told from here on */
	double armed;           /* the part of the known pages that were armed in it */
};
void page_uses_head(FILE *f);
/* Writes the interval's rows in the order of tasks and pages. */
void page_uses_write(struct page_uses *u, FILE *f, const struct page_interval *i,
	const struct shm_tables *names, const struct images *images);
/* The next interval begins. */
void page_uses_next(struct page_uses *u, uint64_t begin);

#endif
