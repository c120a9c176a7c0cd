/* SPDX-License-Identifier: BSD-3-Clause */
/* Locality of data structures: which thread touched them first since the program began, and
 * whether their parts are used by one thread alone (struct mon_locality). */
#ifndef PSC_MEASURE_LOCALITY_H
#define PSC_MEASURE_LOCALITY_H

#include "analysis/measure/columns.h"

struct measured_locality {
	uint32_t object;
	uint32_t toucher;       /* by `number`, as in the columns; UINT32_MAX: not known */
	uint32_t users;         /* how many threads use it; UINT32_MAX: several */
	uint32_t user;          /* the only one, by `number`; UINT32_MAX: several, or not known */
	uint32_t node;          /* where it is; UINT32_MAX: not known */
	double bytes;
	uint64_t code;          /* of most first touches, in the executable's file; 0: not known */
};

/* Reads the rows of a result into columns whose threads are known.  0 / -1 (memory). */
int locality_add(const struct measurements *p, struct columns *c, const struct mon_result *r);
void locality_free(struct columns *c);

struct locality {
	double bytes;           /* of the parts that are used, of a sample perhaps; 0: not known */
	double one_user;        /* share of them that one thread alone uses */
	double group;           /* share that several threads use, but not all of the phase */
	/* Share that one thread alone uses, and that is on another node than it; NAN: not
	 * known. */
	double elsewhere;
	uint32_t toucher;       /* that touched most of them first; UINT32_MAX: not known */
	double touched;         /* its share */
	uint64_t code;          /* the instruction of most of its first touches; 0: not known */
};
void locality_of(const struct measurements *p, uint32_t object, struct locality *out);

/* The memory node of the model on which a thread runs; UINT32_MAX: not known. */
uint32_t locality_node(const struct measurements *p, uint32_t thread);

#endif
