/* SPDX-License-Identifier: BSD-3-Clause */
/* A property on many subjects at once, column by column.  Most of them it does not hold for, and of those a
 * column says all there is; where it holds or could not be decided the verdict has words, too, which
 * the evaluation of that one subject gives. */
#ifndef PSC_SEARCH_SWEEP_H
#define PSC_SEARCH_SWEEP_H

#include "analysis/measure/bind.h"
#include "asl/asl.h"

struct subjects {               /* owned */
	struct subject *at;
	void **p;               /* to each of them */
	size_t n;
};
int subjects_new(struct subjects *s, size_t n);         /* 0 / -1 (memory) */
void subjects_free(struct subjects *s);

struct sweep {                  /* owned; without columns nothing is known */
	uint8_t *holds;         /* enum asl_truth */
	double *measure;
};
/* Leaves it empty for properties that cannot be swept: those of more than a context and the phase. */
int sweep_run(struct sweep *w, const struct asl_program *program, const struct binding *binding,
	uint32_t property, const struct subjects *subjects);
/* True when the property does not hold for subject number `at`: then with that verdict. */
bool sweep_fails(const struct sweep *w, size_t at, struct asl_verdict *out);
void sweep_free(struct sweep *w);

#endif
