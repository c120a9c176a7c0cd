/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of kinds of misses. */
#include "base/miss_kind.h"

#include <string.h>

const char *const miss_kind_names[MISS_KINDS + 1] = {
	[MISS_UNKNOWN] = "",
	[MISS_STREAM] = "stream",
	[MISS_STRIDED] = "strided",
	[MISS_GATHER] = "gather",
	[MISS_GUESSED] = "guessed",
	[MISS_CHAINED] = "chained",
	[MISS_SHARING] = "sharing",
	[MISS_COPY] = "copy",
	[MISS_TLB] = "tlb",
	[MISS_CONFLICT] = "conflict",
	[MISS_CAPACITY] = "capacity",
	[MISS_RECORD] = "record",
	[MISS_FALSE_SHARING] = "false sharing",
	[MISS_TRUE_SHARING] = "true sharing",
	[MISS_LOCK] = "lock",
	[MISS_CONTENTION] = "contention",
};

const char *miss_kind_name(enum miss_kind kind)
{
	return miss_kind_names[kind];
}

enum miss_kind miss_kind_from_name(const char *name)
{
	for (int i = MISS_UNKNOWN; i < MISS_KINDS; i++)
		if (strcmp(miss_kind_names[i], name) == 0)
			return (enum miss_kind)i;
	return MISS_UNKNOWN;
}

bool miss_kind_shares(enum miss_kind kind)
{
	switch (kind) {
	case MISS_SHARING:
	case MISS_FALSE_SHARING:
	case MISS_TRUE_SHARING:
	case MISS_LOCK:
	case MISS_CONTENTION:
		return true;
	default:
		return false;
	}
}
