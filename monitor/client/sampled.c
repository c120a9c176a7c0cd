/* SPDX-License-Identifier: BSD-3-Clause */
/* A sample as the agent sees it: what one of a machine has, and the error of what it counted. */
#include "monitor/client/mon.h"
#include "simulate/cache/sample.h"

#include <math.h>
#include <string.h>

_Static_assert((int)MON_GROUPS == (int)SAMPLE_GROUPS, "rows have room for all groups");

/* Of all misses: where the chosen classes are all alike, a few others may not be.  Measured on LU of six
 * sizes, one class in eight of x86-server: so 94 % of the counts are within 95 % intervals; 87 % with half
 * of it. */
static const double LEAST = 0.005;

int mon_sample_of(const struct machine_flat *m, uint32_t n, struct mon_sample *out, struct err *err)
{
	static const char why[] = "the address bits that the index of every cache level has are too few";
	struct sample s;

	*out = (struct mon_sample){ 0 };
	if (n < 2)
		return 0;
	if (!machine_is_plain(m))
		return err_set(err, "only independent LRU levels can be sampled, and it has more "
			"(replacement, inclusion, prefetch, write-back or TLBs)");
	if (sample_make(&s, m, n, SAMPLE_SEED)) {
		*out = (struct mon_sample){ s.classes, s.chosen, s.groups };
		return 0;
	}
	if (s.classes < 4)
		return err_set(err, "%s: its sets cannot be sampled", why);
	return err_set(err, "%s for one set in %u: they tell %u classes of lines apart, of which two must be "
		"left (one in %u), better eight", why, n, s.classes, s.classes / 2);
}

void mon_sample_parts(const struct mon_sample *s, const float group[MON_GROUPS],
	double parts[MON_ERRORS])
{
	uint32_t n = s->groups;
	double all = 0, square = 0, least, share = s->classes ? (double)s->chosen / s->classes : 1;
	/* Of a finite number of classes, without putting back. */
	double k = n > 1 ? sqrt(n / (n - 1.) * (1 - share)) : 0;

	memset(parts, 0, MON_ERRORS * sizeof *parts);
	for (uint32_t g = 0; g < n; g++)
		all += (double)group[g];
	for (uint32_t g = 0; g < n; g++) {
		parts[g] = k * ((double)group[g] - all / n);
		square += parts[g] * parts[g];
	}
	least = share < 1 ? LEAST * all : 0;
	if (least * least > square)
		parts[MON_GROUPS] = sqrt(least * least - square);
}
