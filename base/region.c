/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the kinds of program region. */
#include "base/region.h"

#include <stddef.h>
#include <string.h>

static const struct {
	int type;
	const char *name;
	const char *sir;
} types[] = {
	{ REGION_MAIN, "MAIN_REGION", NULL },
	{ REGION_SUB, "SUB_REGION", NULL },
	{ REGION_LOOP, "LOOP_REGION", "loop" },
	{ REGION_CALL, "CALL_REGION", "call" },
	{ REGION_IO, "IO_REGION", "io" },
	{ REGION_BARRIER, "BARRIER_REGION", "parallelBarrier" },
	{ REGION_PARALLEL, "PARALLEL_REGION", "parallelRegion" },
	{ REGION_SECTIONS, "SECTIONS_REGION", "parallelSections" },
	{ REGION_SECTION, "SECTION_REGION", "parallelSection" },
	{ REGION_SINGLE, "SINGLE_REGION", "parallelSingle" },
	{ REGION_CRITICAL, "CRITICAL_REGION", "parallelCriticalSection" },
	{ REGION_ATOMIC, "ATOMIC_REGION", "parallelAtomic" },
	{ REGION_ORDERED, "ORDERED_REGION", "parallelOrdered" },
	{ REGION_MASTER, "MASTER_REGION", "parallelMaster" },
	{ REGION_USER, "USER_REGION", "userRegion" },
	{ REGION_WORKSHARE, "WORKSHARE_REGION", "workshare" },
	{ REGION_WORKSHARE_SECTIONS, "WORKSHARE_SECTIONS", "workshareSections" },
	{ REGION_WORKSHARE_DO, "WORKSHARE_DO", "workshareLoop" },
	{ REGION_TASK, "TASK_REGION", "parallelTask" },
	{ REGION_TASKWAIT, "TASKWAIT_REGION", "taskWait" },
	{ REGION_DATA_STRUCTURE, "DATA_STRUCTURE", NULL },
};
#define NTYPES (sizeof types / sizeof types[0])

const char *region_type_name(int type)
{
	for (size_t i = 0; i < NTYPES; i++)
		if (types[i].type == type)
			return types[i].name;
	return "UNKNOWN_REGION";
}

const char *region_type_sir(int type)
{
	for (size_t i = 0; i < NTYPES; i++)
		if (types[i].type == type)
			return types[i].sir;
	return NULL;
}

int region_type_from_name(const char *name)
{
	for (size_t i = 0; i < NTYPES; i++)
		if (strcmp(types[i].name, name) == 0)
			return types[i].type;
	return REGION_UNKNOWN;
}

int region_type_from_sir(const char *name)
{
	for (size_t i = 0; i < NTYPES; i++)
		if (types[i].sir && strcmp(types[i].sir, name) == 0)
			return types[i].type;
	/* parallelLoop is Periscope's combined construct: we take it as its worksharing part. */
	return strcmp(name, "parallelLoop") == 0 ? REGION_WORKSHARE_DO : REGION_UNKNOWN;
}
