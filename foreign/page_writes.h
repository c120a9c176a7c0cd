/* SPDX-License-Identifier: BSD-3-Clause */
/* Who writes which page of the program's own private memory, of which nothing is moved.
 *
 * Written pages are protected; the next write of one is a minor fault, which the kernel serves by
 * itself and reports (page_events.h).  Before Linux 6.7 they can only be protected all at once. */
#ifndef PSC_FOREIGN_PAGE_WRITES_H
#define PSC_FOREIGN_PAGE_WRITES_H

#include <stdbool.h>
#include <stdint.h>
#include "foreign/images.h"
#include "samples/page_host.h"

struct page_writes {
	long pid;
	enum page_writes_by by;
	int pagemap;            /* -1: not open */
	uint32_t generation;    /* of the images whose memory is registered */
	struct page_writes_span *span;  /* ascending; owned */
	uint32_t nspans, room;
	uint32_t next;          /* the span, and the address in it, where the next scan begins */
	uint64_t at;
	uint64_t *page;         /* open hash by address, with the turn of the last write; owned */
	uint32_t npages, turn;
	double part;            /* of the memory that the last scan looked at */
};

/* 0; -1: what the kernel knows of the program's pages cannot be read. */
int page_writes_open(struct page_writes *w, long pid, enum page_writes_by by);
void page_writes_close(struct page_writes *w);
/* Registers memory that has come.  uffd: the program's. */
void page_writes_register(struct page_writes *w, int uffd, const struct images *m);
/* Is the address in memory whose writes are looked for? */
bool page_writes_wants(const struct images *m, uint64_t address);
/* Protects up to `most` pages that were written; all, or none if there are more, where parts cannot
 * be protected.  Returns how many. */
uint64_t page_writes_protect(struct page_writes *w, uint64_t most);
/* The page is written: was it protected? */
bool page_writes_take(struct page_writes *w, uint64_t page);

#endif
