/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a loop that a thread plays as if it were the only one, because it has the rights to all
 * that they touch.  Private to consume.c and byright.c. */
#ifndef PSC_MONITOR_BYRIGHT_H
#define PSC_MONITOR_BYRIGHT_H

#include "monitor/play.h"
#include "monitor/share.h"

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
bool byright_look(struct work *w, struct pscm_seg *seg, uint64_t count, const uint64_t *words,
	struct byright *b);
/* Iterations [from, to) are to be played without telling: the directory hears which pages they use.
 * False: the rights have gone meanwhile. */
bool byright_use(struct work *w, struct byright *b, uint64_t from, uint64_t to);

/* A loop of plain accesses, all of it of the present turn, is told, and then played (brief.c); the clock stays.
 * False: some group does not suit; all of it is to be told as it is played, others a second time in this turn. */
bool brief_play(struct work *w, const struct psc_segment *s, const uint64_t *words, uint64_t count);
/* Groups have other addresses now. */
void brief_forget(struct pscm_view *v);
#endif
