/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems about memory nodes: what a data structure costs because it is on another node than the
 * threads that use it. */
#include "report/model/problems.h"

#include <math.h>

#include "base/known.h"

struct problem_range problem_nodes_range(const struct report_finding *f)
{
	/* It is a part of what the structure costs, and as uncertain as that. */
	const double part = f->est_stall_share > 0 ?
		fmin(1, f->severity_share / f->est_stall_share) : 0;

	return (struct problem_range){ known_amount(f->severity_share),
		part * known_amount(f->est_stall_low_share),
		part * known_amount(f->est_stall_high_share) };
}

void problems_nodes(const struct problem_item *items, int n, int g, struct report_problem *p)
{
	p->share = p->low = p->high = 0;
	p->npaths = 1;
	for (int i = 0; i < n; i++) {
		if (items[i].group != g)
			continue;
		p->share += items[i].own.value;
		p->low += items[i].own.low;
		p->high += items[i].own.high;
	}
	p->low = fmin(p->low, p->share);
	p->high = fmax(p->share, fmin(p->high, 1));
}
