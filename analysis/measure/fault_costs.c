/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides page faults among contexts and data structures. */
#include "analysis/measure/fault_costs.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/estimate_rows.h"
#include "analysis/measure/kernel_use.h"
#include "analysis/measure/store.h"
#include "base/abi.h"

#define EXPLAINED 0.5           /* of the faults: blocks of as many pages explain all */
#define GROWS 0.75              /* of the allocations: if as many are larger than the one before, a
				 * list grows */
#define DOUBLED 2               /* bytes of blocks that become twice as large each time, about the
				 * largest */
#define BY_FACTOR 0.5           /* what doubling leaves of the bytes: of a list that does so
				 * already, as faults.asl has it */
enum { LEAST_GROWN = 4 };       /* allocations of a list that grows */

/* --- why memory is new ------------------------------------------------------------------------ */

double fault_bytes_again(const struct measurements *p, const struct measured_object *o)
{
	if (o->kind != MON_KIND_HEAP && o->kind != PSC_VAR_DESCRIPTOR)
		return 0;
	if (o->executions > 1)
		return o->allocated / o->executions;
	return fmax(0, o->allocated - (double)o->size) / fmax(1, (double)p->counted);
}

enum fault_cause fault_cause_of(const struct measurements *p, const struct measured_object *o)
{
	if (!(fault_bytes_again(p, o) > 0))
		return FAULT_FRESH;
	if (o->allocations >= LEAST_GROWN && o->grown >= GROWS * o->allocations)
		return o->made & PSC_SITE_REALLOC ? FAULT_REALLOC : FAULT_GROWN;
	if (o->made & PSC_SITE_AUTOMATIC)
		return FAULT_AUTOMATIC;
	if (o->made & PSC_SITE_TEMPORARY)
		return FAULT_TEMPORARY;
	return 2 * o->mapped > o->allocations ? FAULT_MAPPED : FAULT_ALLOCATED;
}

double fault_left(const struct measurements *p, const struct measured_object *o)
{
	const enum fault_cause cause = fault_cause_of(p, o);
	const double lists = o->allocations - o->grown;

	if (cause == FAULT_FRESH)
		return NAN;
	if (cause != FAULT_GROWN && cause != FAULT_REALLOC)
		return 0;
	return fmin(1, fmax(lists, 1) * DOUBLED * o->largest / o->allocated);
}

double fault_left_of_cure(const struct measurements *p, const struct measured_object *o)
{
	const double doubled = fault_left(p, o);

	return doubled > BY_FACTOR ? doubled / DOUBLED : doubled;
}

/* --- the structures of a context -------------------------------------------------------------- */

struct block {
	uint32_t object;
	double pages;           /* that it may have touched first */
};

static const struct store_row *row_of(const struct measurements *p, uint32_t context,
	uint32_t object)
{
	const struct store_row *it = store_find(p->store, store_key(context, object, ALL_THREADS));

	return it && it->counts == STORE_COUNTED ? it : NULL;
}

/* Stores to the structure in the context without the contexts inside that
 * are timed by themselves. */
static double own_stores(const struct measurements *p, uint32_t context,
	const struct store_row *here)
{
	double stores = here->tally.stores;

	for (uint32_t c = p->contexts[context].child; c != NO_CONTEXT; c = p->contexts[c].next) {
		const struct store_row *inside = p->contexts[c].brief ? NULL :
			row_of(p, c, here->key.object);

		stores -= inside ? inside->tally.stores : 0;
	}
	return fmax(0, stores);
}

/* Fills in the structures that are allocated again and accessed in the context, n of them;
 * by_stores: at most as many pages of each as the context stores to it.  out NULL: only counts
 * them.  Returns their pages. */
static double fill_blocks(const struct measurements *p, uint32_t context, bool by_stores,
	struct block *out, uint32_t *n)
{
	double all = 0;

	*n = 0;
	for (const struct store_row *it = store_last(p->store, context); it;
	     it = store_before(p->store, it)) {
		double pages = it->key.object < p->nobjects && it->counts == STORE_COUNTED ?
			fault_bytes_again(p, &p->objects[it->key.object]) / FAULT_PAGE : 0;

		if (!(pages > 0))
			continue;
		if (by_stores)
			pages = fmin(pages, own_stores(p, context, it));
		if (out)
			out[*n] = (struct block){ it->key.object, pages };
		++*n;
		all += pages;
	}
	return all;
}

/* The structures to which `faults` faults of the context go, n of them, with their pages in all.
 * Where its own stores are too few, memory was touched by code that is not recorded, or in brief
 * regions.  NULL: memory. */
static struct block *blocks_of(const struct measurements *p, uint32_t context, double faults,
	uint32_t *n, double *pages)
{
	struct block *out;

	*pages = fill_blocks(p, context, false, NULL, n);
	out = calloc(*n + (size_t)1, sizeof *out);
	if (out) {
		*pages = fill_blocks(p, context, true, out, n);
		if (*pages < EXPLAINED * faults)
			*pages = fill_blocks(p, context, false, out, n);
	}
	return out;
}

/* --- contexts --------------------------------------------------------------------------------- */

static double faults_of(const struct measurements *p, uint32_t context)
{
	double all = 0;

	for (uint32_t i = 0; i < p->contexts[context].nthreads; i++)
		all += kernel_use_thread_faults(p, context, p->contexts[context].thread[i].thread);
	return all;
}

/* use: of the phase, its time no more than what the estimates leave to the kernel. */
static void add(struct measurements *p, const struct kernel_use *use, uint32_t context,
	uint32_t object, double share)
{

	for (uint32_t i = 0; i < p->contexts[context].nthreads; i++) {
		uint32_t thread = p->contexts[context].thread[i].thread;
		double faults = share * kernel_use_thread_faults(p, context, thread);
		const double part = faults / use->faults;
		const struct tally_estimate cost = { .faults = faults,
			.fault_time = part * use->fault_time, .fault_low = part * use->fault_low,
			.fault_high = part * use->fault_high };

		if (faults > 0)
			estimate_add_upwards(p, context, thread, object, &cost);
	}
}

static int add_context(struct measurements *p, const struct kernel_use *use, uint32_t context)
{
	double faults = faults_of(p, context), pages, explained;
	struct block *blocks;
	uint32_t n;

	if (!(faults > 0))
		return 0;
	blocks = blocks_of(p, context, faults, &n, &pages);
	if (!blocks)
		return -1;
	explained = pages >= EXPLAINED * faults ? 1 : pages / faults;
	for (uint32_t i = 0; i < n; i++)
		if (blocks[i].pages > 0)
			add(p, use, context, blocks[i].object, explained * blocks[i].pages / pages);
	add(p, use, context, MON_ANY, p->expected_ns > 0 ? explained : 1);
	free(blocks);
	return 0;
}

int fault_costs_add(struct measurements *p)
{
	struct kernel_use use = kernel_use_phase(p);
	const struct store_row *phase = p->ncontexts ? row_of(p, 0, MON_ANY) : NULL;

	if (p->modelled || !(use.faults > 0))
		return 0;
	if (phase && phase->tally.estimate.kernel > 0)
		use.fault_time = fmin(use.fault_time, phase->tally.estimate.kernel);
	use.fault_low = fmin(use.fault_low, use.fault_time);
	for (uint32_t c = 0; c < p->ncontexts; c++)
		if (add_context(p, &use, c))
			return -1;
	return 0;
}
