/* SPDX-License-Identifier: BSD-3-Clause */
/* The metrics of a place that are not counters of the simulator: a property
 * reads them as event_NAME. */
#ifndef PSC_MEASURE_METRIC_VALUES_H
#define PSC_MEASURE_METRIC_VALUES_H

#include "analysis/measure/measurements.h"

/* Inclusive value of a context and a structure (MON_ANY: all), per execution of the phase; the
 * median over the executions.  NAN: not measured there, or its markers were left out. */
double measured_metric(const struct measurements *p, uint32_t context, uint32_t object,
	const char *metric);
/* The share of the metric's events that were seen, by which its values are scaled: less than 1
 * where counters were shared.  NAN: not measured. */
double measured_metric_share(const struct measurements *p, const char *metric);

#endif
