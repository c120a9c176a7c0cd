/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the rows that a request asked for: counts, and cache lines that several threads fight
 * over. */
#include "monitor/collect/count_rows.h"
#include "monitor/address/address_map.h"
#include "monitor/address/heap.h"
#include "monitor/address/page_numbers.h"
#include "monitor/collect/armed.h"
#include "monitor/collect/site_rows.h"
#include "monitor/collect/slices.h"
#include "monitor/collect/thread_nodes.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include <string.h>

/* Scales misses of sampled lines to all sets.  Coherence misses are counted for all lines and not
 * scaled.  Returns the number of misses not scaled. */
static uint64_t miss_scale(const struct sample *s, uint64_t *miss, const uint64_t *sums,
	float *group)
{
	uint64_t sampled = 0, rest;

	for (uint32_t g = 0; g < s->groups; g++) {
		sampled += sums[g];
		group[g] = (float)sample_scaled(s, sums[g]);
	}
	rest = *miss - sampled;
	*miss = sample_scaled(s, sampled) + rest;
	return rest;
}

/* Scales the counts of a sample to all sets. */
static void row_scale(const struct sample *s, struct mon_count_row *r,
	const struct sample_sums *sums)
{
	for (int l = 0; l < MACHINE_LEVELS; l++) {
		uint64_t rest = miss_scale(s, &r->load_miss[l], sums->miss[l][0], r->group[l][0]) +
			miss_scale(s, &r->store_miss[l], sums->miss[l][1], r->group[l][1]);

		r->fetched[l] = sample_scaled(s, r->fetched[l] - rest) + rest;
	}
#define EXACT(count) (count)
#define SCALED(count) sample_scaled(s, count)
#define COUNTER_ONE(name, cell, sample, ...) r->name = sample(r->name);
#define COUNTER_NODE(name, ...) \
	for (int n = 0; n < 2 * MACHINE_NODES; n++) \
		r->name[n / 2][n % 2] = sample_scaled(s, r->name[n / 2][n % 2]);
#include "base/counters.def"
}

static void row_fill(struct mon_count_row *r, const struct sim_cell *c)
{
#define COUNTER_ONE(name, cell, ...) r->name = c->cell;
#define COUNTER_ROW(name, cell) r->name = c->cell;
#define COUNTER_PAIR(name, cell, ...) memcpy(r->name, c->cell, sizeof r->name);
#define COUNTER_LEVEL(name, cell, ...) \
	for (int i = 0; i < MACHINE_LEVELS; i++) \
		r->name[i] = c->cell;
#define COUNTER_TLB(name, cell, ...) memcpy(r->name##_miss, c->cell, sizeof r->name##_miss);
#define COUNTER_REUSE(name, cell, ...) memcpy(r->name, c->cell, sizeof r->name);
#define COUNTER_NODE(name, cell) memcpy(r->name, c->cell, sizeof r->name);
#include "base/counters.def"
}

/* Lines evicted here may have been stored to by another thread or in another region, so a cell may
 * have write-backs without accesses. */
static uint64_t writebacks(const struct sim_cell *c)
{
	uint64_t n = 0;

	for (int l = 0; l < MACHINE_LEVELS; l++)
		n += c->writeback[l];
	return n;
}

_Static_assert(SIM_OBJECT_WORK == (int)MON_OBJ_WORK, "the simulator's number is the row's");

static bool core_work(const struct sim_cell *c)
{
	return c->statements || c->core[0] || c->unknown_calls;
}

uint32_t pscm_count_rows(struct pscm_armed *a, struct pscm_replay *replay,
	const struct pscm_thread *t)
{
	const uint32_t node = thread_nodes_of(t);

	sim_core_sum(&replay->sim.core);
	if (replay->sim.core.sharing)
		share_settle(&replay->sim.core);
	for (uint32_t i = 1; replay->sim.core.counting && i < replay->sim.core.ncells; i++) {
		const struct sim_cell *c = &replay->sim.core.cells[i];
		uint32_t context = sim_cell_context(c), object = (uint32_t)c->key;
		struct mon_count_row *r;

		if (!(c->refs[0] + c->refs[1] + writebacks(c) + c->overwritten) && !core_work(c))
			continue;
		/* A request for some structures needs the work of their contexts, too. */
		if (!pscm_wanted(a, context, object, object != MON_OBJ_WORK))
			continue;
		r = pscm_row_counts(a);
		if (!r)
			return MON_DROP_ROWS;
		*r = (struct mon_count_row){ .context = context, .object = object,
			.thread = t->index, .node = node,
			.variant = replay->whatif ? replay->whatif->number : 0 };
		row_fill(r, c);
		if (replay->sim.core.sim->sample && replay->sim.core.sums)
			row_scale(replay->sim.core.sim->sample, r, &replay->sim.core.sums[i]);
		if (slices_wanted() && replay->sim.core.sums)
			slice_row(r, t->pieces, &replay->sim.core.sums[i]);
		if (!r->variant)
			site_rows_cell(&replay->sim.core, c, r);
	}
	return replay->sim.core.overflow ? MON_DROP_ROWS : MON_DROP_NONE;
}

static bool object_wanted(const struct pscm_armed *a, uint32_t object)
{
	for (uint32_t i = 0; i < a->nfilters; i++)
		if (a->filter[i].object == object)
			return true;
	return !a->nfilters;
}

/* Finds the block that the k-th thread of the line used first: an object may have many blocks. */
static void block_fill(struct mon_line *row, uint32_t k, const struct share_report *r)
{
	const uint64_t used = row->written[k] ? row->written[k] : row->read[k];
	const uint64_t base = pscm_shm->objects[r->object].address;
	const uint64_t unit = r->line > 64 ? r->line / 64 : 1;
	const uint64_t at = r->address + (used ? (uint64_t)__builtin_ctzll(used) * unit : 0);

	struct pscm_span span;

	pscm_address_map_find(at, &span);
	row->used[k] = span.object;
	row->block[k] = base ? base : pscm_heap_begin(at, r->object);
	row->in_block[k] = row->block[k] ? (int64_t)(r->address - row->block[k]) : 0;
}

void pscm_line_rows(struct pscm_armed *a, struct share *share)
{
	struct share_report *all = share ? pscm_experiment_memory(MON_LINES * sizeof *all) : NULL;
	uint32_t n = all ? share_worst(share, all, MON_LINES, MON_LINES_EACH) : 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct share_report *r = &all[i];
		uint64_t base = pscm_shm->objects[r->object].address;
		struct mon_line *row;

		if (r->object < MON_OBJ_FIRST || !object_wanted(a, r->object))
			continue;
		row = pscm_row_lines(a);
		if (!row)
			break;
		*row = (struct mon_line){ .object = r->object, .bytes = r->line,
			.offset = (int64_t)(r->address - base), .nthreads = r->nthreads,
			.locks = r->locks, .nlocks = r->nlocks, .nupdated = r->nupdated,
			.false_sharing = r->miss[0], .true_sharing = r->miss[1] };
		for (uint32_t k = 0; k < MON_LINE_THREADS && k < r->nthreads; k++) {
			row->thread[k] = r->who[k].thread;
			row->read[k] = r->who[k].read;
			row->written[k] = r->who[k].written;
			block_fill(row, k, r);
		}
	}
	a->request->unshared = share ? share_lost(share) : 0;
}
