/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums the words of bursts by the context in which the burst begins, and the context of the word:
 * how often contexts occur together. */
#ifndef PSC_FOREIGN_BURST_CONTENTS_H
#define PSC_FOREIGN_BURST_CONTENTS_H

#include "monitor/shared/shm.h"

struct burst_contents {
	struct mon_burst_words *row;    /* open hash by both contexts; owned */
	uint64_t *burst;                /* the last one that each row was in; owned */
	uint64_t *lacking;              /* words by the context in which bursts begin; owned */
	uint32_t n, last;               /* rows in the hash; the one that grew last */
};

/* 0 / -1 (memory). */
int burst_contents_begin(struct burst_contents *b);
void burst_contents_end(struct burst_contents *b);
/* Adds words of a burst, from 1 on; of threads that are in it at once, one after the other.
 * context: MON_ANY for words that the burst lacks.  Words that do not fit count as lacking. */
void burst_contents_add(struct burst_contents *b, uint64_t burst, uint32_t begins,
	uint32_t context, uint64_t words);
/* Writes the rows to `to`, of MON_BURST_WORDS.  Returns their number. */
uint32_t burst_contents_write(const struct burst_contents *b, struct mon_burst_words *to);

#endif
