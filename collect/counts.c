/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks for counts, and takes them. */
#include "collect/counts.h"

/* The counts are those of a sample of the run, as those of slices are. */
bool counts_plan_whole_run(bool *asked, const struct collect_moment *now, struct plan *out)
{
	if (*asked)
		return false;
	*asked = true;
	plan_execution(MON_SIM, now->begun, 0, out);
	out->want.slow_percent = 100;
	return true;
}

int counts_take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	if (measured_add_counts(c->measured, r, plan->filter, plan->want.nfilters, err))
		return -1;
	c->counted_in |= 1u << (now->run - 1);
	return 0;
}
