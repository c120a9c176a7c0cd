/* SPDX-License-Identifier: BSD-3-Clause */
/* The changes to a data structure that --what-if tries, with their names on the command line and in
 * reports. */
#ifndef PSC_BASE_TRIED_FIX_H
#define PSC_BASE_TRIED_FIX_H

#include <stdbool.h>

enum tried_fix {
	TRIED_NONE,
	TRIED_PAD,              /* begins elsewhere, or longer rows */
	TRIED_TOUCH,
	TRIED_INTERLEAVE,
	TRIED_HIT,              /* the bound of all changes: the structure always hits */
	TRIED_DENSE,
	TRIED_PAGES,
	TRIED_FIT,
	TRIED_SPLIT,
	TRIED_NOCOPY,           /* it is not copied */
	TRIED_REPLICATE,        /* a copy on each memory node */
	TRIED_BIND,             /* each part on the node of the thread that uses it */
	TRIED_THREADS,          /* the threads that use it on one node */
	TRIED_FIXES
};

/* "" for TRIED_NONE; NULL at the end. */
extern const char *const tried_fix_names[TRIED_FIXES + 1];

/* True: it changes where memory lies, or where threads run. */
bool tried_fix_places(enum tried_fix fix);

#endif
