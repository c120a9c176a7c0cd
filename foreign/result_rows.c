/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes rows of times, counts and contended lines. */
#include "config.h"
#include "foreign/result_rows.h"

#include <stdlib.h>
#include <string.h>

#include "foreign/burst_nodes.h"
#include "foreign/result_sites.h"

/* --- times ------------------------------------------------------------------------------------ */

/* Adds the times of contexts to those around them: a context's number is
 * higher than its parent's. */
static void sum_up(const struct mon_shm *shm, uint64_t *time, uint32_t n)
{
	for (uint32_t c = n; c-- > 1; )
		if (shm->contexts[c].parent < c)
			time[shm->contexts[c].parent] += time[c];
}

static uint32_t thread_rows(const struct measured_run *run, uint32_t slot, uint32_t thread,
	uint64_t *time, bool pieces)
{
	const struct thread_times *t = &run->times[thread];
	const uint32_t n = atomic_load(&run->shm->ncontexts);
	struct mon_request *r = &run->shm->request[slot];

	memset(time, 0, n * sizeof *time);
	for (uint32_t c = 0; c < n && c < t->room; c++)
		time[c] = t->own[c];
	sum_up(run->shm, time, n);
	for (uint32_t c = 0; c < n; c++) {
		struct mon_time_row *row = &run->shm->times[slot][r->rows.times];

		if (!time[c])
			continue;
		if (r->rows.times == MON_TIME_ROWS)
			return MON_DROP_ROWS;
		*row = (struct mon_time_row){ .context = c, .thread = thread,
			.brief = MON_BRIEF_NEVER, .cpu_ns = time[c], .wall_ns = time[c],
			.calls = 1 };
		/* The run's time may be less than what samples stand for, of a thread that never
		 * waits. */
		if (!c && !thread && run->wall_ns > time[c])
			row->wall_ns = run->wall_ns;
		if (pieces && c < t->room)
			row->pieces = t->samples[c];
		r->rows.times++;
	}
	return MON_DROP_NONE;
}

uint32_t result_times(const struct measured_run *run, uint32_t slot, bool pieces)
{
	uint64_t *time = calloc(atomic_load(&run->shm->ncontexts) + 1, sizeof *time);
	uint32_t rc = time ? MON_DROP_NONE : MON_DROP_MEMORY;

	for (uint32_t i = 0; i < run->play->nthreads && rc == MON_DROP_NONE; i++)
		rc = thread_rows(run, slot, i, time, pieces);
	free(time);
	return rc;
}

/* --- counts ----------------------------------------------------------------------------------- */

static void fill(struct mon_count_row *r, const struct sim_cell *c)
{
#define COUNTER_ONE(name, cell, ...) r->name = c->cell;
#define COUNTER_ROW(name, cell) r->name = c->cell;
#define COUNTER_PAIR(name, cell, ...) \
	for (int i = 0; i < 2; i++) \
		r->name[i] = c->cell[i];
#define COUNTER_LEVEL(name, cell, ...) \
	for (int i = 0; i < MACHINE_LEVELS; i++) \
		r->name[i] = c->cell;
#define COUNTER_TLB(name, cell, ...) \
	for (int i = 0; i < 2 * MACHINE_TLBS; i++) \
		r->name##_miss[i / 2][i % 2] = c->cell[i / 2][i % 2];
#define COUNTER_REUSE(name, cell, ...) \
	for (int i = 0; i < REUSE_CLASSES; i++) \
		r->name[i] = c->cell[i];
#define COUNTER_NODE(name, cell) \
	for (int i = 0; i < 2 * MACHINE_NODES; i++) \
		r->name[i / 2][i % 2] = c->cell[i / 2][i % 2];
#include "base/counters.def"
}

/* The groups of a count sum up to it, and differ as their bursts do. */
static void fill_groups(struct mon_count_row *r, const struct sample_sums *sums)
{
	for (int k = 0; k < 2 * MACHINE_LEVELS; k++) {
		const uint64_t *misses = sums->miss[k / 2][k % 2];
		const double all = (double)(k % 2 ? r->store_miss[k / 2] : r->load_miss[k / 2]);
		double sum = 0;

		for (int g = 0; g < MON_GROUPS; g++)
			sum += (double)misses[g];
		for (int g = 0; g < MON_GROUPS; g++)
			r->group[k / 2][k % 2][g] =
				(float)(all / MON_GROUPS + (double)misses[g] - sum / MON_GROUPS);
	}
}

static bool is_empty(const struct sim_cell *c)
{
	return !(c->refs[0] + c->refs[1] + c->core[0] + c->statements);
}

static uint32_t cell_row(const struct measured_run *run, uint32_t slot,
	const struct burst_thread_play *t, uint32_t cell)
{
	struct mon_request *r = &run->shm->request[slot];
	const struct sim_cell *c = &t->sim->core.cells[cell];
	struct mon_count_row *row = &run->shm->counts[slot][r->rows.counts];

	r->records += c->refs[0] + c->refs[1];
	if (is_empty(c))
		return MON_DROP_NONE;
	if (r->rows.counts == MON_COUNT_ROWS)
		return MON_DROP_ROWS;
	*row = (struct mon_count_row){ .context = sim_cell_context(c), .object = (uint32_t)c->key,
		.thread = t->number, .node = burst_nodes_of(t, &run->shm->machine) };
	fill(row, c);
	fill_groups(row, &t->sums[cell]);
	r->hardware.accesses += row->loads + row->stores;
	if (run->hardware && hardware_samples_apply(run->hardware, row))
		r->hardware.accesses_told += row->loads + row->stores;
	r->rows.counts++;
	return result_sites_add(&t->sim->core, cell, row);
}

/* --- contended lines -------------------------------------------------------------------------- */

static void line_rows(const struct measured_run *run, uint32_t slot)
{
	struct mon_request *r = &run->shm->request[slot];
	struct share_report *all = calloc(MON_LINES, sizeof *all);
	const uint32_t n = all && run->play->share ? share_worst(run->play->share, all, MON_LINES,
		MON_LINES_EACH) : 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct share_report *from = &all[i];
		struct mon_line *row = &run->shm->lines[slot][r->rows.lines];

		if (from->object < MON_OBJ_FIRST)
			continue;
		*row = (struct mon_line){ .object = from->object, .bytes = from->line,
			.nthreads = from->nthreads,
			.offset =
			(int64_t)(from->address - run->shm->objects[from->object].address),
			.false_sharing = from->miss[0], .true_sharing = from->miss[1] };
		for (uint32_t k = 0; k < MON_LINE_THREADS && k < from->nthreads; k++) {
			const uint64_t base = run->shm->objects[from->object].address;

			row->thread[k] = from->who[k].thread;
			row->read[k] = from->who[k].read;
			row->written[k] = from->who[k].written;
			row->used[k] = from->object;
			row->block[k] = base;
			row->in_block[k] = base ? row->offset : 0;
		}
		r->rows.lines++;
	}
	free(all);
}

/* --- all -------------------------------------------------------------------------------------- */

/* A context that bursts have seen is counted: its samples are pieces of it. */
static void count_pieces(const struct measured_run *run, uint32_t slot)
{
	const struct mon_request *r = &run->shm->request[slot];
	struct mon_time_row *times = run->shm->times[slot];
	const struct mon_count_row *counts = run->shm->counts[slot];
	bool *seen = calloc(atomic_load(&run->shm->ncontexts) + 1, sizeof *seen);

	for (uint32_t i = 0; seen && i < r->rows.counts; i++)
		seen[counts[i].context] = true;
	for (uint32_t i = 0; seen && i < r->rows.times; i++)
		if (seen[times[i].context])
			times[i].counted = times[i].pieces;
	free(seen);
}

uint32_t result_counts(const struct measured_run *run, uint32_t slot)
{
	struct mon_request *r = &run->shm->request[slot];
	uint32_t rc = result_times(run, slot, true);

	if (rc != MON_DROP_NONE)
		return rc;
	r->records = 0;
	result_sites_begin();
	for (uint32_t i = 0; i < run->play->nthreads && rc == MON_DROP_NONE; i++) {
		const struct burst_thread_play *t = &run->play->thread[i];

		for (uint32_t k = 1; t->sim && t->sim->core.counting && k < t->sim->core.ncells &&
		     rc == MON_DROP_NONE; k++)
			rc = cell_row(run, slot, t, k);
	}
	if (rc == MON_DROP_NONE) {
		line_rows(run, slot);
		r->rows.sites = result_sites_write(run->shm->sites[slot]);
		r->rows.burst_words = burst_contents_write(&run->play->contents,
			run->shm->burst_words[slot]);
		count_pieces(run, slot);
	}
	result_sites_end();
	return rc;
}
