/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways to measure. */
#include "collect/collector.h"

const struct collector *const collectors[] = {
	&collector_times,
	&collector_sim,
	&collector_events,
	&collector_variants,
	&collector_one_cpu,
	&collector_copies,
	&collector_kernel,
	NULL
};
