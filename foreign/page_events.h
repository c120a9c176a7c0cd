/* SPDX-License-Identifier: BSD-3-Clause */
/* The page faults of the program, as the kernel reports them: one ring for each processor. */
#ifndef PSC_FOREIGN_PAGE_EVENTS_H
#define PSC_FOREIGN_PAGE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"

struct page_fault {
	uint64_t ip, time, address;     /* time: CLOCK_MONOTONIC, ns */
	uint64_t physical;              /* 0: the kernel does not tell it to this user */
	uint64_t rsi, rdi;              /* 0: unknown */
	uint32_t pid, tid, cpu;
};

struct page_ring {
	int fd;
	void *memory;           /* owned mapping */
	uint64_t bytes;         /* of records */
	uint64_t mark;          /* up to here faults are taken */
};

struct page_events {
	struct page_ring *ring; /* owned; one a processor */
	uint32_t nrings;
	bool physical;
	uint64_t lost;          /* faults that a full ring had no room for */
	uint64_t damaged;       /* records that were not understood */
};

/* Opens the events of a process that has one thread, before it makes others.  0 / -1 (err). */
int page_events_open(struct page_events *e, long pid, struct err *err);
void page_events_close(struct page_events *e);
/* Marks the faults that are there. */
void page_events_mark(struct page_events *e);
/* Takes the faults that were marked, in the order of each processor, as far as they were before a
 * time; UINT64_MAX: all. */
void page_events_take(struct page_events *e, uint64_t until,
	void (*fault)(void *with, const struct page_fault *), void *with);
/* What a minor fault with its event costs here, where the caches hold other data: ns of
 * processor time; 0: not measured. */
double page_events_cost(void);

#endif
