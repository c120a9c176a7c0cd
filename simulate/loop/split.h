/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a loop that a thread plays as if it were the only one, because it has the rights to all
 * that they touch.  Private to batch.c and split.c. */
#ifndef PSC_SIMULATE_SPLIT_H
#define PSC_SIMULATE_SPLIT_H

#include "simulate/loop/loop.h"
#include "simulate/coherence/share.h"

enum {
	BYRIGHT_GROUPS = 64,
	BYRIGHT_TOLD = 8,       /* parts of a loop */
	BYRIGHT_WORDS = 2 * BYRIGHT_GROUPS
};

/* A group of the loop.  Its *stay* is the iterations that it spends in one place and one page of the
 * directory. */
struct walk {
	uint64_t at, step, n;   /* address in the first iteration; iterations */
	uint64_t i, until;      /* the present stay's */
	struct share_rights *page[2];   /* [1]: of an iteration in two; NULL */
	uint64_t told, told_end;        /* its iterations that are to be told; none: equal */
	uint32_t span;
	bool writes;
};

struct byright {
	struct walk walk[BYRIGHT_GROUPS];
	uint32_t n, per;
	/* Iterations that touch lines of which something is to be told, in order. */
	uint32_t ntold;
	struct byright_part { uint64_t from, to; } told[BYRIGHT_TOLD];
};

/* Finds them.  False: all are to be told, or it does not pay to know. */
bool byright_look(struct work *w, struct sim_segment *seg, uint64_t count, const uint64_t *words,
	struct byright *b);
/* Iterations [from, to) are to be played without telling: the directory hears which pages they use.
 * False: the rights have gone meanwhile. */
bool byright_use(struct work *w, struct byright *b, uint64_t from, uint64_t to);

#endif
