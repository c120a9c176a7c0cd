/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of a context is the regions of the program's structure that its accesses are made in:
 * its own, those inside it without markers, and those of light functions that they call. */
#ifndef PSC_MEASURE_CONTEXT_CODE_H
#define PSC_MEASURE_CONTEXT_CODE_H

#include "analysis/measure/measurements.h"

struct context_code {
	const struct measurements *p;   /* borrowed */
	/* before its regions; NULL: none */
	void (*enter)(struct context_code *code, uint32_t context);
	void (*visit)(struct context_code *code, const struct sir_region *r);
	uint32_t visited;
	bool cut;               /* not all of the code was visited: it is set, and never cleared */
};

/* Visits the code of a context; inside: also that of the contexts inside it. */
void context_code_walk(struct context_code *code, uint32_t context, bool inside);

#endif
