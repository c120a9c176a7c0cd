/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the stationary distribution of what bursts hold, by the method of Gauss and Seidel. */
#include "analysis/measure/burst_shares.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CHANGE_LEAST 1e-7       /* of a share, in a sweep */
enum { SWEEPS_MOST = 10000 };

struct flow {
	uint32_t from, to;
	double part;            /* P(from, to) */
};

struct balance {
	struct flow *flow;      /* sorted by `to`; owned */
	uint32_t nflows, ncontexts;
	/* By context; owned with `model`. */
	double *model;          /* m */
	double *words;          /* of bursts that begin there, those that they lack included */
	double *out;            /* sum of P(c, d), d not c */
	double *unknown;        /* first words, then e */
	double *begun, *held;   /* bursts that begin there; that hold it */
	double *pooled;         /* 1: its bursts are those of the pool, else 0 */
	double *pool_held;      /* bursts of the pool that hold it */
	double *part;           /* of the pool's words */
};
enum { ARRAYS = 9 };

/* --- what is known --------------------------------------------------------------------------- */

static int by_contexts(const void *a, const void *b)
{
	const struct mon_burst_words *x = a, *y = b;

	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	return x->begins < y->begins ? -1 : x->begins > y->begins;
}

/* The rows whose contexts the measurements have, sorted; *n: their number.  NULL: memory. */
static struct mon_burst_words *rows_of(const struct mon_result *r, uint32_t ncontexts, uint32_t *n)
{
	struct mon_burst_words *row = malloc((r->nburst_words + (size_t)1) * sizeof *row);

	*n = 0;
	for (uint32_t i = 0; row && i < r->nburst_words; i++)
		if (r->burst_words[i].begins < ncontexts &&
		    (r->burst_words[i].context < ncontexts || r->burst_words[i].context == MON_ANY))
			row[(*n)++] = r->burst_words[i];
	if (row)
		qsort(row, *n, sizeof *row, by_contexts);
	return row;
}

/* Contexts that have few bursts, but are in so many that any two of them are together in
 * BURST_SHARES_LEAST; if they have as many together. */
static void make_pool(struct balance *b, const struct mon_burst_words *row, uint32_t n)
{
	double all = 0, begun = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (row[i].context == MON_ANY)
			continue;
		b->held[row[i].context] += row[i].bursts;
		b->begun[row[i].begins] = fmax(b->begun[row[i].begins], row[i].bursts);
	}
	for (uint32_t c = 0; c < b->ncontexts; c++)
		all += b->begun[c];
	for (uint32_t c = 0; c < b->ncontexts; c++) {
		b->pooled[c] = b->begun[c] < BURST_SHARES_LEAST &&
			2 * b->held[c] >= all + BURST_SHARES_LEAST;
		begun += b->pooled[c] * b->begun[c];
	}
	if (begun < BURST_SHARES_LEAST)
		memset(b->pooled, 0, b->ncontexts * sizeof *b->pooled);
	for (uint32_t i = 0; i < n; i++)
		if (b->pooled[row[i].begins] > 0 && row[i].context != MON_ANY)
			b->pool_held[row[i].context] += row[i].bursts;
}

/* Takes the pool's words, as those of one context. */
static void take_pool(struct balance *b, const struct mon_burst_words *row, uint32_t n, double more)
{
	double words = 0, known = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!(b->pooled[row[i].begins] > 0))
			continue;
		words += (double)row[i].words;
		if (row[i].context != MON_ANY &&
		    b->pool_held[row[i].context] >= BURST_SHARES_LEAST) {
			b->part[row[i].context] += (double)row[i].words;
			known += (double)row[i].words;
		}
	}
	for (uint32_t c = 0; c < b->ncontexts; c++) {
		b->part[c] = words > 0 ? b->part[c] / words : 0;
		if (!(b->pooled[c] > 0))
			continue;
		b->out[c] = words > 0 ? known / words - b->part[c] : 1;
		b->unknown[c] = (words - known + more) / (words + more);
	}
}

/* Do enough bursts hold both contexts? */
static bool is_known(const struct balance *b, const struct mon_burst_words *all, uint32_t n,
	const struct mon_burst_words *row)
{
	const struct mon_burst_words turned = { row->context, row->begins, 0, 0 };
	const struct mon_burst_words *other = row->bursts < BURST_SHARES_LEAST ?
		bsearch(&turned, all, n, sizeof *all, by_contexts) : NULL;

	if (row->context == MON_ANY)
		return false;
	return (b->pooled[row->context] > 0 ? b->pool_held[row->begins] :
		row->bursts + (other ? other->bursts : 0)) >= BURST_SHARES_LEAST;
}

static void take_rows(struct balance *b, const struct mon_burst_words *row, uint32_t n, double more)
{
	make_pool(b, row, n);
	for (uint32_t i = 0; i < n; i++)
		b->words[row[i].begins] += (double)row[i].words;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t from = row[i].begins;
		const double words = (double)row[i].words;

		if (row[i].context == from || b->pooled[from] > 0)
			continue;
		if (is_known(b, row, n, &row[i])) {
			b->flow[b->nflows++] = (struct flow){ from, row[i].context,
				words / b->words[from] };
			b->out[from] += words / b->words[from];
		} else {
			b->unknown[from] += words;
		}
	}
	for (uint32_t c = 0; c < b->ncontexts; c++) {
		b->unknown[c] = (b->unknown[c] + more) / (b->words[c] + more);
		if (!(b->words[c] > 0))         /* too small for a burst to begin there */
			b->out[c] = 1;
	}
	take_pool(b, row, n, more);
}

/* --- the solution ---------------------------------------------------------------------------- */

static double sum_of(const double *value, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += value[i];
	return sum;
}

static void normalise(double *share, uint32_t n)
{
	const double sum = sum_of(share, n);

	for (uint32_t c = 0; c < n && sum > 0; c++)
		share[c] /= sum;
}

/* The sum of what is unknown, weighted. */
static double unknown_of(const struct balance *b, const double *weight)
{
	double sum = 0;

	for (uint32_t c = 0; c < b->ncontexts; c++)
		sum += weight[c] * b->unknown[c];
	return sum;
}

/* Balances each context once; the shares sum to 1.  Returns the largest change. */
static double sweep(const struct balance *b, double *share)
{
	const struct flow *flow = b->flow, *end = flow + b->nflows;
	const double of_model = unknown_of(b, b->model);
	double of_shares = unknown_of(b, share), all = 1, change = 0, of_pool = 0;

	for (uint32_t c = 0; c < b->ncontexts; c++)
		of_pool += b->pooled[c] * share[c];
	for (uint32_t c = 0; c < b->ncontexts; c++) {
		const double e = b->unknown[c], m = b->model[c], old = share[c];
		const double out = b->out[c] + (e + of_model) / 2 - m * e;
		double in = m / 2 * (of_shares - old * e + e * (all - old));

		for (; flow < end && flow->to == c; flow++)
			in += share[flow->from] * flow->part;
		in += (of_pool - b->pooled[c] * old) * b->part[c];
		if (out > 0)
			share[c] = in / out;
		of_pool += b->pooled[c] * (share[c] - old);
		of_shares += (share[c] - old) * e;
		all += share[c] - old;
		change = fmax(change, fabs(share[c] - old));
	}
	return change;
}

/* Returns the part of the balances that flows make, not the model. */
static double known_of(const struct balance *b, const double *share)
{
	const double of_model = unknown_of(b, b->model);
	double known = 0;

	for (uint32_t c = 0; c < b->ncontexts; c++)
		if (share[c] > 0)
			known += share[c] * b->out[c] /
				(b->out[c] + (b->unknown[c] + of_model) / 2);
	return known;
}

int burst_shares_find(const struct mon_result *r, uint32_t ncontexts, double *share, double *known)
{
	const size_t n = ncontexts + (size_t)1;
	uint32_t nrows;
	struct mon_burst_words *row = rows_of(r, ncontexts, &nrows);
	struct balance b = { .ncontexts = ncontexts, .model = calloc(ARRAYS * n, sizeof *b.model),
		.flow = malloc((nrows + (size_t)1) * sizeof *b.flow) };
	const bool ok = row && b.model && b.flow;

	if (ok) {
		b.words = b.model + n;
		b.out = b.words + n;
		b.unknown = b.out + n;
		b.begun = b.unknown + n;
		b.held = b.begun + n;
		b.pooled = b.held + n;
		b.pool_held = b.pooled + n;
		b.part = b.pool_held + n;
		normalise(share, ncontexts);
		memcpy(b.model, share, ncontexts * sizeof *share);
		take_rows(&b, row, nrows, BURST_SHARES_MORE * (double)r->bursts.words + 1);
		for (int i = 0; i < SWEEPS_MOST && sweep(&b, share) > CHANGE_LEAST; i++)
			normalise(share, ncontexts);
		normalise(share, ncontexts);
		*known = known_of(&b, share);
	}
	free(row);
	free(b.model);
	free(b.flow);
	return ok ? 0 : -1;
}
