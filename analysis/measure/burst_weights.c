/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiplies the counts of bursts by what they stand for. */
#include "analysis/measure/burst_weights.h"

#include <stdlib.h>

#include "analysis/measure/burst_rows.h"
#include "analysis/measure/burst_shares.h"
#include "analysis/measure/estimate_rows.h"

bool burst_weights_needed(const struct mon_result *r)
{
	return r->bursts.bursts && r->sample.slices;
}

/* --- weights --------------------------------------------------------------------------------- */

/* The processor time of each context without the contexts inside it, ns. */
static void own_times(const struct measurements *p, const struct mon_result *r, double *own)
{
	for (uint32_t i = 0; i < r->ntimes; i++) {
		const struct mon_time_row *row = &r->times[i];

		if (row->context >= p->ncontexts)
			continue;
		own[row->context] += (double)row->cpu_ns;
		if (p->contexts[row->context].parent != NO_CONTEXT)
			own[p->contexts[row->context].parent] -= (double)row->cpu_ns;
	}
}

/* The words that bursts hold of each context. */
static void held_words(const struct measurements *p, const struct mon_result *r, double *held)
{
	for (uint32_t i = 0; i < r->nburst_words; i++)
		if (r->burst_words[i].context < p->ncontexts)
			held[r->burst_words[i].context] += (double)r->burst_words[i].words;
}

/* Corrects the model's weights by what bursts hold.  share, held: room by context, zero.  Contexts
 * without words keep their weight.  0 / -1 (memory). */
static int correct(const struct measurements *p, const struct mon_result *r,
	const double *modelled, double *weight, double *share, double *held, double *known)
{
	double before = 0, after = 0;

	held_words(p, r, held);
	for (uint32_t c = 0; c < p->ncontexts; c++)
		share[c] = weight[c] * held[c];
	if (burst_shares_find(r, p->ncontexts, share, known))
		return -1;
	for (uint32_t c = 0; c < p->ncontexts; c++)
		if (held[c] > 0) {
			before += weight[c] * modelled[c];
			after += share[c] / held[c] * modelled[c];
		}
	for (uint32_t c = 0; c < p->ncontexts && after > 0; c++)
		if (held[c] > 0)
			weight[c] = share[c] / held[c] * before / after;
	return 0;
}

/* The factor of each context's counts; the caller frees.  NULL: memory. */
static double *weights_of(const struct measurements *p, const struct mon_result *r, double *known)
{
	const size_t n = (size_t)p->ncontexts + 1;
	double *weight = calloc(4 * n, sizeof *weight), *modelled = weight ? weight + n : NULL;

	if (!weight || estimate_rows_of_result(p, r, modelled)) {
		free(weight);
		return NULL;
	}
	own_times(p, r, weight);
	for (uint32_t c = 0; c < p->ncontexts; c++)
		weight[c] = weight[c] > 0 && modelled[c] > 0 ? weight[c] / modelled[c] : 0;
	if (correct(p, r, modelled, weight, weight + 2 * n, weight + 3 * n, known)) {
		free(weight);
		return NULL;
	}
	return weight;
}

/* --- rows ------------------------------------------------------------------------------------ */

static void weigh_row(struct mon_count_row *r, double by)
{
#define COUNTER_ONE(name, ...) r->name = burst_rows_times(r->name, by);
#define COUNTER_ROW(name, ...) r->name = burst_rows_times(r->name, by);
#define COUNTER_PAIR(name, ...) \
	for (int i = 0; i < 2; i++) \
		r->name[i] = burst_rows_times(r->name[i], by);
#define COUNTER_LEVEL(name, ...) \
	for (int i = 0; i < MACHINE_LEVELS; i++) \
		r->name[i] = burst_rows_times(r->name[i], by);
#define COUNTER_TLB(name, ...) \
	for (int i = 0; i < 2 * MACHINE_TLBS; i++) \
		r->name##_miss[i / 2][i % 2] = burst_rows_times(r->name##_miss[i / 2][i % 2], by);
#define COUNTER_REUSE(name, ...) \
	for (int i = 0; i < REUSE_CLASSES; i++) \
		r->name[i] = burst_rows_times(r->name[i], by);
#define COUNTER_NODE(name, ...) \
	for (int i = 0; i < 2 * MACHINE_NODES; i++) \
		r->name[i / 2][i % 2] = burst_rows_times(r->name[i / 2][i % 2], by);
#include "base/counters.def"
	for (int k = 0; k < 2 * MACHINE_LEVELS; k++)
		for (int g = 0; g < MON_GROUPS; g++)
			r->group[k / 2][k % 2][g] *= (float)by;
	for (int k = 0; k < MON_SAMPLED; k++)
		r->sampled[k] *= (float)by;
}

/* Says how much of the run was recorded: accesses, in numbers of 32 bits. */
static void tell_part(struct mon_result *out, uint64_t records)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < out->ncounts; i++)
		all += out->counts[i].loads + out->counts[i].stores;
	if (all < records)
		all = records;
	for (; all > UINT32_MAX; all /= 2)
		records /= 2;
	out->sample.classes = all ? (uint32_t)all : 1;
	out->sample.chosen = records ? (uint32_t)records : 1;
}

/* The weight of a context; 0: its rows are left out. */
static double weight_in(const double *weight, uint32_t ncontexts, uint32_t context)
{
	return context < ncontexts ? weight[context] : 0;
}

static void weigh_rows(struct mon_result *r, const double *weight, uint32_t ncontexts)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->ncounts; i++) {
		const double by = weight_in(weight, ncontexts, r->counts[i].context);

		r->counts[n] = r->counts[i];
		weigh_row(&r->counts[n], by);
		n += by > 0;
	}
	r->ncounts = n;
	n = 0;
	for (uint32_t i = 0; i < r->nsites; i++) {
		const double by = weight_in(weight, ncontexts, r->sites[i].context);

		r->sites[n] = r->sites[i];
		r->sites[n].first = burst_rows_times(r->sites[i].first, by);
		r->sites[n].last = burst_rows_times(r->sites[i].last, by);
		n += by > 0;
	}
	r->nsites = n;
}

int burst_weights_apply(const struct measurements *p, const struct mon_result *r,
	struct mon_result *out, double *known)
{
	double *weight = weights_of(p, r, known);

	if (!weight || burst_rows_copy(r, out)) {
		free(weight);
		return -1;
	}
	weigh_rows(out, weight, p->ncontexts);
	tell_part(out, r->records);
	free(weight);
	return 0;
}
