/* SPDX-License-Identifier: BSD-3-Clause */
/* In a file of its own, so that the compiler does not know the numbers. */
#include "tests/bench/plain.h"

#include <math.h>

void plain_lc3(size_t n, const double *miss, const double *access, const double *time,
	double threshold, struct asl_verdict *out, size_t step)
{
	for (size_t i = 0; i < n; i++, out += step) {
		double rate = access[i] == 0 ? NAN : miss[i] / access[i], s = rate * time[i];
		bool held = rate > threshold;

		out->holds = held ? ASL_TRUE : isnan(rate) ? ASL_UNDECIDED : ASL_FALSE;
		out->severity = held && isfinite(s) ? s : NAN;
		out->confidence = held ? 1 : NAN;
		out->measure = rate;
		out->alternatives = held;
		out->clamped = false;
		out->advice[0] = out->undecided[0] = '\0';
	}
}
