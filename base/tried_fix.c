/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of changes to a data structure. */
#include "base/tried_fix.h"

#include <stddef.h>

const char *const tried_fix_names[TRIED_FIXES + 1] = {
	[TRIED_NONE] = "",
	[TRIED_PAD] = "pad",
	[TRIED_TOUCH] = "touch",
	[TRIED_INTERLEAVE] = "interleave",
	[TRIED_HIT] = "hit",
	[TRIED_DENSE] = "dense",
	[TRIED_PAGES] = "pages=2M",
	[TRIED_FIT] = "fit",
	[TRIED_SPLIT] = "split",
	[TRIED_NOCOPY] = "nocopy",
	[TRIED_REPLICATE] = "replicate",
	[TRIED_BIND] = "bind",
	[TRIED_THREADS] = "threads",
};

bool tried_fix_places(enum tried_fix fix)
{
	return fix == TRIED_TOUCH || fix == TRIED_INTERLEAVE || fix >= TRIED_REPLICATE;
}
