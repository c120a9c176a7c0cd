/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of a program of MPI that do not execute the phase equally often.  Executions of equal
 * numbers are then of unlike steps: what is compared over processes is not the same work, and one
 * rank is recorded while another one is timed. */
#ifndef PSC_AGENTS_UNEQUAL_H
#define PSC_AGENTS_UNEQUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "report/model/report.h"

struct unequal {
	bool any, are;          /* are: they do not */
	int rank[2];            /* with fewest, with most executions */
	uint64_t least, most;
};

/* A rank has had so many executions, at one moment for all ranks of the host.  One
 * without any is not compared. */
void unequal_add(struct unequal *u, int rank, uint64_t executions);
/* The note of a report about unequal ranks; NULL: they are equal, or out of memory. */
const char *unequal_text(const struct unequal *u, struct arena *arena);

#endif
