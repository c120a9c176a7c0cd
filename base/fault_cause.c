/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of causes of page faults. */
#include "base/fault_cause.h"

#include <stddef.h>

const char *const fault_cause_names[FAULT_CAUSES + 1] = {
	[FAULT_NONE] = "",
	[FAULT_FRESH] = "fresh",
	[FAULT_ALLOCATED] = "allocated",
	[FAULT_MAPPED] = "mapped",
	[FAULT_GROWN] = "grown",
	[FAULT_REALLOC] = "realloc",
	[FAULT_AUTOMATIC] = "automatic",
	[FAULT_TEMPORARY] = "temporary",
};
