/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates the counts of an execution from its slices. */
#include "monitor/collect/slices.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include <string.h>

/* Student's t, 97.5 %, by degrees of freedom. */
static const double student[MON_GROUPS] = { 0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365 };

static struct {
	uint64_t all, stray;    /* accesses of the rows; of those whose context had no counted
				 * piece */
	uint64_t pieces[2];     /* of all contexts and threads: all, counted; known from the first
				 * row on */
} rows;

/* The sums of a thread's pieces: all, counted. */
static void pieces_sum(const struct slice_pieces *pieces, uint32_t ncontexts, uint64_t out[2])
{
	out[0] = out[1] = 0;
	for (uint32_t c = 0; pieces && c < ncontexts; c++) {
		out[0] += pieces[c].all;
		out[1] += slice_counted(&pieces[c]);
	}
}

void slice_pieces_all(uint64_t out[2])
{
	uint32_t ncontexts = atomic_load(&pscm_shm->ncontexts);

	out[0] = out[1] = 0;
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		uint64_t one[2];

		pieces_sum(pscm_thread_at(i)->pieces, ncontexts, one);
		out[0] += one[0];
		out[1] += one[1];
	}
}

void slice_pieces_row(const struct slice_pieces *pieces, uint32_t context, struct mon_time_row *r)
{
	if (pieces) {
		r->pieces = pieces[context].all;
		r->counted = slice_counted(&pieces[context]);
	}
}

void slice_group_close(struct sim_core *core, uint32_t g)
{
	sim_core_sum(core);
	for (uint32_t i = 1; core->counting && core->sums && i < core->ncells; i++) {
		const struct sim_cell *c = &core->cells[i];
		struct sample_sums *sums = &core->sums[i];

		for (int k = 0; k < 2 * MACHINE_LEVELS; k++) {
			uint64_t *group = sums->miss[k / 2][k % 2], known = 0;
			uint64_t all = c->miss[k / 2][k % 2];

			for (int i2 = 0; i2 < MON_GROUPS; i2++)
				known += group[i2];
			group[g] += all > known ? all - known : 0;
		}
	}
}

void slice_cells_keep(struct pscm_thread *t)
{
	const struct sim_core *core = &t->replay.sim.core;

	if (!core->generic)
		return;
	if (!t->kept)
		t->kept = pscm_map(SIM_CELLS * sizeof *t->kept);
	t->nkept = t->kept ? core->ncells : 0;
	t->kept_in = t->experiment;
	if (t->nkept)
		memcpy(t->kept, core->cells, t->nkept * sizeof *t->kept);
}

void slice_cells_restore(struct pscm_thread *t)
{
	struct sim_core *core = &t->replay.sim.core;
	uint32_t n = t->kept && t->kept_in == t->experiment ? t->nkept : 0;

	if (!core->generic)
		return;
	if (n)
		memcpy(core->cells, t->kept, n * sizeof *t->kept);
	for (uint32_t i = n; i < core->ncells; i++)
		core->cells[i] = (struct sim_cell){ .key = core->cells[i].key };
}

uint64_t slice_last_misses(const struct sim_core *core)
{
	uint64_t n = 0;

	for (uint32_t i = 0; core->nlevels && i < core->ncells; i++)
		n += core->cells[i].miss[core->nlevels - 1][0] + core->cells[i].miss[core->nlevels -
			1][1];
	return n;
}

/* The square root, without the mathematical library, which programs may not have. */
static double root(double x)
{
	double y = x > 1 ? x : 1;

	for (int i = 0; i < 60; i++)
		y = (y + x / y) / 2;
	return y;
}

/* By how much the deviations of the groups grow where not all groups saw the context: their
 * interval is then that of fewer degrees of freedom.  0: one group saw
 * it, there is no deviation. */
static double few_groups(const struct slice_pieces *p)
{
	int m = 0;
	double all = MON_GROUPS;

	for (int g = 0; g < MON_GROUPS; g++)
		m += p->counted[g] > 0;
	if (m < 2)
		return 0;
	return root(m / (m - 1.) * (all - 1) / all) * student[m - 1] / student[MON_GROUPS - 1];
}

/* The groups of an estimate: they sum up to it, and differ from one another as the slices' ratios
 * of misses to pieces do, weighted by pieces (the residuals of a ratio estimate). */
static void fill_group(float *out, double estimate, const uint64_t *misses,
	const struct slice_pieces *p, double scale, double factor)
{
	double sum = 0, n = (double)slice_counted(p), each, alone;

	for (int g = 0; g < MON_GROUPS; g++)
		sum += (double)misses[g];
	each = sum / n;
	for (int g = 0; g < MON_GROUPS; g++) {
		double rest = (double)misses[g] - each * p->counted[g];

		out[g] = (float)(estimate / MON_GROUPS + factor * scale * rest);
	}
	if (factor > 0 || scale <= 1)
		return;
	/* One group alone saw a part: the error is as large as the estimate. */
	alone = estimate / student[MON_GROUPS - 1] / root(2);
	out[0] += (float)alone;
	out[1] -= (float)alone;
}

static uint64_t scaled(uint64_t count, double scale)
{
	return (uint64_t)((double)count * scale + 0.5);
}

static void scale_counters(struct mon_count_row *r, double k)
{
#define COUNTER_ONE(name, ...) r->name = scaled(r->name, k);
#define COUNTER_ROW(name, ...) r->name = scaled(r->name, k);
#define COUNTER_PAIR(name, ...) \
	for (int i = 0; i < 2; i++) \
		r->name[i] = scaled(r->name[i], k);
#define COUNTER_LEVEL(name, ...) \
	for (int i = 0; i < MACHINE_LEVELS; i++) \
		r->name[i] = scaled(r->name[i], k);
#define COUNTER_TLB(name, ...) \
	for (int i = 0; i < 2 * MACHINE_TLBS; i++) \
		r->name##_miss[i / 2][i % 2] = scaled(r->name##_miss[i / 2][i % 2], k);
#define COUNTER_REUSE(name, ...) \
	for (int i = 0; i < REUSE_CLASSES; i++) \
		r->name[i] = scaled(r->name[i], k);
#define COUNTER_NODE(name, ...) \
	for (int i = 0; i < 2 * MACHINE_NODES; i++) \
		r->name[i / 2][i % 2] = scaled(r->name[i / 2][i % 2], k);
#include "base/counters.def"
}

static bool row_scale(struct mon_count_row *r, const struct slice_pieces *pieces,
	uint32_t ncontexts, const struct sample_sums *sums, double share)
{
	struct slice_pieces of = { 0 };
	uint64_t all[2], n;
	double scale, factor;
	bool known;

	if (pieces && r->context < ncontexts)
		of = pieces[r->context];
	n = slice_counted(&of);
	known = n > 0;
	all[0] = all[1] = 0;
	if (!known)
		pieces_sum(pieces, ncontexts, all);
	scale = known ? (double)of.all / (double)n : all[1] ? (double)all[0] / (double)all[1] : 1;
	scale_counters(r, scale);
	/* Of a context that was counted in full nothing is unknown. */
	factor = few_groups(&of) * (share < 1 && scale > 1 ? root((1 - 1 / scale) / (1 - share)) :
		0);
	if (!known)
		of = (struct slice_pieces){ .all = 1, .counted = { 1 } };
	for (int k = 0; k < 2 * MACHINE_LEVELS; k++) {
		uint64_t misses = k % 2 ? r->store_miss[k / 2] : r->load_miss[k / 2];

		fill_group(r->group[k / 2][k % 2], (double)misses, sums->miss[k / 2][k % 2], &of,
			scale, factor);
	}
	return known;
}

void slice_rows_begin(void)
{
	rows.all = rows.stray = rows.pieces[0] = 0;
}

void slice_row(struct mon_count_row *r, const struct slice_pieces *pieces,
	const struct sample_sums *sums)
{
	bool known;

	if (!rows.pieces[0])
		slice_pieces_all(rows.pieces);
	known = row_scale(r, pieces, atomic_load(&pscm_shm->ncontexts), sums,
		rows.pieces[0] ? (double)rows.pieces[1] / (double)rows.pieces[0] : 1);
	rows.all += r->loads + r->stores;
	rows.stray += known ? 0 : r->loads + r->stores;
}

bool slice_rows_stray(void)
{
	return rows.stray > rows.all / 100;
}
