/* SPDX-License-Identifier: BSD-3-Clause */
/* Which branches a processor would not have foreseen, from the branches that bursts execute: a
 * predictor with tables for the outcomes after the same branches before, of several lengths, of
 * which the longest that is known decides. Processors of today have larger tables: they
 * miss no more than this one. */
#ifndef PSC_FOREIGN_BRANCH_PREDICTOR_H
#define PSC_FOREIGN_BRANCH_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

enum { BRANCH_TABLES = 4, BRANCH_ENTRIES = 1 << 11, BRANCH_BASE = 1 << 12 };

struct branch_entry {
	uint16_t tag;           /* 0: free */
	int8_t counter;         /* 0 or more: taken */
	uint8_t useful;
};

struct branch_predictor {
	uint64_t history;       /* outcomes, the last one in bit 0 */
	int8_t base[BRANCH_BASE];
	struct branch_entry table[BRANCH_TABLES][BRANCH_ENTRIES];
	uint64_t target[BRANCH_BASE];   /* of indirect jumps */
};

/* A branch was executed.  Return whether it was mispredicted. */
bool branch_conditional(struct branch_predictor *p, uint64_t ip, bool taken);
bool branch_indirect(struct branch_predictor *p, uint64_t ip, uint64_t target);

#endif
