/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which contexts no slice of an execution saw, and how much time is spent in them. */
#include "analysis/measure/slice_coverage.h"

#include <math.h>

void slice_coverage_take(struct measurements *p, const struct mon_result *r)
{
	for (uint32_t c = 0; c < p->ncontexts; c++)
		p->contexts[c].pieces = p->contexts[c].pieces_counted = 0;
	for (uint32_t i = 0; i < r->ntimes; i++) {
		const struct mon_time_row *row = &r->times[i];

		if (row->context >= p->ncontexts)
			continue;
		p->contexts[row->context].pieces += (double)row->pieces;
		p->contexts[row->context].pieces_counted += (double)row->counted;
	}
}

/* Processor time of the context without that of the contexts inside. */
static double own_time(const struct measurements *p, uint32_t context)
{
	double own = measured_cpu(p, context);

	for (uint32_t c = p->contexts[context].child; c != NO_CONTEXT; c = p->contexts[c].next) {
		double inside = measured_cpu(p, c);

		own -= inside > 0 ? inside : 0;
	}
	return own > 0 ? own : 0;
}

double slice_coverage_unseen(const struct measurements *p, uint32_t *worst)
{
	double all = measured_cpu(p, 0), sum = 0, most = 0;

	*worst = NO_CONTEXT;
	if (!(all > 0))
		return NAN;
	for (uint32_t c = 0; c < p->ncontexts; c++) {
		double own;

		if (p->contexts[c].pieces_counted > 0)
			continue;
		own = own_time(p, c);
		sum += own;
		if (own > most) {
			most = own;
			*worst = c;
		}
	}
	return sum / all;
}

double slice_coverage_counted(const struct measurements *p)
{
	struct tally all;

	if (!measured_tally(p, 0, MON_ANY, &all) || !(tally_refs(&all) > 0) || !p->counted)
		return NAN;
	return p->records / (tally_refs(&all) * (double)p->counted);
}
