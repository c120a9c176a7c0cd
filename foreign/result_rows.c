/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes rows of times, counts and contended lines. */
#include "config.h"
#include "foreign/result_rows.h"

#include <stdlib.h>
#include <string.h>

#include "foreign/burst_weights.h"
#include "foreign/result_sites.h"

/* --- times --------------------------------------------------------------------------------------- */

/* Adds the times of contexts to those around them: a context's number is higher than its parent's. */
static void sum_up(const struct mon_shm *shm, uint64_t *time, uint32_t n)
{
	for (uint32_t c = n; c-- > 1; )
		if (shm->contexts[c].parent < c)
			time[shm->contexts[c].parent] += time[c];
}

static uint32_t thread_rows(const struct measured_run *run, uint32_t slot, uint32_t thread, uint64_t *time, bool pieces)
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
		*row = (struct mon_time_row){ .context = c, .thread = thread, .brief = MON_BRIEF_NEVER, .cpu_ns = time[c],
			.wall_ns = !c && !thread ? run->wall_ns : time[c], .calls = 1 };
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

/* --- counts -------------------------------------------------------------------------------------- */

static uint64_t scaled(uint64_t count, double by)
{
	return (uint64_t)((double)count * by + 0.5);
}

static void fill(struct mon_count_row *r, const struct sim_cell *c, double by)
{
#define COUNTER_ONE(name, cell, ...) r->name = scaled(c->cell, by);
#define COUNTER_ROW(name, cell) r->name = scaled(c->cell, by);
#define COUNTER_PAIR(name, cell, ...) \
	for (int i = 0; i < 2; i++) \
		r->name[i] = scaled(c->cell[i], by);
#define COUNTER_LEVEL(name, cell, ...) \
	for (int i = 0; i < MACHINE_LEVELS; i++) \
		r->name[i] = scaled(c->cell, by);
#define COUNTER_TLB(name, cell, ...) \
	for (int i = 0; i < 2 * MACHINE_TLBS; i++) \
		r->name##_miss[i / 2][i % 2] = scaled(c->cell[i / 2][i % 2], by);
#define COUNTER_REUSE(name, cell, ...) \
	for (int i = 0; i < REUSE_CLASSES; i++) \
		r->name[i] = scaled(c->cell[i], by);
#define COUNTER_NODE(name, cell) \
	for (int i = 0; i < 2 * MACHINE_NODES; i++) \
		r->name[i / 2][i % 2] = scaled(c->cell[i / 2][i % 2], by);
#include "base/counters.def"
}

/* The groups of an estimate sum up to it, and differ as their bursts do. */
static void fill_groups(struct mon_count_row *r, const struct sample_sums *sums, double by)
{
	for (int k = 0; k < 2 * MACHINE_LEVELS; k++) {
		const uint64_t *misses = sums->miss[k / 2][k % 2];
		const double all = (double)(k % 2 ? r->store_miss[k / 2] : r->load_miss[k / 2]);
		double sum = 0;

		for (int g = 0; g < MON_GROUPS; g++)
			sum += (double)misses[g];
		for (int g = 0; g < MON_GROUPS; g++)
			r->group[k / 2][k % 2][g] = (float)(all / MON_GROUPS + by * ((double)misses[g] - sum / MON_GROUPS));
	}
}

/* Takes from a cell a part of its misses of the last level. */
static void lower_last_level(struct sim_cell *c, uint32_t last, double part)
{
	const double left = 1 - part;

	for (int s = 0; s < 2; s++) {
		c->miss[last][s] = scaled(c->miss[last][s], left);
		for (int k = 0; k < MISS_CLASSES; k++)
			c->class[last][k][s] = scaled(c->class[last][k][s], left);
	}
	c->fetched[last] = scaled(c->fetched[last], left);
	c->walks[last] = scaled(c->walks[last], left);
	c->crowded[last] = scaled(c->crowded[last], left);
	c->conflict[last] = scaled(c->conflict[last], left);
	c->capacity[last] = scaled(c->capacity[last], left);
}

/* Whether the first access to a line in all bursts would have hit is not known.  A structure that fills the last
 * level leaves no room for its own lines; of a smaller one these misses are not counted. */
static void without_unknown(const struct measured_run *run, struct sim_cell *c)
{
	const struct machine_flat *m = &run->play->sim.machine;
	const uint32_t last = m->nlevels - 1, object = (uint32_t)c->key;
	const uint64_t misses = c->miss[last][0] + c->miss[last][1];

	if (!misses || object < MON_OBJ_FIRST || run->shm->objects[object].size >= m->level[last].size)
		return;
	lower_last_level(c, last, c->unwarmed >= misses ? 1 : (double)c->unwarmed / (double)misses);
	c->unwarmed = 0;
}

static uint32_t cell_row(const struct measured_run *run, uint32_t slot, const struct burst_thread_play *t, uint32_t cell,
	const struct burst_weights *w)
{
	struct mon_request *r = &run->shm->request[slot];
	struct sim_cell c = t->sim->core.cells[cell];
	const uint32_t context = sim_cell_context(&c);
	const double by = context < w->n ? w->weight[context] : 0;
	struct mon_count_row *row = &run->shm->counts[slot][r->rows.counts];

	r->records += c.refs[0] + c.refs[1];
	if (!(by > 0) || !(c.refs[0] + c.refs[1] + c.core[0] + c.statements))
		return MON_DROP_NONE;
	if (r->rows.counts == MON_COUNT_ROWS)
		return MON_DROP_ROWS;
	without_unknown(run, &c);
	*row = (struct mon_count_row){ .context = context, .object = (uint32_t)c.key, .thread = t->number };
	fill(row, &c, by);
	fill_groups(row, &t->sums[cell], by);
	r->rows.counts++;
	return result_sites_add(&t->sim->core, cell, row);
}

/* --- contended lines ------------------------------------------------------------------------------ */

static void line_rows(const struct measured_run *run, uint32_t slot)
{
	struct mon_request *r = &run->shm->request[slot];
	struct share_report *all = calloc(MON_LINES, sizeof *all);
	const uint32_t n = all && run->play->share ? share_worst(run->play->share, all, MON_LINES, MON_LINES_EACH) : 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct share_report *from = &all[i];
		struct mon_line *row = &run->shm->lines[slot][r->rows.lines];

		if (from->object < MON_OBJ_FIRST)
			continue;
		*row = (struct mon_line){ .object = from->object, .bytes = from->line, .nthreads = from->nthreads,
			.offset = (int64_t)(from->address - run->shm->objects[from->object].address),
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

/* --- all ------------------------------------------------------------------------------------------ */

/* How much of the run was recorded: accesses, in numbers of 32 bits. */
static void say_part(struct mon_request *r, const struct mon_count_row *rows)
{
	uint64_t all = 0, counted = r->records;

	for (uint32_t i = 0; i < r->rows.counts; i++)
		all += rows[i].loads + rows[i].stores;
	if (all < counted)
		all = counted;
	for (; all > UINT32_MAX; all /= 2)
		counted /= 2;
	r->classes = (uint32_t)all ? (uint32_t)all : 1;
	r->sampled = (uint32_t)counted ? (uint32_t)counted : 1;
}

/* A context that bursts have seen is counted: its samples are pieces of it. */
static void count_pieces(struct mon_time_row *rows, uint32_t n, const struct burst_weights *w)
{
	for (uint32_t i = 0; i < n; i++)
		if (rows[i].context < w->n && w->weight[rows[i].context] > 0)
			rows[i].counted = rows[i].pieces;
}

uint32_t result_counts(const struct measured_run *run, uint32_t slot)
{
	struct mon_request *r = &run->shm->request[slot];
	struct burst_weights w;
	uint32_t rc = result_times(run, slot, true);

	if (rc != MON_DROP_NONE || burst_weights_make(&w, run->play, run->times, atomic_load(&run->shm->ncontexts)))
		return rc != MON_DROP_NONE ? rc : (uint32_t)MON_DROP_MEMORY;
	count_pieces(run->shm->times[slot], r->rows.times, &w);
	r->records = 0;
	result_sites_begin();
	for (uint32_t i = 0; i < run->play->nthreads && rc == MON_DROP_NONE; i++) {
		const struct burst_thread_play *t = &run->play->thread[i];

		for (uint32_t k = 1; t->sim && t->sim->core.counting && k < t->sim->core.ncells && rc == MON_DROP_NONE; k++)
			rc = cell_row(run, slot, t, k, &w);
	}
	if (rc == MON_DROP_NONE) {
		line_rows(run, slot);
		r->rows.sites = result_sites_write(run->shm->sites[slot]);
		say_part(r, run->shm->counts[slot]);
	}
	result_sites_end();
	burst_weights_free(&w);
	return rc;
}
