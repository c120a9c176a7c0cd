/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the tree of contexts of all threads.
 *
 * The table of edges is read without a lock and extended under one.  An edge to a region that is on
 * the path already leads to that ancestor: recursion is collapsed once, when the edge is
 * created. */
#include "monitor/regions/contexts.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/regions/compile_units.h"
#include "monitor/state.h"

enum { EDGES_MAX = CONTEXT_EDGES / 4 * 3 };
struct context { uint32_t parent, region, depth; };

struct context_edge *pscm_context_edges;
static struct context *contexts;
static _Atomic uint32_t ncontexts;
static uint32_t nedges;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int pscm_contexts_start(void)
{
	pscm_context_edges = pscm_map(CONTEXT_EDGES * sizeof *pscm_context_edges);
	contexts = pscm_map(MON_CONTEXTS * sizeof *contexts);
	return pscm_context_edges && contexts ? 0 : -1;
}

uint32_t pscm_context_parent(uint32_t context)
{
	return contexts[context].parent;
}

uint32_t pscm_context_region(uint32_t context)
{
	return contexts[context].region;
}

/* Appends a context; MON_ANY: the table is full. */
static uint32_t context_add(const struct psc_unit *unit, uint32_t parent, uint32_t region)
{
	uint32_t n = ncontexts, depth = parent == MON_ANY ? 0 : contexts[parent].depth + 1;

	if (n == MON_CONTEXTS) {
		atomic_fetch_add(&pscm_shm->lost_contexts, 1);
		return MON_ANY;
	}
	contexts[n] = (struct context){ parent, region, depth };
	pscm_shm->contexts[n] = (struct mon_context){ parent, pscm_unit_number(unit),
		region - unit->base, depth };
	atomic_store_explicit(&pscm_shm->ncontexts, ++ncontexts, memory_order_release);
	return n;
}

void pscm_contexts_reset(void)
{
	pscm_lock(&lock);
	for (uint32_t i = 0; i < CONTEXT_EDGES && nedges; i++)
		if (atomic_load_explicit(&pscm_context_edges[i].key, memory_order_relaxed)) {
			atomic_store(&pscm_context_edges[i].key, 0);
			nedges--;
		}
	ncontexts = 0;
	atomic_store(&pscm_shm->ncontexts, 0);
	pscm_unlock(&lock);
}

void pscm_context_root(const struct psc_unit *unit, uint32_t region)
{
	if (likely(atomic_load_explicit(&ncontexts, memory_order_relaxed)))
		return;
	pscm_lock(&lock);
	if (!ncontexts)
		context_add(unit, MON_ANY, unit->base + region);
	pscm_unlock(&lock);
}

uint32_t pscm_context_child_make(const struct psc_unit *unit, uint32_t parent, uint32_t region,
	uint64_t key)
{
	struct context_edge *e;
	uint32_t target;

	pscm_lock(&lock);
	e = context_edge_find(key);
	if (atomic_load_explicit(&e->key, memory_order_relaxed) == key) {
		target = e->target;
		goto out;
	}
	if (nedges == EDGES_MAX) {
		atomic_fetch_add(&pscm_shm->lost_contexts, 1);
		target = parent;
		goto out;
	}
	for (target = parent; target != MON_ANY; target = contexts[target].parent)
		if (contexts[target].region == region)
			break;
	if (target == MON_ANY)
		target = context_add(unit, parent, region);
	if (target == MON_ANY) {        /* table full: count the region's work to its caller */
		target = parent;
		goto out;
	}
	e->target = target;
	nedges++;
	atomic_store_explicit(&e->key, key, memory_order_release);
out:
	pscm_unlock(&lock);
	return target;
}
