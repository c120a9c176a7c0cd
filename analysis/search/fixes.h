/* SPDX-License-Identifier: BSD-3-Clause */
/* Which fixes the user wants tried for which data structures: --what-if. */
#ifndef PSC_SEARCH_FIXES_H
#define PSC_SEARCH_FIXES_H

#include <stdint.h>
#include "base/err.h"

enum fix {
	FIX_PAD = 1,            /* moved, or elements apart: what suits the structure */
	FIX_ROWS = 2,           /* pad=BYTES: longer rows of so many bytes */
	FIX_TOUCH = 4,          /* pages at the node of their first users in the phase */
	FIX_INTERLEAVE = 8,     /* pages over all nodes in turn */
	FIX_HIT = 16,           /* always hits: the bound of all changes */
	FIX_APPLICABLE = FIX_PAD | FIX_TOUCH | FIX_INTERLEAVE | FIX_HIT
};

struct fix_want {
	char structure[256];    /* "": those of the first findings */
	uint32_t fixes;         /* enum fix; 0: all that apply */
	uint32_t row;           /* bytes, of FIX_ROWS */
};

/* "STRUCTURE[:FIX[,FIX...]]"; NULL: automatic.  0, or -1 with what is wrong. */
int fixes_parse(const char *text, struct fix_want *out, struct err *err);
/* "pad", "pad=BYTES" is "pad" too. */
const char *fix_name(enum fix f);

#endif
