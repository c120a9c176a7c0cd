/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages over time: arms pages of the program's tracked memory (burst/tracked.h) within a budget,
 * and takes the faults that follow. */
#ifndef PSC_FOREIGN_PAGE_SAMPLER_H
#define PSC_FOREIGN_PAGE_SAMPLER_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include "foreign/memory_objects.h"
#include "foreign/page_events.h"
#include "foreign/page_history.h"
#include "foreign/page_uses.h"
#include "foreign/page_writes.h"
#include "foreign/code_contexts.h"
#include "foreign/recorder.h"

enum { PAGE_LEAST_BLOCK = 64 << 10 };   /* smaller blocks are not tracked */

struct page_setup {
	bool on;
	double budget;          /* part of the program's processor time that faults may take */
	bool writes;            /* of all private memory, instead of accesses to tracked memory */
	int file;               /* descriptor of the CSV; -1: none is wanted */
};

struct page_sampler {
	const struct page_setup *setup; /* borrowed */
	struct recorder *recorder;      /* borrowed */
	struct memory_objects *objects; /* borrowed */
	struct code_contexts *places;   /* borrowed */
	long pid;
	bool on;
	int socket, uffd;       /* the program sends the userfaultfd; -1: none */
	FILE *file;             /* owned; NULL: no CSV */
	int file_error;         /* the kernel's, if it could not be written */
	struct page_events events;
	struct page_uses uses;
	struct page_writes writes;      /* with setup->writes */
	enum page_writes_by writes_by;  /* likewise */
	struct page_history history;
	struct page_code *code; /* by instruction; owned */
	uint32_t ncodes;
	uint8_t *known;         /* by page of the tracked memory: it has been touched; owned */
	uint32_t *window;       /* numbers of the groups of pages that were touched; owned */
	uint32_t nwindows, room;
	clockid_t clock;        /* of the program's processor time */
	uint64_t cpu;           /* at the last interval, ns */
	uint64_t arm_ns;        /* of the recorder, so far */
	uint64_t origin;
	double cost;            /* of a fault, ns */
	double credit;          /* ns that may be spent; negative: too much was spent */
	double hit;             /* faults for each armed page, of late */
	uint64_t armed;         /* pages, in this interval */
	double part;            /* of the known pages */
	uint64_t random;
	uint64_t in_interval;   /* faults at known pages in this interval */
	/* for the report */
	uint64_t faults, first, undecoded, windows, intervals;
	double spent;           /* ns */
};

/* Before the program begins.  socket: where it sends its userfaultfd.  0 / -1
 * (err): pages are not sampled. */
int page_sampler_begin(struct page_sampler *s, const struct page_setup *setup, long pid, int socket,
	struct err *err);
/* recorder, objects, places: as soon as there are any. */
void page_sampler_use(struct page_sampler *s, struct recorder *r, struct memory_objects *objects,
	struct code_contexts *places);
/* Before heap events are taken: the faults that are there may be at memory that has come just
 * now. */
void page_sampler_mark(struct page_sampler *s);
/* Before memory goes: takes those of the marked faults that were earlier. */
void page_sampler_take_until(struct page_sampler *s, uint64_t time);
/* Takes the marked faults, ends an interval when it is long enough, and arms pages for the next
 * one.  last: the program has ended. */
void page_sampler_take(struct page_sampler *s, bool last);
/* How it went. */
void page_sampler_describe(const struct page_sampler *s, struct mon_pages *out);
void page_sampler_end(struct page_sampler *s);

#endif
