/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's structure (struct sir_copy) tells what the code of a context
 * copies, and for which calls. */
#ifndef PSC_MEASURE_COPY_USE_H
#define PSC_MEASURE_COPY_USE_H

#include "analysis/measure/measurements.h"

enum { COPY_CALLEES_MOST = 3 };         /* that are named */

struct copy_use {
	bool of[SIR_COPY_BLOCK + 1];    /* by enum sir_copy_of */
	const char *callee[COPY_CALLEES_MOST];  /* that arguments and sections are copied for;
						 * borrowed */
	uint32_t callees;               /* their number, named or not */
};

/* Finds the copies on the line with most of the structure's misses there; without any, and
 * for MON_ANY, all copies. */
void copy_use_find(const struct measurements *p, uint32_t context, uint32_t object,
	struct copy_use *out);
/* True: the region is the call of a library's function that does nothing but copy
 * the section of an array. */
bool copy_use_is_packing(const struct sir *s, uint32_t region);
/* The enumerator of Copies in properties/model.asl: sections first, then
 * arguments, objects, blocks. */
const char *copy_use_name(const struct copy_use *use);
/* "eval", "eval, f and 2 more". */
void copy_use_callees(const struct copy_use *use, char *text, size_t size);

#endif
