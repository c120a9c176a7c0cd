/* SPDX-License-Identifier: BSD-3-Clause */
/* Who writes which page of the program's own private memory, of which nothing is moved.
 *
 * Written pages are protected; the next write of one is a minor fault, which the kernel serves by
 * itself and reports (page_events.h). */
#ifndef PSC_FOREIGN_PAGE_WRITES_H
#define PSC_FOREIGN_PAGE_WRITES_H

#include <stdbool.h>
#include <stdint.h>
#include "foreign/images.h"

struct page_writes {
	int pagemap;            /* -1: not open */
	uint32_t generation;    /* of the images whose memory is registered */
	struct page_writes_span *span;  /* ascending; owned */
	uint32_t nspans, room;
	uint32_t next;          /* the span, and the address in it, where the next scan begins */
	uint64_t at;
	uint64_t *page;         /* those that are protected: open hash by address; owned */
	uint32_t npages;
	double part;            /* of the memory that the last scan looked at */
};

/* 0; -1: what the kernel knows of the program's pages cannot be read. */
int page_writes_open(struct page_writes *w, long pid);
void page_writes_close(struct page_writes *w);
/* Registers memory that has come. */
void page_writes_register(struct page_writes *w, int uffd, const struct images *m);
bool page_writes_has(const struct page_writes *w, uint64_t address);
/* Protects up to `most` pages that were written.  Returns how many. */
uint64_t page_writes_protect(struct page_writes *w, uint64_t most);
/* The page is written: was it protected? */
bool page_writes_take(struct page_writes *w, uint64_t page);

#endif
