/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways to measure. */
#include "collect/collector.h"

const struct collector *const collectors[] = {
#define COLLECTOR(name) &collector_##name,
#include "collect/collectors.def"
#undef COLLECTOR
	NULL
};
