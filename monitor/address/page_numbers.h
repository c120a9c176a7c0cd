/* SPDX-License-Identifier: BSD-3-Clause */
/* Normalised addresses: pages by first touch; the memory of an experiment. */
#ifndef PSC_MONITOR_PAGE_NUMBERS_H
#define PSC_MONITOR_PAGE_NUMBERS_H

#include "monitor/address/address_map.h"

#pragma GCC visibility push(hidden)

/* Shifted addresses: real ones come first, then stacks, then objects that variants move. */
#define PSCM_STACKS (UINT64_C(1) << 48)
#define PSCM_MOVED (UINT64_C(3) << 47)

/* Begins an experiment: frees all experiment memory, and pages are numbered anew. */
void pscm_page_numbers_arm(const struct machine_flat *m);
/* Memory for this experiment: zeroed, valid until the next arm; NULL: none. */
void *pscm_experiment_memory(size_t bytes);
void pscm_experiment_memory_fill(void);         /* pscm_pool_fill() of it */
/* An empty numbering of pages, valid until the next arm; NULL without memory. */
struct pscm_page_numbers *pscm_page_numbers_new(void);

/* Returns what to add to an address of the span to normalise it; the value holds within one unit
 * of normalised space (a page, or a piece of a stack).  home: place a new page on memory node
 * home - 1; 0: where it is.  *skew: of the page, as in struct sim_place. */
uint64_t pscm_page_delta(struct pscm_page_numbers *p, uint64_t address, const struct pscm_span *s,
	uint32_t home, uint16_t *skew);
uint64_t pscm_page_unit(uint64_t shifted);      /* unit size at address + shift */

/* Implement struct sim_env's chunk(), marks() and node(); space: a struct pscm_page_numbers. */
uint64_t pscm_page_chunk(void *space, uint64_t address);
_Atomic uint64_t *pscm_page_marks(void *space, uint64_t address, bool make);
uint32_t pscm_page_node(void *space, uint64_t address);
/* An execution begins: pages may have moved. */
void pscm_page_nodes_forget(void);
/* The nodes of n <= PSCM_PAGES_ASKED real addresses, by whatever is known of them. */
enum { PSCM_PAGES_ASKED = 64 };
void pscm_nodes_of_addresses(uint32_t n, const uint64_t *address, uint32_t *node);

#pragma GCC visibility pop
#endif
