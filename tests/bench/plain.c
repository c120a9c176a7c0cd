/* SPDX-License-Identifier: BSD-3-Clause */
/* In a file of its own, compiled as the columns of asl/ are. */
#include "tests/bench/plain.h"

#include <math.h>

void plain_lc3(size_t n, const double *miss, const double *access, const double *time,
	double threshold, const struct asl_columns *out)
{
	uint8_t *const holds = out->holds;
	double *const severity = out->severity, *const confidence = out->confidence;
	double *const measure = out->measure;
	uint64_t *const alternatives = out->alternatives;

	for (size_t i = 0; i < n; i++) {
		double rate = access[i] == 0 ? NAN : miss[i] / access[i], s = rate * time[i];
		bool held = rate > threshold;

		holds[i] = held ? ASL_TRUE : isnan(rate) ? ASL_UNDECIDED : ASL_FALSE;
		severity[i] = held && isfinite(s) ? s : NAN;
		confidence[i] = held ? 1 : NAN;
		measure[i] = rate;
		alternatives[i] = held;
	}
}
