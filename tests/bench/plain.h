/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PSC_BENCH_PLAIN_H
#define PSC_BENCH_PLAIN_H

#include "asl/asl.h"

/* LC3DMissRate of properties/paper.asl by hand, over columns of n numbers; verdicts `step` apart. */
void plain_lc3(size_t n, const double *miss, const double *access, const double *time,
	double threshold, struct asl_verdict *out, size_t step);

#endif
