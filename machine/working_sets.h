/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that a calibration works on: for each level a set of lines that this level holds, but
 * the nearer one does not, and orders in which to visit them. */
#ifndef PSC_MACHINE_WORKING_SETS_H
#define PSC_MACHINE_WORKING_SETS_H

#include <stddef.h>
#include <stdint.h>
#include "machine/machine.h"

/* Lines in an order that begins again at its end: a list of words from base, and in the lines a
 * chain of pointers in this order. */
struct order {
	uint64_t *base;         /* borrowed */
	uint32_t *word;         /* owned; a line each */
	size_t n;
	size_t next;            /* of the list */
	void *at;               /* of the chain */
};

/* OVER_HUGE: the order of OVER_PAGES in memory of huge pages; without words: not measured. */
enum { BY_BLOCK, OVER_PAGES, OVER_HUGE, ORDERS };
enum { ORDER_LOAD, ORDER_STORE, ORDER_CHASE, ORDER_USES };

struct working_set {
	char *memory;           /* owned: `size` bytes, one after the other */
	size_t size;
	/* For stores that would overwrite the chains: of a cache level as much again, of memory the
	 * last quarter of it, in which no order visits lines. */
	char *scratch;
	size_t scratch_size;
	size_t cursor[6];       /* bytes: where read, write, strided, strided-store, crowded, near
				 * go on */
	size_t pass[6];         /* of strided ones: the line of the page with which the pass
				 * began */
	char *wide;             /* owned: pages of which a few lines are used; NULL: none */
	size_t wide_size;
	char *huge;             /* owned: a mapping for OVER_HUGE; NULL: none */
	size_t huge_size;
	/* The uses of a cache level visit the same lines, those of memory different ones: a line
	 * that one has loaded would be in a cache for the other. */
	struct order order[ORDERS][ORDER_USES]; /* without words: not measured */
	/* Share of the accesses of OVER_PAGES that need a page walk; 0: they are not measured. */
	double walks;
	uint32_t pages;         /* of OVER_PAGES */
};

struct working_sets {
	struct working_set set[MACHINE_LEVELS + 1];     /* [nlevels]: memory */
	uint32_t nlevels;
	size_t line, page;
};

/* Allocates and fills them.  pages: that may be touched in about, for the time that it takes; 0: no
 * limit.  -1: there is not enough memory, err says how much was needed. */
int working_sets_make(const struct machine *m, uint64_t pages, struct working_sets *out,
	struct err *err);
void working_sets_free(struct working_sets *s);
/* Links the whole pages of `bytes` from `at` to a chain of all their lines, o->at: blocks of 256
 * pages, of which the lines are in random order.  The caller frees o->word.  -1: no memory. */
int working_sets_chain(const struct working_sets *s, char *at, size_t bytes, struct order *o);
/* Bytes that this process may still allocate: a quarter of what the system has, and half of what
 * its control group and its limit of address space leave. */
uint64_t memory_room(void);

#endif
