/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of contexts: one context per region and path of open regions above it.  The lookup is
 * inline, because each entry of a region makes one. */
#ifndef PSC_MONITOR_CONTEXTS_H
#define PSC_MONITOR_CONTEXTS_H

#include "monitor/state.h"

enum { CONTEXT_EDGES = 1 << 18 };
struct context_edge {
	_Atomic uint64_t key;   /* (context + 1) << 32 | region; 0: empty */
	uint32_t target;
};
/* An open hash table of edges, (context, region) → context, CONTEXT_EDGES long. */
extern struct context_edge *pscm_context_edges __attribute__((visibility("hidden")));

/* The edge with this key, or the empty slot where it belongs. */
static inline struct context_edge *context_edge_find(uint64_t key)
{
	uint32_t slot = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 46) & (CONTEXT_EDGES - 1);

	for (;; slot = (slot + 1) & (CONTEXT_EDGES - 1)) {
		uint64_t here = atomic_load_explicit(&pscm_context_edges[slot].key,
			memory_order_acquire);

		if (here == key || !here)
			return &pscm_context_edges[slot];
	}
}

/* Adds the missing edge, and the context if it is new. */
uint32_t pscm_context_child_make(const struct psc_unit *unit, uint32_t parent, uint32_t region,
	uint64_t key);

/* The context of a region (its run-time number) that is entered in the context `parent`; `parent`
 * itself when the tables are full. */
static inline uint32_t pscm_context_child(const struct psc_unit *unit, uint32_t parent,
	uint32_t region)
{
	uint64_t key = (uint64_t)(parent + 1) << 32 | region;
	const struct context_edge *e = context_edge_find(key);

	if (likely(atomic_load_explicit(&e->key, memory_order_relaxed) == key))
		return e->target;
	return pscm_context_child_make(unit, parent, region, key);
}

#pragma GCC visibility push(hidden)

int pscm_contexts_start(void);
void pscm_contexts_reset(void);         /* the phase is another one: forgets all */
void pscm_context_root(const struct psc_unit *unit, uint32_t region);   /* the first creates it */
uint32_t pscm_context_parent(uint32_t context);
uint32_t pscm_context_region(uint32_t context);         /* run-time region number */

#pragma GCC visibility pop
#endif
