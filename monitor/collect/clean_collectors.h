/* SPDX-License-Identifier: BSD-3-Clause */
/* What clean executions tell other collectors. */
#ifndef PSC_MONITOR_CLEAN_COLLECTORS_H
#define PSC_MONITOR_CLEAN_COLLECTORS_H

#include "monitor/collect/runtime_collector.h"

/* ns that the execution took, and of its thread's processor time; 0: not known. */
struct clean_execution {
	uint64_t ns, cpu_ns;
};
/* The shortest of the last request for times of the present phase. */
struct clean_execution clean_shortest(void);

#endif
