/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers questions about the metrics that are not counters of the simulator: sums over contexts,
 * medians over executions. */
#include "analysis/measure/metric_values.h"
#include "analysis/measure/quantiles.h"
#include "analysis/measure/store.h"

#include <math.h>

/* The context and those inside it, in one execution.  NAN: none of them ran. */
static double inclusive(const struct measurements *p, const struct store_metric *m,
	struct store_key key, uint32_t execution)
{
	const uint32_t context = key.context;
	double sum = NAN;

	for (uint32_t c = context; c < p->ncontexts; c++) {
		double own;

		key.context = c;
		own = store_value(p->store, m, key, execution);
		if (!isnan(own) && measured_within(p, c, context))
			sum = (isnan(sum) ? 0 : sum) + own;
	}
	return sum;
}

double measured_metric(const struct measurements *p, uint32_t context, uint32_t object,
	const char *metric)
{
	const struct store_metric *m = store_metric_find(p->store, metric);
	double v[MON_EXECUTIONS];
	uint32_t n = 0;

	if (!m || context >= p->ncontexts || p->contexts[context].brief)
		return NAN;
	for (uint32_t i = 0; i < m->executions && i < MON_EXECUTIONS; i++) {
		v[n] = inclusive(p, m, store_key(context, object, ALL_THREADS), i);
		n += !isnan(v[n]);
	}
	return n ? median_of(v, n) : NAN;
}

double measured_metric_share(const struct measurements *p, const char *metric)
{
	const struct store_metric *m = store_metric_find(p->store, metric);

	return m && m->all > 0 ? m->seen / m->all : NAN;
}
