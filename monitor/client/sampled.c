/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which sample of a machine's sets is possible, and computes the error of sampled counts. */
#include "monitor/client/mon.h"
#include "simulate/cache/set_sample.h"

#include <math.h>
#include <string.h>

_Static_assert((int)MON_GROUPS == (int)SAMPLE_GROUPS, "rows have room for all groups");

/* Least standard error stated, as a share of all misses: classes that were not chosen may differ
 * even where the chosen ones are alike.  Measured on LU of six sizes, one class in eight of
 * x86-server: 94 % of the counts lie within their 95 % intervals with this value, 87 % with half of
 * it. */
static const double LEAST = 0.005;
/* The same for slices: the caches' state where a slice begins is not the true one, and all slices
 * err alike.  docs/sampling.md has what was measured. */
static const double LEAST_SLICES = 0.03;

int mon_sample_of(const struct machine_flat *m, uint32_t n, struct mon_sample *out, struct err *err)
{
	static const char why[] = "the indices of all cache levels share too few address bits";
	struct sample s;

	*out = (struct mon_sample){ 0 };
	if (n < 2)
		return 0;
	if (!machine_is_plain(m))
		return err_set(err, "only independent LRU levels can be sampled, and it has more "
			"(replacement, inclusion, prefetch, write-back or TLBs)");
	if (sample_make(&s, m, n, SAMPLE_SEED)) {
		*out = (struct mon_sample){ s.classes, s.chosen, s.groups, 0 };
		return 0;
	}
	if (s.classes < 4)
		return err_set(err, "%s: its sets cannot be sampled", why);
	return err_set(err, "%s for one set in %u: they distinguish %u classes of lines, of which "
		"two must be simulated (one in %u), better eight", why, n, s.classes,
		s.classes / 2);
}

void mon_sample_parts(const struct mon_sample *s, const float group[MON_GROUPS],
	double parts[MON_ERRORS])
{
	uint32_t n = s->groups;
	double all = 0, square = 0, least, share = s->classes ? (double)s->chosen / s->classes : 1;
	/* Sampling without replacement from a finite number of classes. */
	double k = n > 1 ? sqrt(n / (n - 1.) * (1 - share)) : 0;

	memset(parts, 0, MON_ERRORS * sizeof *parts);
	for (uint32_t g = 0; g < n; g++)
		all += (double)group[g];
	for (uint32_t g = 0; g < n; g++) {
		parts[g] = k * ((double)group[g] - all / n);
		square += parts[g] * parts[g];
	}
	least = share < 1 ? (s->slices ? LEAST_SLICES : LEAST) * all : 0;
	if (least * least > square)
		parts[MON_GROUPS] = sqrt(least * least - square);
}
