/* SPDX-License-Identifier: BSD-3-Clause */
/* The changes to a data structure that --what-if tries, with their names on the command line and in
 * reports. */
#ifndef PSC_BASE_TRIED_FIX_H
#define PSC_BASE_TRIED_FIX_H

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
	TRIED_FIXES
};

/* "" for TRIED_NONE; NULL at the end. */
extern const char *const tried_fix_names[TRIED_FIXES + 1];

#endif
